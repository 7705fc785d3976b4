"""Length penalties: published numbers, the bound, and where hypotheses change places."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import SettingError
from s2s_core.search.length_penalty import (
    LENGTH_PENALTIES,
    GnmtPenalty,
    LengthPenalty,
    NoPenalty,
    PowerPenalty,
    WordReward,
    crossing,
)
from s2s_core.search.penalty_base import readable

log_probs = st.floats(-60, 0).map(lambda x: round(x, 3))
lengths = st.integers(1, 60)


@pytest.mark.parametrize(
    ("alpha", "short", "long"),
    [(0.0, -2.5, -4.0), (0.6, -1.9601, -2.1413), (1.0, -1.6667, -1.4118)],
)
def test_gnmt_gives_the_figures_of_the_exercise(alpha: float, short: float, long: float) -> None:
    penalty = GnmtPenalty(alpha)
    assert round(penalty.score(-2.5, 4), 4) == short
    assert round(penalty.score(-4.0, 12), 4) == long


def test_power_gives_the_published_n_best_list() -> None:
    raw = (-1.18324, -8.15704, -8.58838, -8.23043, -8.64039, -9.01087)
    lengths = (1, 16, 17, 15, 16, 17)
    normalised = (-1.18324, -1.54547, -1.56907, -1.62094, -1.63705, -1.64626)
    scores = [PowerPenalty(0.6).score(p, n) for p, n in zip(raw, lengths, strict=True)]
    assert scores == pytest.approx(normalised, abs=6e-6)


def test_the_published_list_changes_its_first_at_the_published_alphas() -> None:
    empty, sixteen, seventeen = (-1.18324, 1), (-8.15704, 16), (-8.58838, 17)
    assert crossing(PowerPenalty, empty, sixteen) == pytest.approx(0.6963, abs=5e-5)
    assert crossing(PowerPenalty, sixteen, seventeen) == pytest.approx(0.8500, abs=5e-5)
    assert crossing(GnmtPenalty, empty, seventeen) == pytest.approx(1.5256, abs=5e-5)


def test_a_constant_token_log_prob_gives_that_number_at_alpha_one() -> None:
    for length in (3, 7, 10):
        assert PowerPenalty(1.0).score(-10.825 * length, length) == pytest.approx(-10.825)


@pytest.mark.parametrize("family", LENGTH_PENALTIES.values())
@given(first=st.tuples(log_probs, lengths), second=st.tuples(log_probs, lengths))
def test_scores_are_equal_at_the_crossing_and_change_order_there(
    family: type[LengthPenalty], first: tuple[float, int], second: tuple[float, int]
) -> None:
    value = crossing(family, first, second)
    if value is None:
        flat = family.parameter_name is None or 0.0 in (first[0], second[0])
        assert flat or first[1] == second[1]
        return
    if abs(value) > 20:
        return
    here = family.from_parameter(value)
    assert here.score(*first) == pytest.approx(here.score(*second), rel=1e-7, abs=1e-7)
    longer, shorter = (first, second) if first[1] > second[1] else (second, first)
    above, below = family.from_parameter(value + 0.5), family.from_parameter(value - 0.5)
    assert above.score(*longer) > above.score(*shorter)
    assert below.score(*longer) < below.score(*shorter)


@pytest.mark.parametrize("family", LENGTH_PENALTIES.values())
@given(st.data(), log_probs, st.floats(-2, 3))
def test_no_end_of_a_prefix_scores_above_its_bound(
    family: type[LengthPenalty], data: st.DataObject, log_prob: float, parameter: float
) -> None:
    penalty = family.from_parameter(parameter)
    step, room = data.draw(st.integers(1, 20)), data.draw(st.integers(1, 20))
    bound = penalty.bound(log_prob, step, step + room)
    lost = data.draw(st.floats(0, 30))
    length = step + data.draw(st.integers(1, room))
    assert penalty.score(log_prob - lost, length) <= bound


@pytest.mark.parametrize("family", LENGTH_PENALTIES.values())
def test_length_zero_is_refused(family: type[LengthPenalty]) -> None:
    with pytest.raises(SettingError, match="at least 1, not 0"):
        family.from_parameter(0.5).score(-1.0, 0)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, True, "0.6"])
@pytest.mark.parametrize("family", [PowerPenalty, GnmtPenalty, WordReward])
def test_a_parameter_must_be_a_finite_number(family: type[LengthPenalty], value: float) -> None:
    with pytest.raises(SettingError, match="finite number"):
        family.from_parameter(value)


@pytest.mark.parametrize("family", LENGTH_PENALTIES.values())
@given(parameter=st.floats(allow_nan=False, allow_infinity=False), length=lengths)
def test_any_finite_parameter_scores_without_an_exception(
    family: type[LengthPenalty], parameter: float, length: int
) -> None:
    score = family.from_parameter(parameter).score(-3.0, length)
    assert not math.isnan(score)


def test_scoring_takes_a_negative_alpha_and_decoding_does_not() -> None:
    assert PowerPenalty(-1.0).score(-2.0, 3) == -6.0
    for penalty in (PowerPenalty(-0.1), GnmtPenalty(-1)):
        with pytest.raises(SettingError, match="at least 0, not -"):
            penalty.check_decoding()
    for fine in (PowerPenalty(0), GnmtPenalty(2), WordReward(-1.0), NoPenalty()):
        fine.check_decoding()


def test_the_arithmetic_is_written_as_a_person_would() -> None:
    assert PowerPenalty(0.6).arithmetic(-3.2, 8) == "-3.20 / 8^0.6 = -0.92"
    assert GnmtPenalty(0.6).arithmetic(-2.5, 4) == "-2.50 / ((5+4)/6)^0.6 = -1.96"
    assert WordReward(0.5).arithmetic(-3.2, 8) == "-3.20 + 0.5 * 8 = 0.80"
    assert NoPenalty().arithmetic(-3.2, 8) == "-3.20"


@pytest.mark.parametrize("family", LENGTH_PENALTIES.values())
def test_every_penalty_says_what_it_is(family: type[LengthPenalty]) -> None:
    penalty = family.from_parameter(1)
    assert LENGTH_PENALTIES[penalty.name] is family
    assert penalty.label and penalty.latex and penalty.source
    assert hash(penalty) == hash(family.from_parameter(1.0))
    assert (penalty.parameter is None) == (penalty.parameter_name is None)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (-0.92, "-0.92"),
        (-13.456, "-13.46"),
        (-0.0018, "-0.0018"),
        (-0.0996, "-0.10"),
        (0.0, "0.00"),
    ],
)
def test_a_small_score_is_never_shown_as_minus_zero(value: float, shown: str) -> None:
    assert readable(value) == shown
