"""`sweep`: beam widths and length penalties over a file, with BLEU for each pair."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from s2s_core.cli.command import Command
from s2s_core.cli.loading import check_sources, load_for_decoding
from s2s_core.cli.options import add_json, add_model, add_number
from s2s_core.cli.streams import note, write_json
from s2s_core.errors import ExplorerError
from s2s_core.models.checkpoint import checkpoint_folder
from s2s_core.options import IntegerOption
from s2s_core.search.config import BEAM_SIZE, DECODING_ALPHA, GAMMA, MAX_LENGTH, MIN_LENGTH
from s2s_core.search.length_penalty import LENGTH_PENALTIES
from s2s_core.search.sweep import (
    CorpusMeasure,
    Measure,
    SweepCell,
    SweepPlan,
    best_cell,
    sweep_cells,
    sweep_file,
)
from s2s_core.search.sweep_file import SweepStore
from s2s_core.text.corpus import SentencePair, read_references

Number = TypeVar("Number", int, float)

LIMIT = IntegerOption(
    "limit", 1, 1_000_000, 1_000_000, "Only the first so many sentences of the file."
)
COLUMNS = (
    "beam_size",
    "penalty",
    "parameter",
    "score",
    "brevity_penalty",
    "length_ratio",
    "seconds_per_sentence",
)

_DESCRIPTION = """\
Decode a test file (source TAB reference [TAB reference ...]) at every beam width and every alpha
of a grid, and measure BLEU against all references of a sentence.

One search to the maximum length for each sentence and beam width serves every alpha, because a
length penalty doesn't change which prefixes live; the time is that of this one search.

Plain output: CSV with a header; with --json: one object with model, data, sentences, cells and
best. With --out FILE every output is kept at once, and a sweep that was stopped goes on from there
when it is started again with the same settings."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_model(parser)
    parser.add_argument("--data", required=True, type=Path, metavar="FILE", help="the test file")
    parser.add_argument(
        "--beam-sizes",
        type=_list_of(int, BEAM_SIZE.check),
        default=(1, 2, 4, 8, 16),
        metavar="N,N,...",
        help="default 1,2,4,8,16",
    )
    parser.add_argument(
        "--penalty",
        choices=tuple(LENGTH_PENALTIES),
        default="power",
        help="the family of length penalties; default %(default)s",
    )
    parser.add_argument(
        "--parameters",
        type=_list_of(float, lambda value: value),
        default=(0.0, 0.3, 0.6, 1.0, 1.5),
        metavar="X,X,...",
        help="the values of alpha, or of gamma for reward; default 0,0.3,0.6,1,1.5",
    )
    add_number(parser, "--max-length", MAX_LENGTH, default="2 S + 10 for S source tokens")
    add_number(parser, "--min-length", MIN_LENGTH, default=MIN_LENGTH.default)
    add_number(parser, "--limit", LIMIT, default="all")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="keep every output here, and go on from it"
    )
    add_json(parser, "print one object")


def _list_of(
    kind: Callable[[str], Number], check: Callable[[Number], Number]
) -> Callable[[str], tuple[Number, ...]]:
    def parse(text: str) -> tuple[Number, ...]:
        try:
            return tuple(check(kind(part)) for part in text.split(","))
        except ValueError as error:
            message = str(error) if isinstance(error, ExplorerError) else f"not {text!r}"
            raise argparse.ArgumentTypeError(f"numbers with commas between: {message}") from error

    return parse


def run(args: argparse.Namespace) -> None:
    """Sweep.

    Raises:
        ExplorerError: a setting, the file or the checkpoint can't be used.
    """
    from tqdm import tqdm

    plan, folder = _plan(args), checkpoint_folder(args.model)
    pairs = read_references(args.data)[: args.limit]
    sources = [pair.source for pair in pairs]
    model = load_for_decoding(folder)
    check_sources(model, sources)
    outputs = []
    store = args.out and SweepStore(args.out, model=args.model, sources=sources, plan=plan)
    if store and store.outputs:
        note(f"{len(store.outputs)} outputs are there already, {store.missing} are to come")
    done = store.done if store else frozenset()
    found = sweep_file(model, sources, plan, done=done)
    total = len(plan.beam_sizes) * len(sources)
    for output in tqdm(found, total=total, initial=len(done), unit="search", disable=_quiet()):
        outputs.append(output)
        if store:
            store.add(output)
    cells = sweep_cells(
        store.outputs if store else outputs, plan, len(sources), _bleu(pairs, model.target_language)
    )
    if args.json:
        head = {"model": args.model, "data": str(args.data), "sentences": len(sources)}
        best = _fields(best_cell(cells))
        write_json({**head, "cells": [_fields(cell) for cell in cells], "best": best})
    else:
        writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(_fields(cell) for cell in cells)


def _quiet() -> bool | None:
    """No bar between the data, and none (tqdm's None) where nobody looks."""
    return True if sys.stdout.isatty() else None


def _plan(args: argparse.Namespace) -> SweepPlan:
    family = LENGTH_PENALTIES[args.penalty]
    option = GAMMA if family.parameter_name == "gamma" else DECODING_ALPHA
    parameters = [option.check(value) for value in args.parameters]
    if family.parameter_name is None:
        parameters = [0.0]
    penalties = tuple(family.from_parameter(value) for value in parameters)
    return SweepPlan(args.beam_sizes, penalties, args.max_length, args.min_length)


def _bleu(pairs: Sequence[SentencePair], language: str) -> Measure:
    """Corpus BLEU against all references of each sentence, with the tokenizer of the language."""
    from s2s_core.metrics.sacre import corpus_bleu

    references = [pair.references for pair in pairs]

    def measure(texts: Sequence[str]) -> CorpusMeasure:
        found = corpus_bleu(texts, references, language=language)
        return CorpusMeasure(found.score, found.brevity_penalty, found.length_ratio)

    return measure


def _fields(cell: SweepCell) -> dict[str, object]:
    return {
        "beam_size": cell.beam_size,
        "penalty": cell.penalty.name,
        "parameter": cell.penalty.parameter,
        "score": cell.measure.score,
        "brevity_penalty": cell.measure.brevity_penalty,
        "length_ratio": cell.measure.length_ratio,
        "seconds_per_sentence": cell.seconds,
    }


COMMAND = Command("sweep", "beam widths and alphas over a file", _DESCRIPTION, add_options, run)
