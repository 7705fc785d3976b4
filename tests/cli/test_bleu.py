"""`bleu`: the contract, sacreBLEU's figures, and files that can't be used."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from s2s_core.cli.bleu_options import bleu_settings
from s2s_core.cli.main import build_parser
from s2s_core.metrics.settings import DEFAULT_SETTINGS
from tests.cli.running import Run
from tests.metrics.corpora import Corpus, random_corpus

HYPOTHESES = ["The cat sat on a mat.", "hello there world", "x y"]
FIRST = ["The cat is on the mat.", "hello big world there", "x"]
SECOND = ["A cat sat on the mat.", "hello there", "y x"]
KEYS = [
    *("score", "precisions", "matches", "totals", "brevity_penalty", "hypothesis_length"),
    *("reference_length", "max_order", "signature"),
]

Files = tuple[Path, Path, Path]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Hypotheses and two files of references."""
    return (
        write(tmp_path / "hypotheses.txt", HYPOTHESES),
        write(tmp_path / "first.txt", FIRST),
        write(tmp_path / "second.txt", SECOND),
    )


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    return path


def write_pairs(path: Path, corpus: Corpus) -> Path:
    pairs = zip(corpus.hypotheses, corpus.references, strict=True)
    return write(path, [json.dumps({"hypothesis": h, "references": r}) for h, r in pairs])


def fields(metric: BLEU, hypotheses: list[str], streams: list[list[str]]) -> dict[str, Any]:
    """The JSON that sacreBLEU's score stands for; its counts are true without add-k."""
    found = metric.corpus_score(hypotheses, streams)
    return {
        "score": found.score,
        "precisions": found.precisions,
        "matches": found.counts,
        "totals": found.totals,
        "brevity_penalty": found.bp,
        "hypothesis_length": found.sys_len,
        "reference_length": found.ref_len,
        "max_order": metric.max_ngram_order,
        "signature": str(metric.get_signature()),
    }


@pytest.mark.parametrize(
    ("options", "metric"),
    [
        ((), BLEU()),
        (("--lowercase",), BLEU(lowercase=True)),
        (("--tokenize", "intl"), BLEU(tokenize="intl")),
        (("--tokenize", "char", "--max-order", "6"), BLEU(tokenize="char", max_ngram_order=6)),
        (("--smooth", "floor"), BLEU(smooth_method="floor")),
        (
            ("--smooth", "floor", "--smooth-value", "0.01"),
            BLEU(smooth_method="floor", smooth_value=0.01),
        ),
        (("--smooth", "none"), BLEU(smooth_method="none")),
        (("--smooth", "exp", "--smooth-value", "7"), BLEU()),
    ],
)
def test_the_json_is_sacrebleus_to_the_last_digit(
    run: Run, files: Files, options: tuple[str, ...], metric: BLEU
) -> None:
    hypotheses, first, second = files
    setting = ("bleu", "--hypotheses", hypotheses, "--references")
    (found,) = run(*setting, first, second, *options, "--json").objects
    assert list(found) == KEYS
    assert found == fields(metric, HYPOTHESES, [FIRST, SECOND])
    (found,) = run(*setting, first, *options, "--json").objects
    assert found == fields(metric, HYPOTHESES, [FIRST])


def test_add_k_has_true_counts_and_sacrebleus_precisions(run: Run, files: Files) -> None:
    hypotheses, first, _ = files
    setting = ("bleu", "--hypotheses", hypotheses, "--references", first, "--json")
    (found,) = run(*setting, "--smooth", "add-k").objects
    (plain,) = run(*setting).objects
    expected = fields(BLEU(smooth_method="add-k"), HYPOTHESES, [FIRST])
    assert expected["matches"] != plain["matches"]
    for key in ("matches", "totals"):
        assert found[key] == plain[key]
        expected.pop(key)
        found.pop(key)
    assert found == expected


@pytest.mark.parametrize("seed", range(5))
def test_pairs_have_any_number_of_references(run: Run, tmp_path: Path, seed: int) -> None:
    corpus = random_corpus(Random(seed), 6, 3)
    pairs = write_pairs(tmp_path / "pairs.jsonl", corpus)
    (found,) = run("bleu", "--pairs", pairs, "--json").objects
    assert found == fields(BLEU(), corpus.hypotheses, corpus.streams)


def test_sentences_are_a_list_of_scores_with_effective_order(run: Run, files: Files) -> None:
    setting = ("bleu", "--hypotheses", files[0], "--references", *files[1:], "--sentence")
    ((*found,),) = run(*setting, "--json").objects
    for number, each in enumerate(found):
        streams = [[FIRST[number]], [SECOND[number]]]
        assert each == fields(BLEU(effective_order=True), [HYPOTHESES[number]], streams)
    lines = run(*setting).lines
    assert lines == [
        f"{each['score']:.2f}\t{text}" for each, text in zip(found, HYPOTHESES, strict=True)
    ]


def test_chrf_and_ter_on_request(run: Run, files: Files) -> None:
    setting = ("bleu", "--hypotheses", files[0], "--references", *files[1:], "--chrf", "--ter")
    (found,) = run(*setting, "--json").objects
    assert list(found) == [*KEYS, "chrf", "chrf_plus_plus", "ter"]
    metrics = {"chrf": CHRF(), "chrf_plus_plus": CHRF(word_order=2), "ter": TER()}
    for key, metric in metrics.items():
        score = metric.corpus_score(HYPOTHESES, [FIRST, SECOND]).score
        assert found[key] == {"score": score, "signature": str(metric.get_signature())}
    plain = run(*setting).lines
    assert [line.split()[0] for line in plain[-3:]] == ["chrF2", "chrF2++", "TER"]
    first = run(*setting, "--sentence").lines[0].split("\t")
    assert len(first) == 5
    assert first[3] == f"{TER().sentence_score(HYPOTHESES[0], [FIRST[0], SECOND[0]]).score:.2f}"


def test_a_ter_that_would_take_too_long_is_null_with_a_note(run: Run, tmp_path: Path) -> None:
    long = write(tmp_path / "long.txt", ["a b " * 60])
    result = run("bleu", "--hypotheses", long, "--references", long, "--ter", "--json")
    assert result.objects[0]["ter"] is None
    assert result.err.startswith("TER isn't computed: segment 1 has 120 tokens")


def test_plain_output_shows_each_part(run: Run, files: Files) -> None:
    setting = ("bleu", "--hypotheses", files[0], "--references", files[1])
    lines = run(*setting, "--max-order", "3").lines
    assert lines[0].startswith("BLEU ")
    assert lines[1] == "precision 1: 75.00 % (9 of 12)"
    assert lines[-2] == "brevity penalty 1.000: 12 hypothesis tokens, 12 reference tokens"
    assert lines[-1].endswith("|order:3")
    perfect = run("bleu", "--hypotheses", files[1], "--references", files[1]).lines
    assert perfect[0] == "BLEU 100.00"


def test_what_looks_wrong_is_noted_and_stdout_stays_data(run: Run, tmp_path: Path) -> None:
    text = write(tmp_path / "text.txt", ["猫坐在垫子上。", ""])
    result = run("bleu", "--hypotheses", text, "--references", text, "--json")
    assert result.status == 0
    assert len(result.objects) == 1
    assert "Use the tokenizer zh." in result.err
    assert "Segment 2 has no hypothesis token." in result.err


def test_standard_input_and_windows_files(run: Run, tmp_path: Path) -> None:
    references = tmp_path / "r.txt"
    references.write_bytes(b"\xef\xbb\xbfthe cat\r\nthe dog\r\n")
    text = b"the cat\nthe dog\n"
    setting = ("bleu", "--hypotheses", "-", "--references", references, "--max-order", 2)
    assert run(*setting, stdin=text).lines[0] == "BLEU 100.00"
    pair = b'{"hypothesis": "a b", "references": ["a b", null]}'
    assert run("bleu", "--pairs", "-", "--max-order", 2, stdin=pair).lines[0] == "BLEU 100.00"


def test_default_options_are_the_default_settings() -> None:
    args = build_parser().parse_args(["bleu", "--hypotheses", "h", "--references", "r"])
    assert bleu_settings(args) == DEFAULT_SETTINGS


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "one of the arguments --hypotheses --pairs is required"),
        (("--hypotheses", "h"), "--references FILE [FILE …] is missing"),
        (("--hypotheses", "h", "--pairs", "p"), "not allowed with argument"),
        (("--pairs", "p", "--references", "r"), "--references doesn't go with --pairs"),
        (("--hypotheses", "-", "--references", "-"), "standard input (-) can be read once only"),
        (("--hypotheses", "none.txt", "--references", "r"), "none.txt can't be read: No such"),
        (("--hypotheses", ".", "--references", "r"), ". can't be read: Is a directory"),
        (("--pairs", "p", "--tokenize", "flores200"), "it fetches its model from the network"),
        (("--pairs", "p", "--smooth", "exponential"), "choose from 'exp', 'floor', 'add-k'"),
        (("--pairs", "p", "--smooth", "floor", "--smooth-value", "2"), "between 0 and 1, not 2"),
        (("--pairs", "p", "--smooth-value", "x"), "invalid float value: 'x'"),
        (("--pairs", "p", "--max-order", "0"), "maximum order must be between 1 and 10, not 0"),
    ],
)
def test_a_bad_command_line_is_one_line(run: Run, options: tuple[str, ...], message: str) -> None:
    assert message in run("bleu", *options).error


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (b"a\nb\n", b"a\n", "line 2 of"),
        (b"", b"a\n", "is empty"),
        (b"a\nb\xff\n", b"a\nb\n", "line 2: not UTF-8"),
        (b"a\n", b"a\x00\n", "line 1: a NUL character"),
    ],
)
def test_a_bad_file_is_named_with_its_line(
    run: Run, tmp_path: Path, hypotheses: bytes, references: bytes, message: str
) -> None:
    first, second = tmp_path / "h.txt", tmp_path / "r.txt"
    first.write_bytes(hypotheses)
    second.write_bytes(references)
    assert message in run("bleu", "--hypotheses", first, "--references", second).error


def test_a_bad_pair_is_named_with_its_line(run: Run) -> None:
    text = b'{"hypothesis": "a", "references": ["a"]}\n{"hypothesis": "a", "references": []}\n'
    assert run("bleu", "--pairs", "-", stdin=text).error.startswith(
        "standard input, line 2: no reference"
    )


def test_half_characters_in_json_do_no_harm(run: Run) -> None:
    pair = rb'{"hypothesis": "\ud800 a", "references": ["\ud800 a"]}'
    for name in ("13a", "intl", "zh", "char", "none"):
        result = run("bleu", "--pairs", "-", "--chrf", "--ter", "--tokenize", name, stdin=pair)
        assert result.status == 0
        assert run("bleu", "--pairs", "-", "--sentence", stdin=pair).status == 0
