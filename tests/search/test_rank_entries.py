"""Ranking a list of hypotheses: published figures, crossings, and ways to count L."""

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
)
from s2s_core.search.published import PUBLISHED_LISTS, TOOLKITS
from s2s_core.search.rank_entries import (
    LENGTH_COUNTS,
    entries_from_rows,
    pair_crossings,
    rank,
    recount,
    score_line,
)
from s2s_core.search.ranking import RankEntry, ranking_curve

MARIAN = PUBLISHED_LISTS["empty-wins"]
EXERCISE = PUBLISHED_LISTS["short-and-long"]

entry_lists = st.lists(
    st.tuples(st.floats(-30, -0.01), st.integers(1, 30)), min_size=1, max_size=7
).map(lambda pairs: tuple(RankEntry(i, f"h{i}", p, n) for i, (p, n) in enumerate(pairs)))


def flips(entries: tuple[RankEntry, ...], family: type[LengthPenalty]) -> list[float]:
    return [round(x, 4) for x in ranking_curve(entries, family, -1.0, 3.0).crossings]


def test_the_published_list_has_its_scores_and_flips() -> None:
    scores = [round(ranked.score, 5) for ranked in rank(MARIAN.entries, MARIAN.penalty)]
    assert scores == [-1.18324, -1.54547, -1.56907, -1.62094, -1.63705, -1.64626]
    assert flips(MARIAN.entries, PowerPenalty) == [0.6963, 0.85]
    assert flips(MARIAN.entries, GnmtPenalty) == [1.5256]
    curve = ranking_curve(MARIAN.entries, PowerPenalty, -1.0, 3.0)
    assert [curve.winner(alpha).length for alpha in (0.0, 0.6, 0.7, 0.86)] == [1, 1, 16, 17]
    for figure in ("0.6963", "0.8500", "1.5256"):
        assert figure in MARIAN.lesson


@pytest.mark.parametrize(
    ("alpha", "short", "long"),
    [(0.0, -2.5, -4.0), (0.6, -1.9601, -2.1413), (1.0, -1.6667, -1.4118)],
)
def test_the_exercise_has_its_scores_and_its_flip(alpha: float, short: float, long: float) -> None:
    scores = {r.entry.length: round(r.score, 4) for r in rank(EXERCISE.entries, GnmtPenalty(alpha))}
    assert scores == {4: short, 12: long}
    assert rank(EXERCISE.entries, GnmtPenalty(alpha))[0].entry.length == (12 if alpha == 1 else 4)
    by_hand = math.log(4.0 / 2.5) / math.log((17 / 6) / (9 / 6))
    (cross,) = pair_crossings(EXERCISE.entries, GnmtPenalty, -1.0, 3.0)
    assert cross.parameter == pytest.approx(by_hand)
    assert (cross.shorter_id, cross.longer_id, cross.rank) == (1, 2, 1)


@given(entry_lists, st.sampled_from(list(LENGTH_PENALTIES.values())))
def test_at_a_crossing_two_scores_are_equal_and_on_its_sides_they_are_not(
    entries: tuple[RankEntry, ...], family: type[LengthPenalty]
) -> None:
    by_id = {entry.id: entry for entry in entries}
    for cross in pair_crossings(entries, family, -2.0, 2.0):
        short, long = by_id[cross.shorter_id], by_id[cross.longer_id]
        assert short.length < long.length
        here = family.from_parameter(cross.parameter)
        scores = [here.score(e.log_prob, e.length) for e in (short, long)]
        assert scores[0] == pytest.approx(scores[1], rel=1e-6, abs=1e-9)
        assert 1 <= cross.rank < len(entries)
        for shift, ahead in ((-0.01, short), (0.01, long)):
            there = family.from_parameter(cross.parameter + shift)
            values = {e.id: there.score(e.log_prob, e.length) for e in (short, long)}
            assert max(values, key=lambda i: values[i]) == ahead.id


def test_a_crossing_below_others_has_a_lower_rank() -> None:
    pair = (RankEntry(1, "a", math.log(0.5), 2), RankEntry(2, "b", math.log(0.25), 8))
    better = RankEntry(3, "c", math.log(0.9), 4)
    worse = RankEntry(4, "d", math.log(0.01), 2)
    (alone,) = pair_crossings(pair, PowerPenalty, 0.0, 1.0)
    assert (round(alone.parameter, 12), alone.rank) == (0.5, 1)
    for others, rank_there in (((better,), 2), ((worse,), 1), ((better, worse), 2)):
        crossings = pair_crossings((*pair, *others), PowerPenalty, 0.0, 1.0)
        (found,) = (c for c in crossings if (c.shorter_id, c.longer_id) == (1, 2))
        assert found.rank == rank_there


@given(entry_lists, st.sampled_from([PowerPenalty, GnmtPenalty, WordReward]))
def test_the_winner_changes_at_crossings_of_rank_1(
    entries: tuple[RankEntry, ...], family: type[LengthPenalty]
) -> None:
    curve = ranking_curve(entries, family, -1.0, 2.0)
    at_the_top = [c.parameter for c in pair_crossings(entries, family, -1.0, 2.0)]
    for parameter in curve.crossings:
        assert any(math.isclose(parameter, x, abs_tol=1e-9) for x in at_the_top)
    middles = [(i.start + i.end) / 2 for i in curve.intervals if i.end - i.start > 1e-6]
    for middle in middles:
        first = rank(entries, family.from_parameter(middle))[0]
        won = curve.winner(middle)
        mine = family.from_parameter(middle).score(won.log_prob, won.length)
        assert mine == pytest.approx(first.score, rel=1e-9)


def test_score_lines_are_the_penalties_scores() -> None:
    entry = RankEntry(1, "x", -2.0, 4)
    assert score_line(entry, PowerPenalty, (0.0, 0.5, 1.0)) == (-2.0, -1.0, -0.5)
    assert score_line(entry, WordReward, (-1.0, 0.5)) == (-6.0, 0.0)
    assert score_line(entry, NoPenalty, (0.3,)) == (-2.0,)


def test_without_eos_the_empty_output_has_no_length_and_is_left_out() -> None:
    counted = recount(MARIAN.entries, "without EOS")
    assert [entry.length for entry in counted.entries] == [15, 16, 14, 15, 16]
    assert [entry.text for entry in counted.left_out] == [""]
    assert rank(counted.entries, PowerPenalty(0.6))[0].entry.id == 2
    assert recount(MARIAN.entries, "with EOS").entries == MARIAN.entries
    both = recount(MARIAN.entries, "with BOS and EOS")
    assert [entry.length for entry in both.entries] == [2, 17, 18, 16, 17, 18]
    with pytest.raises(SettingError, match="with EOS, without EOS"):
        recount(MARIAN.entries, "letters")  # type: ignore[arg-type]


def test_how_l_is_counted_can_change_the_winner() -> None:
    entries = (RankEntry(1, "a", -1.0, 2), RankEntry(2, "b c", -1.6, 3))
    winners = {
        count: rank(recount(entries, count).entries, PowerPenalty(1.0))[0].entry.text
        for count in LENGTH_COUNTS
    }
    assert winners == {"with EOS": "a", "without EOS": "b c", "with BOS and EOS": "a"}


def test_a_persons_own_rows_are_numbered_and_equal_scores_keep_their_order() -> None:
    entries = entries_from_rows([("明天见", -1, 3), ("", -1.0, 3.0), ("c", -0.5, 2)])
    assert [entry.id for entry in entries] == [1, 2, 3]
    assert [ranked.entry.text for ranked in rank(entries, NoPenalty())] == ["c", "明天见", ""]
    assert [ranked.rank for ranked in rank(entries, NoPenalty())] == [1, 2, 3]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((None, -1.0, 2), "row 2: the text must be a text, not None"),
        (("a", "x", 2), "row 2: log P must be a number, not 'x'"),
        (("a", 0.5, 2), "row 2: log P must be a finite number of at most 0, not 0.5"),
        (("a", math.nan, 2), "row 2: log P must be a finite number"),
        (("a", -1.0, 1.5), "row 2: the length must be a whole number, not 1.5"),
        (("a", -1.0, True), "row 2: the length must be a whole number, not True"),
        (("a", -1.0, 0), "row 2: a length must be at least 1, not 0"),
    ],
)
def test_a_bad_row_is_named(row: tuple[object, object, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        entries_from_rows([("fine", -1.0, 2), row])


def test_nothing_to_rank_is_said() -> None:
    with pytest.raises(SettingError, match="nothing to rank"):
        entries_from_rows([])
    with pytest.raises(SettingError, match="nothing to rank"):
        ranking_curve((), PowerPenalty, 0.0, 1.0)


def test_the_toolkit_that_published_the_list_gives_its_scores() -> None:
    (marian,) = (toolkit for toolkit in TOOLKITS if toolkit.name == "Marian")
    assert marian.family and marian.count
    counted = recount(MARIAN.entries, marian.count)
    assert rank(counted.entries, marian.family.from_parameter(0.6))[1].score == pytest.approx(
        -1.54547, abs=1e-5
    )


def test_every_toolkit_says_where_it_was_read() -> None:
    assert len({toolkit.name for toolkit in TOOLKITS}) == len(TOOLKITS) == 9
    assert all(t.version and t.source and t.stop_rule for t in TOOLKITS)
    assert all((t.count is None) == (t.length is None) for t in TOOLKITS)
