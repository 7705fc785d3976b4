"""`evaluate`: what can be measured of a checkpoint over a file or a toy task."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from s2s_core.cli.command import Command
from s2s_core.cli.loading import check_sources, load_for_decoding
from s2s_core.cli.options import add_json, add_model, add_number
from s2s_core.cli.score_table import write_scores, write_times
from s2s_core.cli.streams import write_json, write_line
from s2s_core.errors import SettingError
from s2s_core.models.card import METRICS, MeasuredScore
from s2s_core.models.checkpoint import checkpoint_folder
from s2s_core.options import IntegerOption
from s2s_core.search.config import BEAM_SIZE
from s2s_core.text.words import SENTENCE_LENGTHS, SourceLengths, in_fives

if TYPE_CHECKING:
    from s2s_core.text.corpus import SentencePair
    from s2s_core.training.evaluation import Evaluation

WORKERS = IntegerOption("workers", 1, 256, 1, "How many processes decode at the same time.")
TASK_LENGTHS = SourceLengths(1, 20)

_METRICS = "\n".join(f"  {name}: {unit}" for name, unit in METRICS.items())
_DESCRIPTION = f"""\
Measure a checkpoint on a file (source TAB reference [TAB reference ...], a line each, plain or
gzipped) or on the held-out strings of a toy task.

{_METRICS}

Loss and token accuracies are against column 2. The others are also measured against all references
where a line has more than one. What the model writes is measured for greedy search and for beam
search with the defaults of `translate`. Every figure comes with a 95 % interval (1,000 resamples of
the sentences), for the whole file and by source length: words, marks and Chinese characters, each
counted as one. Many sentences are decoded at a time; the targets are those of `translate`. How long
one sentence takes is measured on up to 50 of each part, one after another.
With --json: one object: model, data, sentences, fewest_references, most_references, loss, greedy
and beam (search, beam_size, seconds_per_sentence one at a time, single and multiple: score,
signature, brevity_penalty and length_ratio of BLEU), scores (a list of all figures) and times."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_model(parser)
    data = parser.add_mutually_exclusive_group(required=True)
    data.add_argument("--data", type=Path, metavar="FILE", help="the test file")
    data.add_argument("--task", metavar="NAME", help="a toy task: reverse, copy or sort")
    parser.add_argument(
        "--lengths",
        type=_checked(SourceLengths.parse),
        default=TASK_LENGTHS,
        metavar="A-B",
        help="With --task: how many digits; default %(default)s.",
    )
    parser.add_argument(
        "--split",
        choices=("test", "development"),
        default="test",
        help="With --task: which of the held-out strings; default %(default)s.",
    )
    parser.add_argument(
        "--by-length",
        type=_checked(_parse_groups),
        metavar="A-B,C-D,...",
        help="The parts of the file to measure, by source length, such as 1-,1-9,10-; by default "
        f"{_joined(SENTENCE_LENGTHS)}, with --task the whole and parts of five.",
    )
    add_number(parser, "--beam-size", BEAM_SIZE, default=BEAM_SIZE.default)
    add_number(parser, "--workers", WORKERS, default="one for each core")
    add_json(parser, "print one object")


def run(args: argparse.Namespace) -> None:
    """Measure.

    Raises:
        ExplorerError: the file or the checkpoint can't be used.
    """
    folder, pairs = checkpoint_folder(args.model), _pairs(args)
    model = load_for_decoding(folder)
    check_sources(model, [pair.source for pair in pairs])

    from s2s_core.training.decoding import Decoder, cores
    from s2s_core.training.evaluation import evaluate

    with Decoder(model, folder=folder, workers=args.workers or cores()) as decoder:
        result = evaluate(
            model,
            pairs,
            beam_size=args.beam_size,
            groups=_groups(args),
            decoder=decoder,
            show_progress=True,
        )
    if args.json:
        data = str(args.data) if args.task is None else f"{args.task} {args.lengths} {args.split}"
        write_json({"model": args.model, "data": data, **_fields(result)})
        return
    write_line(f"sentences {result.sentences}")
    for time in result.times:
        write_line(
            f"{_search(time.beam_size)}: {1000 * time.alone:.1f} ms a sentence one at a "
            f"time, {1000 * time.in_batches:.1f} ms in batches on {time.workers} core(s)"
        )
    write_scores(result.scores)
    write_times(result.times)


def _pairs(args: argparse.Namespace) -> tuple[SentencePair, ...]:
    if args.task is None:
        from s2s_core.text.corpus import read_references

        return read_references(args.data)
    from s2s_core.text.tasks import LONGEST, held_out_pairs
    from s2s_core.training.data import PER_LENGTH

    return held_out_pairs(
        args.task,
        args.split,
        shortest=args.lengths.shortest,
        longest=args.lengths.longest or LONGEST,
        per_length=PER_LENGTH,
    )


def _groups(args: argparse.Namespace) -> tuple[SourceLengths, ...]:
    if args.by_length is not None:
        groups: tuple[SourceLengths, ...] = args.by_length
        return groups
    if args.task is None:
        return SENTENCE_LENGTHS
    lengths: SourceLengths = args.lengths
    from s2s_core.text.tasks import LONGEST

    return (lengths, *in_fives(lengths.shortest, lengths.longest or LONGEST))


def _fields(result: Evaluation) -> dict[str, object]:
    """The evaluation as JSON: the figures of the whole by name, and the list of all."""
    searches = dict(zip(("greedy", "beam"), result.times, strict=True))
    return {
        "sentences": result.sentences,
        "fewest_references": result.fewest_references,
        "most_references": result.most_references,
        "loss": result.score("loss").score,
        **{
            name: {
                "search": name,
                "beam_size": time.beam_size,
                "seconds_per_sentence": time.alone,
                "single": _bleu(result, time.beam_size, all_references=False),
                "multiple": _bleu(result, time.beam_size, all_references=True),
            }
            for name, time in searches.items()
        },
        "scores": [_without_data(score) for score in result.scores],
        "times": [dataclasses.asdict(time) for time in result.times],
    }


def _bleu(result: Evaluation, beam_size: int, *, all_references: bool) -> dict[str, object]:
    def figure(metric: str) -> MeasuredScore:
        return result.score(metric, beam_size=beam_size, all_references=all_references)

    return {
        "score": figure("BLEU").score,
        "signature": figure("BLEU").signature,
        "brevity_penalty": figure("brevity penalty").score,
        "length_ratio": figure("length ratio").score,
    }


def _without_data(score: MeasuredScore) -> dict[str, object]:
    """A score without the name that it has on a card."""
    return {name: value for name, value in dataclasses.asdict(score).items() if name != "data"}


def _search(beam_size: int) -> str:
    return "greedy" if beam_size == 1 else f"beam {beam_size}"


def _parse_groups(text: str) -> tuple[SourceLengths, ...]:
    return tuple(map(SourceLengths.parse, text.split(",")))


def _checked(parse: Callable[[str], object]) -> Callable[[str], object]:
    """A parser of an option's value whose error is one of the command line."""

    def checked(text: str) -> object:
        try:
            return parse(text)
        except SettingError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return checked


def _joined(groups: tuple[SourceLengths, ...]) -> str:
    return ",".join(map(str, groups))


COMMAND = Command(
    "evaluate", "measure a checkpoint over a file or a toy task", _DESCRIPTION, add_options, run
)
