"""What is kept between runs and shared between visitors: checkpoints and finished searches.

Both are read-only. Searches are kept by their whole request, written out: nested values of
different classes with the same numbers would otherwise be taken for one another.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import streamlit as st

from s2s_core.errors import CheckpointError
from s2s_core.models.checkpoint import (
    CheckpointCard,
    checkpoint_folder,
    checkpoint_names,
    load_card,
    load_checkpoint,
)
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig, SearchRequest
from s2s_core.search.decoder_base import Decoded, Decoder
from s2s_core.search.greedy import greedy_search
from s2s_core.search.ranking import RankEntry
from s2s_core.search.rerank import entries_of
from s2s_core.search.trace import BeamTrace
from s2s_core.text.normalise import Normalised

if TYPE_CHECKING:
    from s2s_core.models.translation import TrainedModel
    from s2s_core.training.checks import CheckResult

# Small models are several times faster on one thread; read once, when the first model is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")


@st.cache_resource(max_entries=12, show_spinner="Loading the model …")
def model(name: str) -> TrainedModel[Any]:
    """A checkpoint, ready to decode.

    Raises:
        CheckpointError: there is none of that name, or it is damaged.
    """
    return load_checkpoint(checkpoint_folder(name, by_path=False))


@st.cache_resource(max_entries=1, ttl=60, show_spinner=False)
def cards() -> dict[str, CheckpointCard]:
    """The cards of all checkpoints that can be read, by name."""
    found = {}
    for name in checkpoint_names():
        try:
            found[name] = load_card(checkpoint_folder(name))
        except CheckpointError:
            continue  # choosing it says what is wrong with it
    return found


@st.cache_data(
    max_entries=300, max_size="200mb", hash_funcs={SearchRequest: repr}, show_spinner=False
)
def timed_search(request: SearchRequest) -> tuple[BeamTrace, float]:
    """The beam search that a request asks for, and the seconds that it took when it was done.

    Raises:
        ExplorerError: whatever `beam_search` or loading the model raises.
    """
    loaded = model(request.checkpoint)
    begin = perf_counter()
    trace = beam_search(
        loaded,
        request.source,
        request.config,
        forced_ids=request.forced_ids,
        checkpoint=request.checkpoint,
    )
    return trace, perf_counter() - begin


def search(request: SearchRequest) -> BeamTrace:
    """The beam search that a request asks for.

    Raises:
        The same errors as `timed_search`.
    """
    return timed_search(request)[0]


@st.cache_data(max_entries=50, show_spinner="Running the checks …")
def checks(name: str, own: str) -> tuple[CheckResult, ...]:
    """Every check on a checkpoint, with a further source unless it is blank.

    Raises:
        CheckpointError: there is none of that name, or it is damaged.
        SourceError: the model can't read the further source.
    """
    from s2s_core.training.checks import run_checks

    return run_checks(model(name), own=own)


@st.cache_data(
    max_entries=300, max_size="50mb", hash_funcs={SearchRequest: repr}, show_spinner="Searching …"
)
def finished_entries(request: SearchRequest) -> tuple[RankEntry, ...]:
    """Every finished candidate of a search, without its trace: little, to be ranked at once.

    Raises:
        The same errors as `search`.
    """
    return entries_of(search(request))


@dataclass(frozen=True)
class DecoderJob:
    """A decoder with its settings, and what it is to decode."""

    decoder: Decoder
    request: SearchRequest


@st.cache_data(
    max_entries=100, max_size="100mb", hash_funcs={DecoderJob: repr}, show_spinner="Decoding …"
)
def decoded(job: DecoderJob) -> Decoded:
    """What a decoder gives.

    Raises:
        ExplorerError: whatever the decoder or loading the model raises.
    """
    return job.decoder.decode(model(job.request.checkpoint), job.request)


def prepared(request: SearchRequest) -> Normalised | None:
    """What the model reads for a request's source; None if the model isn't here."""
    try:
        return model(request.checkpoint).prepare(request.source)
    except CheckpointError:
        return None


def greedy(request: SearchRequest) -> BeamTrace:
    """The greedy search beside a beam search.

    Raises:
        The same errors as `search`.
    """
    # Only the length limit matters to it, so that all else doesn't make another entry.
    config = SearchConfig(beam_size=1, max_length=request.config.max_length)
    return _greedy(replace(request, config=config))


@st.cache_data(
    max_entries=300, max_size="50mb", hash_funcs={SearchRequest: repr}, show_spinner=False
)
def _greedy(request: SearchRequest) -> BeamTrace:
    return greedy_search(
        model(request.checkpoint),
        request.source,
        request.config,
        forced_ids=request.forced_ids,
        checkpoint=request.checkpoint,
    )
