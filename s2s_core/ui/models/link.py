"""The fields of the Models page's link."""

from __future__ import annotations

from typing import Any

from s2s_core.ui.link import LinkField, choice_field
from s2s_core.ui.shared_link import FORMAT, SHARED

TABS = ("Card", "Training", "Measured", "Checks", "Cost")
TAB = choice_field("tab", lambda: TABS, TABS[0])

FIELDS: tuple[LinkField[Any], ...] = (*SHARED, TAB, FORMAT)
