"""What a model gives is checked at the border."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from s2s_core.errors import ModelOutputError
from s2s_core.models.interface import StepOutput
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.search.score import score_target
from tests.search.fakes import BrokenModel, PrefixModel, State

SOURCE = "x y z"
FINE = np.log(np.full((1, 7), 1 / 7, dtype=np.float32))


def with_entry(value: float, column: int = 4) -> NDArray[np.float32]:
    row = FINE.copy()
    row[0, column] = value
    return row


@pytest.mark.parametrize(
    "output",
    [
        with_entry(np.nan),
        with_entry(np.nan, column=0),
        with_entry(0.01),
        with_entry(np.inf),
        FINE[0],
        FINE[:, :6],
        np.repeat(FINE, 2, axis=0),
        np.zeros((1, 7), dtype=np.int64),
    ],
)
def test_output_that_is_no_log_probabilities_is_a_named_error(output: NDArray[np.generic]) -> None:
    for search in (beam_search, greedy_search):
        with pytest.raises(ModelOutputError):
            search(BrokenModel(1, output), SOURCE)
    with pytest.raises(ModelOutputError):
        score_target(BrokenModel(1, output), SOURCE, (4, 4))


def test_float32_rounding_above_zero_counts_as_zero() -> None:
    row = np.full((1, 7), -np.inf, dtype=np.float32)
    row[0, 2] = 5e-7
    best = beam_search(BrokenModel(1, row), SOURCE).best
    assert (best.token_log_probs, best.log_prob, best.finished) == ((0.0,), 0.0, True)


def test_banned_tokens_are_never_candidates_and_nothing_is_renormalised() -> None:
    model = PrefixModel(seed=3)
    trace = beam_search(model, SOURCE, SearchConfig(5, 5, recorded_candidates=50))
    assert not {0, 1} & {node.token_id for node in trace.nodes}
    for node in trace.nodes:
        prefix = tuple(n.token_id for n in trace.path(node.id))
        own = float(model.row((1, *prefix[:-1]))[prefix[-1]])
        assert node.token_log_prob == own


@pytest.mark.parametrize("shape", [(1, 2, 3), (1, 2, 3, 4), (2, 2, 3, 3)])
def test_attention_of_a_wrong_shape_is_a_named_error(shape: tuple[int, ...]) -> None:
    class Odd(PrefixModel):
        def step(self, state: State, last_ids: NDArray[np.integer]) -> StepOutput[State]:
            output = super().step(state, last_ids)
            return StepOutput(output.log_probs, np.ones(shape), output.state)

    with pytest.raises(ModelOutputError, match="cross-attention must have shape"):
        beam_search(Odd(), SOURCE)


def test_log_probs_are_summed_in_float64() -> None:
    trace = beam_search(PrefixModel(seed=1), SOURCE, SearchConfig(3, 12, stop_rule="exhaust"))
    for node in trace.nodes:
        path = trace.path(node.id)
        assert node.log_prob == pytest.approx(sum(n.token_log_prob for n in path), abs=1e-12)
