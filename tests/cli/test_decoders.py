"""`--decoder` of `search` and `translate`."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s_core.metrics.utility import bleu_utility
from s2s_core.models.checkpoint import load_checkpoint
from s2s_core.search.config import SearchConfig, SearchRequest
from s2s_core.search.decoders import CoverageDecoder, MbrDecoder, SamplingDecoder
from s2s_core.search.sampling import Sampling
from tests.cli.running import Run

TEXT = b"The cat sat."


@pytest.mark.parametrize(
    ("options", "texts"),
    [
        (("greedy",), {"A x"}),
        (("exact",), {"B x"}),
        (("words", "--word", "A", "--word", "y"), {"A y"}),
        (("diverse", "--beam-size", "2", "--groups", "2"), {"A x", "B x"}),
    ],
)
def test_a_decoder_finds_on_a_table_what_it_should(
    run: Run, table_file: Path, options: tuple[str, ...], texts: set[str]
) -> None:
    setting = ("search", "--table", table_file, "--alpha", 0, "--max-length", 3, "--decoder")
    (found,) = run(*setting, *options, "--json").objects
    assert {hypothesis["text"] for hypothesis in found["hypotheses"]} == texts
    assert {line.split("\t")[2] for line in run(*setting, *options).lines} == texts


def test_samples_have_their_seed_and_settings_in_the_json(run: Run, table_file: Path) -> None:
    drawing = ("--decoder", "sampling", "--samples", 7, "--seed", 3, "--temperature", 2)
    (found,) = run("search", "--table", table_file, *drawing, "--json").objects
    assert found["sampling"] == {
        "temperature": 2.0,
        "top_k": 0,
        "top_p": 1.0,
        "samples": 7,
        "seed": 3,
    }
    assert found["decoder"] == {"name": "sampling", "value_name": "log P"}
    assert len(found["hypotheses"]) == len(found["values"]) == 7
    assert found["values"] == [hypothesis["log_prob"] for hypothesis in found["hypotheses"]]


def test_a_stochastic_beam_has_its_seed(run: Run, table_file: Path) -> None:
    setting = ("search", "--table", table_file, "--decoder", "stochastic", "--seed", 5, "--json")
    (found,) = run(*setting).objects
    assert found["seed"] == 5
    assert len({hypothesis["text"] for hypothesis in found["hypotheses"]}) == 4


def test_a_minimum_length_and_no_repeat_hold(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(
        '{"start": "B", "eos": "E", "next": {}, "default": {"E": 0.6, "a": 0.3, "b": 0.1}}'
    )
    setting = ("search", "--table", path, "--alpha", 0)
    assert run(*setting, "--exact").lines[0].endswith("\t")
    assert run(*setting, "--exact", "--min-length", 3).lines[0].endswith("\ta a")
    limited = (*setting, "--min-length", 3, "--no-repeat", 1)
    assert run(*limited, "--exact").lines[0].endswith("\ta b")
    assert run(*limited).lines[0].endswith("\ta b")


def test_a_budget_that_is_hit_is_said(run: Run, table_file: Path) -> None:
    setting = ("search", "--table", table_file, "--alpha", 0, "--beam-size", 1, "--exact")
    result = run(*setting, "--node-budget", 1, "--json")
    assert "not proved: 1 prefixes" in result.err
    (found,) = result.objects
    assert (found["stop_reason"], found["exact"]["proved"]) == ("budget", False)


def test_translate_has_the_decoders_too(run: Run, checkpoint: Path) -> None:
    model, config = load_checkpoint(checkpoint), SearchConfig(4, 8)
    request = SearchRequest(str(checkpoint), TEXT.decode(), config)
    setting = ("translate", "--model", checkpoint, "--beam-size", 4, "--max-length", 8)
    sampling = Sampling(samples=9, seed=1)
    drawn = SamplingDecoder(sampling).decode(model, request)
    nine = ("--samples", 9, "--seed", 1)
    assert run(*setting, "--decoder", "sampling", *nine, "--n-best", 9, stdin=TEXT).lines == [
        f"{i}\t{h.log_prob:.6f}\t{h.text}" for i, h in enumerate(drawn.hypotheses, 1)
    ]
    covered = CoverageDecoder(0.4).decode(model, request)
    (found,) = run(*setting, "--decoder", "coverage", "--beta", 0.4, "--json", stdin=TEXT).objects
    assert [h["text"] for h in found["hypotheses"]] == [h.text for h in covered.hypotheses]
    assert found["values"] == list(covered.values)
    assert len(found["coverage"][0]) == len(found["source_tokens"])
    mbr = MbrDecoder(bleu_utility, sampling=sampling).decode(model, request)
    chosen = run(*setting, "--decoder", "mbr", "--utility", "bleu", *nine, stdin=TEXT)
    assert chosen.lines == [mbr.best.text]


def test_translate_proves_an_optimum(run: Run, checkpoint: Path) -> None:
    setting = ("translate", "--model", checkpoint, "--alpha", 0, "--max-length", 4)
    (found,) = run(*setting, "--decoder", "exact", "--json", stdin=TEXT).objects
    assert found["stop_reason"] in ("proved", "budget")
    assert found["exact"]["ceiling"] >= found["hypotheses"][0]["score"]
    assert len(found["hypotheses"][0]["attention"][0]) == len(found["source_tokens"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--decoder", "words"), "needs at least one --word"),
        (("--decoder", "words", "--word", "q"), "no token 'q'"),
        (("--decoder", "diverse", "--beam-size", "4"), "multiple of 3"),
        (("--decoder", "sampling", "--temperature", "0"), "temperature must be between 0.01 and 5"),
        (("--decoder", "coverage"), "needs attention"),
        (("--decoder", "oracle"), "choose from 'beam', 'greedy', 'exact'"),
        (("--decoder", "mbr", "--exact"), "not allowed with argument --decoder"),
    ],
)
def test_a_bad_decoder_is_one_line(
    run: Run, table_file: Path, options: tuple[str, ...], message: str
) -> None:
    assert message in run("search", "--table", table_file, *options).error
