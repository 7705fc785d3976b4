"""Settings and tokenizers: what is allowed, what is refused, and what is never made."""

from __future__ import annotations

import socket

import pytest

from s2s_core.errors import SettingError
from s2s_core.metrics import tokenizers
from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.settings import SMOOTHINGS, BleuSettings
from s2s_core.metrics.tokenizers import TOKENIZERS, available_tokenizers

FETCHING = ("spm", "flores101", "flores200", "spBLEU-1K")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"tokenize": "14a"}, "tokenizer must be one of 13a, intl, zh, char, none.*, not '14a'"),
        ({"tokenize": None}, "tokenizer must be one of .*, not None"),
        ({"smooth": "exponential"}, "smoothing must be one of exp, floor, add-k, none, not"),
        ({"smooth": ["exp"]}, "smoothing must be one of"),
        ({"smooth": "floor", "smooth_value": -0.1}, "floor value must be between 0 and 1, not"),
        ({"smooth": "floor", "smooth_value": 2}, "floor value must be between 0 and 1, not 2"),
        ({"smooth": "floor", "smooth_value": float("nan")}, "floor value must be a finite number"),
        ({"smooth": "add-k", "smooth_value": 101}, "add-k value must be between 0 and 100"),
        ({"max_order": 0}, "maximum order must be between 1 and 10, not 0"),
        ({"max_order": 2.5}, "maximum order must be a whole number"),
        ({"lowercase": object}, "lowercase must be True or False"),
        ({"effective_order": 1}, "effective order must be True or False, not 1"),
    ],
)
def test_a_bad_setting_says_what_is_allowed(setting: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        BleuSettings(**setting)  # type: ignore[arg-type]


def test_a_value_that_does_not_matter_makes_no_difference() -> None:
    assert BleuSettings(smooth="exp", smooth_value=7) == BleuSettings()
    assert BleuSettings(smooth="floor").effective_smooth_value == 0.1
    assert BleuSettings(smooth="add-k").effective_smooth_value == 1
    assert BleuSettings(smooth="add-k", smooth_value=2).effective_smooth_value == 2


def test_every_smoothing_has_a_formula_and_words() -> None:
    for smoothing in SMOOTHINGS.values():
        assert smoothing.formula
        assert smoothing.help.endswith(".")


@pytest.mark.parametrize("name", available_tokenizers())
def test_every_tokenizer_on_offer_works_without_a_network(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("something was fetched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    found = bleu_report(["The cat, 猫."], [["The cat, 猫."]], BleuSettings(tokenize=name))
    assert found.orders[0].raw_precision == 100
    assert f"tok:{name}" in found.signature


@pytest.mark.parametrize("name", FETCHING)
def test_tokenizers_that_fetch_are_refused_and_never_made(name: str) -> None:
    assert name not in TOKENIZERS
    with pytest.raises(SettingError, match="it fetches its model from the network"):
        BleuSettings(tokenize=name)


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_mecab_is_offered_where_it_is_installed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(tokenizers, "find_spec", lambda _: None)
    assert available_tokenizers() == ("13a", "intl", "zh", "char", "none")
    with pytest.raises(SettingError, match=rf"pip install 'sacrebleu\[{name[:2]}\]'"):
        BleuSettings(tokenize=name)
    monkeypatch.setattr(tokenizers, "find_spec", lambda _: object())
    assert name in available_tokenizers()
    assert BleuSettings(tokenize=name).tokenize == name
