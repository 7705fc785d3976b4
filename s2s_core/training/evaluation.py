"""Figures over a whole corpus: loss under teacher forcing, BLEU of what the model writes itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from s2s_core.models.network import Network
from s2s_core.models.translation import TrainedModel
from s2s_core.search.batch import greedy_translations
from s2s_core.text.corpus import SentencePair
from s2s_core.text.tokenizer import SubwordTokenizer
from s2s_core.training.batches import batches, encode_pairs
from s2s_core.training.objective import teacher_forced_loss

EVALUATION_BATCH_TOKENS = 4000


def mean_loss(
    network: Network[Any], pairs: Sequence[SentencePair], tokenizer: SubwordTokenizer
) -> float:
    """Nats a target token (EOS counted) on the first reference, without label smoothing."""
    network.eval()
    total, tokens = 0.0, 0
    encoded = encode_pairs(pairs, tokenizer)
    with torch.inference_mode():
        for batch in batches(encoded, batch_tokens=EVALUATION_BATCH_TOKENS):
            count = batch.target_tokens
            total += float(teacher_forced_loss(network, batch)) * count
            tokens += count
    return total / tokens


def greedy_bleu(model: TrainedModel[Any], pairs: Sequence[SentencePair]) -> float:
    """Corpus BLEU (0–100) of greedy translations, first reference, sacreBLEU's defaults."""
    from sacrebleu.metrics.bleu import BLEU

    hypotheses = greedy_translations(model, [pair.source for pair in pairs])
    references = [[pair.target for pair in pairs]]
    return float(BLEU().corpus_score(list(hypotheses), references).score)
