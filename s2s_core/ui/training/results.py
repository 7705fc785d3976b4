"""What each tab shows, as one pure function of the page's values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from s2s_core.errors import PrefixError, SettingError
from s2s_core.models.along_target import TokenChance
from s2s_core.models.card import CheckpointCard
from s2s_core.models.families import task_of
from s2s_core.search.config import SearchConfig, SearchRequest
from s2s_core.text.digits import foreign_to_digits
from s2s_core.text.tasks import TASKS, held_out_pairs, spaced
from s2s_core.training.lessons.dependencies import KINDS, DependencyGraph, dependency_graph
from s2s_core.training.lessons.exposure import Exposure, all_right, measure_exposure
from s2s_core.training.lessons.exposure_file import measured
from s2s_core.training.lessons.free_running import ErrorStory, Mistake, tell_error
from s2s_core.ui import cached
from s2s_core.ui.link import LinkValues
from s2s_core.ui.shared_link import MODEL, SOURCE, check_source
from s2s_core.ui.training.link import (
    CONTEXT,
    DIGITS,
    EXPOSED,
    LAYER_COUNT,
    LEARNER,
    LENGTH,
    MISTAKE,
    MOST_DIGITS,
    NOTHING,
    OF,
    OF_DIGITS,
    ORDER,
    POSITION_COUNT,
    SEED,
    SOURCES,
    TARGET,
    TARGETS,
    TOKENS,
    WITHOUT,
    WRONG_DIGIT,
    WRONG_TOKEN,
    P,
)

if TYPE_CHECKING:
    from s2s_core.training.lessons.masks import MaskLesson

PER_LENGTH = 200
"""Held-out strings that are read for a toy task's figures."""


# --- shift and errors ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StoryRequest:
    """Which runs are asked for. mistake: None puts none in."""

    checkpoint: str
    source: str
    target_ids: tuple[int, ...]
    mistake: Mistake | None


def reversal_cards() -> tuple[CheckpointCard, ...]:
    """The checkpoints whose task turns digits around."""
    return tuple(card for card in cached.cards().values() if task_of(card) == "reverse")


def typed_digits(text: str) -> str:
    """Digits as typed, with or without spaces → the digits alone.

    Raises:
        SettingError: something else was typed, nothing, or too much.
    """
    digits = "".join(text.split())
    foreign = foreign_to_digits(digits)
    if foreign or not digits:
        given = f"{foreign!r} isn't a digit" if foreign else "there is no digit"
        raise SettingError(f"{given}: type a target of digits 0 to 9, such as 9 4 7")
    if len(digits) > MOST_DIGITS:
        raise SettingError(f"at most {MOST_DIGITS} digits fit here, not {len(digits)}")
    return digits


def undisturbed(values: LinkValues) -> StoryRequest:
    """The runs that the page asks for, without the mistake.

    Raises:
        ExplorerError: the target, the source or the model can't be used.
    """
    if values.get(OF) == OF_DIGITS:
        target = typed_digits(values.get(DIGITS))
        # Turned around twice, a string is what it was: the target's source is its reversal.
        source = spaced(TASKS["reverse"](target))
        ids = cached.model(values.get(LEARNER)).target.ids(spaced(target))
        return StoryRequest(values.get(LEARNER), source, ids, None)
    source = check_source(values.get(SOURCE))
    return StoryRequest(values.get(MODEL), source, _target_ids(values, source), None)


def story_request(values: LinkValues) -> StoryRequest:
    """The runs that the page asks for.

    Raises:
        ExplorerError: the target, the source or the model can't be used.
    """
    request, step = undisturbed(values), values.get(MISTAKE)
    if not 0 < step <= len(request.target_ids):
        return request
    if values.get(OF) == OF_DIGITS:
        (chosen,) = cached.model(request.checkpoint).target.ids(values.get(WRONG_DIGIT))
    else:
        wrong = values.get(WRONG_TOKEN)
        chosen = wrong_choices(story(request), step)[0].token_id if wrong is None else wrong
    return replace(request, mistake=Mistake(step, chosen))


def _target_ids(values: LinkValues, source: str) -> tuple[int, ...]:
    """The typed target's tokens, or what the model writes itself."""
    model = cached.model(values.get(MODEL))
    if values.get(TARGET).strip():
        return model.target.ids(model.prepare_target(values.get(TARGET)).text)
    best = cached.greedy(SearchRequest(values.get(MODEL), source, SearchConfig())).best
    ids = best.token_ids[:-1] if best.finished else best.token_ids
    if not ids:
        raise PrefixError("the model writes nothing for this source: type a target")
    return ids


def wrong_choices(told: ErrorStory, step: int) -> tuple[TokenChance, ...]:
    """The most probable tokens of a step that the target doesn't have there, and that end nothing.

    The free run may be shorter than the target: then the step under teacher forcing says.
    """
    run = told.free if step <= len(told.free) else told.forced
    wanted, end = told.rows[step - 1].wanted_id, told.rows[-1].wanted_id
    return tuple(c for c in run[step - 1].choices if c.token_id not in (wanted, end))


@st.cache_data(max_entries=200, hash_funcs={StoryRequest: repr}, show_spinner=False)
def story(request: StoryRequest) -> ErrorStory:
    """The three runs.

    Raises:
        ExplorerError: whatever `tell_error` or loading the model raises.
    """
    return tell_error(
        cached.model(request.checkpoint), request.source, request.target_ids, request.mistake
    )


def error_story(values: LinkValues) -> ErrorStory:
    """What "Shift and errors" shows.

    Raises:
        ExplorerError: see `story_request` and `story`.
    """
    return story(story_request(values))


# --- masks ---------------------------------------------------------------------------------------


def mask_lesson(values: LinkValues) -> MaskLesson:
    """What "Masks" shows.

    Raises:
        ExplorerError: the batch can't be read, or has no token that counts.
    """
    from s2s_core.training.lessons.mask_case import parse_case
    from s2s_core.training.lessons.masks import MaskSettings, teach_masks

    return teach_masks(
        MaskSettings(
            parse_case(values.get(SOURCES), values.get(TARGETS)),
            values.get(CONTEXT),
            values.get(ORDER),
            values.get(SEED),
        )
    )


def left_out(values: LinkValues) -> str:
    """The omission that is looked at; "" for none."""
    chosen = values.get(WITHOUT)
    return "" if chosen == NOTHING else chosen


# --- exposure bias -------------------------------------------------------------------------------


@st.cache_data(max_entries=200, show_spinner="Reading held-out strings …")
def reversal_exposure(name: str, length: int) -> Exposure:
    """Held-out strings of one length, read in both ways.

    Raises:
        CheckpointError: there is no such checkpoint, or it is damaged.
    """
    model = cached.model(name)
    pairs = held_out_pairs(
        "reverse", "test", shortest=length, longest=length, per_length=PER_LENGTH
    )
    return measure_exposure(
        model, [pair.source for pair in pairs], [model.target.ids(pair.target) for pair in pairs]
    )


def exposed_names() -> tuple[str, ...]:
    """The checkpoints that there are figures of."""
    stored = [each.name for each in measured() if each.name in cached.cards()]
    return (*(card.name for card in reversal_cards()), *stored)


def exposure(values: LinkValues) -> tuple[Exposure, str] | None:
    """What "Exposure bias" shows of the chosen model, and of which targets; None if nothing.

    Raises:
        CheckpointError: the model can't be read.
    """
    name = values.get(EXPOSED)
    if name in [card.name for card in reversal_cards()]:
        found = reversal_exposure(name, values.get(LENGTH))
        return found, f"{found.targets} held-out strings of {values.get(LENGTH)} digits"
    return next(((each.exposure, each.data) for each in measured() if each.name == name), None)


def arithmetic(values: LinkValues) -> float:
    """p^T for the chosen numbers."""
    return all_right(values.get(P), values.get(TOKENS))


# --- parallelism ---------------------------------------------------------------------------------


def graphs(values: LinkValues) -> tuple[DependencyGraph, ...]:
    """What "Parallelism" shows: training and writing of both architectures."""
    positions, layers = values.get(POSITION_COUNT), values.get(LAYER_COUNT)
    return tuple(dependency_graph(*kind, positions, layers=layers) for kind in KINDS)
