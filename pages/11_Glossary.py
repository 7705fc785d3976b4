"""The field's words and formulas, each with its source and the page where it can be touched."""

from __future__ import annotations

from s2s_core.ui import shell
from s2s_core.ui.glossary import panel

with shell.page("glossary", panel.FIELDS):
    panel.draw()
