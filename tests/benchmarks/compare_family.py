"""Sets every attention model of a family beside every fixed-vector one, with paired tests.

    python -m tests.benchmarks.compare_family --data FOLDER [--prefix en-fr-] [--outputs FOLDER]

FOLDER holds test.tsv.gz and dev.tsv.gz. Beam search with the defaults, BLEU against the first
reference; once over the test set, once over the sentences of test and development set whose source
has at least 13 words. Translations are kept in the folder of outputs and not made again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from s2s_core.metrics.report import BleuReport, bleu_report
from s2s_core.metrics.significance import paired_tests
from s2s_core.models.checkpoint import (
    checkpoint_folder,
    checkpoint_names,
    load_card,
    load_checkpoint,
)
from s2s_core.models.families import FIXED, kind_of
from s2s_core.models.threads import use_one_thread
from s2s_core.search.config import SearchConfig
from s2s_core.text.corpus import SentencePair, read_references
from s2s_core.text.words import word_count
from s2s_core.training.decoding import Decoder

LONG = 13
"""Words of a source from which it counts as long."""


def translations(name: str, pairs: Sequence[SentencePair], kept: Path) -> tuple[str, ...]:
    """What a checkpoint makes of the sources; read from a file where it is there."""
    if not kept.exists():
        model = load_checkpoint(checkpoint_folder(name))
        config = SearchConfig(recorded_candidates=0)
        outputs = Decoder(model).decode([pair.source for pair in pairs], config, bar=name)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text("".join(f"{output.text}\n" for output in outputs), encoding="utf-8")
    return tuple(kept.read_text(encoding="utf-8").splitlines())


def reports(
    texts: dict[str, tuple[str, ...]], pairs: Sequence[SentencePair], chosen: Sequence[int]
) -> dict[str, BleuReport]:
    """BLEU of each checkpoint on some of the sentences."""
    references = [[pairs[i].target] for i in chosen]
    return {name: bleu_report([own[i] for i in chosen], references) for name, own in texts.items()}


def print_differences(title: str, found: dict[str, BleuReport], fixed: Sequence[str]) -> None:
    """Scores, and each attention model's lead over each fixed-vector one with its interval."""
    print(f"{title}: " + ", ".join(f"{name} {found[name].score:.2f}" for name in found))
    for name in found:
        if name in fixed:
            continue
        for baseline in fixed:
            lead = paired_tests(found[baseline], found[name]).difference
            print(f"  {name} − {baseline}: {lead.mean:.2f} ({lead.lower:.2f} to {lead.upper:.2f})")


def main() -> None:
    """Translate what isn't yet, and print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--prefix", default="en-fr-")
    parser.add_argument("--outputs", type=Path, default=Path("outputs"))
    arguments = parser.parse_args()
    use_one_thread()
    names = [name for name in checkpoint_names() if name.startswith(arguments.prefix)]
    fixed = [name for name in names if kind_of(load_card(checkpoint_folder(name))) == FIXED]
    test, development = (
        read_references(arguments.data / f"{part}.tsv.gz") for part in ("test", "dev")
    )
    pairs = (*test, *development)
    texts = {name: translations(name, pairs, arguments.outputs / f"{name}.txt") for name in names}
    long = [i for i, pair in enumerate(pairs) if word_count(pair.source) >= LONG]
    print_differences(
        f"test, {len(test)} sentences", reports(texts, pairs, range(len(test))), fixed
    )
    print_differences(
        f"test and development, {len(long)} sources of {LONG} words and more",
        reports(texts, pairs, long),
        fixed,
    )


if __name__ == "__main__":
    main()
