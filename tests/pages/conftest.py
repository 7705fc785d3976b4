"""Pages run without a browser, on the bundled checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from s2s_core.models.translation import TrainedModel
from s2s_core.ui import shell

ROOT = Path(__file__).parents[2]
PAGES = {name: ROOT / entry.path for name, entry in shell.PAGES.items()}

OpenPage = Callable[..., AppTest]


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> OpenPage:
    """Opens a page by its link, as a visitor would; fails on anything that isn't handled."""
    monkeypatch.chdir(ROOT)

    def open_one(name: str, link: Mapping[str, str] | None = None) -> AppTest:
        app = AppTest.from_file(str(PAGES[name]), default_timeout=120)
        app.query_params.update(link or {})
        return app.run()

    return open_one


@pytest.fixture
def model_calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """One entry for each time that any model is asked for the next position."""
    calls: list[int] = []
    real = TrainedModel.step

    def counted(self, state, last_ids):  # type: ignore[no-untyped-def]
        calls.append(len(last_ids))
        return real(self, state, last_ids)

    monkeypatch.setattr(TrainedModel, "step", counted)
    st.cache_data.clear()
    yield calls


def shown(app: AppTest) -> str:
    """All text that a page shows: literal pieces and messages, as their source."""
    pieces = [element.proto.body for element in app.get("html")]
    pieces += [element.value for element in (*app.error, *app.warning, *app.info, *app.markdown)]
    return "\n".join(pieces)


def translation(app: AppTest) -> str:
    """The large text, as HTML."""
    large = [e.proto.body for e in app.get("html") if 'class="s2s-translation' in e.proto.body]
    return large[0] if large else ""
