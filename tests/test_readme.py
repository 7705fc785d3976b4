"""What the README shows works as shown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from s2s_core.models.architectures import build_network
from s2s_core.models.checkpoint import CHECKPOINTS, checkpoint_names, load_card
from s2s_core.training.config import load_config

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def code_blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_notebook_example_runs() -> None:
    (example,) = code_blocks("python")
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", example],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("\n") == 5


def test_the_configuration_it_shows_can_be_used(tmp_path: Path) -> None:
    (example,) = code_blocks("toml")
    path = tmp_path / "config.toml"
    path.write_text(example, encoding="utf-8")
    config = load_config(path)
    build_network(config.architecture, {"vocabulary_size": config.tokenizer.size, **config.model})


def test_every_command_it_names_exists() -> None:
    from s2s_core.cli.main import COMMANDS

    named = set(re.findall(r"-m s2s_core (\w+)", README))
    assert named == {command.name for command in COMMANDS}


TRANSLATION = [name for name in checkpoint_names() if not name.startswith("reverse-")]


@pytest.mark.parametrize("name", TRANSLATION)
def test_scores_in_the_table_are_those_on_the_cards(name: str) -> None:
    card = load_card(CHECKPOINTS / name)
    scores = [
        card.score("BLEU", beam_size=beam_size, all_references=every)
        for beam_size, every in ((1, False), (5, False), (5, True))
    ]
    greedy, beam, beam_all = (f"{score.score:.1f}" for score in scores if score is not None)
    assert f"| `{name}` | {greedy} | {beam} | {beam_all} |" in README


@pytest.mark.parametrize("folder", sorted(CHECKPOINTS.glob("reverse-*")), ids=lambda f: f.name)
def test_the_reversal_table_is_that_of_the_cards(folder: Path) -> None:
    found = {
        (score.shortest, score.longest): score.score
        for score in load_card(folder).scores
        if (score.metric, score.beam_size, score.data) == ("exact match", 1, "test")
    }
    assert f"| `{folder.name}` | {found[1, 20]:.1f} | {found[21, 40]:.1f} |" in README


def test_the_test_command_is_the_one_that_checks_run() -> None:
    assert README.count("<!-- test command -->") == 1
    assert "<!-- test command -->" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_attribution_is_the_one_on_the_cards() -> None:
    flat = " ".join(line.removeprefix(">").strip() for line in README.splitlines())
    assert load_card(CHECKPOINTS / "en-fr-additive-gru").attribution in flat


def test_the_table_shows_the_trap_that_the_readme_tells_of() -> None:
    from s2s_core import NoPenalty, SearchConfig, beam_search, greedy_search, load_table

    table = load_table(ROOT / "docs" / "table.json")
    config = SearchConfig(4, length_penalty=NoPenalty())
    assert greedy_search(table, "", config).best.text == "A x"
    assert beam_search(table, "", config).best.text == "B x"
