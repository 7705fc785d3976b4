"""The decoders: beam, greedy, exact, sampling, stochastic, diverse, coverage, forced words, MBR."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchRequest
from s2s_core.search.coverage import BETA, rank_by_coverage
from s2s_core.search.decoder_base import Decoded, Decoder
from s2s_core.search.diverse import DEFAULT_DIVERSITY, Diversity, diverse_beam
from s2s_core.search.exact import NODE_BUDGET, Watch, exact_search
from s2s_core.search.forced_words import forced_words_search
from s2s_core.search.greedy import greedy_search
from s2s_core.search.mbr import (
    Utility,
    minimum_bayes_risk,
    pool_weights,
    sample_weights,
)
from s2s_core.search.sampling import DEFAULT_SAMPLING, SEED, SampleResult, Sampling, sample
from s2s_core.search.stochastic import stochastic_beam
from s2s_core.search.trace import BeamTrace


def _of_trace(trace: BeamTrace) -> Decoded:
    pool = trace.pool()
    return Decoded(pool, tuple(hypothesis.score for hypothesis in pool), (trace,))


@dataclass(frozen=True, slots=True)
class BeamDecoder(Decoder):
    """Beam search."""

    name: ClassVar[str] = "beam"
    label: ClassVar[str] = "beam search"
    help: ClassVar[str] = "Keeps the B most probable prefixes at each step."

    def decode(self, model: TranslationModel[State], request: SearchRequest) -> Decoded:
        """The pool, best first."""
        return _of_trace(
            beam_search(
                model,
                request.source,
                request.config,
                forced_ids=request.forced_ids,
                checkpoint=request.checkpoint,
            )
        )


@dataclass(frozen=True, slots=True)
class GreedyDecoder(Decoder):
    """Greedy search."""

    name: ClassVar[str] = "greedy"
    label: ClassVar[str] = "greedy search"
    help: ClassVar[str] = "Takes the most probable token at each step."

    def decode(self, model: TranslationModel[State], request: SearchRequest) -> Decoded:
        """The one hypothesis."""
        return _of_trace(
            greedy_search(
                model,
                request.source,
                request.config,
                forced_ids=request.forced_ids,
                checkpoint=request.checkpoint,
            )
        )


@dataclass(frozen=True, slots=True)
class ExactDecoder(Decoder):
    """Exact search."""

    node_budget: int = NODE_BUDGET
    watch: Watch | None = None

    name: ClassVar[str] = "exact"
    label: ClassVar[str] = "exact search"
    help: ClassVar[str] = "Finds the hypothesis of highest score and proves it, if the budget does."

    def decode(self, model: TranslationModel[State], request: SearchRequest) -> Decoded:
        """The one hypothesis; `detail` says whether it is proved."""
        result = exact_search(
            model,
            request.source,
            request.config,
            forced_ids=request.forced_ids,
            node_budget=self.node_budget,
            watch=self.watch,
        )
        best = replace(result.best, node_id=None)  # it need not be in the beam's trace
        traces = (result.beam,) if result.beam else ()
        return Decoded((best,), (best.score,), traces, result)


@dataclass(frozen=True, slots=True)
class SamplingDecoder(Decoder):
    """Sampling."""

    sampling: Sampling = DEFAULT_SAMPLING

    name: ClassVar[str] = "sampling"
    label: ClassVar[str] = "sampling"
    help: ClassVar[str] = "Draws tokens at random: temperature, then top-k, then top-p."
    value_name: ClassVar[str] = "log P"
    random: ClassVar[bool] = True

    def decode(self, model: TranslationModel[State], request: SearchRequest) -> Decoded:
        """The samples in the order in which they were drawn."""
        result = self.draw(model, request)
        values = tuple(hypothesis.log_prob for hypothesis in result.samples)
        return Decoded(result.samples, values, (result.trace,), result)

    def draw(self, model: TranslationModel[State], request: SearchRequest) -> SampleResult:
        """The samples themselves."""
        return sample(
            model,
            request.source,
            request.config,
            self.sampling,
            forced_ids=request.forced_ids,
            checkpoint=request.checkpoint,
        )


@dataclass(frozen=True, slots=True)
class StochasticDecoder(Decoder):
    """Stochastic beam search."""

    seed: int = SEED.default

    name: ClassVar[str] = "stochastic"
    label: ClassVar[str] = "stochastic beam"
    help: ClassVar[str] = "Draws B different targets, without replacement, in one pass."
    value_name: ClassVar[str] = "noisy log P"
    random: ClassVar[bool] = True

    def decode(self, model: TranslationModel[State], request: SearchRequest) -> Decoded:
        """The sample, the highest noisy value first."""
        result = stochastic_beam(
            model,
            request.source,
            request.config,
            seed=self.seed,
            forced_ids=request.forced_ids,
            checkpoint=request.checkpoint,
        )
        drawn = result.samples
        hypotheses = tuple(item.hypothesis for item in drawn)
        return Decoded(hypotheses, tuple(item.value for item in drawn), (result.trace,), result)


@dataclass(frozen=True, slots=True)
class DiverseDecoder(Decoder):
    """Diverse beam search."""

    diversity: Diversity = DEFAULT_DIVERSITY

    name: ClassVar[str] = "diverse"
    label: ClassVar[str] = "diverse beam"
    help: ClassVar[str] = "Groups share the beam and keep off one another's tokens."

    def decode(self, model: TranslationModel[State], request: SearchRequest) -> Decoded:
        """The pools of all groups together, best first; a target found twice comes once."""
        result = diverse_beam(
            model,
            request.source,
            request.config,
            self.diversity,
            forced_ids=request.forced_ids,
            checkpoint=request.checkpoint,
        )
        pools = [hypothesis for trace in result.groups for hypothesis in trace.pool()]
        different = {h.token_ids: h for h in reversed(pools)}
        ranked = sorted(different.values(), key=lambda h: (not h.finished, -h.score))
        return Decoded(tuple(ranked), tuple(h.score for h in ranked), result.groups, result)


@dataclass(frozen=True, slots=True)
class CoverageDecoder(Decoder):
    """Beam search with GNMT's coverage penalty."""

    beta: float = BETA.default

    name: ClassVar[str] = "coverage"
    label: ClassVar[str] = "coverage penalty"
    help: ClassVar[str] = "Lowers the score of targets that leave source tokens unattended."
    value_name: ClassVar[str] = "score with coverage"

    def decode(self, model: TranslationModel[State], request: SearchRequest) -> Decoded:
        """The B best by score and coverage, of an exhaustive search."""
        config = replace(request.config, stop_rule="exhaust")
        (trace,) = BeamDecoder().decode(model, replace(request, config=config)).traces
        ranked = rank_by_coverage(trace, self.beta)[: config.beam_size]
        values = tuple(item.total for item in ranked)
        return Decoded(tuple(item.hypothesis for item in ranked), values, (trace,), ranked)


@dataclass(frozen=True, slots=True)
class WordsDecoder(Decoder):
    """Beam search for targets that hold given words."""

    words: tuple[str, ...]

    name: ClassVar[str] = "words"
    label: ClassVar[str] = "forced words"
    help: ClassVar[str] = "Finds targets that hold the given words, wherever they fit."

    def decode(self, model: TranslationModel[State], request: SearchRequest) -> Decoded:
        """The pool, best first."""
        words = tuple(model.target.ids(word) for word in self.words)
        return _of_trace(
            forced_words_search(
                model,
                request.source,
                words,
                request.config,
                forced_ids=request.forced_ids,
                checkpoint=request.checkpoint,
            )
        )


@dataclass(frozen=True, slots=True)
class MbrDecoder(Decoder):
    """Minimum Bayes risk over samples, or over the pool of a beam search."""

    utility: Utility
    of: Literal["samples", "pool"] = "samples"
    sampling: Sampling = DEFAULT_SAMPLING

    name: ClassVar[str] = "mbr"
    label: ClassVar[str] = "minimum Bayes risk"
    help: ClassVar[str] = "Chooses the target that agrees best with all others."
    value_name: ClassVar[str] = "expected utility"
    random: ClassVar[bool] = True

    def decode(self, model: TranslationModel[State], request: SearchRequest) -> Decoded:
        """One hypothesis for each text, by expected utility."""
        if self.of == "samples":
            drawn = SamplingDecoder(self.sampling).draw(model, request)
            trace, hypotheses, weights = drawn.trace, drawn.samples, sample_weights(drawn)
        else:
            (trace,) = BeamDecoder().decode(model, request).traces
            hypotheses, weights = trace.pool(), pool_weights(trace)
        result = minimum_bayes_risk(weights, self.utility)
        first = {h.text: h for h in reversed(hypotheses) if h.finished}
        ranked = tuple(first[text] for text in result.texts)
        return Decoded(ranked, result.expected, (trace,), result)


DECODERS: dict[str, type[Decoder]] = {
    BeamDecoder.name: BeamDecoder,
    GreedyDecoder.name: GreedyDecoder,
    ExactDecoder.name: ExactDecoder,
    SamplingDecoder.name: SamplingDecoder,
    StochasticDecoder.name: StochasticDecoder,
    DiverseDecoder.name: DiverseDecoder,
    CoverageDecoder.name: CoverageDecoder,
    WordsDecoder.name: WordsDecoder,
    MbrDecoder.name: MbrDecoder,
}
