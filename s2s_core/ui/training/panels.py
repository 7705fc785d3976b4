"""What each tab of the Training page draws; a new tab is a name in `link.TABS` and a line here."""

from __future__ import annotations

from collections.abc import Callable

from s2s_core.ui.training import exposure, masks, parallel, sampling, shift
from s2s_core.ui.training.link import ERRORS, EXPOSURE, LIVE, MASKS, PARALLEL, SAMPLING
from s2s_core.ui.training.live import panel

PANELS: dict[str, Callable[[], None]] = {
    LIVE: panel.draw,
    ERRORS: shift.draw,
    MASKS: masks.draw,
    EXPOSURE: exposure.draw,
    SAMPLING: sampling.draw,
    PARALLEL: parallel.draw,
}
"""By the tab's name. Each reads its own fields, and only the open one is drawn."""
