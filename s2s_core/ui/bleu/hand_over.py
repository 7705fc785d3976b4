"""The way from a translation on show to its score."""

from __future__ import annotations

from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.trace import BeamTrace
from s2s_core.ui import shell, state
from s2s_core.ui.bleu.fields import HYPOTHESIS, TRANSLATED
from s2s_core.ui.shared_link import SHARED


def draw(trace: BeamTrace, penalty: LengthPenalty) -> None:
    """Draw a link to the BLEU page that brings source and translation with it.

    penalty: ranks the translations, and so chooses the one on show.
    """
    best = trace.hypothesis(trace.ranked_ids(penalty)[0], penalty)
    values = state.read(SHARED).replace(HYPOTHESIS, best.text).replace(TRANSLATED, True)
    shell.link_to(
        "bleu",
        label="Score this translation",
        values=values,
        fields=(*SHARED, HYPOTHESIS, TRANSLATED),
    )
