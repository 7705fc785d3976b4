"""Figures over a whole corpus: loss under teacher forcing, BLEU of what the model writes itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal, cast

import torch
from tqdm import tqdm

from s2s_core.errors import EmptyBatchError
from s2s_core.models.network import Network
from s2s_core.models.translation import TrainedModel
from s2s_core.search.batch import greedy_translations
from s2s_core.search.beam import beam_search
from s2s_core.search.config import BEAM_SIZE, SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.text.corpus import SentencePair
from s2s_core.text.tokenizer import SubwordTokenizer
from s2s_core.training.batches import MAXIMUM_TOKENS, batches, encode_pairs
from s2s_core.training.objective import teacher_forced_loss

EVALUATION_BATCH_TOKENS = 4000


@dataclass(frozen=True, slots=True)
class CorpusBleu:
    """Corpus BLEU as sacreBLEU gives it.

    score: 0-100.
    signature: sacreBLEU's, which says how it was computed.
    brevity_penalty: 0-1.
    length_ratio: tokens written to tokens of the closest references.
    """

    score: float
    signature: str
    brevity_penalty: float
    length_ratio: float


@dataclass(frozen=True, slots=True)
class DecodingFigures:
    """How one way of searching did.

    beam_size: 1 for greedy search.
    seconds_per_sentence: the mean of wall-clock time, one sentence at a time, encoding included.
    single: against the first reference of each sentence alone.
    multiple: against all references, of which a sentence may have more than another.
    """

    search: Literal["greedy", "beam"]
    beam_size: int
    seconds_per_sentence: float
    single: CorpusBleu
    multiple: CorpusBleu


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was measured over a corpus.

    fewest_references, most_references: the range of references a sentence.
    loss: nats a target token (EOS counted) on the first reference, under teacher forcing.
    """

    sentences: int
    fewest_references: int
    most_references: int
    loss: float
    greedy: DecodingFigures
    beam: DecodingFigures


def evaluate(
    model: TrainedModel[Any],
    pairs: Sequence[SentencePair],
    *,
    beam_size: int = BEAM_SIZE.default,
    show_progress: bool = False,
) -> Evaluation:
    """Measure a model: loss, and BLEU of greedy and of beam search with the default settings.

    show_progress: draw bars on standard error.

    Raises:
        SettingError: the beam size is out of bounds.
        EmptyBatchError: there is no pair, or none short enough to have a loss.
        SourceError: the model can't read a source.
    """
    # Nothing but the survivors is recorded: recording more takes time, and nobody looks at it.
    config = SearchConfig(beam_size=beam_size, recorded_candidates=0)
    loss = mean_loss(model.network, pairs, model.tokenizer)
    counts = [len(pair.references) for pair in pairs]
    return Evaluation(
        sentences=len(pairs),
        fewest_references=min(counts),
        most_references=max(counts),
        loss=loss,
        greedy=_decode(model, pairs, config, search="greedy", show_progress=show_progress),
        beam=_decode(model, pairs, config, search="beam", show_progress=show_progress),
    )


def mean_loss(
    network: Network[Any], pairs: Sequence[SentencePair], tokenizer: SubwordTokenizer
) -> float:
    """Nats a target token (EOS counted) on the first reference, without label smoothing.

    Raises:
        EmptyBatchError: there is no pair, or none with at most 100 tokens on each side.
    """
    network.eval()
    total, tokens = 0.0, 0
    encoded = encode_pairs(pairs, tokenizer)
    if not encoded.targets:
        raise EmptyBatchError(
            f"there is no loss to measure: none of {len(pairs)} pairs has at most "
            f"{MAXIMUM_TOKENS} tokens on each side"
        )
    with torch.inference_mode():
        for batch in batches(encoded, batch_tokens=EVALUATION_BATCH_TOKENS):
            count = batch.target_tokens
            total += float(teacher_forced_loss(network, batch)) * count
            tokens += count
    return total / tokens


def greedy_bleu(model: TrainedModel[Any], pairs: Sequence[SentencePair]) -> float:
    """Corpus BLEU (0–100) of greedy translations against the first reference, by sacreBLEU."""
    texts = greedy_translations(model, [pair.source for pair in pairs])
    return _bleu(texts, pairs, references=1, language=model.target_language).score


def _decode(
    model: TrainedModel[Any],
    pairs: Sequence[SentencePair],
    config: SearchConfig,
    *,
    search: Literal["greedy", "beam"],
    show_progress: bool,
) -> DecodingFigures:
    find = greedy_search if search == "greedy" else beam_search
    bar = tqdm(pairs, desc=search, unit="sentence", disable=not show_progress)
    begin = perf_counter()
    texts = [find(model, pair.source, config).best.text for pair in bar]
    seconds = perf_counter() - begin
    language, most = model.target_language, max(len(pair.references) for pair in pairs)
    return DecodingFigures(
        search=search,
        beam_size=1 if search == "greedy" else config.beam_size,
        seconds_per_sentence=seconds / len(pairs),
        single=_bleu(texts, pairs, references=1, language=language),
        multiple=_bleu(texts, pairs, references=most, language=language),
    )


def _bleu(
    texts: Sequence[str], pairs: Sequence[SentencePair], *, references: int, language: str
) -> CorpusBleu:
    """BLEU against the first `references` references of each sentence, or as many as it has."""
    from sacrebleu.metrics.bleu import BLEU

    # One stream for each place in the list of references; None where a sentence has none there.
    streams = [
        [pair.references[place] if place < len(pair.references) else None for pair in pairs]
        for place in range(references)
    ]
    metric = BLEU(trg_lang=language)  # by default "13a", and for Chinese its own tokenizer
    # sacreBLEU takes None, though its annotation doesn't say so.
    result = metric.corpus_score(list(texts), cast("list[list[str]]", streams))
    signature = str(metric.get_signature())
    return CorpusBleu(float(result.score), signature, float(result.bp), float(result.ratio))
