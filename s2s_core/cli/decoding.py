"""Which decoder, and its settings, from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict

from s2s_core.cli.options import add_number, utf8_text
from s2s_core.cli.payload import finite_or_none, hypothesis_fields, step_fields
from s2s_core.cli.streams import write_line
from s2s_core.errors import SettingError
from s2s_core.options import IntegerOption
from s2s_core.search.coverage import BETA
from s2s_core.search.decoder_base import Decoded, Decoder, Detail
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
from s2s_core.search.diverse import GROUPS, STRENGTH, DiverseResult, Diversity
from s2s_core.search.exact import NODE_BUDGET, ExactResult
from s2s_core.search.mbr import MbrResult, Utility
from s2s_core.search.sampling import (
    SAMPLES,
    SEED,
    TEMPERATURE,
    TOP_K,
    TOP_P,
    SampleResult,
    Sampling,
)
from s2s_core.search.stochastic import StochasticResult

BUDGET = IntegerOption(
    "node budget",
    1,
    100_000_000,
    NODE_BUDGET,
    "How many prefixes exact search may continue before it gives up the proof.",
)
UTILITY_NAMES = ("chrf", "bleu")


def add_decoder_options(parser: argparse.ArgumentParser, *, exact_flag: bool = False) -> None:
    """`--decoder` and the settings of each; `--greedy` (and `--exact`) are short forms."""
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--decoder",
        choices=tuple(DECODERS),
        default=BeamDecoder.name,
        help=" ".join(f"{name}: {decoder.help}" for name, decoder in DECODERS.items())
        + " Default %(default)s.",
    )
    kind.add_argument(
        "--greedy",
        dest="decoder",
        action="store_const",
        const=GreedyDecoder.name,
        help="the same as --decoder greedy; --beam-size and --stop don't matter then",
    )
    if exact_flag:
        kind.add_argument(
            "--exact",
            dest="decoder",
            action="store_const",
            const=ExactDecoder.name,
            help="the same as --decoder exact; --stop doesn't matter then",
        )
    add_number(parser, "--node-budget", BUDGET, default=BUDGET.default)
    add_number(parser, "--samples", SAMPLES, default=SAMPLES.default)
    add_number(parser, "--seed", SEED, default=SEED.default)
    add_number(parser, "--temperature", TEMPERATURE, default=TEMPERATURE.default)
    add_number(parser, "--top-k", TOP_K, default=TOP_K.default)
    add_number(parser, "--top-p", TOP_P, default=TOP_P.default)
    add_number(parser, "--groups", GROUPS, default=GROUPS.default)
    add_number(parser, "--strength", STRENGTH, default=STRENGTH.default)
    add_number(parser, "--beta", BETA, default=BETA.default)
    parser.add_argument(
        "--word",
        action="append",
        default=[],
        type=utf8_text,
        metavar="TEXT",
        help="for --decoder words: a word or phrase that the output holds; may be given again",
    )
    parser.add_argument(
        "--utility",
        choices=UTILITY_NAMES,
        default=UTILITY_NAMES[0],
        help="for --decoder mbr: how alike two outputs are; default %(default)s",
    )
    parser.add_argument(
        "--mbr-of",
        choices=("samples", "pool"),
        default="samples",
        help="for --decoder mbr: chooses among samples, or the pool of a beam; default %(default)s",
    )


def decoder_of(args: argparse.Namespace) -> Decoder:
    """The decoder that was asked for, with its settings.

    Raises:
        SettingError: `words` was asked for and no word given.
    """
    return _BUILDERS[args.decoder](args)


def _sampling(args: argparse.Namespace) -> Sampling:
    return Sampling(args.temperature, args.top_k, args.top_p, args.samples, args.seed)


def _words(args: argparse.Namespace) -> Decoder:
    if not args.word:
        raise SettingError("--decoder words needs at least one --word TEXT")
    return WordsDecoder(tuple(args.word))


def _utility(name: str) -> Utility:
    from s2s_core.metrics.utility import UTILITIES

    return UTILITIES[name]


_BUILDERS: dict[str, Callable[[argparse.Namespace], Decoder]] = {
    BeamDecoder.name: lambda args: BeamDecoder(),
    GreedyDecoder.name: lambda args: GreedyDecoder(),
    ExactDecoder.name: lambda args: ExactDecoder(args.node_budget),
    SamplingDecoder.name: lambda args: SamplingDecoder(_sampling(args)),
    StochasticDecoder.name: lambda args: StochasticDecoder(args.seed),
    DiverseDecoder.name: lambda args: DiverseDecoder(Diversity(args.groups, args.strength)),
    CoverageDecoder.name: lambda args: CoverageDecoder(args.beta),
    WordsDecoder.name: _words,
    MbrDecoder.name: lambda args: MbrDecoder(_utility(args.utility), args.mbr_of, _sampling(args)),
}


_PLAIN = (BeamDecoder.name, GreedyDecoder.name, ExactDecoder.name)
"""Decoders whose values are the scores that their hypotheses have anyway."""


def search_fields(decoded: Decoded, decoder: Decoder) -> dict[str, object]:
    """One search as JSON fields, without model, source and attention."""
    exact = isinstance(decoded.detail, ExactResult)
    fields: dict[str, object] = {
        "stop_reason": _stop_reason(decoded),
        "hypotheses": [hypothesis_fields(hypothesis) for hypothesis in decoded.hypotheses],
        "steps": [] if exact else step_fields(decoded.traces[0].steps),
    }
    if decoder.name not in _PLAIN:
        fields["decoder"] = {"name": decoder.name, "value_name": decoder.value_name}
        fields["values"] = [finite_or_none(value) for value in decoded.values]
    return fields | _detail_fields(decoded.detail)


def write_ranked(decoded: Decoded, count: int | None = None) -> None:
    """A line for each hypothesis: rank, value, text."""
    values = decoded.values[:count]
    for rank, (value, hypothesis) in enumerate(zip(values, decoded.hypotheses, strict=False), 1):
        write_line(str(rank), f"{value:.6f}", hypothesis.text)


def _stop_reason(decoded: Decoded) -> str:
    if isinstance(decoded.detail, ExactResult):
        return "budget" if decoded.detail.outcome == "budget hit" else decoded.detail.outcome
    return decoded.traces[0].stop_reason


def _detail_fields(detail: Detail) -> dict[str, object]:
    """What a decoder has beside its hypotheses, as JSON fields; {} for beam, greedy and words."""
    match detail:
        case ExactResult():
            return {
                "exact": {
                    "proved": detail.proved,
                    "expanded": detail.expanded,
                    "node_budget": detail.node_budget,
                    "search_error": detail.search_error,
                    "ceiling": detail.ceiling,
                }
            }
        case SampleResult():
            return {"sampling": asdict(detail.sampling)}
        case StochasticResult():
            return {"seed": detail.seed}
        case DiverseResult():
            return {
                "strength": detail.diversity.strength,
                "groups": [[h.text for h in trace.pool()] for trace in detail.groups],
            }
        case MbrResult():
            return {
                "mbr": {
                    "texts": detail.texts,
                    "weights": detail.weights,
                    "matrix": detail.matrix.tolist(),
                    "expected": detail.expected,
                }
            }
        case tuple():
            return {"coverage": [item.coverage for item in detail]}
        case None:
            return {}
