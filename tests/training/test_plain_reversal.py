"""The plain exercise: what it reports is the training batch, and it says so."""

from __future__ import annotations

import pytest

from s2s_core.errors import SettingError
from s2s_core.training.plain_reversal import train_plain_reversal


def test_the_training_batch_is_learned_and_fresh_strings_are_not() -> None:
    result = train_plain_reversal(strings=24, steps=120, width=48)
    assert result.trained_tokens > 99
    assert result.fresh_strings < 30
    assert result == train_plain_reversal(strings=24, steps=120, width=48)


def test_one_step_learns_next_to_nothing() -> None:
    result = train_plain_reversal(strings=64, steps=1, width=8)
    assert result.loss == pytest.approx(2.56, abs=0.3)  # ln 13
    assert result.trained_tokens < 30


def test_bad_numbers_are_named() -> None:
    with pytest.raises(SettingError, match="not 0, 300, 64 and 1"):
        train_plain_reversal(strings=0)
