"""Thousands of random corpora, and how long large texts take.

    python -m pytest -m benchmark tests/benchmarks/test_bleu_long.py -s

Times are printed, never asserted: machines are noisy.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import pytest

from s2s_core.metrics.differences import ngram_differences
from s2s_core.metrics.notices import report_notices
from s2s_core.metrics.others import chrf_score, ter_score
from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.significance import paired_tests
from tests.metrics.corpora import (
    assert_equals_sacrebleu,
    random_corpus,
    random_settings,
    report,
)

pytestmark = pytest.mark.benchmark

VOCABULARY = [f"w{number}" for number in range(5000)]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("block", range(10))
def test_thousands_of_reports_equal_sacrebleu(block: int) -> None:
    for seed in range(500 * block, 500 * (block + 1)):
        random = Random(seed)
        corpus = random_corpus(random, random.randint(1, 12), random.randint(1, 5))
        assert_equals_sacrebleu(report(corpus, random_settings(random)), corpus)


def sentence(random: Random, words: int) -> str:
    return " ".join(
        random.choice(VOCABULARY[: random.choice((20, 200, 5000))]) for _ in range(words)
    )


def changed(random: Random, text: str) -> str:
    return " ".join(w if random.random() < 0.7 else random.choice(VOCABULARY) for w in text.split())


def timed(name: str, action: Callable[[], object]) -> None:
    wall, processor = time.perf_counter(), time.process_time()
    action()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    print(f"{name}: {wall:.2f} s, of the processor {processor:.2f} s")


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("size", [1, 1000, 10_000])
def test_time_of_a_corpus_with_three_references(size: int) -> None:
    random = Random(size)
    texts = [sentence(random, random.randint(5, 45)) for _ in range(size)]
    references = [[text, changed(random, text), changed(random, text)] for text in texts]
    outputs = [[changed(random, text) for text in texts] for _ in range(2)]
    print(f"\n{size:,} segments, three references each")
    timed("report", lambda: bleu_report(outputs[0], references))
    first, second = (bleu_report(each, references) for each in outputs)
    timed("notices", lambda: report_notices(first))
    timed("bigrams won and lost", lambda: ngram_differences(first, second, 2))
    timed("both paired tests", lambda: paired_tests(first, second))
    timed("chrF", lambda: chrf_score(outputs[0], references))
    if size <= 1000:
        timed("TER", lambda: ter_score(outputs[0], references, seconds=None))


def test_time_of_a_long_segment() -> None:
    random = Random(1)
    text = sentence(random, 10_000)
    references = [[changed(random, text) for _ in range(3)]]
    print("\none segment of 10,000 tokens, three references")
    timed("report", lambda: bleu_report([text], references))
    timed("chrF", lambda: chrf_score([text], references))
