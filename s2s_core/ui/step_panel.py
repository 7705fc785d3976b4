"""Beside the pictures: what lives and what is finished at the step where the timeline rests."""

from __future__ import annotations

from s2s_core.figures.moments import TimelineView
from s2s_core.ui import literal, tables


def draw(view: TimelineView, step: int) -> None:
    """Draw the live prefixes with their log P, and the pool with its scores."""
    moment = view.moments[step - 1]
    live = tables.live_rows(view.trace, moment.live)
    pool = tables.pool_rows(view.trace, moment.pool, view.penalty)
    literal.table(("", "prefix", "log P"), live, caption=f"Alive after step {step} of {view.steps}")
    if not live:
        literal.show("None: every prefix has ended.", look="small")
    literal.table(("", "finished", "score"), pool, caption="Pool, best first")
    if pool:
        full = len(pool) == view.trace.request.config.beam_size
        what = "full; its worst score" if full else "not full; its worst score so far"
        literal.show(f"{what}: {pool[-1][2]:.2f}".replace("-", "−"), look="small")
    else:
        literal.show("Nothing has finished yet.", look="small")
