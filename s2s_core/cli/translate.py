"""`translate`: beam or greedy search on a trained model."""

from __future__ import annotations

import argparse

from s2s_core.cli.command import Command
from s2s_core.cli.decoding import add_decoder_options, decoder_of, search_fields, write_ranked
from s2s_core.cli.loading import check_sources, load_for_decoding, naming_line, target_ids
from s2s_core.cli.options import (
    add_input,
    add_json,
    add_model,
    add_number,
    add_search_options,
    search_config,
    utf8_text,
)
from s2s_core.cli.payload import attention_rows, hypothesis_fields
from s2s_core.cli.streams import note, progress, read_lines, write_json, write_line
from s2s_core.errors import SettingError
from s2s_core.models.checkpoint import checkpoint_folder
from s2s_core.options import IntegerOption
from s2s_core.search.config import BEAM_SIZE, SearchRequest
from s2s_core.search.decoder_base import Decoded, Decoder
from s2s_core.search.decoders import GreedyDecoder, MbrDecoder, SamplingDecoder
from s2s_core.search.exact import ExactResult

N_BEST = IntegerOption(
    "n-best", 1, BEAM_SIZE.maximum, 1, "How many hypotheses to print; at most the beam size."
)

_DESCRIPTION = """\
Translate one source a line.

Plain output: the best text, a line for each source.
With --n-best K: up to K lines for each source, best first: rank TAB score TAB text. Rank 1 begins
the next source. The rule `best` may find fewer than K; --stop bound finds all there are.
With --json: an object a line: model, source, source_tokens, stop_reason, hypotheses (best first:
text, tokens, token_log_probs, log_prob, length, score, finished, node, attention) and steps (step,
candidates: id, parent, token, token_log_prob, log_prob, rank, fate). attention has a row for each
token and a column for each of source_tokens: the mean over the heads of the last layer, or null for
a model without attention. Decoders other than beam and greedy add what is theirs: see `search`.

All lines are checked before the first is translated: a blank one is an error."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_model(parser)
    add_search_options(parser, default_length="2 S + 10 for S source tokens")
    add_decoder_options(parser)
    add_number(parser, "--n-best", N_BEST, default="the best, with --json the whole pool")
    parser.add_argument(
        "--prefix",
        type=utf8_text,
        metavar="TEXT",
        help="every translation starts with the tokens of this text, in the form of the corpora "
        "(plain quotes, spaces as the language has them); spaces around it don't count",
    )
    add_json(parser, "print an object a line")
    add_input(parser)


def run(args: argparse.Namespace) -> None:
    """Translate every line.

    Raises:
        ExplorerError: a setting, a line or the checkpoint can't be used.
    """
    config, decoder = search_config(args), decoder_of(args)
    _check_n_best(args.n_best, decoder, config.beam_size)
    folder, sources = checkpoint_folder(args.model), read_lines(args.file)
    model = load_for_decoding(folder)
    check_sources(model, sources)
    forced_ids = () if args.prefix is None else target_ids(model, args.prefix, name="the prefix")
    for number, source in enumerate(progress(sources), start=1):
        request = SearchRequest(args.model, source, config, forced_ids)
        with naming_line(number):
            decoded = decoder.decode(model, request)
        if args.json:
            write_json(_object(request, decoded, decoder, args.n_best))
        elif args.n_best is None:
            write_line(decoded.best.text)
        else:
            write_ranked(decoded, args.n_best)
        if not decoded.best.finished:
            note(f"line {number}: cut at {decoded.best.length} tokens without an end")
        if isinstance(decoded.detail, ExactResult) and not decoded.detail.proved:
            note(f"line {number}: not proved within {decoded.detail.node_budget} prefixes")


def _check_n_best(n_best: int | None, decoder: Decoder, beam_size: int) -> None:
    greedy = isinstance(decoder, GreedyDecoder)
    most = 1 if greedy else beam_size
    if n_best is None or n_best <= most or isinstance(decoder, SamplingDecoder | MbrDecoder):
        return
    raise SettingError(
        f"n-best must be at most the beam size {most}, not {n_best}"
        + (" (greedy search has one hypothesis)" if greedy else "")
    )


def _object(
    request: SearchRequest, decoded: Decoded, decoder: Decoder, n_best: int | None
) -> dict[str, object]:
    fields = search_fields(decoded, decoder)
    hypotheses = decoded.hypotheses[:n_best]
    fields["hypotheses"] = [
        {**hypothesis_fields(item), "attention": attention_rows(item.attention)}
        for item in hypotheses
    ]
    names = {"model": request.checkpoint, "source": request.source}
    return {**names, "source_tokens": decoded.source_tokens, **fields}


COMMAND = Command("translate", "translate one source a line", _DESCRIPTION, add_options, run)
