"""The Training page: every tab by its link."""

from __future__ import annotations

import pytest

from s2s_core.ui.training.link import TABS
from s2s_core.ui.training.panels import PANELS
from tests.pages.conftest import OpenPage

LINK = {"model": "reverse-additive", "source": ""}


def test_every_tab_has_its_panel_in_the_same_order() -> None:
    assert tuple(PANELS) == TABS


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_opens_by_its_link_and_stays_in_it(open_page: OpenPage, tab: str) -> None:
    link = LINK | {"tab": tab}
    app = open_page("training", link)
    assert not app.exception and not app.error and not app.warning
    kept = app.session_state["_written"][1]
    assert kept == {name: value for name, value in link.items() if value != TABS[0]}
