"""`translate`: lines in, translations out."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s_core.models.checkpoint import load_checkpoint
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import GnmtPenalty
from tests.cli.running import Run
from tests.cli.test_search import CANDIDATE_KEYS, HYPOTHESIS_KEYS, expected

SOURCES = ("The cat sat.", "A dog ran in the park.", "On the mat")
TEXT = "\n".join(SOURCES).encode()


def test_plain_output_is_the_best_text_of_each_line(run: Run, checkpoint: Path) -> None:
    model = load_checkpoint(checkpoint)
    result = run("translate", "--model", checkpoint, stdin=TEXT)
    assert result.lines == [beam_search(model, source).best.text for source in SOURCES]
    assert result.status == 0


def test_a_file_is_read_as_standard_input_is(run: Run, checkpoint: Path, tmp_path: Path) -> None:
    file = tmp_path / "sources.txt"
    file.write_bytes(TEXT)
    from_file = run("translate", "--model", checkpoint, file)
    assert from_file == run("translate", "--model", checkpoint, "-", stdin=TEXT)
    assert len(from_file.lines) == len(SOURCES)


def test_a_byte_order_mark_and_crlf_make_no_difference(run: Run, checkpoint: Path) -> None:
    setting = ("translate", "--model", checkpoint, "--json")
    windows = b"\xef\xbb\xbf" + TEXT.replace(b"\n", b"\r\n") + b"\r\n"
    assert run(*setting, stdin=windows).objects == run(*setting, stdin=TEXT).objects


def test_the_json_is_the_librarys_trace(run: Run, checkpoint: Path) -> None:
    model = load_checkpoint(checkpoint)
    config = SearchConfig(2, 7, length_penalty=GnmtPenalty(1.0), stop_rule="exhaust")
    setting = ("--beam-size", 2, "--max-length", 7, "--penalty", "gnmt", "--alpha", 1)
    options = (*setting, "--stop", "exhaust", "--json")
    found = run("translate", "--model", checkpoint, *options, stdin=TEXT).objects
    for item, source in zip(found, SOURCES, strict=True):
        trace = beam_search(model, source, config, checkpoint=str(checkpoint))
        assert item["source"] == source
        assert item["source_tokens"] == list(trace.source_tokens)
        for hypothesis, attention in zip(
            item["hypotheses"], [h.attention for h in trace.pool()], strict=True
        ):
            assert attention is not None
            assert hypothesis.pop("attention") == pytest.approx(attention.head_mean(), abs=1e-7)
        assert {k: v for k, v in item.items() if not k.startswith("source")} == expected(trace)


def test_the_json_has_the_promised_keys(run: Run, checkpoint: Path) -> None:
    (found,) = run("translate", "--model", checkpoint, "--json", stdin=b"The cat").objects
    assert list(found) == [
        "model",
        "source",
        "source_tokens",
        "stop_reason",
        "hypotheses",
        "steps",
    ]
    assert all(set(h) == {*HYPOTHESIS_KEYS, "attention"} for h in found["hypotheses"])
    assert all(set(c) == CANDIDATE_KEYS for s in found["steps"] for c in s["candidates"])


def test_attention_has_a_row_a_token_and_a_column_a_source_token(
    run: Run, checkpoint: Path
) -> None:
    (found,) = run("translate", "--model", checkpoint, "--json", stdin=b"The cat sat.").objects
    assert found["source_tokens"][-1] == "</s>"
    for hypothesis in found["hypotheses"]:
        assert len(hypothesis["attention"]) == hypothesis["length"] == len(hypothesis["tokens"])
        for row in hypothesis["attention"]:
            assert len(row) == len(found["source_tokens"])
            assert sum(row) == pytest.approx(1, abs=1e-6)


def test_a_model_without_attention_has_null(run: Run, fixed_vector: Path) -> None:
    (found,) = run("translate", "--model", fixed_vector, "--json", stdin=b"The cat").objects
    assert [h["attention"] for h in found["hypotheses"]] == [None] * len(found["hypotheses"])


def test_greedy_is_the_librarys_greedy_search(run: Run, checkpoint: Path) -> None:
    model = load_checkpoint(checkpoint)
    result = run("translate", "--model", checkpoint, "--greedy", stdin=TEXT)
    assert result.lines == [greedy_search(model, source).best.text for source in SOURCES]


def test_n_best_prints_rank_score_and_text(run: Run, checkpoint: Path) -> None:
    setting = ("translate", "--model", checkpoint, "--stop", "bound", "--n-best", 3)
    rows = [line.split("\t") for line in run(*setting, stdin=TEXT).lines]
    assert [row[0] for row in rows] == ["1", "2", "3"] * len(SOURCES)
    objects = run(*setting, "--json", stdin=TEXT).objects
    hypotheses = [h for item in objects for h in item["hypotheses"]]
    assert [row[2] for row in rows] == [h["text"] for h in hypotheses]
    assert [float(row[1]) for row in rows] == pytest.approx(
        [h["score"] for h in hypotheses], abs=1e-6
    )


def test_rank_one_does_not_depend_on_how_many_are_asked_for(run: Run, checkpoint: Path) -> None:
    setting = ("translate", "--model", checkpoint, "--json")
    one = run(*setting, "--n-best", 1, stdin=TEXT).objects
    assert [len(item["hypotheses"]) for item in one] == [1] * len(SOURCES)
    everything = run(*setting, stdin=TEXT).objects
    assert [i["hypotheses"][0] for i in one] == [i["hypotheses"][0] for i in everything]


def test_more_than_the_beam_holds_is_refused(run: Run, checkpoint: Path) -> None:
    setting = ("translate", "--model", checkpoint)
    error = run(*setting, "--beam-size", 2, "--n-best", 3, stdin=TEXT).error
    assert error == "n-best must be at most the beam size 2, not 3"
    assert "greedy search has one" in run(*setting, "--greedy", "--n-best", 2, stdin=TEXT).error


def test_every_translation_starts_with_the_forced_prefix(run: Run, checkpoint: Path) -> None:
    setting = ("translate", "--model", checkpoint, "--prefix", " Un chat ", "--json")
    for item in run(*setting, stdin=TEXT).objects:
        assert item["steps"][0]["candidates"][0]["parent"] == 0
        for hypothesis in item["hypotheses"]:
            assert hypothesis["tokens"][:2] == ["▁Un", "▁chat"]


def test_a_prefix_that_is_blank_or_too_long_is_refused(run: Run, checkpoint: Path) -> None:
    setting = ("translate", "--model", checkpoint)
    assert "the prefix is blank" in run(*setting, "--prefix", " ", stdin=TEXT).error
    long = ("--max-length", 2, "--prefix", "Le chat dort.")
    error = run(*setting, *long, stdin=TEXT).error
    assert error == "line 1: the forced prefix has 4 tokens, but the maximum length is 2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"one\n\ntwo\n", "standard input, line 2: the line is empty"),
        (b"one\n \xe3\x80\x80\n", "standard input, line 2: the line is empty"),
        (b"\n", "standard input, line 1: the line is empty"),
        (b"", "standard input is empty"),
        (b"one\ntw\xff\n", "standard input, line 2: not UTF-8 (byte 3 is 0xff)"),
        (b"one\n\xe2\x80\x8b\n", "line 2: the source is blank"),
        (b"one\n" + b"cat " * 500, "line 2: the source has"),
    ],
)
def test_a_bad_line_is_named_before_any_output(
    run: Run, checkpoint: Path, text: bytes, message: str
) -> None:
    assert run("translate", "--model", checkpoint, stdin=text).error.startswith(message)


def test_other_line_separators_do_not_split_a_source(run: Run, checkpoint: Path) -> None:
    text = "The cat\u2028sat\x0b.\n".encode()
    (found,) = run("translate", "--model", checkpoint, "--json", stdin=text).objects
    assert found["source"] == "The cat\u2028sat\x0b."


def test_a_missing_file_or_model_is_an_error(run: Run, checkpoint: Path) -> None:
    assert "none.txt can't be read" in run("translate", "--model", checkpoint, "none.txt").error
    assert "there is no checkpoint 'none'" in run("translate", "--model", "none").error
    assert "the following arguments are required: --model" in run("translate").error


def test_an_output_cut_at_the_limit_is_noted(run: Run, checkpoint: Path) -> None:
    setting = ("translate", "--model", checkpoint, "--max-length", 1, "--prefix", "Le")
    result = run(*setting, stdin=b"The cat")
    assert (result.status, result.lines) == (0, ["Le"])
    assert result.err == "line 1: cut at 1 tokens without an end\n"


def test_a_prefix_is_read_in_the_form_of_the_corpora(run: Run, checkpoint: Path) -> None:
    setting = ("translate", "--model", checkpoint, "--json", "--max-length", 9)
    typed = run(*setting, "--prefix", "Le “chat”  ", stdin=TEXT)
    plain = run(*setting, "--prefix", 'Le "chat"', stdin=TEXT)
    assert [o["hypotheses"] for o in typed.objects] == [o["hypotheses"] for o in plain.objects]
    assert typed.err.startswith('the prefix is read as: Le "chat" (')
    assert plain.err == ""


def test_long_names_are_shortened_in_messages(run: Run, checkpoint: Path) -> None:
    for error in (
        run("translate", "--model", "x" * 5000).error,
        run("translate", "--model", checkpoint, "x" * 5000).error,
        run("translate", "--model", checkpoint, "--beam-size", "y " * 5000).error,
    ):
        assert len(error) < 1100
        assert "…" in error or "there is no checkpoint" in error


def test_a_folder_without_a_card_is_told_so(run: Run, checkpoint: Path, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    error = run("translate", "--model", tmp_path / "bare", stdin=TEXT).error
    assert error == "bare: card.json can't be read: No such file or directory"
