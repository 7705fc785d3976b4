"""Checks that anybody can run on a loaded model, each with the numbers behind its result.

They look at what the model does and not at how it is written: the same for every architecture. Each
is a function from a `Case` to a `CheckResult`; a new one is a function and a line in `CHECKS`.

Shapes: N sources, S source tokens, T target tokens, V vocabulary, L layers, H heads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch

from s2s_core.errors import EmptyBatchError, EmptySourceError, ExplorerError
from s2s_core.models.translation import TrainedModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.training.check_case import (
    LONGEST,
    Case,
    another,
    check_sources,
    forced_log_probs,
    make_case,
    source_ids,
)
from s2s_core.training.objective import make_batch, teacher_forced_loss

Outcome = Literal["passed", "not passed", "doesn't apply", "shown"]

TOLERANCE = 1e-4
"""Log-probabilities that differ by less are the same but for the rounding of float32."""
GREEDY_LIMIT = 40
TARGET_LIMIT = LONGEST[-1]
"""The most tokens that are read of what a model writes for a source."""
LIMITS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found.

    outcome: "shown" where nothing is judged.
    why: in a sentence.
    numbers: (what, value), as measured.
    """

    name: str
    outcome: Outcome
    why: str
    numbers: tuple[tuple[str, float], ...] = ()


def checked_sources(language: str, own: str = "") -> tuple[str, ...]:
    """The sources that the checks read, a further one unless it is blank."""
    return (*check_sources(language), *((own,) if own.strip() else ()))


def run_checks(model: TrainedModel[Any], *, own: str = "") -> tuple[CheckResult, ...]:
    """Every check on a model, with sources in its language; an error is a check not passed.

    own: a further source; blank for none.

    Raises:
        SourceError: the model can't read the further source.
    """
    if own.strip():
        model.source_ids(own)  # refuses what can't be read
    try:
        case = make_case(model, checked_sources(model.source_language, own))
    except ExplorerError as error:
        return tuple(CheckResult(name, "not passed", str(error)) for name in CHECKS)
    return tuple(_run(name, check, case) for name, check in CHECKS.items())


def _run(name: str, check: Check, case: Case) -> CheckResult:
    try:
        outcome, why, numbers = check(case)
    except ExplorerError as error:
        return CheckResult(name, "not passed", f"an error came instead of a result: {error}")
    return CheckResult(name, outcome, why, tuple(numbers))


Found = tuple[Outcome, str, Sequence[tuple[str, float]]]
Check = Callable[[Case], Found]

_NO_ATTENTION = "The decoder gets one fixed vector: there are no weights over the source."


def _judged(passed: bool) -> Outcome:
    return "passed" if passed else "not passed"


def padding_in_attention(case: Case) -> Found:
    """In a batch of different lengths, padding gets exactly 0 of the attention."""
    if case.attention is None:
        return "doesn't apply", _NO_ATTENTION, ()
    on_padding = max(
        float(np.abs(weights[..., length:]).max(initial=0.0))
        for weights, length in zip(case.attention, case.lengths, strict=True)
    )
    numbers = [("largest weight on padding", on_padding), ("longest source", max(case.lengths))]
    return (
        _judged(on_padding == 0),
        "Weights beyond a source's last token must be exactly 0.",
        (numbers),
    )


def weights_sum_to_1(case: Case) -> Found:
    """The weights of each step sum to 1 over the source."""
    if case.attention is None:
        return "doesn't apply", _NO_ATTENTION, ()
    sums = np.concatenate(
        [
            weights[..., :length].sum(axis=-1, dtype=np.float64).ravel()
            for weights, length in zip(case.attention, case.lengths, strict=True)
        ]
    )
    off = float(np.abs(sums - 1).max())
    why = f"Each row over the source positions must sum to 1, to {TOLERANCE:g}."
    return _judged(off <= TOLERANCE), why, [("rows", len(sums)), ("furthest from 1", off)]


def padding_in_loss(case: Case) -> Found:
    """The loss of a padded batch is that of its sentences one by one, weighted by tokens."""
    sources, targets = source_ids(case), [list(target) for target in case.targets]
    network = case.model.network
    with torch.inference_mode():
        together = make_batch(sources, targets)
        mean = float(teacher_forced_loss(network, together))
        alone = [make_batch([s], [t]) for s, t in zip(sources, targets, strict=True)]
        parts = [float(teacher_forced_loss(network, each)) * each.target_tokens for each in alone]
    expected = sum(parts) / together.target_tokens
    numbers = [
        ("loss of the batch", mean),
        ("from single sentences", expected),
        ("padded target positions", together.targets.numel() - together.target_tokens),
    ]
    why = "Padding must neither count as a target nor change the others' loss."
    return _judged(abs(mean - expected) <= TOLERANCE * max(1, abs(expected))), why, numbers


def inputs_are_shifted(case: Case) -> Found:
    """The decoder reads the target shifted by one: what it predicts it hasn't read."""
    targets = [list(target) for target in case.targets]
    batch = make_batch(source_ids(case), targets)
    begins = batch.inputs[:, 0] == case.model.target.bos_id
    follows = (batch.inputs[:, 1:] == batch.targets[:, :-1]) | ~batch.target_mask[:, 1:]
    shifted = bool(begins.all()) and bool(follows.all())
    place = min(map(len, targets)) // 2  # this token is replaced by another
    other = [[*t[:place], another(case, t[place]), *t[place + 1 :]] for t in targets]
    change = np.abs(forced_log_probs(case, other) - forced_log_probs(case, targets)).max(
        axis=(0, 2)
    )
    before, after = float(change[: place + 1].max()), float(change[place + 1 :].max())
    numbers = [
        ("replaced token", place + 1),
        ("largest change up to it", before),
        ("largest change after it", after),
    ]
    why = "Another token in the target may change only the predictions after it, and must do so."
    return _judged(shifted and before <= TOLERANCE < after), why, numbers


def stops_at_the_limit(case: Case) -> Found:
    """Greedy and beam search end at the maximum length, whether an end token came or not."""
    numbers: list[tuple[str, float]] = []
    within = True
    for limit in LIMITS:
        config = SearchConfig(beam_size=3, max_length=limit, stop_rule="exhaust")
        longest = max(
            max(h.length for h in search(case.model, source, config).pool())
            for search in (beam_search, greedy_search)
            for source in case.sources
        )
        within &= longest <= limit
        numbers.append((f"longest at a limit of {limit}", longest))
    return (
        _judged(within),
        "No output may have more tokens than the limit, end token counted.",
        (numbers),
    )


def empties_are_refused(case: Case) -> Found:
    """A source whose positions are all masked, a blank source and an empty batch are errors."""
    ids = torch.full((1, 3), case.targets[0][0])
    masked = torch.zeros(1, 3, dtype=torch.bool)
    asked: list[tuple[str, type[ExplorerError], Callable[[], object]]] = [
        ("all masked", EmptySourceError, lambda: case.model.network.start(ids, masked)),
        ("blank source", EmptySourceError, lambda: case.model.encode([" "])),
        ("empty batch", EmptyBatchError, lambda: case.model.encode([])),
        ("empty batch in training", EmptyBatchError, lambda: make_batch([], [])),
    ]
    taken = [name for name, error, ask in asked if not _refuses(ask, error)]
    why = (
        f"Taken without a word: {', '.join(taken)}."
        if taken
        else ("Each was refused with an error that says what is missing.")
    )
    return _judged(not taken), why, [("asked", len(asked)), ("refused", len(asked) - len(taken))]


def stepwise_equals_forced(case: Case) -> Found:
    """Step by step, a target gets the same log-probabilities as read at once."""
    forced = forced_log_probs(case, [list(target) for target in case.targets])
    off = float(np.abs(forced - case.log_probs)[case.valid()].max())
    why = f"Both ways must give every token the same log-probability, to {TOLERANCE:g}."
    return (
        _judged(off <= TOLERANCE),
        why,
        [
            ("positions", int(case.valid().sum())),
            ("largest difference", off),
        ],
    )


def beam_of_one_is_greedy(case: Case) -> Found:
    """Beam size 1 under the stop rule `first` finds what greedy search finds."""
    config = SearchConfig(beam_size=1, stop_rule="first", max_length=GREEDY_LIMIT)
    pairs = [
        (
            beam_search(case.model, source, config).best,
            greedy_search(case.model, source, config).best,
        )
        for source in case.sources
    ]
    same = [beam.token_ids == greedy.token_ids for beam, greedy in pairs]
    off = max(abs(beam.log_prob - greedy.log_prob) for beam, greedy in pairs)
    why = "Both take the most probable token, the end token included, until it comes."
    numbers = [("sources", len(same)), ("equal", sum(same)), ("largest difference in log P", off)]
    return _judged(all(same) and off <= TOLERANCE), why, numbers


def weight_on_the_first(case: Case) -> Found:
    """How much of the attention stays on the first source position: shown, not judged."""
    if case.attention is None:
        return "doesn't apply", _NO_ATTENTION, ()
    first = case.attention[case.valid()][..., 0]  # (steps, L, H)
    numbers = [
        (f"mean weight, layer {layer}" if first.shape[1] > 1 else "mean weight", float(weight))
        for layer, weight in enumerate(first.mean(axis=(0, 2)), start=1)
    ]
    even = float(np.mean([1 / length for length in case.lengths]))
    why = "Much weight there deserves a look. It may be a summary or a rest at work, or no fault."
    return "shown", why, [*numbers, ("if spread evenly", even)]


def _refuses(ask: Callable[[], object], error: type[ExplorerError]) -> bool:
    try:
        ask()
    except error:
        return True
    return False


CHECKS: dict[str, Check] = {
    "Padding gets no attention": padding_in_attention,
    "Padding doesn't count in the loss": padding_in_loss,
    "Weights sum to 1 over the source": weights_sum_to_1,
    "The decoder reads the target shifted by one": inputs_are_shifted,
    "Step by step equals all at once": stepwise_equals_forced,
    "Generation stops at the limit": stops_at_the_limit,
    "Empty batches and all-masked sources are refused": empties_are_refused,
    "A beam of one is greedy search": beam_of_one_is_greedy,
    "Attention on the first position": weight_on_the_first,
}
"""Every check by name, in the order in which a page shows them."""
