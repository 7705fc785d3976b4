"""Every candidate that the search looked at and recorded, as one table."""

from __future__ import annotations

import streamlit as st

from s2s_core.search.trace import BeamTrace
from s2s_core.ui import tables


def draw(trace: BeamTrace) -> None:
    """Draw the table; it can be sorted and searched in the browser."""
    counted = sum(step.candidate_count for step in trace.steps)
    st.caption(
        f"{len(trace.nodes):,} candidates are recorded, of {counted:,} that the search compared: "
        "all that survived, every end token, and the best others of each prefix."
    )
    st.dataframe(
        tables.shown(trace.to_frame()),
        hide_index=True,
        key="candidates",
        alt="All recorded candidates",
    )
