"""The head of the Compare page: family, models, beam, and the source that all of them read."""

from __future__ import annotations

import streamlit as st

from s2s_core.models.card import CheckpointCard, MeasuredScore
from s2s_core.models.families import Family, contrast, families, short_titles, trained_to
from s2s_core.text.clauses import CLAUSES as CLAUSES_OF
from s2s_core.text.clauses import join_clauses
from s2s_core.text.normalise import DIGITS, LANGUAGES
from s2s_core.text.tasks import random_source
from s2s_core.text.words import word_count
from s2s_core.ui import cached, literal, search_inputs, sentence, state
from s2s_core.ui.compare.link import (
    CLAUSE_COUNT,
    CLAUSES,
    DIGIT_COUNT,
    FROM,
    LENGTH,
    LONGER,
    MODELS,
    MOST_MODELS,
    SEED,
    SEED_OPTION,
    SENTENCE,
    SOURCES,
)
from s2s_core.ui.decode.link import BEAM
from s2s_core.ui.shared_link import MODEL, SOURCE

_FAMILY = "family"  # key of the menu


def draw_models(family: Family) -> tuple[CheckpointCard, ...]:
    """Draw the menus of languages and models → the cards of the chosen models."""
    _check_models(family)
    found = families(cached.cards().values())
    names = [_name(each) for each in found]
    st.session_state[_FAMILY] = _name(family)
    family_place, models_place, beam_place = st.columns([2, 6, 1], vertical_alignment="bottom")
    family_place.selectbox("Languages", names, key=_FAMILY, on_change=_change_family, args=(found,))
    titles = short_titles([card.title for card in family.cards])
    title_of = dict(zip(family.names, titles, strict=True))
    models_place.multiselect(
        f"Models, up to {MOST_MODELS}",
        family.names,
        key=MODELS.name,
        format_func=title_of.__getitem__,
        max_selections=MOST_MODELS,
    )
    search_inputs.beam_size(beam_place, BEAM)
    chosen = state.get(MODELS)
    return tuple(card for card in family.cards if card.name in chosen)


def draw_larger_family() -> None:
    """Say that the chosen languages have one model, and offer those that have the most."""
    found = families(cached.cards().values())
    largest = max(found, key=lambda each: len(each.cards))
    with st.container(horizontal=True, vertical_alignment="center"):
        literal.show("Of these languages only one model is here.")
        if len(largest.cards) > 1:
            st.button(
                f"Compare {len(largest.cards)} models of {_name(largest)}",
                on_click=_take_family,
                args=(largest,),
                icon=":material/compare_arrows:",
            )


def draw_source(family: Family) -> str:
    """Draw the choice of the source and its controls → the source."""
    sentence.fill()
    kind_place, control_place = st.columns([2, 7], vertical_alignment="bottom")
    kind_place.segmented_control("Source", SOURCES, key=FROM.name, required=True)
    with control_place:
        if state.get(FROM) == SENTENCE:
            sentence.draw_box()
            sentence.draw_foreign()
            return state.get(SOURCE)
        return _draw_digits(family) if family.source_language == DIGITS else _draw_clauses(family)


def _check_models(family: Family) -> None:
    """Take a contrast of kinds where no model is chosen; refuse those of other languages."""
    if any(name not in family.names for name in state.get(MODELS)):
        state.refuse(MODELS, f"models of {_name(family)}: {', '.join(family.names)}")
    if not state.get(MODELS):
        state.put(MODELS, contrast(family, state.get(MODEL)))


def _name(family: Family) -> str:
    names = [
        LANGUAGES[code].name if code in LANGUAGES else code
        for code in (family.source_language, family.target_language)
    ]
    return " → ".join(names)


def _change_family(found: tuple[Family, ...]) -> None:
    _take_family(next(each for each in found if _name(each) == st.session_state[_FAMILY]))


def _take_family(family: Family) -> None:
    state.put(MODEL, family.names[0])
    state.put(MODELS, contrast(family, family.names[0]))
    sentence.change_model()


def _draw_digits(family: Family) -> str:
    length_place, seed_place = st.columns([5, 1], vertical_alignment="bottom")
    length_place.slider(
        f"Digits in the string{_trained(family)}",
        DIGIT_COUNT.minimum,
        DIGIT_COUNT.maximum,
        key=LENGTH.name,
        help=DIGIT_COUNT.help,
    )
    seed_place.number_input(
        "Seed", SEED_OPTION.minimum, SEED_OPTION.maximum, key=SEED.name, help=SEED_OPTION.help
    )
    source = random_source(state.get(LENGTH), state.get(SEED))
    literal.show(f"{source}  ·  held out: no model was trained on this string", look="small")
    return source


def _trained(family: Family) -> str:
    ends = {end for card in family.cards if (end := trained_to(card)) is not None}
    return f"; the models were trained on up to {max(ends)}" if ends else ""


def _draw_clauses(family: Family) -> str:
    if family.source_language not in CLAUSES_OF:
        literal.show("There are no clauses in this language: type a sentence.", look="small")
        return state.get(SOURCE)
    st.slider(
        "Clauses joined to one sentence",
        CLAUSE_COUNT.minimum,
        CLAUSE_COUNT.maximum,
        key=CLAUSES.name,
        help="Each clause is easy alone. Two things grow: how much has to be carried over, and how "
        "far the sentence is from those that the models were trained on.",
    )
    source = join_clauses(family.source_language, state.get(CLAUSES))
    literal.show(f"{source}{_rarity(family, word_count(source))}", look="small")
    return source


def _rarity(family: Family, words: int) -> str:
    """How common sources of this length are, by the cards; "" where they don't say."""
    tested = [score for card in family.cards[:1] for score in card.scores if score.beam_size == 0]
    longest = max((score for score in tested if score.longest is None), key=_shortest, default=None)
    if longest is None or words < longest.shortest:
        return ""
    return (
        f"  ·  {words} words and marks: of the {max(score.sentences for score in tested):,} test "
        f"sentences {longest.sentences:,} have {longest.shortest} or more"
    )


def _shortest(score: MeasuredScore) -> int:
    return score.shortest


def joined_clauses(family: Family) -> int:
    """How many clauses are joined; 0 where the source is something else."""
    clauses = state.get(FROM) == LONGER and family.source_language not in (DIGITS, "")
    return state.get(CLAUSES) if clauses and family.source_language in CLAUSES_OF else 0
