"""A small complete checkpoint folder, and cards to spoil."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from s2s_core.models.card import CheckpointCard, LearningPoint, MeasuredScore, RateTrial
from s2s_core.models.checkpoint import save_checkpoint
from s2s_core.models.network import parameter_count
from tests.models.networks import NETWORKS, architecture_of, random_network, tiny_tokenizer

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, -1, 10**9, 10**30, 1.5, float("nan"), float("inf"), "gru", "dot", "en"])
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def make_card(name: str = "gru-bidirectional-additive") -> CheckpointCard:
    return CheckpointCard(
        name="tiny",
        title="Tiny “model” <b>",
        architecture=architecture_of(name),
        source_language="en",
        target_language="fr",
        sizes={"vocabulary_size": tiny_tokenizer().size, **NETWORKS[name], "dropout": 0.1},
        parameters=parameter_count(random_network(name)),
        data="twelve sentences",
        training_pairs=12,
        licence="CC BY 2.0 FR",
        attribution="nobody\nin particular",
        seed=1,
        budget={"steps": 10, "learning_rate": 1e-3, "precision": "auto", "tied": True},
        development_loss=2.5,
        commands={"test": "evaluate --data test.tsv", "development": "evaluate --data dev.tsv"},
        scores=(
            MeasuredScore("test", 1, None, 12, "column 2", 5, "BLEU", 31.25, 30, 32.5, "nrefs:1"),
            MeasuredScore("test", 1, 9, 7, "column 2", 1, "BLEU", 30, 28, 31, "nrefs:1"),
            MeasuredScore("test", 1, None, 12, "all, 1 to 2 a sentence", 5, "BLEU", 35, 33, 37, ""),
        ),
        learning_curve=(LearningPoint(5, 100, 3.5, 3.25, 1.5), LearningPoint(10, 200, 3, 2.5, 4)),
        learning_rate_trials=(RateTrial(1e-3, 1, 20, 4.5, 0.5),),
    )


def card_data() -> dict[str, Any]:
    data = json.loads(make_card().to_json())
    assert isinstance(data, dict)
    return data


def make_checkpoint(folder: Path, name: str = "gru-bidirectional-additive") -> Path:
    save_checkpoint(folder, make_card(name), random_network(name), tiny_tokenizer())
    return folder
