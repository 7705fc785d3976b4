"""Every decoder behind one face; what holds for all of them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from s2s_core.errors import PrefixError
from s2s_core.metrics.utility import chrf_utility
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig, SearchRequest
from s2s_core.search.decoder_base import Decoded, Decoder
from s2s_core.search.decoders import (
    DECODERS,
    BeamDecoder,
    CoverageDecoder,
    DiverseDecoder,
    ExactDecoder,
    GreedyDecoder,
    MbrDecoder,
    SamplingDecoder,
    StochasticDecoder,
    WordsDecoder,
)
from s2s_core.search.diverse import Diversity
from s2s_core.search.exact import ExactResult
from s2s_core.search.mbr import MbrResult
from s2s_core.search.sampling import Sampling
from s2s_core.search.score import score_target
from s2s_core.search.trace import BeamTrace
from tests.search.fakes import PrefixModel

ALL: tuple[Decoder, ...] = (
    BeamDecoder(),
    GreedyDecoder(),
    ExactDecoder(),
    SamplingDecoder(Sampling(samples=12, seed=2)),
    StochasticDecoder(seed=3),
    DiverseDecoder(Diversity(3, 1.0)),
    CoverageDecoder(0.5),
    WordsDecoder(("c",)),
    MbrDecoder(chrf_utility),
    MbrDecoder(chrf_utility, of="pool"),
)
CONFIG = SearchConfig(6, 7)


def decode(decoder: Decoder, forced_ids: tuple[int, ...] = ()) -> Decoded:
    model = PrefixModel(seed=4, end=1.0)
    return decoder.decode(model, SearchRequest("m", "x y z", CONFIG, forced_ids))


def test_the_registry_has_every_decoder_under_its_name() -> None:
    assert {type(decoder) for decoder in ALL} == set(DECODERS.values())
    assert all(DECODERS[name].name == name for name in DECODERS)
    assert all(kind.label and kind.help for kind in DECODERS.values())


@pytest.mark.parametrize("decoder", ALL, ids=lambda decoder: decoder.name)
def test_all_give_the_models_own_log_probs_and_a_trace(decoder: Decoder) -> None:
    decoded = decode(decoder)
    assert len(decoded.hypotheses) == len(decoded.values) > 0
    assert decoded.best is decoded.hypotheses[0]
    for hypothesis in decoded.hypotheses:
        scored = score_target(PrefixModel(seed=4, end=1.0), "x y z", hypothesis.token_ids)
        assert hypothesis.log_prob == pytest.approx(scored.log_prob, abs=1e-6)
        assert hypothesis.finished == scored.finished
    for trace in decoded.traces:
        assert BeamTrace.from_json(trace.to_json()) == trace
    if decoder.name != "sampling":
        assert all(a >= b for a, b in pairwise(decoded.values))


@pytest.mark.parametrize("decoder", ALL, ids=lambda decoder: decoder.name)
def test_a_forced_prefix_holds_for_all(decoder: Decoder) -> None:
    for hypothesis in decode(decoder, (3, 4)).hypotheses:
        assert hypothesis.token_ids[:2] == (3, 4)


@pytest.mark.parametrize("decoder", ALL, ids=lambda decoder: decoder.name)
def test_all_give_the_same_twice_and_have_no_target_twice(decoder: Decoder) -> None:
    first, again = decode(decoder), decode(decoder)
    assert first.hypotheses == again.hypotheses
    assert first.values == again.values
    ids = [hypothesis.token_ids for hypothesis in first.hypotheses]
    assert len(set(ids)) == len(ids) or decoder.name == "sampling"


def test_exact_says_whether_it_is_proved_and_beats_the_beam() -> None:
    decoded = decode(ExactDecoder(node_budget=50_000))
    assert isinstance(decoded.detail, ExactResult)
    assert decoded.detail.proved
    assert decoded.values[0] >= decode(BeamDecoder()).values[0]


def test_mbr_has_its_matrix() -> None:
    decoded = decode(MbrDecoder(chrf_utility))
    assert isinstance(decoded.detail, MbrResult)
    assert decoded.best.text == decoded.detail.best
    assert decoded.detail.matrix.shape == (len(decoded.hypotheses),) * 2


def test_beam_and_words_are_what_the_functions_give() -> None:
    assert (
        decode(BeamDecoder()).hypotheses
        == beam_search(PrefixModel(seed=4, end=1.0), "x y z", CONFIG).pool()
    )
    assert all("c" in hypothesis.text for hypothesis in decode(WordsDecoder(("c",))).hypotheses)
    with pytest.raises(PrefixError, match="words of 1 to 20"):
        decode(WordsDecoder(()))
