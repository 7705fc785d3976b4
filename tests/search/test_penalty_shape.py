"""A length penalty apart from any hypothesis."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import SettingError
from s2s_core.search.length_penalty import GnmtPenalty, NoPenalty, PowerPenalty, WordReward
from s2s_core.search.penalty_shape import penalty_curve


@given(st.floats(-1.0, 3.0), st.lists(st.integers(1, 400), min_size=1, max_size=5))
def test_it_is_what_the_formulas_say(alpha: float, lengths: list[int]) -> None:
    power = penalty_curve(PowerPenalty(alpha), lengths)
    gnmt = penalty_curve(GnmtPenalty(alpha), lengths)
    reward = penalty_curve(WordReward(alpha), lengths)
    assert power.divides and gnmt.divides and not reward.divides
    for place, length in enumerate(lengths):
        assert power.values[place] == pytest.approx(length**alpha)
        assert gnmt.values[place] == pytest.approx(((5 + length) / 6) ** alpha)
        assert reward.values[place] == pytest.approx(alpha * length)
    assert set(penalty_curve(NoPenalty(), lengths).values) == {1.0}


def test_length_zero_is_refused() -> None:
    with pytest.raises(SettingError, match="at least 1"):
        penalty_curve(PowerPenalty(1.0), [0])
