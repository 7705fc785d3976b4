"""Sets the models of a family beside each other, two at a time, with paired tests.

    python -m tests.benchmarks.compare_family --data FOLDER [--prefix en-fr-] [--outputs FOLDER]

FOLDER holds test.tsv.gz and dev.tsv.gz. Beam search with the defaults, BLEU against the first
reference; once over the test set, once over the sentences of test and development set whose source
has at least 13 words. Translations are kept in the folder of outputs and not made again for the
same weights.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
from collections.abc import Sequence
from pathlib import Path

from s2s_core.metrics.report import BleuReport, bleu_report
from s2s_core.metrics.significance import paired_tests
from s2s_core.models.checkpoint import (
    WEIGHTS,
    checkpoint_folder,
    checkpoint_names,
    load_checkpoint,
)
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


def print_differences(title: str, found: dict[str, BleuReport]) -> None:
    """Scores, and the better one's lead in each pair of models with its interval."""
    print(f"{title}: " + ", ".join(f"{name} {found[name].score:.2f}" for name in found))
    rising = sorted(found, key=lambda name: found[name].score)
    for baseline, name in itertools.combinations(rising, 2):
        lead = paired_tests(found[baseline], found[name]).difference
        print(f"  {name} − {baseline}: {lead.mean:.2f} ({lead.lower:.2f} to {lead.upper:.2f})")


def kept_file(folder: Path, name: str) -> Path:
    """Where a checkpoint's translations are kept; other weights have another file."""
    weights = (checkpoint_folder(name) / WEIGHTS).read_bytes()
    return folder / f"{name}-{hashlib.sha256(weights).hexdigest()[:12]}.txt"


def main() -> None:
    """Translate what isn't yet, and print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--prefix", default="en-fr-")
    parser.add_argument("--outputs", type=Path, default=Path("outputs"))
    arguments = parser.parse_args()
    use_one_thread()
    names = [name for name in checkpoint_names() if name.startswith(arguments.prefix)]
    test, development = (
        read_references(arguments.data / f"{part}.tsv.gz") for part in ("test", "dev")
    )
    pairs = (*test, *development)
    texts = {name: translations(name, pairs, kept_file(arguments.outputs, name)) for name in names}
    long = [i for i, pair in enumerate(pairs) if word_count(pair.source) >= LONG]
    print_differences(f"test, {len(test)} sentences", reports(texts, pairs, range(len(test))))
    print_differences(
        f"test and development, {len(long)} sources of {LONG} words and more",
        reports(texts, pairs, long),
    )


if __name__ == "__main__":
    main()
