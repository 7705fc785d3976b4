"""The timeline alone, on a made-up model; what is in the link stays in the link."""

from __future__ import annotations

import streamlit as st

from s2s_core.figures.moments import FOLLOWED, ViewOptions, timeline_view
from s2s_core.figures.theme import THEMES
from s2s_core.search import SearchConfig, beam_search, greedy_search
from s2s_core.ui.decode.timeline import TimelineEvent, step_lists, timeline
from tests.browser.apps.demo_model import CAT, ODD, ODD_OTHERS, ODD_SOURCE, DemoModel

st.set_page_config(layout="wide", page_title="timeline")
link = st.query_params
odd = link.get("model") == "odd"
model = {
    "odd": DemoModel(ODD, ODD_OTHERS),
    "blind": DemoModel(attends=False),
    "long": DemoModel(CAT * 5),
}.get(link.get("model", ""), DemoModel())

source = st.text_input("Source", " ".join(ODD_SOURCE) if odd else "the cat saw the dog .")
follow = st.selectbox("Follow", list(FOLLOWED))
beam = st.number_input("Beam", 1, 10, 4)
config = SearchConfig(
    beam_size=int(beam),
    max_length=60 if link.get("model") == "long" else None,
    recorded_candidates=int(link.get("recorded", "1")),
)
view = timeline_view(
    beam_search(model, source, config),
    greedy=greedy_search(model, source, config),
    options=ViewOptions(follow=follow),
)
pictures, beside = st.columns([3, 1])
with pictures:
    event = timeline(
        view,
        key="demo",
        theme=THEMES[st.context.theme.type or "light"],
        start=TimelineEvent(
            int(link["step"]) if "step" in link else None,
            int(link["node"]) if "node" in link else None,
        ),
        numbers="numbers" in link,
    )
with beside:
    step_lists(view, key="demo", step=event.step)
link["step"] = str(event.step)
if event.node_id is not None:
    link["node"] = str(event.node_id)
elif "node" in link:
    del link["node"]
st.text(f"rests at step={event.step} node={event.node_id} cell={event.cell}")
