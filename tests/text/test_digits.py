"""Typed digits in the form of the toy tasks, and a clear word about anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import SourceError
from s2s_core.text.normalise import DIGITS, LANGUAGES, normalise
from s2s_core.text.tasks import held_out_pairs


@pytest.mark.parametrize("typed", ["49712", " 4 9 7 1 2 ", "4\u00a09\t712", "497  12\u200b"])
def test_digits_are_read_however_they_are_spaced(typed: str) -> None:
    normal = normalise(typed, language=DIGITS, final_mark=True)
    assert normal.text == "4 9 7 1 2"
    assert normal.changed


def test_what_a_task_writes_is_read_as_it_stands() -> None:
    for pair in held_out_pairs("copy", "test", shortest=1, longest=8, per_length=5):
        assert not normalise(pair.source, language=DIGITS, final_mark=True).changed


@given(st.text(max_size=20))
def test_anything_is_digits_with_single_spaces_or_a_named_error(typed: str) -> None:
    try:
        text = normalise(typed, language=DIGITS, final_mark=True).text
    except SourceError as error:
        assert "reads digits only, such as 4 9 7 1 2" in str(error)
    else:
        assert text == " ".join(character for character in typed if character in "0123456789")


@pytest.mark.parametrize(("typed", "named"), [("Hello 1", "'H'"), ("1.", "'.'"), ("１２", "'１'")])
def test_the_first_character_that_is_no_digit_is_named(typed: str, named: str) -> None:
    with pytest.raises(SourceError, match=f"the text has {named}"):
        normalise(typed, language=DIGITS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_sample_that_it_takes_as_it_stands(language: str) -> None:
    assert not normalise(LANGUAGES[language].sample, language=language, final_mark=True).changed
