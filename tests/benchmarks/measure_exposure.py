"""Measures right tokens by position on a corpus, and writes the file that the app shows.

    python -m tests.benchmarks.measure_exposure --model NAME --data FILE [--sentences 300]

Sentences are drawn from the file with a fixed seed; the first reference of each is the target. The
file gets counts and no text. A model that was measured before is measured anew, others stay.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from s2s_core.models.checkpoint import checkpoint_folder, load_checkpoint
from s2s_core.models.threads import use_one_thread
from s2s_core.text.corpus import read_references
from s2s_core.training.lessons.exposure import measure_exposure
from s2s_core.training.lessons.exposure_file import MEASURED, MeasuredExposure, from_json, to_json

SEED = 1


def measure(name: str, data: Path, sentences: int) -> MeasuredExposure:
    """The figures of one checkpoint on some sentences of a file."""
    pairs = read_references(data)
    drawn = np.random.default_rng(SEED).permutation(len(pairs))[:sentences]
    chosen = [pairs[i] for i in sorted(drawn)]
    model = load_checkpoint(checkpoint_folder(name))
    exposure = measure_exposure(
        model,
        [pair.source for pair in chosen],
        model.tokenizer.encode_batch([pair.target for pair in chosen]),
    )
    about = f"{len(chosen)} sentences of the test set, drawn with seed {SEED}, first reference"
    return MeasuredExposure(name, about, exposure)


def main() -> None:
    """Measure a model and bring the file up to date."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=300)
    parser.add_argument("--out", type=Path, default=MEASURED)
    arguments = parser.parse_args()
    use_one_thread()
    before = from_json(arguments.out.read_text("utf-8")) if arguments.out.exists() else ()
    found = {each.name: each for each in before}
    found[arguments.model] = measure(arguments.model, arguments.data, arguments.sentences)
    arguments.out.write_text(to_json(found[name] for name in sorted(found)), encoding="utf-8")
    print(found[arguments.model], flush=True)


if __name__ == "__main__":
    main()
