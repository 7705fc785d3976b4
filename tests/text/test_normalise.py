"""Normalisation of typed text: what every language shares, and English, French, German, Spanish."""

from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from s2s_core.errors import SettingError
from s2s_core.text.normalise import DIGITS, LANGUAGES, Change, normalise

# Characters that steps look at, so that random text meets every rule and their meetings.
NASTY = (
    " \t\n\u00a0\u3000\u2028\x00\x1b\u00ad\u200b\u200c\u200d\u200e\u2060\ufeff\ufe0e\ufe0f"
    "\ud83d\ude00"
    "\U0001f600\U0001f3fd\u2764\U0001f468\U0001f3f4\U000e0067\U000e007f\u20e31#"
    "‘’“”«»\"'()[]<>&;:.,?!…⋯-–—*_/\\$"
    "aDeoxéßЖаеорс\u0301\u0308\u0338\u212a\u2001\u037eسم\u0645\u061cकि\u094dא"
    "，。？！：；（）「」《》、Ａ１％＝．＂著看着我妳牠甚么麼圖書館裏乾藉名作有於薴吗呢吧不"
)
NATURAL = sorted(LANGUAGES.keys() - {DIGITS})  # the languages in which every text can be written
texts = st.text(alphabet=st.sampled_from(NASTY), max_size=30) | st.text(max_size=30)
languages = st.sampled_from(NATURAL)
alphabetic = ["en", "fr", "de", "es"]


def result(text: str, language: str = "en") -> str:
    return normalise(text, language=language).text


def descriptions(text: str, language: str = "en") -> list[str]:
    return [change.description for change in normalise(text, language=language).changes]


# --- every language ------------------------------------------------------------------------------


@settings(max_examples=600, deadline=None)
@given(text=texts, language=languages, final_mark=st.booleans())
@example(text="藉著", language="zh", final_mark=False)
@example(text="好. , x", language="zh", final_mark=False)
@example(text='好 " "x', language="zh", final_mark=False)
@example(text="xа\u0301о", language="en", final_mark=False)
@example(text="\u212aо", language="en", final_mark=False)
@example(text="a ,? b", language="fr", final_mark=False)
@example(text="a\ufe0f\u200d\U0001f600", language="en", final_mark=False)
@example(text="«,", language="fr", final_mark=False)
@example(text="a«", language="fr", final_mark=True)
@example(text="\u0645 \U0001f600", language="zh", final_mark=True)
@example(text="\u0308\u200b\u094d\u200d", language="en", final_mark=False)
@example(text="好 :D 我", language="zh", final_mark=True)
def test_normalising_twice_is_normalising_once(text: str, language: str, final_mark: bool) -> None:
    once = normalise(text, language=language, final_mark=final_mark)
    twice = normalise(once.text, language=language, final_mark=final_mark)
    assert (twice.text, twice.changes, twice.changed) == (once.text, (), False)


@settings(max_examples=300, deadline=None)
@given(text=texts, language=languages)
def test_result_is_composed_encodable_and_has_only_single_inner_spaces(
    text: str, language: str
) -> None:
    normal = result(text, language)
    normal.encode("utf-8")
    assert unicodedata.is_normalized("NFC", normal)
    assert normal.split() == normal.split(" ") or normal == ""
    assert not any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in normal)


@settings(max_examples=300, deadline=None)
@given(text=texts, language=languages, final_mark=st.booleans())
def test_changes_are_told_exactly_when_the_text_differs(
    text: str, language: str, final_mark: bool
) -> None:
    normal = normalise(text, language=language, final_mark=final_mark)
    assert normal.original == text
    assert normal.changed == bool(normal.changes)
    if normal.text != text:
        assert normal.changed
    for change in normal.changes:
        change.description.encode("utf-8")


@settings(max_examples=300, deadline=None)
@given(
    text=st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc", "Cf"]), max_size=40),
    language=st.sampled_from(alphabetic),
)
def test_no_visible_character_is_lost_or_reordered(text: str, language: str) -> None:
    """Only spaces, quotes, dashes, dots and Cyrillic look-alikes may differ."""

    def letters(some: str) -> list[str]:
        return [
            character
            for character in unicodedata.normalize("NFC", some)
            if not character.isspace()
            and character not in "…."
            and unicodedata.category(character) not in ("Pd", "Pi", "Pf", "Ps", "Po", "Mn", "Sm")
            and "CYRILLIC" not in unicodedata.name(character, "")
        ]

    if "CYRILLIC" not in "".join(unicodedata.name(character, "") for character in text):
        assert letters(result(text, language)) == letters(text)


@pytest.mark.parametrize("language", NATURAL)
@pytest.mark.parametrize(
    "text",
    [
        "a<b & \"c\" <unk> '$1$' *x*",
        "</s>",
        "<0x41>",
        "<b>bold</b> &amp; $x$ _y_ `z`",
        ":smile: [link](a://b.example/c?d=e&f=g)",
        "x_1 = {2}",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f \U0001f44d\U0001f3fd",
        "1\ufe0f\u20e3 \U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "אני אוהב ספרים",
        "أين المكتبة؟",
        "می\u200cخواهم",
        "क्\u200dष क्\u200cष",
        "Где библиотека",
        "ありがとう",
        "",
        "...",
        "3.50 7:30 2,700",
    ],
)
def test_what_was_typed_plainly_stays_as_typed(text: str, language: str) -> None:
    assert normalise(text, language=language).changes == ()


def test_every_control_and_format_character_is_handled() -> None:
    visible = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    visible |= {0x180E, *range(0x13430, 0x13456)}  # these shape the script around them
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        category = unicodedata.category(character)
        if character.isspace():
            assert result(f"a{character}b") == "a b", hex(code)
        elif category == "Cc" or (category == "Cf" and code not in visible):
            assert result(f"a{character}b") == "ab", hex(code)


def test_lone_surrogate_becomes_a_replacement_character_and_is_told() -> None:
    normal = normalise("a \ud800 b", language="en")
    assert normal.text == "a \ufffd b"
    assert [change.description for change in normal.changes] == [
        "half characters (lone surrogates) joined, or replaced by \ufffd"
    ]


def test_surrogate_pair_becomes_the_character_it_spells() -> None:
    assert result("\ud83d\ude00") == "\U0001f600"


def test_unknown_language_is_a_named_error() -> None:
    with pytest.raises(SettingError, match="one of en, fr, de, es, zh, digits, not 'xx'"):
        normalise("a", language="xx")


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("e\u0301te\u0301", "été"),
        ("e\u200b\u0301", "é"),
        (" a \u00a0\t\n b\u3000", "a b"),
        ("It’s “so” ‘odd’", "It's \"so\" 'odd'"),
        ("one – two — three", "one - two - three"),
        ("well… no", "well... no"),
        ("soft\u00adly", "softly"),
        ("a\u200bb\ufeff", "ab"),
        ("a\ufe0f\u200db", "ab"),
    ],
)
@pytest.mark.parametrize("language", alphabetic)
def test_characters_have_one_way_to_be_written(typed: str, normal: str, language: str) -> None:
    assert result(typed, language) == normal


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("сarp", "carp"),
        ("Нello Воb", "Hello Bob"),
        ("с\u0301afе", "ćafe"),
        ("а cat", "а cat"),  # a Cyrillic word, if a short one
        ("сор и Pоссия", "сор и Pоссия"),  # not Latin otherwise
    ],
)
def test_cyrillic_look_alikes_become_latin_in_latin_words_only(typed: str, normal: str) -> None:
    assert result(typed) == normal


def test_a_short_change_shows_what_was_and_what_is() -> None:
    assert normalise("a — b – c", language="en").changes == (
        Change("dashes made plain: — → -, – → -", (("—", "-"), ("–", "-"))),
    )


def test_a_long_change_is_only_named() -> None:
    assert descriptions("so… " + "and so on " * 5 + "so…") == ["ellipsis made three dots"]


# --- spaces beside punctuation -------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de", "es"])
@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("Marzipan ?", "Marzipan?"),
        ("Yes , no ; so : well !", "Yes, no; so: well!"),
        ("Marzipan ?!", "Marzipan?!"),
        ('He said "no !"', 'He said "no!"'),
        ("(so ?) yes", "(so?) yes"),
        ("ok !\U0001f600", "ok!\U0001f600"),
        ("well ... no", "well ... no"),
        ("costs .50 or :x", "costs .50 or :x"),
        ("fine :) or ;-)", "fine :) or ;-)"),
    ],
)
def test_space_before_a_mark_is_removed(typed: str, normal: str, language: str) -> None:
    assert result(typed, language) == normal


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("Ça chante?", "Ça chante ?"),
        ("Ça chante\u202f?", "Ça chante ?"),
        ("Ça chante  ?!", "Ça chante ?!"),
        ("Oui ; non: si!", "Oui ; non : si !"),
        ("«Oui», dit-il", "« Oui », dit-il"),
        ("«\u00a0Oui\u00a0»", "« Oui »"),
        ("Oui , non .", "Oui, non."),
        ('"Quoi?"', '"Quoi ?"'),
        ("à 7:30", "à 7:30"),
        ("!", "!"),
        ("(?)", "(?)"),
        ("merci :smile: &lt;", "merci :smile: &lt;"),
        ("a://b.example/c?d=e", "a://b.example/c?d=e"),
    ],
)
def test_french_marks_have_one_plain_space_before_them(typed: str, normal: str) -> None:
    assert result(typed, "fr") == normal


@pytest.mark.parametrize("language", ["de", "es", "en"])
def test_guillemets_are_spaced_in_french_only(language: str) -> None:
    assert result("«so»", language) == "«so»"


# --- cost ----------------------------------------------------------------------------------------


def run_python(code: str) -> str:
    command = [sys.executable, "-W", "error", "-X", "dev", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


def test_only_chinese_loads_the_converter() -> None:
    code = (
        "import sys; from s2s_core.text import normalise\n"
        "for language in ('en', 'fr', 'de', 'es'): normalise('Да… 圖', language=language)\n"
        "normalise('plain', language='zh')\n"
        "print('opencc' in sys.modules, 'torch' in sys.modules, 'tokenizers' in sys.modules)"
    )
    assert run_python(code) == "False False False"


def test_converter_gives_no_warning_even_in_development_mode() -> None:
    code = (
        "from s2s_core.text import normalise\n"
        "print(ascii(normalise('\\u5716', language='zh').text))"
    )
    assert run_python(code) == ascii("图")
