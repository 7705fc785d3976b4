"""`search`: the same search on a probability table."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from s2s_core.cli.command import Command
from s2s_core.cli.options import add_json, add_search_options, search_config
from s2s_core.cli.payload import hypothesis_fields, step_fields
from s2s_core.cli.streams import note, write_json, write_line
from s2s_core.search.beam import beam_search
from s2s_core.search.config import TABLE_MAX_LENGTH, SearchConfig
from s2s_core.search.exact import ExactResult, exact_search
from s2s_core.search.greedy import greedy_search
from s2s_core.search.records import Hypothesis
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.table_file import load_table
from s2s_core.search.trace import BeamTrace

_DESCRIPTION = """\
Search a hand-written probability table; no model is loaded. A table file holds

  {"start": "BOS", "eos": "EOS",
   "next": {"": {"A": 0.6, "B": 0.4}, "A": {"x": 0.5, "y": 0.5}, "B": {"x": 0.95, "y": 0.05}},
   "default": {"EOS": 1.0}}

The keys of `next` are prefixes without the start token, joined by one space; `default` serves every
prefix that isn't listed. The probabilities of a row sum to 1.

Plain output, a line for each hypothesis of the pool: rank TAB score TAB text. If none has an end,
they are the prefixes cut at the maximum length, and standard error says so.
With --json: one object: model (the table's file), stop_reason, hypotheses and steps, as `translate`
has them, without source and attention. With --exact the one hypothesis is the best of all, steps is
empty, stop_reason is "proved" or "budget", and `exact` says how much was searched."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--table", required=True, metavar="FILE", help="the table, a JSON file")
    add_search_options(parser, default_length=str(TABLE_MAX_LENGTH))
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--greedy",
        action="store_true",
        help="take the most probable token at each step; --beam-size and --stop don't matter then",
    )
    kind.add_argument(
        "--exact",
        action="store_true",
        help="find the finished hypothesis of highest score, proved; --stop doesn't matter then",
    )
    add_json(parser, "print one object")


def run(args: argparse.Namespace) -> None:
    """Search the table.

    Raises:
        ExplorerError: a setting or the table can't be used, or there is no hypothesis.
    """
    config, table = search_config(args), load_table(args.table)
    if args.exact:
        _run_exact(args, table, config)
        return
    search = greedy_search if args.greedy else beam_search
    trace = search(table, "", config, checkpoint=args.table)
    if args.json:
        write_json(_object(trace))
    else:
        _write_plain(trace.pool())
    if not trace.best.finished:
        note(f"cut at {trace.max_length} tokens without an end")


def _run_exact(args: argparse.Namespace, table: ProbabilityTable, config: SearchConfig) -> None:
    result = exact_search(table, "", config)
    if not result.proved:
        note(f"not proved: {result.node_budget} prefixes were continued, and some are left")
    if args.json:
        write_json(_exact_object(args.table, result))
    else:
        _write_plain([result.best])


def _object(trace: BeamTrace) -> dict[str, object]:
    return {
        "model": trace.request.checkpoint,
        "stop_reason": trace.stop_reason,
        "hypotheses": [hypothesis_fields(hypothesis) for hypothesis in trace.pool()],
        "steps": step_fields(trace.steps),
    }


def _exact_object(table_file: str, result: ExactResult) -> dict[str, object]:
    return {
        "model": table_file,
        "stop_reason": "proved" if result.proved else "budget",
        "hypotheses": [{**hypothesis_fields(result.best), "node": None}],  # there are no steps
        "steps": [],
        "exact": {
            "proved": result.proved,
            "expanded": result.expanded,
            "node_budget": result.node_budget,
            "search_error": result.search_error,
        },
    }


def _write_plain(pool: Sequence[Hypothesis]) -> None:
    for rank, hypothesis in enumerate(pool, start=1):
        write_line(str(rank), f"{hypothesis.score:.6f}", hypothesis.text)


COMMAND = Command("search", "search a probability table", _DESCRIPTION, add_options, run)
