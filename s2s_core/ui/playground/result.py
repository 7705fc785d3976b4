"""What the three searches found: on one tree, in a table, and in words."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from s2s_core.figures.mass import mass_alt, mass_figure
from s2s_core.figures.theme import minus, percent
from s2s_core.figures.three_searches import three_searches_alt, three_searches_figure
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.records import Hypothesis
from s2s_core.search.verdict import judge, mass_covered
from s2s_core.search.width_sweep import rows_used
from s2s_core.ui import charts, literal, shell, state
from s2s_core.ui.length.tables import shown
from s2s_core.ui.playground.link import RIGHT
from s2s_core.ui.playground.searches import Searches
from s2s_core.ui.tables import Row

_COLUMNS = ("search", "output", "log P", "probability", "L", "score", "prefixes continued", "")
_CHOICES = 200
_ICONS = {"neither": "check", "unknown": "help"}


def draw(found: Searches) -> None:
    """Draw the tree and what stands beside it."""
    picture, story = st.columns([3, 2], gap="medium")
    with picture:
        _draw_tree(found)
    with story:
        _draw_verdict(found)
        _draw_mass(found)
    literal.table(_COLUMNS, rows(found), decimals=4)


def rows(found: Searches) -> list[Row]:
    """A row for each search, under `_COLUMNS`."""
    penalty, beam_size = found.config.length_penalty, found.config.beam_size
    greedy, beam = found.greedy, found.beam
    told = [
        _row("greedy", greedy.best, penalty, rows_used(greedy), ""),
        _row(f"beam, B = {beam_size}", beam.best, penalty, rows_used(beam), ""),
    ]
    if found.exact:
        proof = "proved" if found.exact.proved else f"not proved: {found.exact.outcome}"
        told.append(_row("exact", found.exact.best, penalty, found.exact.expanded, proof))
    return told


def _row(name: str, best: Hypothesis, penalty: LengthPenalty, continued: int, note: str) -> Row:
    score = penalty.score(best.log_prob, best.length)
    return (
        name,
        shown(best.text),
        best.log_prob,
        percent(math.exp(best.log_prob)),
        best.length,
        score,
        continued,
        note if best.finished else "cut at the maximum length, not ended",
    )


def strings(found: Searches) -> pd.DataFrame:
    """Every string that ends, best first, with what became of it in the beam search."""
    penalty = found.config.length_penalty
    tree = {node.id: node for node in found.tree.nodes}
    return pd.DataFrame(
        [
            {
                "rank": place,
                "tokens": tokens,
                "log P": node.log_prob,
                "probability": math.exp(node.log_prob),
                "L": node.step,
                "score": penalty.score(node.log_prob, node.step),
                "in the beam search": tree[node.id].fate,
                "why": tree[node.id].reason,
            }
            for place, (tokens, node) in enumerate(found.ends.items(), start=1)
        ]
    )


def _draw_tree(found: Searches) -> None:
    tree = found.tree
    figure = three_searches_figure(
        tree, penalty=found.config.length_penalty, exact_id=found.exact_id, theme=shell.theme()
    )
    with st.container(key="whole_tree_place"):
        charts.draw(figure, key="whole_tree", alt=three_searches_alt(tree, exact_id=found.exact_id))
    if not found.listing.complete:
        st.caption(
            f"The whole tree has too many nodes to draw: the first {len(found.listing.nodes)} are "
            "shown, and the searches may have gone further."
        )


def _draw_verdict(found: Searches) -> None:
    """Search error, model error or neither, for the beam and for greedy."""
    choices = ("", *list(found.ends)[:_CHOICES])
    if state.get(RIGHT) not in choices:
        state.refuse(RIGHT, "a string of this table, its end token included")
    st.selectbox(
        "Which output would be right? Ask for a model error, too",
        choices,
        key=RIGHT.name,
        format_func=lambda tokens: tokens or "not said",
    )
    if found.exact is None:
        literal.show("Nothing of this length ends, so there is nothing to judge by.")
        return
    right = state.get(RIGHT)
    reference = found.reference(right) if right else None
    for name, trace in (("Beam search", found.beam), ("Greedy search", found.greedy)):
        verdict = judge(trace.best, found.exact, reference)
        icon = _ICONS.get(verdict.label, "error")
        st.markdown(f":material/{icon}: **{name}: {verdict.label}**")
        literal.show(minus(verdict.text).replace("“”", f"“{shown('')}”"), look="small")
    if reference is None:
        literal.show("A model error can be seen once it is said what is right.", look="small")


def _draw_mass(found: Searches) -> None:
    masses = mass_covered(found.beam)
    last = masses[-1]
    whole = found.listing.finished_mass
    all_ = f" All strings that end hold {percent(whole)}." if found.listing.complete else ""
    st.markdown("**Probability mass covered by beam search**")
    charts.draw(mass_figure(masses, theme=shell.theme()), key="mass", alt=mass_alt(masses))
    literal.show(
        f"It covered {percent(last.finished)} in strings that ended; {percent(last.lost)} was lost "
        f"with what it pruned.{all_}",
        look="small",
    )
