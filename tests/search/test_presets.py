"""Each shipped table shows what its lesson says, checked by listing every string."""

from __future__ import annotations

from dataclasses import replace

import pytest

from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig, StopRule
from s2s_core.search.exact import exact_search
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import LengthPenalty, NoPenalty, PowerPenalty
from s2s_core.search.presets import FOLDER, PRESETS, Preset
from s2s_core.search.table_file import parse_table
from tests.search.naive import all_strings, next_log_probs

RAW = NoPenalty()


def best_of_all(preset: Preset, penalty: LengthPenalty, max_length: int = 10) -> str:
    """By brute force; a tie would be an error in the table."""
    table = preset.load()
    strings = list(all_strings(next_log_probs(table), table.target.eos_id, max_length))
    ranked = sorted(strings, key=lambda s: -penalty.score(s[1], len(s[0])))
    scores = [penalty.score(log_prob, len(ids)) for ids, log_prob in ranked[:2]]
    assert scores[0] > scores[1]
    return table.target.join(ranked[0][0])


def found(preset: Preset, beam_size: int, rule: StopRule = "exhaust") -> str:
    config = replace(preset.config, beam_size=beam_size, stop_rule=rule)
    return beam_search(preset.load(), "", config).best.text


@pytest.mark.parametrize("preset", PRESETS.values(), ids=str)
def test_every_preset_is_a_table_file_whose_settings_can_be_used(preset: Preset) -> None:
    assert parse_table(preset.text).target.tokens == preset.load().target.tokens
    assert beam_search(preset.load(), "", preset.config).best.finished


def test_no_table_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(PRESETS)


def test_greedy_search_falls_into_the_trap() -> None:
    preset = PRESETS["greedy-trap"]
    greedy = greedy_search(preset.load(), "", preset.config).best
    assert (greedy.text, round(greedy.log_prob, 4)) == ("A x", -1.204)
    assert best_of_all(preset, RAW) == found(preset, 4) == "B x"
    best = exact_search(preset.load(), "", preset.config).best
    assert round(best.log_prob, 4) == -0.9676


@pytest.mark.parametrize("rule", ["exhaust", "bound", "best", "first"])
def test_a_beam_of_two_is_worse_than_one_and_three(rule: StopRule) -> None:
    preset = PRESETS["beam-two-is-worse"]
    assert best_of_all(preset, RAW) == "A x"
    assert [found(preset, size, rule) == "A x" for size in (1, 2, 3)] == [True, False, True]


def test_first_gives_another_output_than_exhaust() -> None:
    preset = PRESETS["first-misses"]
    assert found(preset, 2, "first") == "b"
    assert found(preset, 2) == best_of_all(preset, preset.config.length_penalty) == "a c"


def test_the_empty_string_is_on_top_until_alpha_passes_046() -> None:
    preset = PRESETS["empty-on-top"]
    assert best_of_all(preset, RAW) == found(preset, 5) == ""
    for alpha, empty in ((0.46, True), (0.47, False)):
        table = preset.load()
        config = SearchConfig(5, 4, PowerPenalty(alpha))
        assert (exact_search(table, "", config).best.text == "") is empty


def test_the_two_lengths_cross_at_one_half() -> None:
    preset = PRESETS["crossing-at-one-half"]
    table = preset.load()
    ends = all_strings(next_log_probs(table), table.target.eos_id, 10)
    winners = {table.target.join(ids): len(ids) for ids, log_prob in ends if log_prob > -1.4}
    assert winners == {"yes": 2, "it is a very long answer indeed": 8}
    assert best_of_all(preset, PowerPenalty(0.4999)) == "yes"
    assert best_of_all(preset, PowerPenalty(0.5001)) == "it is a very long answer indeed"
