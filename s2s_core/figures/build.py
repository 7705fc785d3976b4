"""How a figure is put together: as it stands, without plotly's check of every property."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go


def make_figure(traces: Sequence[Mapping[str, object]], layout: Mapping[str, object]) -> go.Figure:
    """A figure from plain dicts.

    Plotly's check takes several times longer than everything else about a figure, and what is drawn
    here is always of the same form. So the check is left to the tests, which make it on every kind
    of figure.
    """
    return go.Figure(list(traces), layout, _validate=False)
