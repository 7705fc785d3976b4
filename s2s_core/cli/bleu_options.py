"""Options of `bleu` and `compare`: settings, and the files with the texts."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from s2s_core.cli.options import add_number
from s2s_core.cli.streams import read_bytes
from s2s_core.errors import SettingError
from s2s_core.metrics.settings import DEFAULT_SETTINGS, MAX_ORDER, SMOOTHINGS, BleuSettings
from s2s_core.metrics.tokenizers import available_tokenizers, check_tokenizer
from s2s_core.text.to_score import (
    MAXIMUM_BYTES,
    NamedFile,
    TextsToScore,
    json_lines,
    plain_texts,
)


def add_bleu_settings(parser: argparse.ArgumentParser) -> None:
    """How BLEU is computed."""
    parser.add_argument("--lowercase", action="store_true", help="lower-case both sides first")
    parser.add_argument(
        "--tokenize",
        type=_tokenizer,
        default=DEFAULT_SETTINGS.tokenize,
        metavar="NAME",
        help=f"one of {', '.join(available_tokenizers())}; default %(default)s",
    )
    parser.add_argument(
        "--smooth",
        choices=tuple(SMOOTHINGS),
        default=DEFAULT_SETTINGS.smooth,
        help="what stands in for an order without a match; default %(default)s",
    )
    parser.add_argument(
        "--smooth-value",
        type=float,
        metavar="X",
        help="the value of floor (0 to 1, default 0.1) or add-k (0 to 100, default 1); it doesn't "
        "matter to exp and none",
    )
    add_number(parser, "--max-order", MAX_ORDER, default=MAX_ORDER.default)


def bleu_settings(args: argparse.Namespace) -> BleuSettings:
    """The settings that were given.

    Raises:
        SettingError: they can't be used.
    """
    return BleuSettings(
        lowercase=args.lowercase,
        tokenize=args.tokenize,
        smooth=args.smooth,
        smooth_value=args.smooth_value,
        max_order=args.max_order,
    )


def add_references(parser: argparse.ArgumentParser) -> None:
    """`--references FILE [FILE …]`."""
    parser.add_argument(
        "--references",
        nargs="+",
        metavar="FILE",
        help="one reference a line, a file for each translator; line n belongs to hypothesis n",
    )


def read_plain(systems: Sequence[str], references: Sequence[str] | None) -> TextsToScore:
    """The texts of plain files; "-" is standard input.

    Raises:
        SettingError: there are no references, or standard input is named twice.
        CorpusError: a file can't be used, or the numbers of lines differ.
    """
    if not references:
        raise SettingError("--references FILE [FILE …] is missing: what to hold the lines against")
    if [*systems, *references].count("-") > 1:
        raise SettingError("standard input (-) can be read once only; name a file for the others")
    return plain_texts([_open(file) for file in systems], [_open(file) for file in references])


def read_json_lines(
    file: str, references: Sequence[str] | None, keys: Sequence[str]
) -> TextsToScore:
    """The texts of a JSON lines file; "-" is standard input.

    keys: those of the hypotheses.

    Raises:
        SettingError: files of references are given beside it.
        CorpusError: the file can't be used.
    """
    if references:
        raise SettingError("--references doesn't go with --pairs, whose lines hold the references")
    return json_lines(_open(file), systems=keys)


def _open(file: str) -> NamedFile:
    name = "standard input" if file == "-" else file
    return NamedFile(name, read_bytes(file, limit=MAXIMUM_BYTES))


def _tokenizer(name: str) -> str:
    try:
        return check_tokenizer(name)
    except SettingError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
