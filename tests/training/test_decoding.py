"""Decoding in several processes gives what one gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s_core.errors import SourceError
from s2s_core.models.checkpoint import load_checkpoint
from s2s_core.search.batch import greedy_config
from s2s_core.search.config import SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.training import decoding
from s2s_core.training.decoding import Decoder
from tests.cli.tiny import TEXTS, write_checkpoint

SOURCES = tuple(" ".join([*TEXTS[i % 4].split()[: 1 + i % 7], str(i)]) for i in range(150))


def test_processes_change_nothing_and_keep_the_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_checkpoint(tmp_path / "tiny", context="additive")
    model = load_checkpoint(folder)
    config = SearchConfig(3, max_length=8, recorded_candidates=0)
    here = Decoder(model).decode(SOURCES, config)
    with Decoder(model, folder=folder, workers=2) as decoder:
        assert decoder.workers == 2
        there = decoder.decode(SOURCES, config, bar="two")
        greedy = decoder.decode(SOURCES[:5], greedy_config(8))
        with pytest.raises(SourceError, match="blank"):
            decoder.decode(["The cat", " "], config)
    assert there == here
    assert "150/150" in capsys.readouterr().err
    singly = [greedy_search(model, source, SearchConfig(max_length=8)) for source in SOURCES[:5]]
    assert [output.token_ids for output in greedy] == [trace.best.token_ids for trace in singly]


def test_a_decoder_without_a_folder_works_in_this_process(tmp_path: Path) -> None:
    model = load_checkpoint(write_checkpoint(tmp_path / "tiny", context="fixed_once"))
    with Decoder(model, workers=4) as decoder:
        assert decoder.workers == 1
        assert len(decoder.decode(SOURCES[:3], greedy_config(4))) == 3
    assert decoding.cores() >= 1
