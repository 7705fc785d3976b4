"""`sweep`: a grid over a file, resumable."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from sacrebleu.metrics.bleu import BLEU

from s2s_core.models.checkpoint import load_checkpoint
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.length_penalty import PowerPenalty
from tests.cli.running import Run

LINES = (
    "The cat sat.\tLe chat dort .\tUn chat dort .",
    "A dog ran in the park.\tUn chien court dans le parc .",
    "On the mat\tLe chat",
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "test.tsv"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def options(checkpoint: Path, data: Path) -> tuple[object, ...]:
    grid = ("--beam-sizes", "1,3", "--parameters", "0,1")
    return ("sweep", "--model", checkpoint, "--data", data, *grid, "--max-length", 12)


def test_each_cell_is_a_search_and_bleu_of_its_own(run: Run, checkpoint: Path, data: Path) -> None:
    (found,) = run(*options(checkpoint, data), "--json").objects
    assert (found["sentences"], len(found["cells"])) == (3, 4)
    model = load_checkpoint(checkpoint)
    references = [[line.split("\t")[1] for line in LINES], ["Un chat dort .", None, None]]
    for cell in found["cells"]:
        penalty = PowerPenalty(cell["parameter"])
        config = SearchConfig(cell["beam_size"], 12, penalty, "exhaust")
        texts = [beam_search(model, line.split("\t")[0], config).best.text for line in LINES]
        bleu = BLEU().corpus_score(texts, references)  # type: ignore[arg-type]
        assert cell["score"] == pytest.approx(bleu.score)
        assert cell["brevity_penalty"] == pytest.approx(bleu.bp)
        assert cell["length_ratio"] == pytest.approx(bleu.ratio)
        assert cell["seconds_per_sentence"] > 0
    assert found["best"]["score"] == max(cell["score"] for cell in found["cells"])


def test_plain_output_is_csv(run: Run, checkpoint: Path, data: Path) -> None:
    rows = list(csv.DictReader(run(*options(checkpoint, data), "--limit", 2).lines))
    assert [(row["beam_size"], row["parameter"]) for row in rows] == [
        ("1", "0.0"),
        ("1", "1.0"),
        ("3", "0.0"),
        ("3", "1.0"),
    ]
    assert {row["penalty"] for row in rows} == {"power"}
    (found,) = run(*options(checkpoint, data), "--limit", 2, "--json").objects
    assert (found["sentences"], len(found["cells"])) == (2, 4)
    assert [cell["score"] for cell in found["cells"]] == [float(row["score"]) for row in rows]


def test_a_sweep_goes_on_from_its_file(
    run: Run, checkpoint: Path, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "sweep.jsonl"
    setting = (*options(checkpoint, data), "--out", out, "--json")
    whole = run(*setting).objects
    lines = out.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 1 + 6
    out.write_text("".join(lines[:4]) + lines[4][:9], encoding="utf-8")
    again = run(*setting)
    assert "3 outputs are there already, 3 are to come" in again.err
    scores = [[cell["score"] for cell in found["cells"]] for found in (whole[0], again.objects[0])]
    assert scores[0] == scores[1]
    error = run(*setting, "--min-length", 2).error
    assert "another minimum length" in error


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (("--beam-sizes", "1,x"), "numbers with commas between: not '1,x'"),
        (("--beam-sizes", "0"), "beam size must be between 1 and 64, not 0"),
        (("--parameters", "-1"), "alpha must be between 0 and 3, not -1"),
        (("--parameters", "4"), "alpha must be between 0 and 3, not 4"),
        (("--beam-sizes", "2,2"), "each beam size once"),
    ],
)
def test_a_bad_grid_is_one_line(
    run: Run, checkpoint: Path, data: Path, extra: tuple[str, str], message: str
) -> None:
    assert message in run(*options(checkpoint, data), *extra).error
