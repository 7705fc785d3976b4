"""What a link says, in both directions, as plain values.

A page declares its fields once. Reading never fails: a value that can't be used falls back to the
field's default, and a notice says which field, what came and what is allowed. Nothing here knows of
the browser, so all of it is tested without one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast
from urllib.parse import urlencode

from s2s_core.errors import LinkError, SettingError
from s2s_core.options import IntegerOption, RealOption

T = TypeVar("T")

MAXIMUM_CHARACTERS = 6000
"""Longer links are cut by some proxies and mail programs, so none is made."""

_SHOWN_CHARACTERS = 60
_INTEGER = re.compile(r"-?[0-9]{1,9}")
_REAL = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?(e-?[0-9]{1,3})?")
_IDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})*")
_MAXIMUM_IDS = 400


@dataclass(frozen=True, slots=True)
class LinkField(Generic[T]):
    """One named value of a link.

    name: as in the link; also the key of the control that sets it.
    default: what holds when the link doesn't say.
    allowed: in words, for notices.
    parse: from the link's text. Raises LinkError.
    show: to the link's text; parse(show(value)) == value.
    always: whether the link also says the default.
    """

    name: str
    default: T
    allowed: str
    parse: Callable[[str], T]
    show: Callable[[T], str]
    always: bool = False


@dataclass(frozen=True, slots=True)
class LinkNotice:
    """A value that couldn't be used."""

    name: str
    given: str
    allowed: str
    used: str

    @property
    def message(self) -> str:
        """The notice in words. It quotes what came, so it has to be shown literally."""
        given = self.given
        if len(given) > _SHOWN_CHARACTERS:
            given = f"{given[:_SHOWN_CHARACTERS]}…"
        return f"{self.name}: “{given}” can't be used. Allowed: {self.allowed}. {self.used}"


@dataclass(frozen=True, slots=True)
class LinkValues:
    """The values of a page's fields by name; a missing one is at its default."""

    by_name: Mapping[str, object]

    def get(self, field: LinkField[T]) -> T:
        """The value of a field."""
        return cast(T, self.by_name.get(field.name, field.default))

    def replace(self, field: LinkField[T], value: T) -> LinkValues:
        """The same values with one changed."""
        return LinkValues({**self.by_name, field.name: value})


def read_link(
    parameters: Mapping[str, str],
    fields: Sequence[LinkField[Any]],
    *,
    others: Sequence[str] = (),
) -> tuple[LinkValues, tuple[LinkNotice, ...]]:
    """The values of all fields, and what couldn't be used.

    others: names that other pages read; they are passed over in silence.
    """
    values: dict[str, object] = {field.name: field.default for field in fields}
    notices = []
    for field in fields:
        if field.name not in parameters:
            continue
        given = parameters[field.name]
        try:
            values[field.name] = field.parse(given)
        except LinkError:
            used = field.show(field.default)
            fallback = f"Used instead: {used}." if used else "It is left out."
            notices.append(LinkNotice(field.name, given, field.allowed, fallback))
    known = [field.name for field in fields]
    for name in parameters:
        if name not in known and name not in others:
            allowed = f"the names {', '.join(known)}"
            notices.append(LinkNotice(name, parameters[name], allowed, "It is left out."))
    return LinkValues(values), tuple(notices)


def write_link(values: LinkValues, fields: Sequence[LinkField[Any]]) -> dict[str, str]:
    """The parameters of the link; what is at its default is left out."""
    return {
        field.name: field.show(values.get(field))
        for field in fields
        if field.always or values.get(field) != field.default
    }


def link_length(parameters: Mapping[str, str]) -> int:
    """The characters that the parameters take in the link, percent-encoding counted."""
    return len(urlencode(parameters))


# --- kinds of fields -----------------------------------------------------------------------------


def text_field(name: str, *, default: str = "", always: bool = False) -> LinkField[str]:
    """Any text."""
    return LinkField(name, default, "any text", str, str, always)


def choice_field(
    name: str, choices: Callable[[], Sequence[str]], default: str, *, always: bool = False
) -> LinkField[str]:
    """One of some names, which are asked for each time."""

    def parse(text: str) -> str:
        if text not in choices():
            raise LinkError(f"{name} must be one of {', '.join(choices())}, not {text!r}")
        return text

    return LinkField(name, default, f"one of {', '.join(choices())}", parse, str, always)


def flag_field(name: str, default: bool) -> LinkField[bool]:
    """Yes or no."""

    def parse(text: str) -> bool:
        if text not in ("yes", "no"):
            raise LinkError(f"{name} must be yes or no, not {text!r}")
        return text == "yes"

    return LinkField(name, default, "yes or no", parse, lambda value: "yes" if value else "no")


def integer_field(
    option: IntegerOption, *, name: str, default: int | None = None
) -> LinkField[int]:
    """A whole number within an option's bounds."""
    allowed = f"a whole number from {option.minimum} to {option.maximum}"

    def parse(text: str) -> int:
        if not _INTEGER.fullmatch(text):
            raise LinkError(f"{name} must be {allowed}, not {text!r}")
        try:
            return option.check(int(text))
        except SettingError as error:
            raise LinkError(str(error)) from error

    return LinkField(name, option.default if default is None else default, allowed, parse, str)


def optional_integer_field(
    option: IntegerOption, *, name: str, absent: str
) -> LinkField[int | None]:
    """A whole number within an option's bounds, or None, written as the word `absent`."""
    inner = integer_field(option, name=name)

    def parse(text: str) -> int | None:
        return None if text == absent else inner.parse(text)

    def show(value: int | None) -> str:
        return absent if value is None else str(value)

    return LinkField(name, None, f"{inner.allowed}, or {absent}", parse, show)


def real_field(option: RealOption, *, name: str) -> LinkField[float]:
    """A number within an option's bounds."""
    allowed = f"a number from {option.minimum:g} to {option.maximum:g}"

    def parse(text: str) -> float:
        if not _REAL.fullmatch(text):
            raise LinkError(f"{name} must be {allowed}, not {text!r}")
        try:
            return option.check(float(text))
        except SettingError as error:
            raise LinkError(str(error)) from error

    return LinkField(name, option.default, allowed, parse, show_real)


def optional_real_field(option: RealOption, *, name: str, absent: str) -> LinkField[float | None]:
    """A number within an option's bounds, or None, written as the word `absent`."""
    inner = real_field(option, name=name)

    def parse(text: str) -> float | None:
        return None if text == absent else inner.parse(text)

    def show(value: float | None) -> str:
        return absent if value is None else inner.show(value)

    return LinkField(name, None, f"{inner.allowed}, or {absent}", parse, show)


def show_real(value: float) -> str:
    """The shortest text that reads back as the same number: 0.6, 1, 1e-05."""
    return repr(float(value)).removesuffix(".0")


def ids_field(name: str) -> LinkField[tuple[int, ...]]:
    """Token ids, joined by dots."""
    allowed = f"up to {_MAXIMUM_IDS} token ids joined by dots, such as 310.42"

    def parse(text: str) -> tuple[int, ...]:
        if not text:
            return ()
        if not _IDS.fullmatch(text) or text.count(".") >= _MAXIMUM_IDS:
            raise LinkError(f"{name} must be {allowed}, not {text!r}")
        return tuple(map(int, text.split(".")))

    return LinkField(name, (), allowed, parse, lambda ids: ".".join(map(str, ids)))
