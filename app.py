"""The first screen: a translation already on show, and where to go from it."""

from __future__ import annotations

from s2s_core.ui import first_screen, shell
from s2s_core.ui.shared_link import SHARED

with shell.page("start", SHARED):
    first_screen.draw()
