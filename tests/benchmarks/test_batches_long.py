"""Batched decoding of whole files is decoding one by one, token for token.

`S2S_TEST_FILES="NAME=FILE NAME=FILE" python -m pytest -m benchmark
tests/benchmarks/test_batches_long.py -s` takes checkpoints and test files; without the variable,
the everyday sentences of the tests are decoded.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from s2s_core.models.checkpoint import checkpoint_folder, load_checkpoint
from s2s_core.search.batch import decode, greedy_config
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.text.corpus import read_references
from tests.everyday import EVERYDAY

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(3600)]

FILES = os.environ.get("S2S_TEST_FILES", "en-fr-additive-gru=").split()


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("file", FILES)
def test_every_target_of_a_file_is_the_same_in_batches_and_alone(file: str) -> None:
    name, _, path = file.partition("=")
    model = load_checkpoint(checkpoint_folder(name))
    sources = [pair.source for pair in read_references(Path(path))] if path else list(EVERYDAY)
    config = SearchConfig(recorded_candidates=0)
    for settings, search in ((greedy_config(), greedy_search), (config, beam_search)):
        together = dict(decode(model, sources, settings))
        assert len(together) == len(sources)
        for index, source in enumerate(sources):
            alone = search(model, source, config).best
            assert together[index].token_ids == alone.token_ids, source
    print(f"{name}: {len(sources)} sources, greedy and beam {config.beam_size}: all the same")
