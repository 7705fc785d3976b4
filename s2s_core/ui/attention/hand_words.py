"""What the numbers of attention by hand show, in words. Each sentence is made of the result."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from s2s_core.figures.theme import percent
from s2s_core.models.hand_case import BatchAttention, HandAttention

SCORE_LABELS = {
    "additive": "additive",
    "dot": "dot",
    "general": "general",
    "scaled_dot": "scaled dot, heads",
}
FORMULAS = {
    "additive": r"e_i = v^\top \tanh(W_s\,s + W_h\,h_i)",
    "dot": r"e_i = s^\top h_i",
    "general": r"e_i = s^\top W\,h_i",
    "scaled_dot": r"e_i = \frac{(W_Q\,s)^\top (W_K\,h_i)}{\sqrt{d}}",
}
SOURCES = {
    "additive": "Bahdanau et al. 2015",
    "dot": "Luong et al. 2015",
    "general": "Luong et al. 2015",
    "scaled_dot": "Vaswani et al. 2017",
}
MISTAKE_LABELS = {
    "none": "nothing: the right way",
    "mask after": "masked after the softmax",
    "mask after, rescale": "masked after, then rescaled",
    "over the batch": "softmax over the batch",
}
_CLOSE = 1e-6


def number(value: float) -> str:
    """A number of a table: up to four decimals, a real minus sign, −∞, or “not a number”."""
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    shown = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown.replace("-", "−")


def vector(values: Sequence[float]) -> str:
    """A vector: (0.3, 0.9); a single number without brackets."""
    told = ", ".join(map(number, values))
    return told if len(values) == 1 else f"({told})"


def finding(result: HandAttention) -> str:
    """What the weights of the result are, right or wrong."""
    mistake = result.case.mistake if result.case.start != "weights" else "none"
    weights = result.weights
    if np.isnan(weights).any():
        if mistake == "over the batch":
            return (
                "A masked position is masked for every query, so its column is 0 / 0: not a "
                "number, and neither is any context."
            )
        return (
            "After the softmax nothing is left at the positions that may be looked at, so the "
            "rescaling is 0 / 0: not a number. Masking the scores before the softmax gives weights."
        )
    sums = ", ".join(number(float(total)) for total in result.sums.ravel())
    if mistake == "mask after":
        lost = 1 - float(result.sums.min())
        if lost < _CLOSE:
            return f"The weights sum to {sums}: nothing was masked, so nothing was lost."
        return (
            f"The weights sum to {sums} instead of 1: up to {percent(lost)} went to masked "
            "positions and was then set to 0. The context is a mix of too little."
        )
    if mistake == "mask after, rescale":
        return (
            f"The weights sum to {sums}: here the division mends what the late mask took. With a "
            "large score at a masked position nothing would be left to divide by."
        )
    if mistake == "over the batch":
        columns = ", ".join(number(float(total)) for total in result.column_sums.ravel())
        return (
            f"Each position's weights sum over the queries to {columns}; the weights of the "
            f"queries sum to {sums} instead of 1."
        )
    return f"The weights of each query sum to {sums}."


def batch_finding(batch: BatchAttention) -> str:
    """What the weights of the batch are, right or wrong."""
    sums = " and ".join(number(round(float(total), 4)) for total in batch.sums)
    short = min(batch.lengths)
    row = batch.lengths.index(short)
    padding = batch.weights[row, short:]
    zeros = int((padding == 0).sum())
    story = f"The rows sum to {sums}."
    if np.isnan(padding).any():
        return f"{story} The {len(padding)} padding positions are not numbers."
    return f"{story} Of the {len(padding)} padding positions {zeros} have a weight of exactly 0."
