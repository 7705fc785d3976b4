"""The fields of the Training page's link."""

from __future__ import annotations

from typing import Any

from s2s_core.ui.decode_link import FORMAT
from s2s_core.ui.link import LinkField, choice_field
from s2s_core.ui.shared_link import SHARED
from s2s_core.ui.training.live_link import LIVE_FIELDS

LIVE, ERRORS, MASKS, EXPOSURE, SAMPLING, PARALLEL = (
    "Train live",
    "Shift and errors",
    "Masks",
    "Exposure bias",
    "Scheduled sampling",
    "Parallelism",
)
TABS = (LIVE, ERRORS, MASKS, EXPOSURE, SAMPLING, PARALLEL)
"""In their order on the page; `panels.PANELS` says what each draws."""

TAB = choice_field("tab", lambda: TABS, TABS[0])

FIELDS: tuple[LinkField[Any], ...] = (*SHARED, TAB, *LIVE_FIELDS, FORMAT)
