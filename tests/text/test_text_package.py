"""The front door of the text package."""

from __future__ import annotations

import subprocess
import sys

import pytest

import s2s_core.text


def test_every_exported_name_is_there_and_listed() -> None:
    for name in s2s_core.text.__all__:
        assert getattr(s2s_core.text, name) is not None
        assert name in dir(s2s_core.text)


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = s2s_core.text.nothing


@pytest.mark.parametrize(
    "first",
    ["import s2s_core.text.normalise", "import s2s_core.text", "import s2s_core.text.chinese"],
)
def test_normalise_is_the_function_whatever_was_imported_first(first: str) -> None:
    code = (
        f"{first}\nfrom s2s_core.text import normalise\nprint(normalise('a', language='en').text)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("a\n", "")
