"""`search`: the library's search on a table, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from s2s_core.search.beam import beam_search
from s2s_core.search.config import STOP_RULES, SearchConfig
from s2s_core.search.exact import exact_search
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import (
    GnmtPenalty,
    LengthPenalty,
    NoPenalty,
    PowerPenalty,
    WordReward,
)
from s2s_core.search.table_file import load_table
from s2s_core.search.trace import BeamTrace
from tests.cli.running import Run

ENDLESS = {
    "start": "BOS",
    "eos": "EOS",
    "next": {"": {"a": 0.5, "b": 0.3, "EOS": 0.2}, "a": {"a": 0.25, "b": 0.25, "EOS": 0.5}},
    "default": {"a": 0.5, "b": 0.375, "EOS": 0.125},
}

HYPOTHESIS_KEYS = {
    "text",
    "tokens",
    "token_log_probs",
    "log_prob",
    "length",
    "score",
    "finished",
    "node",
}
CANDIDATE_KEYS = {"id", "parent", "token", "token_log_prob", "log_prob", "rank", "fate"}


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    path = tmp_path / "endless.json"
    path.write_text(json.dumps(ENDLESS), encoding="utf-8")
    return path


def expected(trace: BeamTrace) -> dict[str, Any]:
    """The JSON that a trace stands for, written down a second time."""
    return {
        "model": trace.request.checkpoint,
        "stop_reason": trace.stop_reason,
        "hypotheses": [
            {
                "text": h.text,
                "tokens": list(h.tokens),
                "token_log_probs": list(h.token_log_probs),
                "log_prob": h.log_prob,
                "length": h.length,
                "score": h.score,
                "finished": h.finished,
                "node": h.node_id,
            }
            for h in trace.pool()
        ],
        "steps": [
            {
                "step": step.step,
                "candidates": [
                    {
                        "id": c.id,
                        "parent": c.parent_id,
                        "token": c.token,
                        "token_log_prob": c.token_log_prob,
                        "log_prob": c.log_prob,
                        "rank": c.rank,
                        "fate": c.fate,
                    }
                    for c in step.candidates
                ],
            }
            for step in trace.steps
        ],
    }


def test_greedy_falls_into_the_trap_and_a_beam_of_four_does_not(run: Run, table_file: Path) -> None:
    setting = ("--table", table_file, "--alpha", 0, "--max-length", 3, "--json")
    (greedy,) = run("search", *setting, "--greedy").objects
    (beam,) = run("search", *setting, "--beam-size", 4).objects
    assert greedy["hypotheses"][0]["text"] == "A x"
    assert greedy["hypotheses"][0]["log_prob"] == pytest.approx(-1.2040, abs=5e-5)
    assert beam["hypotheses"][0]["text"] == "B x"
    assert beam["hypotheses"][0]["log_prob"] == pytest.approx(-0.9676, abs=5e-5)
    assert beam["hypotheses"][0]["finished"] is True


def test_plain_output_is_rank_score_text(run: Run, table_file: Path) -> None:
    result = run("search", "--table", table_file, "--alpha", 0, "--beam-size", 2)
    assert result.lines == ["1\t-0.967584\tB x", "2\t-1.203973\tA x"]
    assert result.err == ""


def test_the_json_has_the_promised_keys_and_no_more(run: Run, endless: Path) -> None:
    (found,) = run("search", "--table", endless, "--json").objects
    assert set(found) == {"model", "stop_reason", "hypotheses", "steps"}
    assert all(set(hypothesis) == HYPOTHESIS_KEYS for hypothesis in found["hypotheses"])
    candidates = [c for step in found["steps"] for c in step["candidates"]]
    assert all(set(candidate) == CANDIDATE_KEYS for candidate in candidates)
    assert {c["fate"] for c in candidates} == {"kept", "finished", "pruned"}


@pytest.mark.parametrize("stop", STOP_RULES)
@pytest.mark.parametrize(
    ("options", "penalty"),
    [
        ((), PowerPenalty(0.6)),
        (("--penalty", "power", "--alpha", "1.5"), PowerPenalty(1.5)),
        (("--penalty", "gnmt", "--alpha", "0.4"), GnmtPenalty(0.4)),
        (("--penalty", "none"), NoPenalty()),
        (("--penalty", "reward", "--gamma", "-0.25"), WordReward(-0.25)),
    ],
)
def test_the_command_is_the_librarys_search(
    run: Run, endless: Path, stop: Any, options: tuple[str, ...], penalty: LengthPenalty
) -> None:
    config = SearchConfig(beam_size=3, max_length=6, length_penalty=penalty, stop_rule=stop)
    setting = ("--beam-size", 3, "--max-length", 6, "--stop", stop, *options)
    (found,) = run("search", "--table", endless, "--json", *setting).objects
    trace = beam_search(load_table(endless), "", config, checkpoint=str(endless))
    assert found == expected(trace)


def test_without_options_the_defaults_are_the_librarys(run: Run, endless: Path) -> None:
    (found,) = run("search", "--table", endless, "--json").objects
    assert found == expected(beam_search(load_table(endless), "", checkpoint=str(endless)))


def test_greedy_is_the_librarys_greedy_search(run: Run, endless: Path) -> None:
    (found,) = run("search", "--table", endless, "--json", "--greedy").objects
    assert found == expected(greedy_search(load_table(endless), "", checkpoint=str(endless)))


def test_exact_search_proves_the_best_hypothesis(run: Run, table_file: Path) -> None:
    setting = ("--alpha", 0, "--beam-size", 1, "--exact")
    (found,) = run("search", "--table", table_file, *setting, "--json").objects
    result = exact_search(
        load_table(table_file), "", SearchConfig(beam_size=1, length_penalty=NoPenalty())
    )
    (hypothesis,) = found["hypotheses"]
    assert (hypothesis["text"], hypothesis["log_prob"]) == ("B x", result.best.log_prob)
    assert hypothesis["node"] is None
    assert (found["stop_reason"], found["steps"]) == ("proved", [])
    assert found["exact"] == {
        "proved": True,
        "expanded": result.expanded,
        "node_budget": 10_000,
        "search_error": True,  # a beam of 1 went the way of A
        "ceiling": result.best.score,
    }
    assert run("search", "--table", table_file, *setting).lines == ["1\t-0.967584\tB x"]


def test_exact_and_greedy_exclude_each_other(run: Run, table_file: Path) -> None:
    error = run("search", "--table", table_file, "--exact", "--greedy").error
    assert "not allowed with argument --exact" in error


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--beam-size", "0"), "beam size must be between 1 and 64, not 0"),
        (("--beam-size", "2.5"), "beam size must be a whole number, not 2.5"),
        (("--beam-size", "five"), "beam size must be a whole number, not 'five'"),
        (("--alpha", "-0.1"), "alpha must be between 0 and 3, not -0.1"),
        (("--alpha", "nan"), "alpha must be a finite number, not nan"),
        (("--max-length", "0"), "maximum length must be between 1 and 400, not 0"),
        (("--stop", "never"), "choose from 'best', 'bound', 'exhaust', 'first'"),
        (("--penalty", "huge"), "choose from 'power', 'gnmt', 'none', 'reward'"),
        (("--beam", "3"), "unrecognized arguments: --beam 3"),
    ],
)
def test_a_bad_setting_is_one_line_that_says_what_is_allowed(
    run: Run, table_file: Path, options: tuple[str, str], message: str
) -> None:
    assert message in run("search", "--table", table_file, *options).error


def test_a_bad_table_is_named_with_its_row(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text('{"start": "B", "eos": "E", "next": {"": {"a": 0.7}}}', encoding="utf-8")
    assert "row '': the probabilities must sum to 1" in run("search", "--table", path).error
    assert "can't be read" in run("search", "--table", tmp_path / "none.json").error


def test_cut_prefixes_have_no_end_token(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "loop.json"
    path.write_text(
        '{"start": "B", "eos": "E", "next": {}, "default": {"a": 1.0}}', encoding="utf-8"
    )
    (found,) = run("search", "--table", path, "--max-length", 2, "--json").objects
    (hypothesis,) = found["hypotheses"]
    assert (hypothesis["finished"], hypothesis["tokens"]) == (False, ["a", "a"])
    assert found["steps"][-1]["candidates"][0]["fate"] == "cut"


@pytest.mark.parametrize("how", [(), ("--greedy",)])
def test_a_table_without_an_end_is_said_to_be_cut(
    run: Run, tmp_path: Path, how: tuple[str, ...]
) -> None:
    file = tmp_path / "endless.json"
    table = {"start": "B", "eos": "E", "next": {}, "default": {"a": 1.0}}
    file.write_text(json.dumps(table), encoding="utf-8")
    result = run("search", "--table", file, "--max-length", 3, *how)
    assert (result.status, result.out) == (0, "1\t0.000000\ta a a\n")
    assert result.err == "cut at 3 tokens without an end\n"
