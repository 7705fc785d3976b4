"""Each bundled example shows on the bundled model what it claims to show."""

from __future__ import annotations

from functools import cache

import pytest

from s2s_core.models.checkpoint import checkpoint_folder, checkpoint_names, load_checkpoint
from s2s_core.search.beam import beam_search
from s2s_core.search.trace import BeamTrace
from s2s_core.ui.examples import FIRST_SCREEN, SHOWS, Example, examples, find_example, first_source
from tests.benchmarks.example_properties import CHECKS, Model
from tests.benchmarks.find_examples import SENTENCES


@cache
def bundled(name: str) -> Model:
    return load_checkpoint(checkpoint_folder(name))


@pytest.mark.parametrize("example", examples(), ids=lambda e: f"{e.model}-{e.shows}")
def test_example_shows_what_it_claims(example: Example) -> None:
    model = bundled(example.model)
    pairs = dict(SENTENCES[model.source_language, model.target_language])
    finding = CHECKS[example.shows](model, example.source, pairs[example.source])
    assert finding is not None
    assert example.note


def test_there_are_examples_of_every_kind_in_both_languages() -> None:
    assert tuple(CHECKS) == tuple(SHOWS)
    shown = {example.shows for example in examples()}
    assert shown == set(SHOWS)
    assert {example.source.isascii() for example in examples()} == {True, False}
    assert {example.model for example in examples()} <= set(checkpoint_names())


def test_every_example_is_found_by_its_sentence() -> None:
    for example in examples():
        assert find_example(example.model, example.source) == example
    assert first_source("no such model") == ""


def test_the_first_screens_search_is_what_the_model_finds_now() -> None:
    saved = BeamTrace.from_json(FIRST_SCREEN.read_text(encoding="utf-8"))
    name, source = saved.request.checkpoint, saved.request.source
    assert (name, source) == (checkpoint_names()[0], first_source(name))
    fresh = beam_search(bundled(name), source, checkpoint=name)
    assert saved.request == fresh.request
    assert saved.best.tokens == fresh.best.tokens
    assert saved.best.log_prob == pytest.approx(fresh.best.log_prob, abs=1e-4)
