"""The next-token bars on their data."""

from __future__ import annotations

import math

import pytest

from s2s_core.figures.next_token import (
    BARS,
    bar_arrays,
    next_token_alt,
    next_token_figure,
    next_tokens,
)
from s2s_core.figures.theme import DARK, LIGHT, literal
from s2s_core.figures.tree_traces import MEANINGS
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.trace import BeamTrace
from tests.browser.apps.demo_model import ODD, ODD_OTHERS, ODD_SOURCE, DemoModel


def test_bars_and_everything_else_are_the_whole(trace: BeamTrace) -> None:
    for step in trace.steps:
        for parent_id in step.expanded_ids:
            row = next_tokens(trace, parent_id)
            assert row is not None
            shown = [token.probability for token in row.tokens]
            assert shown == sorted(shown, reverse=True)
            assert math.fsum(shown) + row.rest == pytest.approx(1.0, abs=1e-9)


def test_the_taken_token_is_among_the_bars(trace: BeamTrace) -> None:
    for node in trace.path(trace.ranked_ids()[0]):
        row = next_tokens(trace, node.parent_id, taken_id=node.id)
        assert row is not None
        assert [token.node_id for token in row.tokens if token.taken] == [node.id]
        assert row.prefix == node.text[: len(row.prefix)]


def test_where_a_token_was_given_the_search_chose_nothing() -> None:
    table = ProbabilityTable({"": {"a": 0.9, "b": 0.1}}, default={"EOS": 1.0})
    given = table.target.ids("b")
    trace = beam_search(table, "", forced_ids=given)
    node = trace.path(trace.ranked_ids()[0])[0]
    row = next_tokens(trace, 0, taken_id=node.id)
    assert row is not None
    assert [(t.token, t.taken, t.state) for t in row.tokens] == [
        ("a", False, ""),
        ("b", True, "given"),
    ]
    bars = bar_arrays(row, slots=3, theme=LIGHT)
    assert bars.texts[:2] == ("90 %", "<b>10 %</b>  given")
    assert bars.colors == (LIGHT.pruned, LIGHT.accent, LIGHT.pruned)


def test_an_improbable_taken_token_takes_the_last_place() -> None:
    shares = dict(zip("abcdefghijkl", [0.3, 0.2, 0.1, *[0.05] * 8, 0.0], strict=True))
    table = ProbabilityTable({"": shares}, default={"EOS": 1.0})
    trace = beam_search(table, "", SearchConfig(recorded_candidates=12))
    last = trace.steps[0].row(0)[-1]
    assert len(trace.steps[0].row(0)) > BARS
    row = next_tokens(trace, 0, taken_id=last.id)
    assert row is not None
    assert len(row.tokens) == BARS
    assert row.tokens[-1].taken
    assert math.fsum(t.probability for t in row.tokens) + row.rest == pytest.approx(1.0)


def test_what_was_never_expanded_has_no_bars(trace: BeamTrace) -> None:
    pruned = next(c for c in trace.nodes if c.fate == "pruned")
    finished = trace.finished[0]
    assert next_tokens(trace, pruned.id) is None
    assert next_tokens(trace, finished.id) is None


def test_the_figure_is_in_percent_with_numbered_places(trace: BeamTrace) -> None:
    row = next_tokens(trace, 0)
    assert row is not None
    figure = next_token_figure(row)
    (bars,) = figure.data
    assert list(bars.x)[:-1] == [round(100 * t.probability, 4) for t in row.tokens]
    assert list(bars.y) == list(figure.layout.yaxis.tickvals) == list(range(len(row.tokens) + 1))
    assert figure.layout.yaxis.ticktext[-1] == f"{row.rest_count:,} others"


def test_the_taken_bar_is_told_in_words_and_colour(trace: BeamTrace) -> None:
    node = trace.path(trace.ranked_ids()[0])[0]
    row = next_tokens(trace, node.parent_id, taken_id=node.id)
    assert row is not None
    for theme in (LIGHT, DARK):
        bars = bar_arrays(row, slots=len(row.tokens) + 1, theme=theme)
        taken = [i for i, color in enumerate(bars.colors) if color == theme.accent]
        assert [row.tokens[i].node_id for i in taken] == [node.id]
        assert all("taken" in bars.texts[i] for i in taken)


def test_empty_slots_are_blank(trace: BeamTrace) -> None:
    row = next_tokens(trace, 0)
    assert row is not None
    bars = bar_arrays(row, slots=12, theme=LIGHT)
    assert {len(bars.labels), len(bars.values), len(bars.texts), len(bars.colors)} == {12}
    assert set(bars.labels[len(row.tokens) + 1 :]) == {""}
    assert set(bars.values[len(row.tokens) + 1 :]) == {0.0}


def test_labels_are_literal() -> None:
    model = DemoModel(ODD, ODD_OTHERS)
    trace = beam_search(model, " ".join(ODD_SOURCE), SearchConfig(beam_size=6))
    row = next_tokens(trace, 0)
    assert row is not None
    labels = next_token_figure(row).layout.yaxis.ticktext
    assert list(labels)[:-1] == [literal(token.token) for token in row.tokens]


def test_alt_text_names_the_tokens(trace: BeamTrace) -> None:
    row = next_tokens(trace, 0)
    assert row is not None
    alt = next_token_alt(row)
    assert "at the start" in alt
    assert all(token.token in alt for token in row.tokens)


def test_the_last_bar_counts_the_tokens_that_it_sums(trace: BeamTrace) -> None:
    size = DemoModel().target.size
    for step in trace.steps:
        for parent_id in step.expanded_ids:
            row = next_tokens(trace, parent_id)
            assert row is not None
            assert row.rest_count == size - 1 - len(row.tokens)  # all but BOS can follow


def test_where_prefixes_differ_in_what_can_follow_nothing_is_counted() -> None:
    table = ProbabilityTable(
        {"": {"a": 0.5, "b": 0.5}, "a": {"x": 0.2, "y": 0.3, "z": 0.5}}, default={"EOS": 1.0}
    )
    trace = beam_search(table, "", SearchConfig(beam_size=2, stop_rule="exhaust"))
    for parent_id in (0, trace.steps[0].candidates[0].id):
        row = next_tokens(trace, parent_id)
        assert row is not None and row.rest_count is None
        assert bar_arrays(row, slots=4, theme=LIGHT).labels[len(row.tokens)] == "all others"


def test_each_bar_tells_its_fate_in_the_same_word_as_the_tree(trace: BeamTrace) -> None:
    row = next_tokens(trace, 0)
    assert row is not None
    texts = bar_arrays(row, slots=len(row.tokens) + 1, theme=LIGHT).texts
    for token, text in zip(row.tokens, texts, strict=False):
        assert text.endswith(MEANINGS[token.state])
