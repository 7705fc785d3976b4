"""Every decoder against its oracle on ten thousand tables; run with `-m benchmark`."""

from __future__ import annotations

import pytest

from tests.search.decoder_checks import (
    check_diverse,
    check_exact,
    check_inclusion,
    check_no_repeat,
    check_words,
)

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7200)]
TABLES = 10_000


def test_exact_search() -> None:
    assert check_exact(seed=1, count=TABLES) > 1000


@pytest.mark.parametrize("size", [1, 2, 3])
def test_no_repeat(size: int) -> None:
    assert check_no_repeat(seed=2, count=TABLES // 2, size=size) > 10


def test_diverse_beam() -> None:
    assert check_diverse(seed=3, count=TABLES) > 1000


@pytest.mark.parametrize("words", [((3,),), ((2, 3),), ((2, 2), (3,)), ((2, 3), (3, 2))])
def test_forced_words(words: tuple[tuple[int, ...], ...]) -> None:
    assert check_words(seed=4, count=TABLES // 4, words=words) > 500


def test_stochastic_beam() -> None:
    check_inclusion(runs=20_000, first_seed=10_000)
