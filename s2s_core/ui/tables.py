"""Tables of a search as data frames, for the screen and as CSV. Nothing is drawn here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import pandas as pd
from pandas.io.formats.style import Styler

from s2s_core.figures.theme import minus, signed
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.trace import BeamTrace, Hypothesis

_STYLED_CELLS = 200_000  # Streamlit refuses to style more than 262,144

Row = tuple[str | float | int, ...]


def hypotheses(trace: BeamTrace, penalty: LengthPenalty) -> pd.DataFrame:
    """Every finished hypothesis, best first under the penalty; cut prefixes if none finished.

    Columns: rank, rank in the search (under its own penalty), translation, log P, L (tokens, the
    end token counted), score, arithmetic, and the token log-probabilities as text.
    """
    own = {node_id: place for place, node_id in enumerate(trace.ranked_ids(), start=1)}
    rows = []
    for rank, node_id in enumerate(trace.ranked_ids(penalty), start=1):
        hypothesis = trace.hypothesis(node_id, penalty)
        rows.append(
            {
                "rank": rank,
                "rank in the search": own[node_id],
                "translation": hypothesis.text,
                "log P": hypothesis.log_prob,
                "L": hypothesis.length,
                "score": hypothesis.score,
                "arithmetic": penalty.arithmetic(hypothesis.log_prob, hypothesis.length),
                "finished": hypothesis.finished,
                "token log-probabilities": token_story(hypothesis),
                "node": node_id,
            }
        )
    return pd.DataFrame(rows)


def tokens(hypothesis: Hypothesis) -> pd.DataFrame:
    """One row a token: its log-probability, its probability in %, and the sum so far."""
    sums = [math.fsum(hypothesis.token_log_probs[: i + 1]) for i in range(hypothesis.length)]
    return pd.DataFrame(
        {
            "position": range(1, hypothesis.length + 1),
            "token": hypothesis.tokens,
            "id": hypothesis.token_ids,
            "log-probability": hypothesis.token_log_probs,
            "probability in %": [100 * math.exp(p) for p in hypothesis.token_log_probs],
            "sum so far": sums,
        }
    )


def all_tokens(trace: BeamTrace, penalty: LengthPenalty) -> pd.DataFrame:
    """The tokens of every hypothesis, best first, with its rank under the penalty."""
    frames = [
        tokens(trace.hypothesis(node_id, penalty)).assign(rank=rank)
        for rank, node_id in enumerate(trace.ranked_ids(penalty), start=1)
    ]
    return pd.concat(frames, ignore_index=True)


def token_story(hypothesis: Hypothesis) -> str:
    """The token log-probabilities in one line: `je −0.12 · suis −0.40`."""
    pairs = zip(hypothesis.tokens, hypothesis.token_log_probs, strict=True)
    return " · ".join(f"{token} {signed(value)}" for token, value in pairs)


def runs_side_by_side(runs: Sequence[tuple[str, Hypothesis]]) -> list[Row]:
    """Name, text, log P, length and score of hypotheses from different runs."""
    return [(name, each.text, each.log_prob, each.length, each.score) for name, each in runs]


def shown(frame: pd.DataFrame, *, decimals: int | None = None) -> Styler | pd.DataFrame:
    """A data frame for the screen: readable numbers with real minus signs; it sorts as before.

    decimals: how many places numbers have, instead of what is readable.
    """
    if frame.size > _STYLED_CELLS:
        return frame
    numbers = frame.select_dtypes("float").columns
    number = signed if decimals is None else partial(_fixed, decimals)
    return frame.style.format(
        dict.fromkeys(numbers, number) | dict.fromkeys({"arithmetic"} & {*frame.columns}, minus)
    )


def _fixed(decimals: int, value: float) -> str:
    """A number with so many places; nothing where there is none."""
    return "" if math.isnan(value) else minus(f"{value:.{decimals}f}")


def csv(frame: pd.DataFrame) -> bytes:
    """A data frame as CSV that spreadsheets also open right (UTF-8 with a mark)."""
    text: str = frame.to_csv(index=False)
    return text.encode("utf-8-sig")
