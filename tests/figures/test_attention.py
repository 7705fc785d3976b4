"""The heatmap on its data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.figures.attention import attention_alt, attention_figure
from s2s_core.figures.grid import AttentionGrid, attention_grid, merge_words
from s2s_core.figures.labels import token_label
from s2s_core.figures.theme import DARK, LIGHT, literal
from s2s_core.search.records import AttentionMap
from s2s_core.search.trace import BeamTrace

SOURCE = ("the", "cat", "saw", "the", "dog")
TARGET = ("▁le", "▁chat", "</s>")


def weights(rows: int, columns: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(columns), size=rows)


@pytest.fixture
def grid() -> AttentionGrid:
    return AttentionGrid.from_matrix(weights(3, 5), TARGET, SOURCE)


def test_repeated_tokens_have_a_numbered_column_each(grid: AttentionGrid) -> None:
    axis = attention_figure(grid).layout.xaxis
    assert list(axis.tickvals) == [0, 1, 2, 3, 4]
    assert list(axis.ticktext) == list(SOURCE)
    assert axis.type is None or axis.type == "linear"


def test_rows_are_produced_tokens_from_the_top(grid: AttentionGrid) -> None:
    figure = attention_figure(grid)
    np.testing.assert_allclose(figure.data[0].z, grid.weights, atol=1e-7)
    assert list(figure.layout.yaxis.ticktext) == [token_label(token) for token in TARGET]
    first, last = figure.layout.yaxis.range
    assert first > last


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_scale_is_fixed_from_0_to_1(grid: AttentionGrid, theme) -> None:
    axis = attention_figure(grid, theme=theme).layout.coloraxis
    assert (axis.cmin, axis.cmax) == (0.0, 1.0)
    assert [color for _, color in axis.colorscale] == list(theme.scale)


def test_two_maps_share_one_scale(grid: AttentionGrid) -> None:
    other = AttentionGrid.from_matrix(weights(2, 5, seed=1), TARGET[:2], SOURCE)
    figure = attention_figure(grid, compare=other, titles=("free", "<forced>"))
    assert {trace.coloraxis for trace in figure.data} == {"coloraxis"}
    np.testing.assert_allclose(figure.data[1].z, other.weights, atol=1e-7)
    assert figure.data[1].xaxis == "x2"
    assert figure.layout.xaxis2.title.text == literal("<forced>")


def test_numbers_are_written_only_if_asked_for(grid: AttentionGrid) -> None:
    assert attention_figure(grid).data[0].texttemplate is None
    assert attention_figure(grid, numbers=True).data[0].texttemplate == "%{z:.0%}"


def test_alt_text_says_where_each_token_looks_most(grid: AttentionGrid) -> None:
    alt = attention_alt(grid)
    for row, values in zip(TARGET, grid.weights, strict=True):
        assert f"{row} looks most at {SOURCE[values.argmax()]}" in alt


def test_one_head_or_the_mean_of_a_layer() -> None:
    raw = np.stack([[weights(3, 5, 0), weights(3, 5, 1)], [weights(3, 5, 2), weights(3, 5, 3)]])
    attention = AttentionMap(raw.astype(np.float32), SOURCE, TARGET)
    np.testing.assert_allclose(attention_grid(attention, layer=0, head=1).weights, raw[0, 1], 1e-6)
    np.testing.assert_allclose(attention_grid(attention).weights, raw[1].mean(axis=0), 1e-6)


def test_a_words_columns_are_added_and_its_rows_averaged() -> None:
    grid = AttentionGrid.from_matrix(
        np.array([[0.1, 0.2, 0.7], [0.3, 0.4, 0.3], [0.0, 0.0, 1.0]]),
        ("▁de", "main", "</s>"),
        ("▁to", "morrow", "."),
    )
    merged = merge_words(grid, row_starts=(True, False, True), column_starts=(True, False, True))
    np.testing.assert_allclose(merged.weights, [[0.5, 0.5], [0.0, 1.0]])
    assert (merged.rows, merged.columns) == (("demain", "</s>"), ("tomorrow", "."))
    assert merged.row_ends == (2, 3)


@given(
    st.lists(st.booleans(), min_size=1, max_size=9), st.lists(st.booleans(), min_size=1, max_size=9)
)
def test_merged_rows_still_sum_to_1(row_starts: list[bool], column_starts: list[bool]) -> None:
    rows, columns = len(row_starts), len(column_starts)
    grid = AttentionGrid.from_matrix(weights(rows, columns), ["r"] * rows, ["c"] * columns)
    merged = merge_words(grid, row_starts=row_starts, column_starts=column_starts)
    np.testing.assert_allclose(merged.weights.sum(axis=1), 1.0)
    assert len("".join(merged.rows)) == rows
    assert len("".join(merged.columns)) == columns
    assert merged.row_ends[-1] == rows


def test_room_for_more_rows_is_empty(grid: AttentionGrid) -> None:
    room = grid.with_room(5)
    assert room.rows == (*TARGET, "", "")
    assert np.isnan(room.weights[3:]).all()
    np.testing.assert_array_equal(room.weights[:3], grid.weights)


def test_a_searchs_attention_is_drawn_row_by_row(trace: BeamTrace) -> None:
    best = trace.best
    assert best.attention is not None
    figure = attention_figure(attention_grid(best.attention))
    assert figure.data[0].z.shape == (best.length, len(trace.source_tokens))
