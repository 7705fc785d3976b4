"""Tasks on the other pages that tick themselves when they are done."""

from __future__ import annotations

from s2s_core.ui import shell
from s2s_core.ui.exercises import panel
from s2s_core.ui.shared_link import SHARED

with shell.page("exercises", SHARED):
    panel.draw()
