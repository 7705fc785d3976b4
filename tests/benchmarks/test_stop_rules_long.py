"""The three equalities of the stop rules on 20,000 tables; run with `-m benchmark`."""

from __future__ import annotations

import pytest

from tests.search.equalities import check_equalities


@pytest.mark.benchmark
@pytest.mark.timeout(3600)
def test_the_three_equalities_hold_on_twenty_thousand_tables() -> None:
    early_bound, early_best = check_equalities(seed=20_000, count=20_000)
    assert early_bound > 1000
    assert early_best > 4000
