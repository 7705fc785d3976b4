"""How long an act on the BLEU page takes on the server.

`python -m pytest -m benchmark tests/benchmarks/test_bleu_page_speed.py -s`

Each act changes the text or a setting, so that nothing is ready. Medians, printed, never asserted:
wall time, and processor time beside it, which other work on the machine disturbs less.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from random import Random

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from s2s_core.metrics.settings import DEFAULT_SETTINGS
from s2s_core.text.to_score import TextsToScore
from s2s_core.ui.bleu import scoring
from s2s_core.ui.bleu.fields import PARTS

pytestmark = pytest.mark.benchmark

PAGE = Path(__file__).parents[2] / "pages" / "2_BLEU.py"
REPEATS = 7
WORDS = [f"word{place}" for place in range(2000)]


@pytest.fixture(autouse=True)
def nothing_is_ready() -> None:
    st.cache_resource.clear()


def line(random: Random) -> str:
    return " ".join(WORDS[int(2000 * random.random() ** 3)] for _ in range(random.randint(5, 40)))


def corpus(segments: int, references: int) -> TextsToScore:
    """Hypotheses that share most words with their first reference."""
    random = Random(segments)
    theirs = [tuple(line(random) for _ in range(references)) for _ in range(segments)]
    ours = [" ".join(w for w in own[0].split() if random.random() < 0.8) for own in theirs]
    return TextsToScore((tuple(ours),), tuple(theirs))


def act(app: AppTest, number: int) -> tuple[float, float]:
    """Change the first hypothesis; milliseconds on the wall and of the processor."""
    typed = app.text_area(key="hypothesis")
    start = time.perf_counter(), time.process_time()
    typed.set_value(f"{typed.value} w{number}").run()
    assert not app.exception and not app.error
    return 1000 * (time.perf_counter() - start[0]), 1000 * (time.process_time() - start[1])


def report(name: str, times: list[tuple[float, float]]) -> None:
    wall, processor = (statistics.median(each) for each in zip(*times, strict=True))
    print(f"{name}: {wall:.0f} ms on the wall, {processor:.0f} ms of the processor")


@pytest.mark.parametrize(("segments", "references"), [(1, 1), (1000, 1)])
@pytest.mark.parametrize("part", PARTS)
def test_a_change_of_text(segments: int, references: int, part: str) -> None:
    texts = corpus(segments, references)
    app = AppTest.from_file(str(PAGE), default_timeout=600)
    app.session_state["part"] = part
    app.query_params["part"] = part
    app.run()
    app.text_area(key="reference").set_value("\n".join(own[0] for own in texts.references))
    app.text_area(key="hypothesis").set_value("\n".join(texts.systems[0])).run()
    if part == "Two systems":
        baseline = [text.partition(" ")[2] for text in texts.systems[0]]
        app.text_area(key="baseline").set_value("\n".join(baseline)).run()
    report(f"{segments} segment(s), {part}", [act(app, number) for number in range(REPEATS)])


def test_ten_thousand_segments_with_three_references() -> None:
    texts = corpus(10_000, 3)
    start = time.perf_counter(), time.process_time()
    scoring.scored(scoring.BleuRequest(texts.systems[0], texts.references, DEFAULT_SETTINGS))
    wall, processor = time.perf_counter() - start[0], time.process_time() - start[1]
    print(f"\n10,000 segments, 3 references: {wall:.1f} s on the wall, {processor:.1f} s processor")
