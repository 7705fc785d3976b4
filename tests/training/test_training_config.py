"""Training configurations: what is wrong is named by its key."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s_core.errors import ConfigError
from s2s_core.training.config import load_config
from tests.training.corpora import CONFIG, write_corpus


def test_a_good_file_is_read_with_its_defaults(tmp_path: Path) -> None:
    config = load_config(write_corpus(tmp_path))
    assert (config.name, config.optimiser.steps, config.optimiser.patience) == ("tiny", 12, 0)
    assert config.model["decoder_size"] == 16


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("steps = 12", "", "optimiser: steps is missing"),
        ("steps = 12", 'steps = "many"', "optimiser: steps must be of type int, not 'many'"),
        ("steps = 12", "steps = 0", "optimiser: steps must be above 0, not 0"),
        ("steps = 12", "steps = 12\nspeed = 3", "optimiser: 'speed' isn't a key; there are: steps"),
        ('precision = "float32"', 'precision = "half"', "precision is 'half'"),
        ("average_decay = 0.9", "average_decay = 1.0", "average_decay must be at least 0"),
        ('name = "tiny"', "", "the top level: name is missing"),
        ('name = "tiny"', "name = ", "can't be read as TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, before: str, after: str, message: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(CONFIG.replace(before, after), encoding="utf-8")
    with pytest.raises(ConfigError, match=message.replace("(", r"\(")):
        load_config(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml can't be read"):
        load_config(tmp_path / "nowhere.toml")
