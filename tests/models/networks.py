"""Small random networks behind the model protocol, and a tokenizer learned from a few sentences."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import torch

from s2s_core.models.architectures import build_network
from s2s_core.models.network import Network
from s2s_core.models.translation import TrainedModel
from s2s_core.text.tokenizer import SubwordTokenizer

SENTENCES = (
    "The cat saw the dog in the garden.",
    "Where is the station?",
    "I don't know the answer to that question.",
    "She bought 12 red apples and a small umbrella.",
    "Le chat a vu le chien dans le jardin.",
    "Où est la gare ?",
    "Je ne connais pas la réponse à cette question.",
    "Elle a acheté 12 pommes rouges et un petit parapluie.",
    "猫在花园里看见了狗。",
    "车站在哪里？",
    "我不知道这个问题的答案。",
    "她买了红苹果和一把小雨伞。",
)

Sizes = Mapping[str, int | float | str | bool]

RECURRENT: dict[str, Sizes] = {
    f"{cell}-{order}-{context}": {
        "cell": cell,
        "source_order": order,
        "context": context,
        "embedding_size": 10,
        # The source states are 12 wide in each case, as the dot score needs them.
        "encoder_size": 6 if order == "bidirectional" else 12,
        "decoder_size": 12,
        "attention_size": 8,
    }
    for cell in ("gru", "lstm")
    for order in ("forward", "reversed", "bidirectional")
    for context in ("fixed_once", "fixed_every_step", "additive", "dot", "general", "scaled_dot")
}
TRANSFORMERS: dict[str, Sizes] = {
    "transformer-1-layer-1-head": {
        "layers": 1, "heads": 1, "width": 12, "feed_forward_size": 20,
    },
    "transformer-2-layers-4-heads": {
        "layers": 2, "heads": 4, "width": 16, "feed_forward_size": 20,
    },
}  # fmt: skip
INPUT_FEEDING: dict[str, Sizes] = {
    f"input-feeding-{name}": RECURRENT[name]
    for name in ("gru-forward-additive", "lstm-bidirectional-general", "lstm-reversed-dot")
}
NETWORKS = {**RECURRENT, **INPUT_FEEDING, **TRANSFORMERS}
WITH_ATTENTION = [name for name in NETWORKS if "fixed" not in name]
WITHOUT_ATTENTION = [name for name in NETWORKS if "fixed" in name]


@cache
def tiny_tokenizer() -> SubwordTokenizer:
    return SubwordTokenizer.train(SENTENCES, size=420)


def architecture_of(name: str) -> str:
    if name in TRANSFORMERS:
        return "transformer"
    return "input_feeding" if name in INPUT_FEEDING else "recurrent"


def random_network(name: str, seed: int = 0) -> Network[Any]:
    """A network with weights large enough that distributions and attention aren't flat."""
    torch.manual_seed(seed)
    sizes = {"vocabulary_size": tiny_tokenizer().size, **NETWORKS[name]}
    network = build_network(architecture_of(name), sizes)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.4 * torch.randn(parameter.shape))
    return network.eval()


@cache
def random_model(name: str) -> TrainedModel[Any]:
    return TrainedModel(
        random_network(name), tiny_tokenizer(), source_language="en", target_language="fr"
    )
