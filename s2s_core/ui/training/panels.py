"""What each tab of the Training page draws; a new tab is a name in `link.TABS` and a line here."""

from __future__ import annotations

from collections.abc import Callable

from s2s_core.ui.training import exposure, live, masks, parallel, sampling, shift
from s2s_core.ui.training.link import ERRORS, EXPOSURE, LIVE, MASKS, PARALLEL, SAMPLING

PANELS: dict[str, Callable[[], None]] = {
    LIVE: live.draw,
    ERRORS: shift.draw,
    MASKS: masks.draw,
    EXPOSURE: exposure.draw,
    SAMPLING: sampling.draw,
    PARALLEL: parallel.draw,
}
"""By the tab's name. Each reads its own fields, and only the open one is drawn."""
