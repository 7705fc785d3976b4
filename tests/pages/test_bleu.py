"""The BLEU page: links, any text, edits, files, corpora, two systems."""

from __future__ import annotations

import json
import re
from html import escape, unescape

import pytest
import streamlit as st
from sacrebleu import corpus_bleu
from streamlit.testing.v1 import AppTest

from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.textbook import EXAMPLES, Example
from s2s_core.text.to_score import TextsToScore
from s2s_core.ui.bleu.examples import FIRST
from s2s_core.ui.bleu.fields import FIELDS, MAXIMUM_BOXES, ORDER, PARTS, TOKENIZE
from s2s_core.ui.bleu.saved import to_json
from s2s_core.ui.link import LinkValues
from tests.pages.conftest import OpenPage, shown, translation

ODD = "a<b & \"c\" <unk> '$1$' *x* :smile: `d`"
TWO = {"hypothesis": "a b c d e\nthe cat sat", "reference": "a b c d f\nthe cat sat down"}


def score(app: AppTest) -> str:
    """The score in large type."""
    (card,) = [e.proto.body for e in app.get("html") if 'class="s2s-score-number"' in e.proto.body]
    found = re.search(r'score-number">([^<]+)</span>', card)
    assert found is not None
    return found[1]


def press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def link_of(app: AppTest) -> dict[str, str]:
    link: dict[str, str] = app.session_state["_written"][1]
    return link


def test_a_cold_visit_shows_a_worked_example(open_page: OpenPage) -> None:
    app = open_page("bleu")
    assert not app.exception and not app.error and not app.warning
    assert app.text_area(key="hypothesis").value == FIRST.hypothesis
    assert score(app) == f"{corpus_bleu([FIRST.hypothesis], [[*FIRST.references]]).score:.2f}"
    assert "Lowest part: the 4-grams" in shown(app)
    assert any(r"\frac{2}{4}" in each.value for each in app.latex)


def test_a_deep_link_restores_every_control(open_page: OpenPage) -> None:
    link = {
        "hypothesis": "the cat\na b c",
        "reference": "The cat sat\na b",
        "reference3": "a cat\nb c d",
        "boxes": "3",
        "tokenizer": "intl",
        "lowercase": "yes",
        "smoothing": "floor",
        "floor": "0.5",
        "maxorder": "2",
        "effective": "yes",
        "nfc": "yes",
        "part": "n-grams",
        "segment": "2",
        "n": "2",
        "at": "2",
    }
    app = open_page("bleu", link)
    assert not app.exception and not app.error and not app.warning
    assert app.text_area(key="reference3").value == link["reference3"]
    assert app.selectbox(key="tokenizer").value == "intl"
    assert app.toggle(key="lowercase").value and app.toggle(key="effective").value
    assert app.number_input(key="floor").value == 0.5
    assert app.number_input(key="maxorder").value == 2
    assert app.number_input(key="segment").value == 2
    assert "“b c”: 1 in the hypothesis" in shown(app)
    assert link_of(app).items() >= link.items()


def test_nonsense_in_every_field_is_named_and_a_score_is_shown(open_page: OpenPage) -> None:
    texts = {"source", "hypothesis", "baseline", "pinned", "contains", "reference"}
    texts |= {f"reference{place}" for place in range(2, MAXIMUM_BOXES + 1)}
    link = {field.name: "non\x00sense <b> *x*" for field in FIELDS if field.name not in texts}
    app = open_page("bleu", link | {"hypotesis": "x"})
    assert not app.exception and not app.error
    (warning,) = app.warning
    for name in (*link, "hypotesis"):
        assert f" {name}: “" in warning.value
    assert score(app) != "0.00"


@pytest.mark.parametrize(
    ("name", "given", "part"),
    [("segment", "9", "n-grams"), ("n", "5", "n-grams"), ("at", "99", "n-grams")],
)
def test_a_place_that_the_text_lacks_is_named(
    open_page: OpenPage, name: str, given: str, part: str
) -> None:
    app = open_page("bleu", TWO | {"part": part, name: given})
    assert not app.exception
    assert f"{name}: “{given}”" in app.warning[0].value


def test_files_that_a_link_cannot_carry_are_told(open_page: OpenPage) -> None:
    app = open_page("bleu", {"input": "files"})
    assert "upload them again" in app.warning[0].value
    assert score(app)


TEXTS = [
    ("", "a reference"),
    ("a hypothesis", ""),
    ("   ", "  \n "),
    (ODD, ODD),
    ("猫坐在垫子上。", "那只猫坐在垫子上。"),
    ("أين المحطة؟", "أين هي المحطة؟"),
    ("🙂 👩‍👩‍👧", "🙂"),
    ("cafe\u0301", "caf\u00e9"),
    ("one", "one"),
    ("a\rb", "a b"),
    ("w " * 10_000, "w v " * 5_000),
]


@pytest.mark.parametrize(("hypothesis", "reference"), TEXTS, ids=range(len(TEXTS)))
def test_any_text_gives_a_score_or_a_message_and_stays_in_its_box(
    open_page: OpenPage, hypothesis: str, reference: str
) -> None:
    app = open_page("bleu")
    app.text_area(key="hypothesis").set_value(hypothesis)
    app.text_area(key="reference").set_value(reference).run()
    for part in ("Arithmetic", "n-grams"):
        app.session_state["part"] = part
        app.run()
        assert not app.exception and not app.error
        assert app.text_area(key="hypothesis").value == hypothesis
        if reference.strip():
            found = score(app)
            assert 0 <= float(found) <= 100 and found != "-0.00"
            assert "nan" not in shown(app)
        else:
            assert "Type or paste a reference" in app.info[0].value


def test_every_part_stands_for_odd_text_and_shows_it_literally(open_page: OpenPage) -> None:
    link = {"hypothesis": ODD, "reference": ODD + " z", "baseline": "q", "pinned": ODD + ODD}
    for part in PARTS:
        app = open_page("bleu", link | {"part": part, "source": ODD, "translated": "yes"})
        assert not app.exception and not app.error
        assert "<unk>" not in shown(app)  # as HTML it would be a tag
        assert escape(f"Source: {ODD}") in shown(app)


def test_unequal_lines_name_the_line_without_a_partner(open_page: OpenPage) -> None:
    app = open_page("bleu", {"hypothesis": "a\nb\nc", "reference": "a\nb"})
    (error,) = app.error
    assert "line 3 of the box of hypotheses has no partner" in error.value
    assert app.text_area(key="hypothesis").value == "a\nb\nc"


def test_lines_scored_as_one_segment_are_told_and_mended_by_a_button(open_page: OpenPage) -> None:
    app = open_page("bleu", TWO | {"lines": "no"})
    assert "holds a line break" in app.warning[0].value
    app = press(app, "Lines are segments")
    assert not app.warning or "holds a line break" not in app.warning[0].value
    assert "BLEU, 2 segments" in shown(app)


def test_composing_accents_is_offered_and_said(open_page: OpenPage) -> None:
    app = open_page(
        "bleu", {"hypothesis": "un cafe\u0301 noir ici", "reference": "un café noir ici"}
    )
    assert float(score(app)) < 100
    app = press(app, "Compose both (NFC)")
    assert score(app) == "100.00"
    assert "composed (NFC)" in app.info[0].value


def test_chinese_under_13a_is_told_and_mended_by_a_button(open_page: OpenPage) -> None:
    app = open_page("bleu", {"hypothesis": "猫坐在垫子上", "reference": "那只猫坐在垫子上"})
    assert score(app) == "0.00" and "Use the tokenizer zh" in app.warning[0].value
    app = press(app, "Use zh")
    assert float(score(app)) > 50 and not app.warning


def test_references_are_added_and_removed(open_page: OpenPage) -> None:
    app = press(open_page("bleu", {"hypothesis": "a b", "reference": "a"}), "Add reference")
    app.text_area(key="reference2").set_value("a b").run()
    assert "nrefs:2" in app.code[0].value
    app.button(key="remove1").click().run()
    assert app.text_area(key="reference").value == "a b"
    assert "nrefs:1" in app.code[0].value
    assert "reference2" not in link_of(app)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_every_textbook_example_is_told_what_it_shows(
    open_page: OpenPage, example: Example
) -> None:
    names = ["reference", *(f"reference{place}" for place in range(2, 7))]
    link = dict(zip(names, example.references, strict=False)) | {"hypothesis": example.hypothesis}
    app = open_page("bleu", link)
    assert not app.exception and not app.error
    assert escape(example.shows) in shown(app)


def test_an_edit_is_set_beside_the_version_before(open_page: OpenPage) -> None:
    app = open_page("bleu", {"part": "What if"})
    before = score(app)
    app = press(app, "Drop it")
    assert app.text_area(key="hypothesis").value == "cat sat on the the mat"
    assert link_of(app)["pinned"] == FIRST.hypothesis
    assert f'<td dir="auto">{before}</td>' in shown(app)
    app = press(app, "Swap with the next")
    assert app.text_area(key="hypothesis").value == "sat cat on the the mat"
    app = press(app, "Repeat it")
    app = press(app, "Add after it")
    assert app.text_area(key="hypothesis").value == "sat the sat cat on the the mat"
    app = press(app, "Back to the pinned one")
    assert score(app) == before


def test_an_edit_changes_only_the_segment_on_show(open_page: OpenPage) -> None:
    app = press(open_page("bleu", TWO | {"part": "What if", "segment": "2"}), "Drop it")
    assert app.text_area(key="hypothesis").value == "a b c d e\ncat sat"


def test_editing_an_empty_hypothesis_does_no_harm(open_page: OpenPage) -> None:
    app = open_page("bleu", {"part": "What if", "hypothesis": "", "reference": "the cat"})
    app = press(app, "Add after it")
    assert not app.exception and app.text_area(key="hypothesis").value == "the"


def test_corpus_bleu_stands_beside_the_mean_of_the_sentences(open_page: OpenPage) -> None:
    app = open_page("bleu", TWO | {"part": "Segments", "sort": "lowest score", "contains": "CAT"})
    assert "Never call the mean" in shown(app)
    (table,) = app.dataframe
    assert list(table.value["segment"]) == [2]


def test_identical_systems_are_no_difference(open_page: OpenPage) -> None:
    link = TWO | {"baseline": TWO["hypothesis"], "part": "Two systems", "tested": "yes"}
    app = open_page("bleu", link)
    assert not app.exception and not app.error
    assert "No difference: the two systems wrote the same." in shown(app)
    assert "0.0010" not in shown(app)


def test_two_systems_are_tested_on_request(open_page: OpenPage) -> None:
    link = TWO | {"baseline": "a x c\nthe cat", "part": "Two systems"}
    app = open_page("bleu", link)
    assert "paired bootstrap" not in shown(app)
    app.toggle(key="tested").set_value(True).run()
    assert not app.exception and "paired bootstrap" in shown(app)
    app = open_page("bleu", link | {"baseline": "a x c"})
    assert "the box of the baseline" in app.error[0].value


def upload(app: AppTest, hypotheses: tuple[str, bytes], *references: tuple[str, bytes]) -> AppTest:
    app.file_uploader(key="file_hypotheses").set_value((*hypotheses, "text/plain"))
    if references:
        files = [(name, data, "text/plain") for name, data in references]
        app.file_uploader(key="file_references").set_value(files)
    app.button(key="score_files").click()
    return app.run()


def test_small_files_fill_the_boxes_so_that_the_link_has_them(open_page: OpenPage) -> None:
    files = (("h.txt", b"\xef\xbb\xbfa b\r\nc d\r\n"), ("1.txt", b"a b\nc\n"), ("2.txt", b"a\nd\n"))
    app = upload(open_page("bleu"), *files)
    assert not app.exception and not app.error
    assert app.text_area(key="hypothesis").value == "a b\nc d"
    assert link_of(app)["reference2"] == "a\nd"


def test_what_boxes_cannot_say_stays_as_it_came(open_page: OpenPage) -> None:
    line = json.dumps({"hypothesis": "a\nb", "references": ["", None, "a b"]})
    app = upload(open_page("bleu"), ("x.jsonl", line.encode()))
    assert not app.exception and not app.error
    assert link_of(app)["input"] == "files"
    assert "has a reference without tokens" in "".join(each.value for each in app.warning)
    for part in PARTS:
        app.session_state["part"] = part
        assert not app.run().exception and not app.error
    app = press(app, "Back to typing")
    assert not app.exception and "input" not in link_of(app)


BAD_FILES = [
    (("h.txt", b""), "is empty"),
    (("h.txt", b"a\n\xff\n"), "line 2: not UTF-8"),
    (("h.txt", b"a\nb\nc\n"), "line 3 of h.txt has no partner"),
    (("h.tsv", b"a\tb\n"), "holds its references itself"),
]


@pytest.mark.parametrize(("file", "message"), BAD_FILES, ids=range(len(BAD_FILES)))
def test_a_file_that_cannot_be_scored_is_refused_with_the_line(
    open_page: OpenPage, file: tuple[str, bytes], message: str
) -> None:
    app = open_page("bleu")
    before = score(app)
    app = upload(app, file, ("r.txt", b"a\nb\n"))
    assert not app.exception
    (error,) = app.error
    assert message in error.value
    assert score(app) == before


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("h.tsv", b"a\n", "line 1: no reference"),
        ("h.jsonl", b"{\n", "line 1: not JSON"),
        ("h.jsonl", b'{"hypothesis": "\\ud800", "references": ["a"]}', "surrogate"),
        ("h.txt", b"a\n", "needs at least one file of references"),
    ],
)
def test_a_single_file_is_refused_with_a_reason(
    open_page: OpenPage, name: str, content: bytes, message: str
) -> None:
    app = upload(open_page("bleu"), (name, content))
    assert not app.exception
    assert message in unescape(app.error[0].value)


def test_a_saved_screen_opens_again(open_page: OpenPage) -> None:
    texts = TextsToScore((("x y", "z"), ("x", "z")), (("x y",), ("z w",)))
    values = LinkValues({}).replace(TOKENIZE, "char").replace(ORDER, 2)
    saved = to_json(values, texts, bleu_report(texts.systems[0], texts.references)).encode()
    app = open_page("bleu", {"part": "Save and open"})
    app.file_uploader(key="saved_bleu").set_value(("a.json", saved, "application/json")).run()
    assert not app.exception and not app.error
    link = link_of(app)
    assert (link["hypothesis"], link["baseline"], link["reference"]) == (
        "x y\nz",
        "x\nz",
        "x y\nz w",
    )
    assert (link["tokenizer"], link["n"]) == ("char", "2")


@pytest.mark.parametrize("content", [b"", b"\xff", b"[]", b'{"format": "<b>"}', b'{"a": NaN}'])
def test_a_file_that_is_no_saved_screen_is_refused(open_page: OpenPage, content: bytes) -> None:
    app = open_page("bleu", {"part": "Save and open"})
    app.file_uploader(key="saved_bleu").set_value(("a.json", content, "application/json")).run()
    assert not app.exception
    assert "can't be opened" in app.error[0].value


def test_other_metrics_and_the_line_to_report_are_there(open_page: OpenPage) -> None:
    app = open_page("bleu", {"part": "Beyond BLEU", "ter": "yes", "maxorder": "3"})
    assert not app.exception and not app.error
    for name in ("chrF2", "chrF2++", "TER"):
        assert f'<td dir="auto">{name}</td>' in shown(app)
    assert "|order:3" in app.code[1].value
    assert "COMET" in shown(app) and "BERTScore" in shown(app)


def test_ter_of_a_long_segment_is_refused_and_says_why(open_page: OpenPage) -> None:
    long = "a b " * 100
    link = {"part": "Beyond BLEU", "ter": "yes", "hypothesis": long, "reference": long}
    app = open_page("bleu", link)
    assert not app.exception and not app.error
    assert "TER isn't computed" in app.info[0].value


@pytest.fixture
def links(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, str]]:
    """What the links to other pages carry, by label."""
    found: dict[str, dict[str, str]] = {}

    def page_link(path: str, *, label: str, icon: str, query_params: dict[str, str]) -> None:
        found[label] = query_params

    monkeypatch.setattr(st, "page_link", page_link)
    return found


def test_decode_hands_source_and_translation_over(
    open_page: OpenPage, links: dict[str, dict[str, str]]
) -> None:
    app = open_page("decode")
    given = links["Score this translation"]
    assert escape(given["hypothesis"]) in translation(app)
    assert given["source"] == app.text_input(key="source").value
    app = open_page("bleu", given)
    assert not app.exception and not app.error
    assert app.text_area(key="hypothesis").value == given["hypothesis"]
    assert escape(f"Source: {given['source']}") in shown(app)
    assert "Type or paste a reference" in app.info[0].value


def test_no_blank_sentence_is_handed_to_other_pages(
    open_page: OpenPage, links: dict[str, dict[str, str]]
) -> None:
    open_page("bleu")
    assert "source" not in links["Decode"]


def test_many_segments_come_as_files_and_every_part_stands(open_page: OpenPage) -> None:
    lines = "".join(f"the cat {number} sat on mat {number % 7}\n" for number in range(600))
    other = lines.replace("sat on", "sat on the")
    app = upload(open_page("bleu"), ("h.txt", lines.encode()), ("r.txt", other.encode()))
    assert not app.exception and not app.error
    assert "From files: 600 segments, one system" in shown(app)
    assert set(link_of(app)) == {"model", "source", "hypothesis", "input"}
    for part in PARTS:
        app.session_state["part"] = part
        assert not app.run().exception and not app.error
