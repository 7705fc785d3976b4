"""Random corpora and settings, and sacreBLEU's own word on them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from s2s_core.metrics.report import BleuReport, bleu_report
from s2s_core.metrics.settings import SMOOTHINGS, BleuSettings, SmoothingMethod

# Few words, so that they match, repeat and are clipped; marks and entities, so that tokenizers
# matter; two spellings of é; white space that isn't a plain space; nothing at all.
WORDS = (
    *("the", "the", "The", "cat", "sat", "on", "mat", "a", ".", "mat.", "don't", "3.5", "x-y"),
    *("&amp;", "&quot;hi&quot;", "<skipped>", "caf\u00e9", "cafe\u0301", "“no”", "猫坐在", "ネコ"),
    *("고양이", "\u00a0", "\u3000", "\u200b", "👩‍🚀", "a\u2028b", "", "?!", "İ", "-", "\t"),
)
TOKENIZERS = ("13a", "intl", "zh", "char", "none")


@dataclass(frozen=True)
class Corpus:
    """Hypotheses, and for each its references."""

    hypotheses: list[str]
    references: list[list[str | None]]

    @property
    def streams(self) -> list[Any]:
        """As sacreBLEU takes them, written down a second time."""
        most = max(map(len, self.references))
        padded = [own + [None] * (most - len(own)) for own in self.references]
        return [list(stream) for stream in zip(*padded, strict=True)]


TEXTS = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Up to five segments, with one to four references, some missing."""
    size = draw(st.integers(1, 5))
    references = []
    for _ in range(size):
        own: list[str | None] = draw(st.lists(st.one_of(TEXTS, st.none()), max_size=3))
        own.insert(draw(st.integers(0, len(own))), draw(TEXTS))
        references.append(own)
    return Corpus(draw(st.lists(TEXTS, min_size=size, max_size=size)), references)


SETTINGS = st.builds(
    BleuSettings,
    lowercase=st.booleans(),
    tokenize=st.sampled_from(TOKENIZERS),
    smooth=st.sampled_from(tuple(SMOOTHINGS)),
    smooth_value=st.sampled_from((None, 0.0, 0.01, 0.5, 1.0)),
    max_order=st.integers(1, 6),
    effective_order=st.booleans(),
)


def random_corpus(random: Random, size: int, references: int) -> Corpus:
    """Hypotheses that are their first reference with some words changed."""
    found = Corpus([], [])
    for _ in range(size):
        words = [random.choice(WORDS) for _ in range(random.randint(0, 30))]
        own: list[str | None] = [" ".join(words)]
        while len(own) < references:
            own.append(None if random.random() < 0.2 else _changed(random, words))
        random.shuffle(own)
        found.references.append(own)
        found.hypotheses.append(_changed(random, words))
    return found


def random_settings(random: Random) -> BleuSettings:
    """Any settings."""
    methods: tuple[SmoothingMethod, ...] = tuple(SMOOTHINGS)
    return BleuSettings(
        lowercase=random.random() < 0.5,
        tokenize=random.choice(TOKENIZERS),
        smooth=random.choice(methods),
        smooth_value=random.choice((None, 0.0, 0.01, 0.5, 1.0)),
        max_order=random.choice((1, 2, 3, 4, 4, 4, 5, 6)),
        effective_order=random.random() < 0.5,
    )


def _changed(random: Random, words: list[str]) -> str:
    return " ".join(w if random.random() < 0.7 else random.choice(WORDS) for w in words)


def report(corpus: Corpus, settings: BleuSettings) -> BleuReport:
    """Ours."""
    return bleu_report(corpus.hypotheses, corpus.references, settings)


def sacrebleu_metric(settings: BleuSettings) -> BLEU:
    """sacreBLEU's, made from the same settings."""
    return BLEU(
        lowercase=settings.lowercase,
        tokenize=settings.tokenize,
        smooth_method=settings.smooth,
        smooth_value=settings.smooth_value,
        max_ngram_order=settings.max_order,
        effective_order=settings.effective_order,
    )


def assert_equals_sacrebleu(found: BleuReport, corpus: Corpus) -> None:
    """Everything that sacreBLEU says, to the last digit, and n-gram tables that sum to it."""
    settings = found.settings
    metric = sacrebleu_metric(settings)
    expected = metric.corpus_score(corpus.hypotheses, corpus.streams)
    assert found.score == expected.score
    assert list(found.precisions) == expected.precisions
    assert found.brevity_penalty == expected.bp
    assert found.hypothesis_length == expected.sys_len
    assert found.reference_length == expected.ref_len
    assert found.statistics.length_ratio == expected.ratio
    assert found.sacrebleu_signature == str(metric.get_signature())

    # The true counts: without smoothing sacreBLEU leaves them alone.
    plain = BLEU(
        lowercase=settings.lowercase,
        tokenize=settings.tokenize,
        smooth_method="none",
        max_ngram_order=settings.max_order,
    ).corpus_score(corpus.hypotheses, corpus.streams)
    assert list(found.statistics.matches) == plain.counts
    assert list(found.statistics.totals) == plain.totals
    for order in found.orders:
        table = [match for each in found.segments for match in each.ngrams(order.order)]
        assert sum(match.clipped for match in table) == order.matches
        assert sum(match.count for match in table) == order.totals
        corpus_table = found.ngrams(order.order)
        assert sum(total.clipped for total in corpus_table) == order.matches
        assert sum(total.count for total in corpus_table) == order.totals
