"""The glossary's page: parts, the box, and links."""

from __future__ import annotations

from s2s_core.ui.glossary.terms import PARTS
from tests.pages.conftest import OpenPage, shown


def test_a_part_is_shown_whole(open_page: OpenPage) -> None:
    for part, terms in PARTS.items():
        app = open_page("glossary", {"part": part})
        assert not app.exception and not app.warning
        text = shown(app)
        assert all(f"**{term.name}**" in text and term.meaning in text for term in terms)
        formulas = [e for e in app.get("bidi_component") if "seq2seq_formula" in str(e.proto)]
        assert len(formulas) == sum(bool(term.formula) for term in terms)


def test_what_is_looked_for_is_in_the_link_and_literal(open_page: OpenPage) -> None:
    app = open_page("glossary", {"word": "*x* <b>"})
    assert "Nothing here says “*x* &lt;b&gt;”" in shown(app)
    app.text_input(key="word").set_value("clipped").run()
    assert "**clipped precision**" in shown(app)
    assert app.session_state["_written"][1]["word"] == "clipped"
