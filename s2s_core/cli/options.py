"""Options that several commands share, made from the bounds that the library checks."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable

from s2s_core.errors import SettingError
from s2s_core.options import IntegerOption, RealOption
from s2s_core.search.config import (
    BEAM_SIZE,
    DECODING_ALPHA,
    DEFAULT_CONFIG,
    GAMMA,
    MAX_LENGTH,
    MIN_LENGTH,
    NO_REPEAT,
    STOP_RULES,
    SearchConfig,
)
from s2s_core.search.length_penalty import LENGTH_PENALTIES


def add_number(
    parser: argparse.ArgumentParser,
    flag: str,
    option: IntegerOption | RealOption,
    *,
    default: float | str,
) -> None:
    """An option for a number, with its bounds and its help.

    default: the value itself, or words for what is taken where the option isn't given and is None.
    """
    stated = default if isinstance(default, str) else f"{default:g}"
    parser.add_argument(
        flag,
        type=_number(option),
        default=None if isinstance(default, str) else default,
        metavar="N" if isinstance(option, IntegerOption) else "X",
        help=f"{option.help} From {option.minimum:g} to {option.maximum:g}; default {stated}.",
    )


def _number(option: IntegerOption | RealOption) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            return option.check(_as_number(text))
        except SettingError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return parse


def _as_number(text: str) -> float | str:
    """The number, or the text itself where it is none: the check then says what is allowed."""
    try:
        return float(text)
    except ValueError:
        return text


def add_model(parser: argparse.ArgumentParser) -> None:
    """`--model NAME`."""
    parser.add_argument(
        "--model", required=True, metavar="NAME", help="a checkpoint's name, or its folder"
    )


def add_json(parser: argparse.ArgumentParser, what: str) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help=what)


def add_input(parser: argparse.ArgumentParser) -> None:
    """`[FILE]`."""
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="UTF-8 text; by default standard input"
    )


def add_search_options(parser: argparse.ArgumentParser, *, default_length: str) -> None:
    """The settings of a search.

    default_length: the default of `--max-length`, in words.
    """
    add_number(parser, "--beam-size", BEAM_SIZE, default=BEAM_SIZE.default)
    parser.add_argument(
        "--penalty",
        choices=tuple(LENGTH_PENALTIES),
        default=DEFAULT_CONFIG.length_penalty.name,
        help="How finished hypotheses are scored: power is log P / L^alpha, gnmt is "
        "log P / ((5+L)/6)^alpha, none is log P, reward is log P + gamma L; default %(default)s.",
    )
    add_number(parser, "--alpha", DECODING_ALPHA, default=DECODING_ALPHA.default)
    add_number(parser, "--gamma", GAMMA, default=GAMMA.default)
    add_number(parser, "--max-length", MAX_LENGTH, default=default_length)
    add_number(parser, "--min-length", MIN_LENGTH, default=MIN_LENGTH.default)
    add_number(parser, "--no-repeat", NO_REPEAT, default=NO_REPEAT.default)
    rules = " ".join(f"{name}: {text}" for name, text in STOP_RULES.items())
    parser.add_argument(
        "--stop",
        choices=tuple(STOP_RULES),
        default=DEFAULT_CONFIG.stop_rule,
        help=f"When the search ends. {rules} Default %(default)s.",
    )


def search_config(args: argparse.Namespace) -> SearchConfig:
    """The settings that were given.

    Raises:
        SettingError: they don't fit together.
    """
    family = LENGTH_PENALTIES[args.penalty]
    parameter: float = getattr(args, family.parameter_name) if family.parameter_name else 0.0
    return SearchConfig(
        beam_size=args.beam_size,
        max_length=args.max_length,
        length_penalty=family.from_parameter(parameter),
        stop_rule=args.stop,
        min_length=args.min_length,
        no_repeat=args.no_repeat,
    )


def utf8_text(argument: str) -> str:
    """An argument as UTF-8 text, also where the locale made Python read it as something else.

    Raises:
        argparse.ArgumentTypeError: its bytes aren't UTF-8.
    """
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError as error:
        raise argparse.ArgumentTypeError(f"{argument!r} isn't UTF-8 text") from error
