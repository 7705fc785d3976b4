"""`search`: the same search on a probability table."""

from __future__ import annotations

import argparse

from s2s_core.cli.command import Command
from s2s_core.cli.decoding import add_decoder_options, decoder_of, search_fields, write_ranked
from s2s_core.cli.options import add_json, add_search_options, search_config
from s2s_core.cli.streams import note, write_json
from s2s_core.search.config import TABLE_MAX_LENGTH, SearchRequest
from s2s_core.search.exact import ExactResult
from s2s_core.search.table_file import load_table

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
empty, stop_reason is "proved", "budget" or "cancelled", and `exact` says how much was searched. The
other decoders add `decoder`, their order's `values`, and what is theirs alone."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--table", required=True, metavar="FILE", help="the table, a JSON file")
    add_search_options(parser, default_length=str(TABLE_MAX_LENGTH))
    add_decoder_options(parser, exact_flag=True)
    add_json(parser, "print one object")


def run(args: argparse.Namespace) -> None:
    """Search the table.

    Raises:
        ExplorerError: a setting or the table can't be used, or there is no hypothesis.
    """
    config, table, decoder = search_config(args), load_table(args.table), decoder_of(args)
    decoded = decoder.decode(table, SearchRequest(args.table, "", config))
    if isinstance(decoded.detail, ExactResult) and not decoded.detail.proved:
        spent = decoded.detail.node_budget
        note(f"not proved: {spent} prefixes were continued, and some are left")
    if args.json:
        write_json({"model": args.table, **search_fields(decoded, decoder)})
    else:
        write_ranked(decoded)
    if not decoded.best.finished:
        note(f"cut at {decoded.best.length} tokens without an end")


COMMAND = Command("search", "search a probability table", _DESCRIPTION, add_options, run)
