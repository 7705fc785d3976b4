"""One exhaustive search for each beam width serves every alpha, and a sweep can be resumed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

from s2s_core.errors import SettingError, TraceFormatError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.length_penalty import GnmtPenalty, PowerPenalty, WordReward
from s2s_core.search.sweep import (
    CorpusMeasure,
    SweepOutput,
    SweepPlan,
    best_cell,
    sweep_cells,
    sweep_file,
)
from s2s_core.search.sweep_file import SweepStore
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.width_sweep import WIDTHS, sweep_widths
from tests.search.fakes import PrefixModel

SOURCES = ("x y z", "a b c", "u v w")
PENALTIES = (PowerPenalty(0.0), PowerPenalty(0.6), PowerPenalty(2.0), GnmtPenalty(1.0))
PLAN = SweepPlan((1, 3), PENALTIES, max_length=6)


class BySource(PrefixModel):
    """Each source has distributions of its own."""

    def encode(self, sources: Sequence[str]) -> object:  # type: ignore[override]
        tokens = tuple(tuple(source.split()) for source in sources)
        return tokens, tuple((ord(source[0]),) for source in sources)


def measure(texts: Sequence[str]) -> CorpusMeasure:
    return CorpusMeasure(float(sum(map(len, texts))), 1.0, 1.0)


def test_every_cell_is_what_a_search_of_its_own_finds() -> None:
    model = BySource()
    outputs = list(sweep_file(model, SOURCES, PLAN))
    assert [(o.beam_size, o.line) for o in outputs] == [(b, n) for b in (1, 3) for n in (1, 2, 3)]
    differing = 0
    for output in outputs:
        for text, penalty in zip(output.texts, PENALTIES, strict=True):
            config = SearchConfig(output.beam_size, 6, penalty, "exhaust")
            assert text == beam_search(model, SOURCES[output.line - 1], config).best.text
        differing += len(set(output.texts)) > 1
    assert differing > 1


def test_one_search_serves_all_penalties() -> None:
    model = BySource()
    list(sweep_file(model, SOURCES[:1], PLAN))
    alone = BySource()
    for beam_size in PLAN.beam_sizes:
        beam_search(alone, SOURCES[0], PLAN.config(beam_size))
    assert model.calls == alone.calls


def test_cells_are_measured_in_the_order_of_the_lines() -> None:
    outputs = [
        SweepOutput(3, 2, 0.2, ("b", "bb", "", "")),
        SweepOutput(1, 1, 0.1, ("x", "x", "x", "x")),
        SweepOutput(3, 1, 0.4, ("a", "a", "", "")),
    ]
    seen: list[list[str]] = []

    def note(texts: Sequence[str]) -> CorpusMeasure:
        seen.append(list(texts))
        return measure(texts)

    cells = sweep_cells(outputs, PLAN, 2, note)  # beam 1 is not complete
    assert [(c.beam_size, c.penalty, c.measure.score) for c in cells] == [
        (3, penalty, score) for penalty, score in zip(PENALTIES, (2.0, 3.0, 0.0, 0.0), strict=True)
    ]
    assert seen[:2] == [["a", "b"], ["a", "bb"]]
    assert cells[0].seconds == pytest.approx(0.3)
    assert best_cell(cells).penalty == PowerPenalty(0.6)
    with pytest.raises(SettingError, match="no beam width is complete"):
        best_cell(())


def test_a_sweep_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole = list(sweep_file(BySource(), SOURCES, PLAN))
    path = tmp_path / "sweep.jsonl"
    store = SweepStore(path, model="m", sources=SOURCES, plan=PLAN)
    for output in islice(sweep_file(BySource(), SOURCES, PLAN), 4):
        store.add(output)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"beam_size": 3, "li')  # ended while it wrote
    again = SweepStore(path, model="m", sources=SOURCES, plan=PLAN)
    assert (len(again.outputs), again.missing) == (4, 2)
    model = BySource()
    for output in sweep_file(model, SOURCES, PLAN, done=again.done):
        again.add(output)
    last = SweepStore(path, model="m", sources=SOURCES, plan=PLAN)
    assert [(o.beam_size, o.line, o.texts) for o in last.outputs] == [
        (o.beam_size, o.line, o.texts) for o in whole
    ]
    assert last.missing == 0
    assert not list(sweep_file(model, SOURCES, PLAN, done=last.done))


def test_a_file_of_another_sweep_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sweep.jsonl"
    SweepStore(path, model="m", sources=SOURCES, plan=PLAN)
    with pytest.raises(SettingError, match="another model: 'm', not 'n'"):
        SweepStore(path, model="n", sources=SOURCES, plan=PLAN)
    with pytest.raises(SettingError, match="another fingerprint"):
        SweepStore(path, model="m", sources=("x", "y", "z"), plan=PLAN)
    other = SweepPlan((1, 3), PENALTIES[:2], max_length=6)
    with pytest.raises(SettingError, match="another penalties"):
        SweepStore(path, model="m", sources=SOURCES, plan=other)
    (tmp_path / "other").write_text('{"format": "something"}\n', encoding="utf-8")
    with pytest.raises(TraceFormatError, match="isn't a sweep"):
        SweepStore(tmp_path / "other", model="m", sources=SOURCES, plan=PLAN)


@pytest.mark.parametrize(
    ("beam_sizes", "penalties", "message"),
    [
        ((), PENALTIES, "at least one"),
        ((1, 1), PENALTIES, "each beam size once"),
        ((1,), (), "at least one"),
        ((65,), PENALTIES, "between 1 and 64"),
        ((1,), (PowerPenalty(-0.5),), "alpha of at least 0"),
    ],
)
def test_a_bad_plan_is_refused(
    beam_sizes: tuple[int, ...], penalties: tuple[PowerPenalty, ...], message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        SweepPlan(beam_sizes, penalties)


def test_a_dead_end_counts_as_an_empty_output() -> None:
    table = ProbabilityTable({"": {"EOS": 1.0}}, default={"a": 1.0})
    plan = SweepPlan((1,), (WordReward(0.5),), max_length=3, min_length=2)
    (output,) = sweep_file(table, ("x",), plan)
    assert output.texts == ("",)


def test_a_width_sweep_is_a_search_for_each_width() -> None:
    model = PrefixModel(seed=3)
    config = SearchConfig(5, 6, PowerPenalty(0.6), "exhaust")
    results = list(sweep_widths(model, "x y z", config))
    assert tuple(result.beam_size for result in results) == WIDTHS
    for result in results[:5]:
        single = beam_search(model, "x y z", SearchConfig(result.beam_size, 6, stop_rule="exhaust"))
        assert result.best.token_ids == single.best.token_ids
        assert (result.steps, result.best.score) == (6, single.best.score)
    assert results[0].rows == 6
    assert [result.rows for result in results] == sorted(result.rows for result in results)
    assert all(result.seconds > 0 for result in results)
