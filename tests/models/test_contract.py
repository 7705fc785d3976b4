"""The contract of `TranslationModel`, over every kind of model that search can be given."""

from __future__ import annotations

import copy
import dataclasses
import threading
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from s2s_core.errors import EmptyBatchError, EmptySourceError, ModelInputError
from s2s_core.models.interface import StepOutput, TranslationModel
from s2s_core.models.translation import TrainedModel, pad
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.table import ProbabilityTable
from tests.models.networks import (
    NETWORKS,
    WITH_ATTENTION,
    WITHOUT_ATTENTION,
    random_model,
    random_network,
)

SOURCES = ("The cat.", "Where is the small red umbrella in the garden?", "She bought 12 apples.")
LENGTH = 6  # target tokens read
TOLERANCE = 1e-5

TABLE_ROWS = {
    "": {"a": 0.6, "b": 0.3, "</s>": 0.1},
    "a": {"a": 0.25, "b": 0.75},
    "a b": {"b": 0.5, "</s>": 0.5},
}
TABLE_DEFAULT = {"a": 0.2, "b": 0.3, "</s>": 0.5}


class Backend(Protocol):
    """A model, and what its probabilities are by another way than its own `step`."""

    @property
    def model(self) -> TranslationModel[Any]:
        """The model."""

    def targets(self) -> NDArray[np.int64]:
        """Target ids to read, (N, T), one row for each of `SOURCES`."""

    def teacher_forced(self, targets: NDArray[np.int64]) -> NDArray[np.floating]:
        """Log-probabilities (N, T + 1, V) when the targets are read after BOS."""


@dataclasses.dataclass(frozen=True)
class NetworkBackend:
    model: TrainedModel[Any]

    def targets(self) -> NDArray[np.int64]:
        ids = np.random.default_rng(3).integers(3, self.model.target.size, (len(SOURCES), LENGTH))
        ids[:, 1::2] = ids[:, 1::2] % 40 + 380  # whole pieces among the bytes
        return ids

    def teacher_forced(self, targets: NDArray[np.int64]) -> NDArray[np.floating]:
        source, mask = pad([self.model.source_ids(text) for text in SOURCES])
        bos = np.full((len(SOURCES), 1), self.model.target.bos_id)
        inputs = torch.as_tensor(np.concatenate([bos, targets], axis=1))
        with torch.inference_mode():
            logits = self.model.network.logits(self.model.network(source, mask, inputs))
            return torch.log_softmax(logits, dim=-1).numpy()


@dataclasses.dataclass(frozen=True)
class TableBackend:
    model: ProbabilityTable

    def targets(self) -> NDArray[np.int64]:
        names = [self.model.target.token(i) for i in range(self.model.target.size)]
        rows = ("a b a b a b", "b a b b a a", "a a a a a a")
        return np.array([[names.index(token) for token in row.split()] for row in rows])

    def teacher_forced(self, targets: NDArray[np.int64]) -> NDArray[np.floating]:
        names = [self.model.target.token(i) for i in range(self.model.target.size)]
        rows = []
        for target in targets:
            prefixes = [" ".join(names[i] for i in target[:t]) for t in range(LENGTH + 1)]
            found = [TABLE_ROWS.get(prefix, TABLE_DEFAULT) for prefix in prefixes]
            rows.append([[row.get(name, 0.0) for name in names] for row in found])
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.array(rows)))


def make_backend(name: str) -> Backend:
    if name == "table":
        table = ProbabilityTable(TABLE_ROWS, default=TABLE_DEFAULT, start="<s>", eos="</s>")
        return TableBackend(table)
    return NetworkBackend(random_model(name))


@pytest.fixture(params=[*NETWORKS, "table"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return make_backend(request.param)


def run(
    model: TranslationModel[Any], sources: Sequence[str], targets: NDArray[np.int64]
) -> list[StepOutput[Any]]:
    """BOS and then the targets (N, T), read one position at a time: T + 1 outputs."""
    _, state = model.encode(sources)
    outputs = []
    for last_ids in (np.full(len(sources), model.target.bos_id), *targets.T):
        outputs.append(model.step(state, last_ids))
        state = outputs[-1].state
    return outputs


def log_probs(outputs: Sequence[StepOutput[Any]]) -> NDArray[np.floating]:
    """(N, T, V)."""
    return np.stack([output.log_probs for output in outputs], axis=1)


def attention(outputs: Sequence[StepOutput[Any]]) -> NDArray[np.floating] | None:
    """(N, T, L, H, S), or None."""
    steps = [o.cross_attention for o in outputs if o.cross_attention is not None]
    assert len(steps) in (0, len(outputs))
    return np.stack(steps, axis=1) if steps else None


def same(left: NDArray[np.floating] | None, right: NDArray[np.floating] | None) -> bool:
    if left is None or right is None:
        return left is right
    return bool(np.allclose(left, right, rtol=0, atol=TOLERANCE))


# --- probabilities -------------------------------------------------------------------------------


def test_probabilities_sum_to_1_before_anything_is_banned(backend: Backend) -> None:
    for output in run(backend.model, SOURCES, backend.targets()):
        assert output.log_probs.shape == (len(SOURCES), backend.model.target.size)
        totals = np.exp(output.log_probs.astype(np.float64)).sum(axis=1)
        assert np.allclose(totals, 1, rtol=0, atol=TOLERANCE)
        assert np.all(output.log_probs <= 0)


def test_stepwise_equals_teacher_forced(backend: Backend) -> None:
    targets = backend.targets()
    stepwise = log_probs(run(backend.model, SOURCES, targets))
    assert same(stepwise, backend.teacher_forced(targets))
    assert np.ptp(np.exp(stepwise), axis=1).max() > 0.01  # the positions do differ


def test_a_batch_of_different_lengths_equals_the_single_runs(backend: Backend) -> None:
    targets = backend.targets()
    together = run(backend.model, SOURCES, targets)
    tokens, _ = backend.model.encode(SOURCES)
    for row, source in enumerate(SOURCES):
        alone = run(backend.model, [source], targets[row : row + 1])
        assert backend.model.encode([source])[0] == (tokens[row],)
        assert same(log_probs(together)[row], log_probs(alone)[0])
        weights, weights_alone = attention(together), attention(alone)
        if weights is not None and weights_alone is not None:
            count = len(tokens[row])
            assert same(weights[row, ..., :count], weights_alone[0])


# --- attention -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_ATTENTION)
def test_attention_sums_to_1_over_the_source_and_is_exactly_0_on_padding(name: str) -> None:
    backend = make_backend(name)
    tokens, _ = backend.model.encode(SOURCES)
    lengths = [len(row) for row in tokens]
    assert len(set(lengths)) == len(SOURCES)
    weights = attention(run(backend.model, SOURCES, backend.targets()))
    assert weights is not None
    sizes = NETWORKS[name]
    layers, heads = int(sizes.get("layers", 1)), int(sizes.get("heads", 1))
    assert weights.shape == (len(SOURCES), LENGTH + 1, layers, heads, max(lengths))
    assert np.all(weights >= 0)
    for row, length in enumerate(lengths):
        assert np.all(weights[row, ..., length:] == 0)
        assert np.allclose(weights[row, ..., :length].sum(axis=-1), 1, rtol=0, atol=TOLERANCE)
        assert weights[row, ..., :length].std() > 0.001  # not just an average


@pytest.mark.parametrize("name", [*WITHOUT_ATTENTION, "table"])
def test_a_model_without_attention_gives_none(name: str) -> None:
    backend = make_backend(name)
    assert attention(run(backend.model, SOURCES, backend.targets())) is None


# --- states --------------------------------------------------------------------------------------


def test_selecting_1_0_swaps_the_rows(backend: Backend) -> None:
    targets = backend.targets()[:2, :2]
    _, state = backend.model.encode(SOURCES[:2])
    state = backend.model.step(state, targets[:, 0]).state
    straight = backend.model.step(state, targets[:, 1])
    swapped = backend.model.step(backend.model.select(state, np.array([1, 0])), targets[::-1, 1])
    assert same(swapped.log_probs, straight.log_probs[::-1])
    weights = straight.cross_attention
    assert same(swapped.cross_attention, None if weights is None else weights[::-1])


def test_select_keeps_copies_and_drops_rows(backend: Backend) -> None:
    targets = backend.targets()
    _, state = backend.model.encode(SOURCES)
    all_rows = backend.model.step(state, targets[:, 0])
    rows = np.array([2, 0, 2])
    chosen = backend.model.step(backend.model.select(state, rows), targets[rows, 0])
    assert same(chosen.log_probs, all_rows.log_probs[rows])
    after = backend.model.step(backend.model.select(all_rows.state, rows), targets[rows, 1])
    expected = backend.model.step(all_rows.state, targets[:, 1])
    assert same(after.log_probs, expected.log_probs[rows])


def test_rows_may_be_a_read_only_array(backend: Backend) -> None:
    rows = np.array([0])
    rows.flags.writeable = False
    _, state = backend.model.encode(SOURCES)
    chosen = backend.model.select(state, rows)
    assert backend.model.step(chosen, rows + backend.model.target.bos_id).log_probs.shape[0] == 1


def test_old_states_stay_usable(backend: Backend) -> None:
    targets = backend.targets()
    _, start = backend.model.encode(SOURCES)
    kept = copy.deepcopy(start)
    first = backend.model.step(start, targets[:, 0])
    before = first.log_probs.copy()
    backend.model.select(first.state, np.array([2, 1, 0]))
    later = backend.model.step(first.state, targets[:, 1])
    backend.model.step(later.state, targets[:, 2])
    assert same_tensors(start, kept)
    again = backend.model.step(start, targets[:, 0])
    assert np.array_equal(again.log_probs, before)
    assert np.array_equal(first.log_probs, before)
    other_branch = backend.model.step(first.state, targets[::-1, 1])
    assert not np.array_equal(other_branch.log_probs, later.log_probs)
    back = backend.model.step(first.state, targets[:, 1])
    assert np.array_equal(back.log_probs, later.log_probs)


def same_tensors(left: object, right: object) -> bool:
    if isinstance(left, torch.Tensor):
        return torch.equal(left, right)  # type: ignore[arg-type]
    if dataclasses.is_dataclass(left):
        names = [field.name for field in dataclasses.fields(left)]
        return all(same_tensors(getattr(left, name), getattr(right, name)) for name in names)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same_tensors, left, right))
    return left == right


def test_two_searches_that_take_turns_dont_disturb_each_other(backend: Backend) -> None:
    targets = backend.targets()
    alone = [
        log_probs(run(backend.model, [source], row[None]))
        for source, row in zip(SOURCES, targets, strict=True)
    ]
    states = [backend.model.encode([source])[1] for source in SOURCES]
    found: list[list[NDArray[np.floating]]] = [[] for _ in SOURCES]
    for position in range(LENGTH + 1):
        for search, target in enumerate(targets):
            last_id = target[position - 1] if position else backend.model.target.bos_id
            output = backend.model.step(states[search], np.array([last_id]))
            states[search] = output.state
            found[search].append(output.log_probs)
    for expected, steps in zip(alone, found, strict=True):
        assert np.array_equal(np.stack(steps, axis=1), expected)


@pytest.mark.parametrize("name", ["gru-bidirectional-additive", "transformer-2-layers-4-heads"])
def test_one_instance_serves_two_threads(name: str) -> None:
    model, config = random_model(name), SearchConfig(beam_size=3, max_length=12)
    expected = [beam_search(model, source, config) for source in SOURCES]
    found: dict[int, Any] = {}

    def search(index: int) -> None:
        found[index] = beam_search(model, SOURCES[index], config)

    threads = [threading.Thread(target=search, args=(index,)) for index in range(len(SOURCES))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[index] for index in range(len(SOURCES))] == expected


# --- the target side -----------------------------------------------------------------------------


def test_start_end_and_banned_tokens_are_in_the_vocabulary(backend: Backend) -> None:
    target = backend.model.target
    assert target.bos_id != target.eos_id
    assert target.bos_id in target.banned_ids
    assert target.eos_id not in target.banned_ids
    assert all(0 <= i < target.size for i in (target.bos_id, target.eos_id, *target.banned_ids))
    assert len({target.token(i) for i in range(target.size)}) == target.size


def test_special_tokens_are_left_out_of_the_text(backend: Backend) -> None:
    target = backend.model.target
    ids = backend.targets()[0].tolist()
    assert target.join([target.bos_id, *ids, target.eos_id]) == target.join(ids)


# --- errors --------------------------------------------------------------------------------------


def test_an_empty_batch_is_a_named_error(backend: Backend) -> None:
    with pytest.raises(EmptyBatchError, match="at least one"):
        backend.model.encode([])


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("blank", ["", "  ", "\u200b\n"])
def test_a_blank_source_is_a_named_error(name: str, blank: str) -> None:
    with pytest.raises(EmptySourceError, match="blank"):
        random_model(name).encode(["The cat.", blank])


@pytest.mark.parametrize("name", NETWORKS)
def test_an_all_masked_source_is_a_named_error_that_says_which(name: str) -> None:
    network = random_network(name)
    ids, mask = torch.full((3, 4), 300), torch.ones(3, 4, dtype=torch.bool)
    mask[1] = False
    with pytest.raises(EmptySourceError, match="source 2"):
        network.start(ids, mask)
    with pytest.raises(EmptySourceError, match="source 1"):
        network.start(ids[:, :0], mask[:, :0])


@pytest.mark.parametrize("name", NETWORKS)
def test_ids_and_masks_that_dont_fit_are_a_named_error(name: str) -> None:
    network = random_network(name)
    ids, mask = torch.full((3, 4), 300), torch.ones(3, 4, dtype=torch.bool)
    for wrong_ids, wrong_mask in ((ids, mask[:, :3]), (ids[:1], mask), (ids, mask.long())):
        with pytest.raises(ModelInputError, match="don't fit"):
            network.start(wrong_ids, wrong_mask)
    with pytest.raises(EmptyBatchError):
        network.start(ids[:0], mask[:0])
