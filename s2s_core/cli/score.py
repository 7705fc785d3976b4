"""`score`: what a model gives a target that is already there."""

from __future__ import annotations

import argparse

from s2s_core.cli.command import Command
from s2s_core.cli.loading import check_sources, load_for_decoding, naming_line, target_ids
from s2s_core.cli.options import add_input, add_json, add_model
from s2s_core.cli.payload import scored_fields
from s2s_core.cli.streams import progress, read_lines, write_json, write_line
from s2s_core.errors import CorpusError
from s2s_core.models.checkpoint import checkpoint_folder
from s2s_core.search.score import score_target

_DESCRIPTION = """\
Score targets under teacher forcing. Input: source TAB target, a line each.

The target is brought into the form of the corpora (plain quotes, spaces as the language has them;
standard error tells a change) and cut into tokens, and the end token is added; an empty target is
the end token alone. log_prob is the natural logarithm of its probability, the sum of
token_log_probs.
Plain output: log_prob TAB target.
With --json: an object a line: model, source, target, source_tokens, tokens, token_log_probs,
log_prob, length, attention. A log_prob of minus infinity is null.

A text can be cut into tokens in several ways. Here it is the tokenizer's own way; a search may have
found the same text in other pieces, and then its log_prob is another one: compare the tokens.
All lines are checked before the first is scored: a blank one is an error."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_model(parser)
    add_json(parser, "print an object a line")
    add_input(parser)


def run(args: argparse.Namespace) -> None:
    """Score every line.

    Raises:
        ExplorerError: a line or the checkpoint can't be used.
    """
    folder, lines = checkpoint_folder(args.model), read_lines(args.file)
    pairs = [_pair(number, line) for number, line in enumerate(lines, start=1)]
    model = load_for_decoding(folder)
    check_sources(model, [source for source, _ in pairs])
    for number, (source, target) in enumerate(progress(pairs), start=1):
        with naming_line(number):
            name = f"line {number}: the target"
            ids = target_ids(model, target, name=name) if target.strip() else ()
            scored = score_target(model, source, (*ids, model.target.eos_id))
        if not args.json:
            write_line(f"{scored.log_prob:.6f}", target)
            continue
        write_json(
            {
                "model": args.model,
                "source": source,
                "target": target,
                "source_tokens": [model.tokenizer.token(i) for i in model.source_ids(source)],
                **scored_fields(scored),
            }
        )


def _pair(number: int, line: str) -> tuple[str, str]:
    columns = line.split("\t")
    if len(columns) != 2:
        raise CorpusError(
            f"line {number}: {len(columns)} column(s), but 2 are needed: source TAB target"
        )
    return columns[0], columns[1]


COMMAND = Command("score", "score given targets, a pair a line", _DESCRIPTION, add_options, run)
