"""The tables of the Length penalty page as data frames. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.pool_change import PoolChange
from s2s_core.search.published import TOOLKITS
from s2s_core.search.rank_entries import pair_crossings, rank
from s2s_core.search.ranking import RankEntry, RankingCurve

EMPTY = "(empty output)"
MOST_CROSSED = 30
"""More hypotheses than that have thousands of crossings; those of the best are listed."""


def shown(text: str) -> str:
    """A hypothesis' text; a word for it where it has none."""
    return text if text.strip() else EMPTY


def ranking(
    entries: Sequence[RankEntry], penalty: LengthPenalty, *, most: int | None = None
) -> pd.DataFrame:
    """Every hypothesis, best first, or the best so many."""
    return pd.DataFrame(
        [
            {
                "rank": item.rank,
                "hypothesis": shown(item.entry.text),
                "log P": item.entry.log_prob,
                "L": item.entry.length,
                "score": item.score,
                "arithmetic": penalty.arithmetic(item.entry.log_prob, item.entry.length),
            }
            for item in rank(entries, penalty)[:most]
        ]
    )


def winners(curve: RankingCurve) -> pd.DataFrame:
    """Which hypothesis ranks first from where to where."""
    by_id = {entry.id: entry for entry in curve.entries}
    return pd.DataFrame(
        [
            {
                "from": interval.start,
                "to": interval.end,
                "ranks first": shown(by_id[interval.entry_id].text),
                "L": by_id[interval.entry_id].length,
                "log P": by_id[interval.entry_id].log_prob,
            }
            for interval in curve.intervals
        ]
    )


def crossings(curve: RankingCurve, penalty: LengthPenalty) -> pd.DataFrame:
    """Where two hypotheses change places, for the best `MOST_CROSSED` under the penalty."""
    best = [item.entry for item in rank(curve.entries, penalty)[:MOST_CROSSED]]
    by_id = {entry.id: entry for entry in best}
    name = curve.family.parameter_name or "parameter"
    columns = [name, "rank there, of these", "above it ahead", "L", "below it ahead", "L below"]
    rows = [
        (
            each.parameter,
            each.rank,
            shown(by_id[each.longer_id].text),
            by_id[each.longer_id].length,
            shown(by_id[each.shorter_id].text),
            by_id[each.shorter_id].length,
        )
        for each in pair_crossings(best, curve.family, curve.minimum, curve.maximum)
    ]
    return pd.DataFrame(rows, columns=columns)


def frames(curve: RankingCurve, penalty: LengthPenalty) -> dict[str, Callable[[], pd.DataFrame]]:
    """The tables to save, by the name of their file."""
    return {
        "Ranking": lambda: ranking(curve.entries, penalty),
        "Winners": lambda: winners(curve),
        "Crossings": lambda: crossings(curve, penalty),
    }


def changes(found: Sequence[PoolChange]) -> pd.DataFrame:
    """What became of each hypothesis of either pool."""
    frame = pd.DataFrame(
        [
            {
                "what": each.what,
                "rank before": each.before,
                "rank after": each.after,
                "hypothesis": shown(each.hypothesis.text),
                "log P": each.hypothesis.log_prob,
                "L": each.hypothesis.length,
                "score": each.hypothesis.score,
            }
            for each in found
        ]
    )
    return frame.astype({"rank before": "Int64", "rank after": "Int64"})


TOOLKIT_COLUMNS = (
    "toolkit",
    "version",
    "score, with its defaults",
    "L for n visible tokens",
    "stops when",
    "candidates a step",
    "finished when",
    "source",
)


def toolkits() -> list[tuple[str, ...]]:
    """A row for each toolkit, under `TOOLKIT_COLUMNS`."""
    return [
        (
            each.name,
            each.version,
            each.score,
            each.length or "not said whether EOS counts",
            each.stop_rule,
            each.candidates,
            each.final_when,
            each.source,
        )
        for each in TOOLKITS
    ]
