"""The controls of attention by hand, from link to result, with the figures of the lesson."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import LinkError
from s2s_core.models.hand_case import BatchAttention, HandCase
from s2s_core.models.hand_presets import PRESETS
from s2s_core.ui.attention import hand_tables
from s2s_core.ui.attention.hand_run import (
    HandScreen,
    batch_frame,
    batch_rows,
    flow_panels,
    hand_frame,
    hand_screen,
    mixture_rows,
    preset_of,
)
from s2s_core.ui.attention.hand_words import batch_finding, finding, number, vector
from s2s_core.ui.attention.link import (
    BATCH,
    CASE,
    FIELDS,
    GIVEN_SCORES,
    GIVEN_WEIGHTS,
    KEYS,
    MASK,
    MISTAKE,
    PART_SHOWN,
    QUERIES,
    QUERY_SHOWN,
    SCORE,
    START,
    VALUES,
    case_values,
    hand_case,
    table_field,
)
from s2s_core.ui.link import LinkValues, read_link, write_link

NUMBERS = st.floats(-1000, 1000)
TABLES = st.integers(1, 8).flatmap(
    lambda width: st.lists(st.tuples(*[NUMBERS] * width), min_size=1, max_size=12).map(tuple)
)


def screen_of(name: str, **changes: object) -> HandScreen:
    values = case_values(PRESETS[name].case)
    for field in (QUERY_SHOWN, PART_SHOWN, MISTAKE):
        if field.name in changes:
            values = values.replace(field, changes[field.name])
    found = hand_screen(values)
    assert isinstance(found, HandScreen)
    return found


# --- the figures of the lesson, through what the page calls --------------------------------------


def test_the_page_shows_a_quarter_three_quarters_and_5() -> None:
    screen = screen_of("log 3")
    *_, weights = flow_panels(screen)
    assert weights.texts == ("0.25", "0.75") and weights.title == "weight"
    assert mixture_rows(screen)[-1] == ("sum", "1", "", "5 = context")


@pytest.mark.parametrize(("query", "context"), [(1, "(0.3, 0.9)"), (2, "(0.9, 0.4)")])
def test_the_page_shows_both_mixes_of_the_three_states(query: int, context: str) -> None:
    screen = screen_of("states", query=query)
    assert mixture_rows(screen)[-1][-1] == f"{context} = context"
    assert [panel.title for panel in flow_panels(screen)] == ["weight"]


@pytest.mark.parametrize("score", ["additive", "general", "scaled_dot"])
def test_the_page_shows_the_padded_batch(score: str) -> None:
    found = hand_screen(LinkValues({}).replace(START, BATCH).replace(SCORE, score))
    assert isinstance(found, BatchAttention)
    assert dict(found.shapes)["context"] == (2, 512) and dict(found.shapes)["weights"] == (2, 9)
    assert batch_finding(found) == (
        "The rows sum to 1 and 1. Of the 3 padding positions 3 have a weight of exactly 0."
    )
    assert batch_rows(found)[1][7:] == ("0", "0", "0", "1")
    assert len(batch_frame(found)) == 18


def test_a_link_without_anything_is_the_first_preset() -> None:
    values, notices = read_link({}, FIELDS)
    assert not notices and preset_of(values) == "plane"
    assert hand_case(values) == PRESETS["plane"].case


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_survives_the_link_and_is_known_again(name: str) -> None:
    values = case_values(PRESETS[name].case)
    read, notices = read_link(write_link(values, FIELDS), FIELDS)
    assert not notices and preset_of(read) == name
    assert hand_case(read) == PRESETS[name].case


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("plane", "sum to 1."),
        ("mask after", "sum to 0.3348 instead of 1: up to 67 %"),
        ("rescaled", "0 / 0: not a number"),
        ("over the batch", "sum over the queries to 1, 1, 1; the weights of the queries sum to"),
    ],
)
def test_what_goes_wrong_is_told_with_its_numbers(name: str, words: str) -> None:
    assert words in finding(screen_of(name).result)


def test_a_late_mask_that_masks_nothing_loses_nothing() -> None:
    screen = screen_of("plane", mistake="mask after")
    assert "nothing was masked" in finding(screen.result)


def test_a_masked_column_over_the_batch_is_not_a_number() -> None:
    screen = screen_of("mask after", mistake="over the batch")
    assert "its column is 0 / 0" in finding(screen.result)
    assert flow_panels(screen)[-1].texts[2] == "not a number"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (-0.00001, "0"),
        (1.0, "1"),
        (-2.5, "−2.5"),
        (1 / 3, "0.3333"),
        (-math.inf, "−∞"),
        (math.nan, "not a number"),
        (800.0, "800"),
    ],
)
def test_numbers_are_short_and_have_real_minus_signs(value: float, shown: str) -> None:
    assert number(value) == shown
    assert vector([value]) == shown and vector([value, 1.0]) == f"({shown}, 1)"


def test_what_goes_into_the_softmax_is_shown_where_it_differs_from_the_scores() -> None:
    assert [panel.title for panel in flow_panels(screen_of("plane"))] == ["score", "weight"]
    masked = flow_panels(screen_of("mask after", mistake="none"))
    assert [panel.title for panel in masked] == ["score", "into the softmax", "weight"]
    assert masked[1].texts == ("1", "2", "−∞")


def test_the_saved_table_has_a_row_for_each_head_query_and_position() -> None:
    frame = hand_frame(screen_of("heads"))
    assert len(frame) == 6 and list(frame["head"]) == [1, 1, 1, 2, 2, 2]
    assert frame.groupby("head")["weight"].sum().tolist() == pytest.approx([1, 1])


def test_a_query_or_head_beyond_the_last_is_the_last() -> None:
    screen = screen_of("heads", query=4, part=8)
    assert (screen.query, screen.head) == (0, 1)


# --- tables --------------------------------------------------------------------------------------


@given(TABLES)
def test_a_table_survives_the_link(table: tuple[tuple[float, ...], ...]) -> None:
    field = table_field("k", ())
    assert field.parse(field.show(table)) == table


@pytest.mark.parametrize("text", ["1,", ";", "a", "1;2,3", "1e9", "inf", "nan", " 1", "1,0;;"])
def test_other_tables_are_refused(text: str) -> None:
    with pytest.raises(LinkError):
        table_field("k", ()).parse(text)


@pytest.mark.parametrize("name", PRESETS)
def test_an_editor_that_nobody_touched_changes_nothing(name: str) -> None:
    values = case_values(PRESETS[name].case)
    after = hand_tables.take_positions(values, hand_tables.positions_frame(values))
    if values.get(START) == "vectors":
        after = hand_tables.take_queries(after, hand_tables.queries_frame(after))
    assert hand_case(after) == PRESETS[name].case


def test_an_edited_cell_and_a_new_row_arrive() -> None:
    values = case_values(PRESETS["plane"].case)
    frame = hand_tables.positions_frame(values)
    frame.loc[0, "key x"] = 9.0
    new = pd.DataFrame([{"may look": None, "key x": 1.0, "value y": 4.0}])
    frame = pd.concat([frame.astype(object), new], ignore_index=True)
    after = hand_tables.take_positions(values, frame)
    assert after.get(KEYS)[0] == (9.0, 0.0) and after.get(KEYS)[3] == (1.0, 0.0)
    assert after.get(VALUES)[3] == (0.0, 4.0)
    assert after.get(MASK) == (True, True, True, True)


def test_columns_are_named_by_what_they_hold() -> None:
    columns = {
        name: list(hand_tables.positions_frame(case_values(PRESETS[name].case)))
        for name in ("plane", "log 3", "states", "heads")
    }
    assert columns["plane"] == ["may look", "key x", "key y", "value x", "value y"]
    assert columns["heads"][1:5] == ["key [1]", "key [2]", "key [3]", "key [4]"]
    assert columns["log 3"] == ["may look", "score", "value"]
    assert columns["states"] == ["weight of query 1", "weight of query 2", "value x", "value y"]


def test_scores_and_weights_go_on_from_what_was_computed() -> None:
    values = case_values(PRESETS["plane"].case)
    scores = hand_tables.start_from(values.replace(START, "scores"), "vectors")
    assert scores.get(GIVEN_SCORES) == ((2.0, 3.5, 1.0),)
    weights = hand_tables.start_from(scores.replace(START, "weights"), "scores")
    (row,) = weights.get(GIVEN_WEIGHTS)
    powers = [math.exp(score) for score in (2.0, 3.5, 1.0)]
    assert row == pytest.approx([power / sum(powers) for power in powers], abs=1e-7)
    hand_screen(weights)  # they still sum to 1, to what is allowed


def test_vectors_that_are_not_there_yet_begin_as_small_ones() -> None:
    values = case_values(PRESETS["log 3"].case).replace(START, "vectors")
    after = hand_tables.start_from(values, "scores")
    assert after.get(KEYS) == ((2.0, 0.0), (6.0, 0.0)) and after.get(QUERIES) == ((1.0, 1.0),)
    hand_screen(after)


def test_sizes_cut_and_fill() -> None:
    assert hand_tables.resized(((1.0, 2.0),), 3) == ((1.0, 2.0, 0.0),)
    assert hand_tables.resized(((1.0, 2.0),), 1) == ((1.0,),)
    assert hand_tables.recounted(((1.0,), (2.0,)), 1) == ((1.0,),)
    assert hand_tables.recounted(((1.0,), (2.0,)), 3) == ((1.0,), (2.0,), (2.0,))


def test_every_field_of_a_case_has_a_control() -> None:
    changed = HandCase(start="scores", scores=((1.0,),), values=((1.0,),), mask=(False,))
    assert hand_case(case_values(changed)) == changed
    assert {field.name for field in CASE} <= {field.name for field in FIELDS}
