"""Greedy, beam and exact search on one table, as one value."""

from __future__ import annotations

from dataclasses import dataclass

from s2s_core.errors import NoHypothesisError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.exact import ExactResult, exact_search
from s2s_core.search.greedy import greedy_search
from s2s_core.search.listing import Listing, list_strings, whole_tree
from s2s_core.search.records import ROOT_ID, Candidate, Hypothesis
from s2s_core.search.score import score_target
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.trace import BeamTrace
from s2s_core.search.tree import BeamTree

NODE_LIMIT = 800
"""The most nodes of the whole tree that are drawn."""


@dataclass(frozen=True)
class Searches:
    """What the three found, and the whole tree.

    exact: None if nothing of the allowed length ends.
    """

    table: ProbabilityTable
    config: SearchConfig
    greedy: BeamTrace
    beam: BeamTrace
    exact: ExactResult | None
    listing: Listing

    @property
    def tree(self) -> BeamTree:
        """The whole tree, with the fate that each prefix had in the beam search."""
        return whole_tree(self.listing, self.beam, greedy=self.greedy)

    @property
    def exact_id(self) -> int | None:
        """The node of the listing where the best string of all ends; None if it isn't there."""
        return None if self.exact is None else self._place(self.exact.best.token_ids)

    @property
    def ends(self) -> dict[str, Candidate]:
        """The strings that end, best first, by their tokens, the end token among them."""
        ranked = self.listing.ranked(self.config.length_penalty)
        return {" ".join(n.token for n in self.listing.path(node.id)): node for node in ranked}

    def reference(self, tokens: str) -> Hypothesis:
        """A string of `ends`, as the model scores it."""
        path = self.listing.path(self.ends[tokens].id)
        ids = tuple(node.token_id for node in path)
        return score_target(self.table, "", ids, penalty=self.config.length_penalty)

    def _place(self, token_ids: tuple[int, ...]) -> int | None:
        ids = {(node.parent_id, node.token_id): node.id for node in self.listing.nodes}
        place: int | None = ROOT_ID
        for token_id in token_ids:
            place = None if place is None else ids.get((place, token_id))
        return place


def search_table(table: ProbabilityTable, config: SearchConfig) -> Searches:
    """Search a table in three ways, and write its strings down.

    Raises:
        ExplorerError: a prefix has no row, or nothing at all was found.
    """
    try:
        exact = exact_search(table, "", config)
    except NoHypothesisError:
        exact = None
    return Searches(
        table=table,
        config=config,
        greedy=greedy_search(table, "", config),
        beam=beam_search(table, "", config),
        exact=exact,
        listing=list_strings(
            table, max_length=config.resolved_max_length(()), node_limit=NODE_LIMIT
        ),
    )
