"""A network as boxes from the source to the next token, with the sizes of its card.

What is handed from the encoder to the decoder is a box that is as wide as the others where it grows
with the source, and narrow where it is one vector.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, Theme, base_layout, font, literal
from s2s_core.models.card import CheckpointCard
from s2s_core.models.families import FIXED, TRANSFORMER, kind_of, sizes_of

Part = Literal["encoder", "between", "decoder"]

_ROW = 66  # pixels
_HALF = 0.36  # of the height of a row, that a box takes above and below its middle
_NARROW = 0.2  # half the width of one vector's box, of the whole width
_WIDE = 0.46
_UP = 0.62  # where an arrow goes up, beside the one that goes down
_ROUND = 0.995  # where one passes by a box

_SCORES = {
    "additive": "additive score, width {attention_size}",
    "dot": "dot score",
    "general": "general score, a matrix between",
    "scaled_dot": "scaled dot score, width {attention_size}",
}


@dataclass(frozen=True, slots=True)
class Box:
    """One part of the network. narrow: it is of one size, however long the source."""

    part: Part
    title: str
    detail: str
    narrow: bool = False


@dataclass(frozen=True, slots=True)
class Flow:
    """An arrow from one row's box to another's, with what it carries where that isn't plain."""

    start: int
    end: int
    label: str = ""


def architecture_flows(card: CheckpointCard) -> tuple[Flow, ...]:
    """The arrows: down from box to box, and the decoder's question to attention.

    Raises:
        ConfigError: the card's architecture or one of its sizes isn't possible.
    """
    boxes = architecture_boxes(card)
    down = [Flow(row, row + 1) for row in range(len(boxes) - 1)]
    handed = [row for row, box in enumerate(boxes) if box.part == "between"]
    if len(handed) < 2:
        return tuple(down)
    states, attention = handed
    decoder = next(row for row, box in enumerate(boxes) if box.title.startswith("Decoder"))
    if decoder > attention:
        return (*down, Flow(decoder, attention, "query"))
    # The new state asks, so the decoder stands above attention, and the states pass it by.
    down = [flow for flow in down if flow.start not in (states, decoder)]
    return (
        *down,
        Flow(states, decoder, "first state"),
        Flow(decoder, attention, "query"),
        Flow(states, attention),
    )


def architecture_boxes(card: CheckpointCard) -> tuple[Box, ...]:
    """The parts from the source down to the next token.

    Raises:
        ConfigError: the card's architecture or one of its sizes isn't possible.
    """
    if kind_of(card) == TRANSFORMER:
        return _transformer(card)
    sizes = sizes_of(card)
    cell, order = str(sizes["cell"]).upper(), sizes["source_order"]
    width, encoder, decoder = (
        f"{sizes[name]:,}" for name in ("embedding_size", "encoder_size", "decoder_size")
    )
    both = order == "bidirectional"
    ways = {"bidirectional": "both ways", "forward": "left to right", "reversed": "right to left"}
    memory = int(sizes["encoder_size"]) * (2 if both else 1)
    feeding = "; it also reads its last output" if card.architecture == "input_feeding" else ""
    cells = Box("decoder", f"Decoder: {cell}, {decoder} wide", f"reads the last token{feeding}")
    *kept, last = _between(card, memory)
    # Luong: the new state asks, and the readout gets what it finds. Else the cell gets it.
    middle = (*kept, cells, last) if card.architecture == "input_feeding" else (*kept, last, cells)
    return (
        Box("encoder", "Source tokens", f"embedded: {sizes['vocabulary_size']:,} × {width}"),
        Box("encoder", f"Encoder: {cell}, {ways[str(order)]}", f"{'2 × ' * both}{encoder} wide"),
        *middle,
        Box("decoder", "Readout", f"{width} wide"),
        _softmax(card),
    )


def _between(card: CheckpointCard, memory: int) -> tuple[Box, ...]:
    if kind_of(card) == FIXED:
        when = "at the start" if sizes_of(card)["context"] == "fixed_once" else "at every step"
        return (Box("between", "One vector", f"{memory:,} wide, read {when}", narrow=True),)
    sizes = sizes_of(card)
    score = _SCORES[str(sizes["context"])].format(attention_size=sizes["attention_size"])
    return (
        Box("between", "A state for each source token", f"S × {memory:,}"),
        Box("between", "Attention: a new mix at every step", score),
    )


def _transformer(card: CheckpointCard) -> tuple[Box, ...]:
    sizes = sizes_of(card)
    layers, heads, width = (int(sizes[name]) for name in ("layers", "heads", "width"))
    forward = f"feed-forward {sizes['feed_forward_size']:,}"
    return (
        Box("encoder", "Source tokens", f"embedded: {sizes['vocabulary_size']:,} × {width:,}"),
        Box("encoder", f"Encoder: {layers} layers", f"self-attention, {heads} heads; {forward}"),
        Box("between", "A state for each source token", f"S × {width:,}"),
        Box("between", "Cross-attention in each layer", f"{layers} × {heads} heads, scaled dot"),
        Box("decoder", f"Decoder: {layers} layers", f"self-attention to the left; {forward}"),
        _softmax(card),
    )


def _softmax(card: CheckpointCard) -> Box:
    return Box("decoder", "Next token", f"softmax over {card.sizes['vocabulary_size']:,}")


def architecture_figure(card: CheckpointCard, *, theme: Theme = LIGHT) -> go.Figure:
    """The boxes from top to bottom, joined by arrows."""
    boxes, flows = architecture_boxes(card), architecture_flows(card)
    colors = {"encoder": theme.kept, "between": theme.greedy, "decoder": theme.finished}
    layout = base_layout(theme, height=_ROW * len(boxes) + 44) | {
        "xaxis": {"range": [0, 1], "visible": False, "fixedrange": True},
        "yaxis": {"range": [len(boxes) - 0.5, -0.5], "visible": False, "fixedrange": True},
        "shapes": [
            *(_shape(box, row, colors[box.part]) for row, box in enumerate(boxes)),
            *(_way_round(flow, theme) for flow in flows if flow.end - flow.start > 1),
        ],
        "annotations": [
            *(_text(box, row, theme) for row, box in enumerate(boxes)),
            *(arrow for flow in flows for arrow in _arrows(flow, theme)),
        ],
    }
    return make_figure([], layout)


def architecture_alt(card: CheckpointCard) -> str:
    """The picture in plain sentences, for those who don't see it.

    Raises:
        ConfigError: the card's architecture or one of its sizes isn't possible.
    """
    told = "; then ".join(f"{box.title} ({box.detail})" for box in architecture_boxes(card))
    asked = any(flow.label for flow in architecture_flows(card))
    query = " The decoder's state is the query of attention." if asked else ""
    return f"The network from the source to the next token: {told}.{query}"


def _shape(box: Box, row: int, color: str) -> dict[str, object]:
    half = _NARROW if box.narrow else _WIDE
    return {
        "type": "rect",
        "x0": 0.5 - half,
        "x1": 0.5 + half,
        "y0": row - _HALF,
        "y1": row + _HALF,
        "line": {
            "color": color,
            "width": 2.5,
            "dash": "dash" if box.part == "between" else "solid",
        },
    }


def _text(box: Box, row: int, theme: Theme) -> dict[str, object]:
    small = f'<span style="font-size:{SMALL_SIZE}px">{literal(box.detail)}</span>'
    return {
        "x": 0.5,
        "y": row,
        "text": f"<b>{literal(box.title)}</b><br>{small}",
        "font": font(theme),
        "showarrow": False,
    }


def _arrows(flow: Flow, theme: Theme) -> list[dict[str, object]]:
    """The arrow, and what it carries beside it."""
    if flow.end - flow.start > 1:  # past a box: only the last piece has a head
        return [_arrow((_ROUND, flow.end), (0.5 + _WIDE, flow.end), theme)]
    up = flow.end < flow.start
    x, half = (_UP, -_HALF) if up else (0.5, _HALF)
    arrows = [_arrow((x, flow.start + half), (x, flow.end - half), theme)]
    if flow.label:
        arrows.append(
            {
                "x": x + 0.02,
                "y": (flow.start + flow.end) / 2,
                "xanchor": "left",
                "text": literal(flow.label),
                "font": font(theme, SMALL_SIZE),
                "showarrow": False,
            }
        )
    return arrows


def _way_round(flow: Flow, theme: Theme) -> dict[str, object]:
    """The line on the right, past the boxes between."""
    return {
        "type": "path",
        "path": f"M {0.5 + _WIDE},{flow.start} L {_ROUND},{flow.start} L {_ROUND},{flow.end}",
        "line": {"color": theme.muted, "width": 2},
    }


def _arrow(start: tuple[float, float], end: tuple[float, float], theme: Theme) -> dict[str, object]:
    return {
        "x": end[0],
        "y": end[1],
        "ax": start[0],
        "ay": start[1],
        "axref": "x",
        "ayref": "y",
        "text": "",
        "showarrow": True,
        "arrowhead": 2,
        "arrowwidth": 2,
        "arrowcolor": theme.muted,
    }
