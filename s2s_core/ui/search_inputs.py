"""The two number inputs that every search has, for the pages that arrange them in their own way."""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from s2s_core.search.config import BEAM_SIZE, MAX_LENGTH
from s2s_core.ui.link import LinkField


def beam_size(place: DeltaGenerator, field: LinkField[int]) -> None:
    """Draw the beam size that a field holds."""
    place.number_input(
        "Beam size", BEAM_SIZE.minimum, BEAM_SIZE.maximum, key=field.name, help=BEAM_SIZE.help
    )


def max_length(
    place: DeltaGenerator, field: LinkField[int | None], *, automatic: str = "auto", more: str = ""
) -> None:
    """Draw the maximum length that a field holds.

    automatic: what an empty input says. more: is added to the help.
    """
    place.number_input(
        "Max. length",
        MAX_LENGTH.minimum,
        MAX_LENGTH.maximum,
        value=None,
        key=field.name,
        placeholder=automatic,
        help=f"{MAX_LENGTH.help} {more}".rstrip(),
    )
