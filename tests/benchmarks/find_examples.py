"""Choose the bundled examples again, after models have changed:

python -m tests.benchmarks.find_examples
"""

from __future__ import annotations

import json
from dataclasses import asdict

from s2s_core.models.checkpoint import checkpoint_folder, checkpoint_names, load_checkpoint
from s2s_core.search.beam import beam_search
from s2s_core.ui.examples import FILE, FIRST_SCREEN, Example
from tests.benchmarks.example_properties import CHECKS, Finding, Model
from tests.benchmarks.example_sentences import CHINESE_ENGLISH, ENGLISH_FRENCH

SENTENCES = {("en", "fr"): ENGLISH_FRENCH, ("zh", "en"): CHINESE_ENGLISH}


def find(name: str, model: Model) -> list[Example]:
    """One example for each property that any sentence of the model's languages has."""
    pairs = SENTENCES.get((model.source_language, model.target_language), ())
    chosen: list[Example] = []
    for shows, check in CHECKS.items():
        taken = {example.source for example in chosen}
        found: list[tuple[str, Finding]] = []
        for source, reference in pairs:
            finding = check(model, source, reference)
            if finding is not None and source not in taken:
                found.append((source, finding))
        print(f"{name}: {shows}: {len(found)} of {len(pairs)}")
        if found:
            source, finding = max(
                found, key=lambda item: item[1].good
            )  # the first of the good ones
            chosen.append(Example(name, source, shows, finding.note))
    return chosen


def main() -> None:
    """Write `examples.json` and the first screen's trace."""
    examples: list[Example] = []
    for name in checkpoint_names():
        examples += find(name, load_checkpoint(checkpoint_folder(name)))
    data = [asdict(example) for example in examples]
    FILE.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    first = examples[0]
    model = load_checkpoint(checkpoint_folder(first.model))
    trace = beam_search(model, first.source, checkpoint=first.model)
    FIRST_SCREEN.write_text(trace.to_json(), encoding="utf-8")
    for example in examples:
        print(f"{example.model} {example.shows}: {example.source} — {example.note}")


if __name__ == "__main__":
    main()
