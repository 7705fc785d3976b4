"""`evaluate`: loss and BLEU of a checkpoint over a file."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from s2s_core.cli.command import Command
from s2s_core.cli.loading import check_sources, load_for_decoding
from s2s_core.cli.options import add_json, add_model, add_number
from s2s_core.cli.streams import write_json, write_line
from s2s_core.models.checkpoint import checkpoint_folder
from s2s_core.search.config import BEAM_SIZE

if TYPE_CHECKING:
    from s2s_core.training.evaluation import CorpusBleu, DecodingFigures

_DESCRIPTION = """\
Measure a checkpoint on a test file: source TAB reference [TAB reference ...], a line each, plain or
gzipped.

The loss is in nats a target token, the end token counted, on the first reference (column 2). BLEU
is measured for greedy search and for beam search with the defaults of `translate`, against column 2
alone and against all references, each with its sacreBLEU signature. Times are for one sentence at a
time.
With --json: one object: model, data, sentences, fewest_references, most_references, loss, greedy
and beam (each: search, beam_size, seconds_per_sentence, single and multiple; each of these: score,
signature, brevity_penalty, length_ratio)."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_model(parser)
    parser.add_argument("--data", required=True, type=Path, metavar="FILE", help="the test file")
    add_number(parser, "--beam-size", BEAM_SIZE, default=BEAM_SIZE.default)
    add_json(parser, "print one object")


def run(args: argparse.Namespace) -> None:
    """Measure.

    Raises:
        ExplorerError: the file or the checkpoint can't be used.
    """
    from s2s_core.text.corpus import read_references

    folder, pairs = checkpoint_folder(args.model), read_references(args.data)
    model = load_for_decoding(folder)
    check_sources(model, [pair.source for pair in pairs])

    from s2s_core.training.evaluation import evaluate

    result = evaluate(model, pairs, beam_size=args.beam_size, show_progress=True)
    if args.json:
        names = {"model": args.model, "data": str(args.data)}
        write_json({**names, **dataclasses.asdict(result)})
        return
    write_line(f"sentences {result.sentences}")
    write_line(f"loss {result.loss:.4f} nats a target token")
    for decoding in (result.greedy, result.beam):
        _write_decoding(decoding)


def _write_decoding(figures: DecodingFigures) -> None:
    search = "greedy" if figures.search == "greedy" else f"beam {figures.beam_size}"
    write_line(f"{search}: {1000 * figures.seconds_per_sentence:.1f} ms a sentence")
    _write_bleu(f"{search}, column 2", figures.single)
    _write_bleu(f"{search}, all references", figures.multiple)


def _write_bleu(what: str, bleu: CorpusBleu) -> None:
    write_line(
        f"{what}: BLEU {bleu.score:.2f}, brevity penalty {bleu.brevity_penalty:.3f}, "
        f"length ratio {bleu.length_ratio:.3f}, {bleu.signature}"
    )


COMMAND = Command("evaluate", "measure loss and BLEU over a file", _DESCRIPTION, add_options, run)
