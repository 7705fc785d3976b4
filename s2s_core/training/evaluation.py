"""Figures over a whole corpus: under teacher forcing, and of what the model writes itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tqdm import tqdm

from s2s_core.errors import EmptyBatchError
from s2s_core.models.card import ONE_REFERENCE, MeasuredScore, find_score
from s2s_core.models.network import Network
from s2s_core.models.translation import TrainedModel
from s2s_core.search.batch import Output, greedy_config, greedy_translations
from s2s_core.search.beam import beam_search
from s2s_core.search.config import BEAM_SIZE, SearchConfig
from s2s_core.text.corpus import SentencePair
from s2s_core.text.tokenizer import SubwordTokenizer
from s2s_core.text.words import SENTENCE_LENGTHS, SourceLengths, word_count
from s2s_core.training.batches import MAXIMUM_TOKENS, batches, encode_pairs
from s2s_core.training.decoding import Decoder
from s2s_core.training.measures import (
    Measure,
    corpus_bleu,
    estimate,
    exact_match,
    sacrebleu_measures,
    share,
    token_matches,
)
from s2s_core.training.objective import teacher_forced_loss
from s2s_core.training.teacher_forcing import ForcedPairs, force_references

EVALUATION_BATCH_TOKENS = 4000
TIMED_SENTENCES = 50
"""From all over each group; each sentence is searched once, in however many groups it is."""


@dataclass(frozen=True, slots=True)
class TimedSentences:
    """Seconds that the search of one sentence takes, where the source has some length.

    shortest, longest: of the sources, by `word_count`; None is no limit.
    sentences: how many were timed. mean, low, high: with the 95 % interval by resampling them.
    """

    shortest: int
    longest: int | None
    sentences: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class DecodingTime:
    """How long a search takes, in wall-clock seconds a sentence, encoding included.

    beam_size: 1 for greedy search.
    alone: one sentence at a time, on one core; the mean of the first group.
    in_batches: for the whole file, many sentences at a time, on `workers` cores.
    by_length: one sentence at a time, for each group of lengths.
    """

    beam_size: int
    alone: float
    in_batches: float
    workers: int
    by_length: tuple[TimedSentences, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was measured over a corpus.

    fewest_references, most_references: the range of references a sentence.
    beam_size: of the beam search; greedy search was measured as well.
    scores: group by group; the first group is what the figures of the whole are taken from.
    times: of greedy and of beam search.
    """

    sentences: int
    fewest_references: int
    most_references: int
    beam_size: int
    scores: tuple[MeasuredScore, ...]
    times: tuple[DecodingTime, ...]

    def score(
        self, metric: str, *, beam_size: int = 0, all_references: bool = False
    ) -> MeasuredScore:
        """The figure of the first group.

        beam_size: 1 for greedy search, 0 for teacher forcing.
        """
        several = all_references and self.most_references > 1
        found = find_score(self.scores, metric, beam_size=beam_size, all_references=several)
        assert found is not None, f"{metric} is measured for every group"
        return found


def evaluate(
    model: TrainedModel[Any],
    pairs: Sequence[SentencePair],
    *,
    beam_size: int = BEAM_SIZE.default,
    groups: Sequence[SourceLengths] = SENTENCE_LENGTHS,
    decoder: Decoder | None = None,
    show_progress: bool = False,
) -> Evaluation:
    """Measure a model under teacher forcing, and greedy and beam search with default settings.

    groups: the parts of the file, by source length; those without a sentence are left out.
    decoder: decodes on several cores; by default in this process.
    show_progress: draw bars on standard error.

    Raises:
        SettingError: the beam size is out of bounds.
        EmptyBatchError: there is no pair, or none of any group's length.
        SourceError: the model can't read a source.
    """
    config = SearchConfig(beam_size=beam_size, recorded_candidates=0)
    chosen = _choose(pairs, groups)
    decoder = Decoder(model) if decoder is None else decoder
    forced = force_references(model, pairs, bar="true prefix" if show_progress else None)
    measures = [(0, measure) for measure in _forced_measures(forced)]
    times = []
    for name, search in (("greedy", greedy_config()), (f"beam {beam_size}", config)):
        begin = perf_counter()
        outputs = decoder.decode(
            [pair.source for pair in pairs], search, bar=name if show_progress else None
        )
        seconds = (perf_counter() - begin) / len(pairs)
        bar = f"{name}, one at a time" if show_progress else None
        timed = _time_alone(model, pairs, search, chosen, bar=bar)
        times.append(DecodingTime(search.beam_size, timed[0].mean, seconds, decoder.workers, timed))
        measures += [(search.beam_size, m) for m in _output_measures(model, pairs, outputs)]
    counts = [len(pair.references) for pair in pairs]
    return Evaluation(
        sentences=len(pairs),
        fewest_references=min(counts),
        most_references=max(counts),
        beam_size=beam_size,
        scores=tuple(_scores(measures, chosen, f"all, {min(counts)} to {max(counts)} a sentence")),
        times=tuple(times),
    )


def mean_loss(
    network: Network[Any], pairs: Sequence[SentencePair], tokenizer: SubwordTokenizer
) -> float:
    """Nats a target token (EOS counted) on the first reference, without label smoothing.

    Sources are read as they stand, and pairs with more than 100 tokens on a side left out: this is
    the figure of a learning curve. `evaluate` measures all of them, as decoding reads them.

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
    return corpus_bleu(texts, pairs, language=model.target_language)


def _choose(
    pairs: Sequence[SentencePair], groups: Sequence[SourceLengths]
) -> dict[SourceLengths, NDArray[np.intp]]:
    """The indices of each group's pairs; groups without one are left out."""
    lengths = [word_count(pair.source) for pair in pairs]
    chosen = {
        group: np.array([i for i, length in enumerate(lengths) if length in group], np.intp)
        for group in groups
    }
    chosen = {group: indices for group, indices in chosen.items() if len(indices)}
    if not chosen:
        raise EmptyBatchError(
            f"there is nothing to measure: none of {len(pairs)} pairs has a source of such a length"
        )
    return chosen


def _forced_measures(forced: ForcedPairs) -> Iterator[Measure]:
    yield share("loss", forced.losses, forced.tokens, scale=1.0)
    yield share("teacher-forced token accuracy", forced.correct, forced.tokens)


def _output_measures(
    model: TrainedModel[Any], pairs: Sequence[SentencePair], outputs: Sequence[Output]
) -> Iterator[Measure]:
    references = [
        [*ids, model.target.eos_id]
        for ids in model.tokenizer.encode_batch([pair.target for pair in pairs])
    ]
    matches = [
        token_matches(output.token_ids, reference)
        for output, reference in zip(outputs, references, strict=True)
    ]
    yield share("token accuracy", np.array(matches), np.array([len(ids) for ids in references]))
    several = any(len(pair.references) > 1 for pair in pairs)
    for all_references in (False, True) if several else (False,):
        yield exact_match(outputs, pairs, all_references=all_references)
        yield from sacrebleu_measures(
            [output.text for output in outputs],
            pairs,
            language=model.target_language,
            all_references=all_references,
        )


def _scores(
    measures: Sequence[tuple[int, Measure]],
    groups: dict[SourceLengths, NDArray[np.intp]],
    several: str,
) -> Iterator[MeasuredScore]:
    for group, indices in groups.items():
        found = estimate([measure for _, measure in measures], indices)
        for (beam_size, measure), each in zip(measures, found, strict=True):
            yield MeasuredScore(
                data="test",
                shortest=group.shortest,
                longest=group.longest,
                sentences=len(indices),
                references=several if measure.all_references else ONE_REFERENCE,
                beam_size=beam_size,
                metric=measure.metric,
                score=each.value,
                low=each.low,
                high=each.high,
                signature=measure.signature,
            )


def _time_alone(
    model: TrainedModel[Any],
    pairs: Sequence[SentencePair],
    search: SearchConfig,
    groups: dict[SourceLengths, NDArray[np.intp]],
    *,
    bar: str | None,
) -> tuple[TimedSentences, ...]:
    timed = {group: found[:: -(-len(found) // TIMED_SENTENCES)] for group, found in groups.items()}
    seconds = np.zeros(len(pairs))
    once = np.unique(np.concatenate(list(timed.values())))
    for index in tqdm(once, desc=bar, unit="sentence", disable=bar is None):
        begin = perf_counter()
        beam_search(model, pairs[index].source, search)
        seconds[index] = perf_counter() - begin
    measure = share("seconds", seconds, np.ones(len(pairs)), scale=1.0)
    rows = []
    for group, chosen in timed.items():
        (mean,) = estimate([measure], chosen)
        rows.append(
            TimedSentences(
                group.shortest, group.longest, len(chosen), mean.value, mean.low, mean.high
            )
        )
    return tuple(rows)
