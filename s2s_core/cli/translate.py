"""`translate`: beam or greedy search on a trained model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from s2s_core.cli.command import Command
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
from s2s_core.cli.payload import attention_rows, hypothesis_fields, step_fields
from s2s_core.cli.streams import note, progress, read_lines, write_json, write_line
from s2s_core.errors import SettingError
from s2s_core.models.checkpoint import checkpoint_folder
from s2s_core.options import IntegerOption
from s2s_core.search.beam import beam_search
from s2s_core.search.config import BEAM_SIZE
from s2s_core.search.greedy import greedy_search
from s2s_core.search.trace import BeamTrace, Hypothesis

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
a model without attention.

All lines are checked before the first is translated: a blank one is an error."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_model(parser)
    add_search_options(parser, default_length="2 S + 10 for S source tokens")
    parser.add_argument(
        "--greedy",
        action="store_true",
        help="take the most probable token at each step; --beam-size and --stop don't matter then",
    )
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
    config = search_config(args)
    beam_size = 1 if args.greedy else config.beam_size
    if args.n_best is not None and args.n_best > beam_size:
        raise SettingError(
            f"n-best must be at most the beam size {beam_size}, not {args.n_best}"
            + (" (greedy search has one hypothesis)" if args.greedy else "")
        )
    folder, sources = checkpoint_folder(args.model), read_lines(args.file)
    model = load_for_decoding(folder)
    check_sources(model, sources)
    forced_ids = () if args.prefix is None else target_ids(model, args.prefix, name="the prefix")
    search = greedy_search if args.greedy else beam_search
    for number, source in enumerate(progress(sources), start=1):
        with naming_line(number):
            trace = search(model, source, config, forced_ids=forced_ids, checkpoint=args.model)
        pool = trace.pool()[: args.n_best]
        if args.json:
            write_json(_object(trace, pool))
        else:
            _write_plain(pool, ranked=args.n_best is not None)
        if not pool[0].finished:
            note(f"line {number}: cut at {trace.max_length} tokens without an end")


def _object(trace: BeamTrace, pool: Sequence[Hypothesis]) -> dict[str, object]:
    return {
        "model": trace.request.checkpoint,
        "source": trace.request.source,
        "source_tokens": trace.source_tokens,
        "stop_reason": trace.stop_reason,
        "hypotheses": [
            {**hypothesis_fields(item), "attention": attention_rows(item.attention)}
            for item in pool
        ],
        "steps": step_fields(trace.steps),
    }


def _write_plain(pool: Sequence[Hypothesis], *, ranked: bool) -> None:
    if not ranked:
        write_line(pool[0].text)
        return
    for rank, hypothesis in enumerate(pool, start=1):
        write_line(str(rank), f"{hypothesis.score:.6f}", hypothesis.text)


COMMAND = Command("translate", "translate one source a line", _DESCRIPTION, add_options, run)
