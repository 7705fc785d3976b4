"""`score`: targets that are already there."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s_core.cli.payload import scored_fields
from s2s_core.models.checkpoint import load_checkpoint
from s2s_core.search.score import score_target
from s2s_core.search.table import ProbabilityTable
from tests.cli.running import Run

SOURCES = ("The cat sat.", "A dog ran in the park.", "On the mat")


def test_the_json_is_the_librarys_score_of_the_target_and_its_end(
    run: Run, checkpoint: Path
) -> None:
    model = load_checkpoint(checkpoint)
    line = "The cat sat.\tLe chat dort"
    (found,) = run("score", "--model", checkpoint, "--json", stdin=line.encode()).objects
    ids = (*model.target.ids("Le chat dort"), model.target.eos_id)
    scored = score_target(model, "The cat sat.", ids)
    assert scored.attention is not None
    assert found.pop("attention") == pytest.approx(scored.attention.head_mean(), abs=1e-7)
    assert found == {
        "model": str(checkpoint),
        "source": "The cat sat.",
        "target": "Le chat dort",
        "source_tokens": list(scored.attention.source_tokens),
        "tokens": ["▁Le", "▁chat", "▁dort", "</s>"],
        "token_log_probs": list(scored.token_log_probs),
        "log_prob": scored.log_prob,
        "length": 4,
    }


def test_what_translate_wrote_scores_what_translate_said(run: Run, checkpoint: Path) -> None:
    setting = ("--model", checkpoint, "--json")
    translated = run("translate", *setting, stdin="\n".join(SOURCES).encode()).objects
    lines = [f"{item['source']}\t{h['text']}" for item in translated for h in item["hypotheses"]]
    found = [h for item in translated for h in item["hypotheses"]]
    scored = run("score", *setting, stdin="\n".join(lines).encode()).objects
    assert len(scored) == len(found) > len(SOURCES)
    for score, hypothesis in zip(scored, found, strict=True):
        assert score["tokens"] == hypothesis["tokens"]
        assert score["token_log_probs"] == pytest.approx(hypothesis["token_log_probs"], abs=1e-5)
        assert score["log_prob"] == pytest.approx(hypothesis["log_prob"], abs=1e-5)


def test_plain_output_is_the_log_prob_and_the_target(run: Run, checkpoint: Path) -> None:
    text = b"The cat\tLe chat\r\nThe dog\tUn chien\r\n"
    rows = [line.split("\t") for line in run("score", "--model", checkpoint, stdin=text).lines]
    objects = run("score", "--model", checkpoint, "--json", stdin=text).objects
    assert [row[1] for row in rows] == ["Le chat", "Un chien"]
    assert [row[0] for row in rows] == [f"{item['log_prob']:.6f}" for item in objects]


def test_an_empty_target_is_the_end_token_alone(run: Run, checkpoint: Path) -> None:
    (found,) = run("score", "--model", checkpoint, "--json", stdin=b"The cat\t\n").objects
    assert (found["tokens"], found["length"]) == (["</s>"], 1)


def test_a_typed_end_token_is_plain_text(run: Run, checkpoint: Path) -> None:
    (found,) = run("score", "--model", checkpoint, "--json", stdin=b"The cat\t</s>").objects
    assert found["tokens"].count("</s>") == 1
    assert found["length"] > 2


def test_a_model_without_attention_has_null_and_still_its_source_tokens(
    run: Run, fixed_vector: Path
) -> None:
    (found,) = run("score", "--model", fixed_vector, "--json", stdin=b"The cat\tLe").objects
    assert found["attention"] is None
    assert found["source_tokens"] == ["▁The", "▁cat", ".", "</s>"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"The cat\tLe chat\nThe dog\n", "line 2: 1 column(s), but 2 are needed"),
        (b"The cat\tLe\tchat\n", "line 1: 3 column(s), but 2 are needed"),
        (b"The cat\tLe chat\n\n", "standard input, line 2: the line is empty"),
        (b"The cat\tLe chat\n \tLe chat\n", "line 2: the source is blank"),
    ],
)
def test_a_bad_line_is_named_before_any_output(
    run: Run, checkpoint: Path, text: bytes, message: str
) -> None:
    assert run("score", "--model", checkpoint, stdin=text).error.startswith(message)


def test_probability_zero_is_null() -> None:
    table = ProbabilityTable({"": {"a": 1.0, "b": 0.0}}, default={"EOS": 1.0})
    fields = scored_fields(score_target(table, "", (*table.target.ids("b"), table.target.eos_id)))
    assert fields["token_log_probs"] == [None, 0.0]
    assert fields["log_prob"] is None


def test_a_target_is_read_in_the_form_of_the_corpora_and_a_change_is_told(
    run: Run, checkpoint: Path
) -> None:
    setting = ("score", "--model", checkpoint, "--json")
    typed = run(*setting, stdin="The cat\tLe  chat dort “dans”\nThe cat\tLe chat".encode())
    plain = run(*setting, stdin=b'The cat\tLe chat dort "dans"').objects
    assert typed.objects[0] == plain[0] | {"target": "Le  chat dort “dans”"}
    assert typed.err.startswith('line 1: the target is read as: Le chat dort "dans" (')
    assert "line 2" not in typed.err
