"""The whole tree of a table, against strings listed by other means."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from s2s_core.errors import NoHypothesisError, SettingError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.exact import exact_search
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import NoPenalty
from s2s_core.search.listing import list_strings, whole_tree
from s2s_core.search.presets import PRESETS
from tests.search.naive import all_strings, next_log_probs
from tests.search.tables import PENALTIES, random_table


def test_the_listing_has_every_string_once() -> None:
    rng = np.random.default_rng(61)
    for number in range(80):
        table = random_table(rng, ties=number % 2 == 0)
        m = int(rng.integers(1, 5))
        expected = dict(all_strings(next_log_probs(table), table.target.eos_id, m))
        listing = list_strings(table, max_length=m)
        assert listing.complete
        found = {tuple(c.token_id for c in listing.path(n.id)): n for n in listing.finished}
        assert {ids: node.log_prob for ids, node in found.items()} == expected
        assert len(listing.finished) == len(expected)
        assert listing.finished_mass == pytest.approx(sum(map(math.exp, expected.values())))
        assert all(node.parent_id < node.id for node in listing.nodes)


def test_the_best_of_the_listing_is_what_exact_search_finds() -> None:
    rng = np.random.default_rng(62)
    for number in range(60):
        table, penalty = random_table(rng, ties=False), PENALTIES[number % 7]
        listing = list_strings(table, max_length=5)
        exact = exact_search(table, "", SearchConfig(1, 5, penalty))
        best, second = listing.ranked(penalty)[:2]
        assert best.text == exact.best.text
        assert penalty.score(best.log_prob, best.step) >= penalty.score(
            second.log_prob, second.step
        )


def test_a_listing_that_would_be_too_long_says_so() -> None:
    table = PRESETS["greedy-trap"].load()
    assert list_strings(table, max_length=3, node_limit=10).complete
    part = list_strings(table, max_length=3, node_limit=9)
    assert not part.complete
    assert [node.fate for node in part.nodes] == ["kept"] * 2 + ["cut"] * 4
    with pytest.raises(SettingError, match="at least 1"):
        list_strings(table, max_length=0)


def test_the_whole_tree_has_the_fates_of_the_search() -> None:
    rng = np.random.default_rng(63)
    for _ in range(40):
        table = random_table(rng)
        try:
            trace = beam_search(table, "", SearchConfig(2, 4, NoPenalty(), "exhaust"))
            greedy = greedy_search(table, "", SearchConfig(2, 4))
        except NoHypothesisError:
            continue
        listing = list_strings(table, max_length=4)
        tree = whole_tree(listing, trace, greedy=greedy)
        assert [node.id for node in tree.nodes] == list(range(len(listing.nodes) + 1))
        fate = {tuple(c.token_id for c in trace.path(n.id)): n.fate for n in trace.nodes}
        for node in tree.nodes[1:]:
            ids = tuple(c.token_id for c in listing.path(node.id))
            assert node.fate == fate.get(ids, "pruned")
        path = [node for node in tree.nodes if node.on_best_path]
        assert path[-1].text == trace.best.text
        assert all(a.id == b.parent_id for a, b in pairwise(path))
        assert max(n.x for n in tree.nodes if n.on_greedy_path) == greedy.best.length
