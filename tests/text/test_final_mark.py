"""The mark added to a sentence that was typed without one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.text.final_mark import is_chinese_question, is_english_question
from s2s_core.text.normalise import DIGITS, LANGUAGES, Change, normalise

NATURAL = sorted(LANGUAGES.keys() - {DIGITS})  # the languages in which every text can be written


def marked(text: str, language: str = "en") -> str:
    return normalise(text, language=language, final_mark=True).text


def test_an_added_mark_is_told() -> None:
    normal = normalise("茶壶唱歌", language="zh", final_mark=True)
    assert normal.text == "茶壶唱歌。"
    assert normal.changes == (Change("final mark added: 。", (("", "。"),)),)


def test_no_mark_is_added_unless_asked_for() -> None:
    assert normalise("The teapot sings", language="en").text == "The teapot sings"


@pytest.mark.parametrize("language", ["en", "fr", "de", "es"])
def test_other_languages_get_a_full_stop(language: str) -> None:
    assert marked("Oslo", language) == "Oslo."


@pytest.mark.parametrize(
    "text",
    ["", "   ", "123", "-", "\U0001f600", '""', "(1)", "<>"],
)
@pytest.mark.parametrize("language", NATURAL)
def test_text_without_letters_gets_no_mark(text: str, language: str) -> None:
    assert marked(text, language) == text.strip()


@pytest.mark.parametrize(
    "text",
    [
        *("Yes.", "Yes?", "Yes!", "Yes...", "Yes,", "Yes:", "Yes;", "Yes -", 'He said "yes."'),
        *("(Yes?)", "Yes! \U0001f600", "Yes. :)", "أين المكتبة؟", "नमस्ते।"),
    ],
)
def test_text_with_a_mark_gets_no_other(text: str) -> None:
    assert marked(text) == text


@pytest.mark.parametrize(
    "text", ["好。", "好？", "好！", "好……", "好，", "好：", '"好。"', "好。😀"]
)
def test_chinese_text_with_a_mark_gets_no_other(text: str) -> None:
    assert marked(text, "zh") == text


@pytest.mark.parametrize(
    ("language", "typed", "normal"),
    [
        ("en", "I am glad \U0001f600", "I am glad. \U0001f600"),
        (
            "en",
            "I am glad \U0001f44d\U0001f3fd\u2764\ufe0f",
            "I am glad. \U0001f44d\U0001f3fd\u2764\ufe0f",
        ),
        ("en", "I am glad :)", "I am glad. :)"),
        ("zh", "我很高兴\U0001f600", "我很高兴。\U0001f600"),
        ("en", "I go (today)", "I go (today)."),
        ("zh", "我看了《西游记》", "我看了《西游记》。"),
        ("en", 'He knows "yes"', 'He knows "yes".'),
        ("en", 'He said: "yes"', 'He said: "yes."'),
        ("en", '"yes"', '"yes."'),
        ("en", "the boys'", "the boys'."),
        ("en", '"yes" (she said)', '"yes" (she said).'),
        ("en", '("yes")', '("yes").'),
        ("fr", "Il a dit : «oui»", "Il a dit : « oui. »"),
        ("fr", "Le mot «oui»", "Le mot « oui »."),
        ("zh", "他说：“好”", '他说："好。"'),
        ("zh", "这个字是“好”", '这个字是"好"。'),
        ("en", "</s>", "</s>."),
    ],
)
def test_the_mark_stands_where_a_reader_expects_it(language: str, typed: str, normal: str) -> None:
    assert marked(typed, language) == normal


@pytest.mark.parametrize(
    "text",
    [
        "where is the teapot museum",
        "do you like marzipan",
        "Is the harbour far",
        "what alphabet is this teapot",
        "how many",
        "who sang",
        "what's that teapot",
        "Hello, are you there",
        "It is late. Can we go",
        "you like tea, don't you",
        "so why not",
    ],
)
def test_english_questions_are_recognised(text: str) -> None:
    assert is_english_question(text)
    assert marked(text) == f"{text}?"


@pytest.mark.parametrize(
    "text",
    [
        "when I was young, I sang",
        "what a teapot",
        "do the ironing now",
        "have a marzipan",
        "I know where the teapot is",
        "Can we go? I am tired",
        "the teapot is open",
        "don't polish the teapot",
    ],
)
def test_english_statements_are_not_taken_for_questions(text: str) -> None:
    assert not is_english_question(text)
    assert marked(text) == f"{text}."


@pytest.mark.parametrize(
    "text",
    [
        *(
            "茶壶好吗",
            "我呢",
            "图书馆在哪里",
            "茶壶里是什么",
            "弹琴的是谁",
            "茶壶多少钱",
            "茶壶几点唱歌",
            "为什么哭",
        ),
        *("你去不去", "吃了没有", "他走了没", "这是茶，对吧"),
    ],
)
def test_chinese_questions_are_recognised(text: str) -> None:
    assert is_chinese_question(text)
    assert marked(text, "zh") == f"{text}？"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "茶壶唱歌",
            "茶壶爱唱歌",
            "我知道弹琴的是谁",
            "谁都可以",
            "吃点什么",
            "我去哪里都行",
            "等了好几天",
        ),
        "这壶是什么？我不要",
    ],
)
def test_chinese_statements_are_not_taken_for_questions(text: str) -> None:
    assert not is_chinese_question(text)
    assert marked(text, "zh") == f"{text}。"


@settings(max_examples=300, deadline=None)
@given(
    text=st.text(max_size=30) | st.text(alphabet="ab好吗 .?\"'«»()😀🏽:)《》？-", max_size=20),
    language=st.sampled_from(NATURAL),
)
def test_adding_a_mark_inserts_it_and_nothing_else(text: str, language: str) -> None:
    plain = normalise(text, language=language)
    with_mark = normalise(text, language=language, final_mark=True)
    rules = LANGUAGES[language]
    added = with_mark.changes[len(plain.changes) :]
    assert with_mark.changes[: len(plain.changes)] == plain.changes
    if not added:
        assert with_mark.text == plain.text
        return
    (mark,) = {change.replacements[0][1] for change in added}
    assert mark in (rules.full_stop, rules.question_mark)
    place = with_mark.text.rindex(mark)
    rest = with_mark.text[:place] + with_mark.text[place + len(mark) :]
    assert rest.replace(" ", "") == plain.text.replace(" ", "")
