"""What the timeline shows at each step, without a browser."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from s2s_core.errors import SearchError, SettingError
from s2s_core.figures.moments import TimelineView, ViewOptions, timeline_view
from s2s_core.figures.payload import bar_slots, shown_grid, timeline_payload
from s2s_core.figures.theme import LIGHT
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.length_penalty import NoPenalty, PowerPenalty
from s2s_core.search.trace import BeamTrace
from tests.browser.apps.demo_model import CAT, OTHERS, DemoModel, State
from tests.figures.conftest import SENTENCE


def words(tokens: tuple[str, ...]) -> list[bool]:
    return [token.startswith(("▁", "<")) for token in tokens]


@pytest.fixture(scope="module")
def view(trace: BeamTrace, greedy: BeamTrace) -> TimelineView:
    return timeline_view(trace, greedy=greedy)


def test_there_is_one_moment_a_step(view: TimelineView, trace: BeamTrace) -> None:
    assert [moment.step for moment in view.moments] == [step.step for step in trace.steps]


def test_the_winner_is_followed_token_by_token(view: TimelineView, trace: BeamTrace) -> None:
    path = trace.path(trace.ranked_ids()[0])
    assert [moment.node for moment in view.moments[: len(path)]] == list(path)
    for moment, node in zip(view.moments, path, strict=False):
        assert [t.node_id for t in moment.next_tokens.tokens if t.taken] == [node.id]
        assert (moment.row, moment.rows) == (node.step - 1, node.step)


def test_after_its_end_the_winner_stays_whole(trace: BeamTrace) -> None:
    early = min(trace.finished, key=lambda node: node.step)
    view = timeline_view(trace, options=ViewOptions(follow="selected", selected_id=early.id))
    last = view.moments[-1]
    assert (last.ended, last.row, last.rows, last.node) == (True, None, early.step, early)
    best_live = trace.steps[-1].expanded_ids[0]
    assert last.next_tokens.prefix == trace.node(best_live).text
    assert f"ended at step {early.step}" in view.caption(last.step)
    assert f"“{last.next_tokens.prefix}”, the best live prefix" in view.note(last.step)


def test_the_best_prefix_is_the_best_live_one_and_at_last_the_winner(trace: BeamTrace) -> None:
    view = timeline_view(trace, options=ViewOptions(follow="best prefix"))
    for moment, step in zip(view.moments[:-1], trace.steps, strict=False):
        assert moment.node == step.live[0]
        assert moment.ended is False
        grid = view.grids[moment.grid]
        path = trace.path(moment.node.id)
        assert grid.rows[: moment.rows] == tuple(node.token for node in path)
    assert view.moments[-1].node.id == trace.ranked_ids()[0]
    assert len(view.grids) > 1


def test_each_rows_attention_is_that_of_its_token(trace: BeamTrace) -> None:
    view = timeline_view(trace, options=ViewOptions(follow="best prefix"))
    for moment in view.moments:
        attention = trace.hypothesis(moment.node.id).attention
        assert attention is not None
        shown = view.grids[moment.grid].weights[: moment.rows]
        np.testing.assert_allclose(shown, attention.head_mean(), atol=1e-6)


def test_live_prefixes_and_pool_are_those_of_the_search(
    view: TimelineView, trace: BeamTrace
) -> None:
    for moment, step in zip(view.moments, trace.steps, strict=True):
        assert moment.live == tuple(node.id for node in step.live)
        assert moment.pool == step.pool_ids


def test_another_penalty_ranks_the_pool_and_the_winner_again(trace: BeamTrace) -> None:
    view = timeline_view(trace, options=ViewOptions(penalty=NoPenalty()))
    best = trace.ranked_ids(NoPenalty())[0]
    assert view.moments[-1].pool[0] == best
    assert [node.id for node in view.tree.nodes if node.on_best_path and node.is_end] == [best]
    for moment in view.moments:
        scores = [trace.node(i).log_prob for i in moment.pool]
        assert scores == sorted(scores, reverse=True)
        assert all(trace.node(i).step <= moment.step for i in moment.pool)


def test_a_word_is_complete_with_its_last_piece(trace: BeamTrace) -> None:
    view = timeline_view(trace, options=ViewOptions(word_starts=words))
    (grid,) = view.grids
    place = grid.rows.index("regardé")  # no mark of a space: a word is a word
    first, last = view.moments[place], view.moments[place + 1]
    assert (first.node.token, first.row, first.rows) == ("▁re", place, place)
    assert (last.node.token, last.row, last.rows) == ("gardé", place, place + 1)


class WithSourceEnd(DemoModel):
    """Reads an end token after the source, as the trained models do."""

    def encode(self, sources: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], State]:
        return super().encode([f"{source} {self.target.token(1)}" for source in sources])


def test_the_end_token_has_no_row_and_no_column_if_it_is_hidden() -> None:
    trace = beam_search(WithSourceEnd(), SENTENCE, SearchConfig(beam_size=4))
    whole = timeline_view(trace)
    bare = timeline_view(trace, options=ViewOptions(show_end_tokens=False))
    (grid,), (less,) = whole.grids, bare.grids
    assert (grid.columns[-1], grid.rows[-1]) == ("<end>", "<end>")
    assert (less.columns, less.rows) == (grid.columns[:-1], grid.rows[:-1])
    np.testing.assert_array_equal(less.weights, grid.weights[:-1, :-1])  # nothing is rescaled
    for moment in bare.moments:
        inside = moment.node.step <= len(less.rows) and not moment.ended
        assert moment.row == (moment.node.step - 1 if inside else None)
        assert moment.rows == min(moment.node.step, len(less.rows))


def test_a_source_without_an_end_keeps_its_columns(trace: BeamTrace) -> None:
    (grid,) = timeline_view(trace, options=ViewOptions(show_end_tokens=False)).grids
    assert grid.columns == tuple(SENTENCE.split())
    assert "<end>" not in grid.rows


def test_words_and_hidden_ends_go_together() -> None:
    trace = beam_search(WithSourceEnd(), SENTENCE, SearchConfig(beam_size=4))
    options = ViewOptions(show_end_tokens=False, word_starts=words)
    (grid,) = timeline_view(trace, options=options).grids
    assert "<end>" not in (*grid.rows, *grid.columns)
    assert grid.weights.shape == (len(grid.rows), len(grid.columns))


def test_an_empty_translation_keeps_its_only_row() -> None:
    options = ViewOptions(show_end_tokens=False)
    trace = beam_search(DemoModel((), OTHERS), "a", SearchConfig(beam_size=1, stop_rule="first"))
    assert trace.best.length == 1
    (grid,) = timeline_view(trace, options=options).grids
    assert grid.rows == ("<end>",)


def test_what_is_saved_holds_the_end_tokens_whatever_is_shown() -> None:
    trace = beam_search(WithSourceEnd(), SENTENCE, SearchConfig(beam_size=2))
    before = trace.to_json()
    timeline_view(trace, options=ViewOptions(show_end_tokens=False))
    assert trace.to_json() == before
    assert json.loads(before)["source_tokens"][-1] == "<end>"


def test_captions_name_step_token_and_probability(view: TimelineView) -> None:
    assert view.caption(1) == f"step 1 of {view.steps}: token ▁le, 83 %"


def test_the_story_is_the_source_and_the_search_is_the_settings(trace: BeamTrace) -> None:
    narrow = beam_search(DemoModel(), SENTENCE, SearchConfig(beam_size=2))
    other = beam_search(DemoModel(), "the cat", SearchConfig(beam_size=2))
    stories = [timeline_view(t).story for t in (trace, narrow, other)]
    searches = [timeline_view(t).search for t in (trace, narrow, other)]
    assert stories[0] == stories[1] != stories[2]
    assert len(set(searches)) == 3


def test_options_change_the_map_but_neither_story_nor_search(trace: BeamTrace) -> None:
    plain = timeline_view(trace)
    merged = timeline_view(trace, options=ViewOptions(word_starts=words, pruned_per_step=0))
    assert (plain.story, plain.search) == (merged.story, merged.search)
    assert plain.map != merged.map


def test_a_model_without_attention_has_no_grid() -> None:
    trace = beam_search(DemoModel(attends=False), SENTENCE, SearchConfig(beam_size=2))
    view = timeline_view(trace)
    assert view.grids == ()
    assert shown_grid(view) is None
    assert {moment.rows for moment in view.moments} == {0}
    assert {moment.row for moment in view.moments} == {None}


def test_bad_options_are_named_errors(trace: BeamTrace) -> None:
    with pytest.raises(SettingError, match="winner"):
        ViewOptions(follow="loser")  # type: ignore[arg-type]
    with pytest.raises(SearchError, match="nodes 1 to"):
        timeline_view(trace, options=ViewOptions(follow="selected", selected_id=10**6))


# ---- the payload ----


def test_the_payload_is_json_and_has_a_moment_for_each_step(view: TimelineView) -> None:
    payload = json.loads(json.dumps(timeline_payload(view, LIGHT), allow_nan=False))
    assert len(payload["moments"]) == view.steps
    assert payload["grids"] is None
    for sent, moment in zip(payload["moments"], view.moments, strict=True):
        assert {len(sent["bars"][name]) for name in ("labels", "values", "texts", "colors")} == {
            bar_slots(view)
        }
        assert sum(sent["bars"]["values"]) == pytest.approx(100.0, abs=0.01)
        assert sent["token"] == moment.node.token


def test_grids_are_rebuilt_from_shared_rows(trace: BeamTrace) -> None:
    view = timeline_view(trace, options=ViewOptions(follow="best prefix"))
    grids = json.loads(json.dumps(timeline_payload(view, LIGHT)))["grids"]
    for index, grid in zip(grids["grids"], view.grids, strict=True):
        rows = [grids["rows"][i] for i in index]
        assert len(rows) == len(grid.rows)
        np.testing.assert_allclose([row[1] for row in rows], grid.weights, atol=1e-4)
    assert len(grids["rows"]) < sum(len(grid.rows) for grid in view.grids)


@pytest.mark.parametrize("follow", ["winner", "best prefix"])
def test_the_payload_grows_with_the_steps_and_not_with_their_square(follow: str) -> None:
    sizes = []
    for repeats in (2, 4):
        model = DemoModel(CAT * repeats, OTHERS)
        trace = beam_search(model, SENTENCE, SearchConfig(beam_size=3, max_length=60))
        view = timeline_view(trace, options=replace(ViewOptions(), follow=follow))
        # Texts grow with the prefix, as on the screen; numbers and labels are what may not square.
        payload = timeline_payload(view, LIGHT)
        for moment in payload["moments"]:  # type: ignore[attr-defined]
            moment["before"] = ""
        sizes.append((view.steps, len(json.dumps(payload))))
    (short, small), (long, large) = sizes
    growth = math.log(large / small) / math.log(long / short)
    assert growth < 1.2


def test_a_reward_that_favours_length_still_fits(trace: BeamTrace) -> None:
    view = timeline_view(trace, options=ViewOptions(penalty=PowerPenalty(3.0)))
    assert view.moments[-1].step == len(trace.steps)
