"""Three masks, and what each omission does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from s2s_core.figures.mask_grid import TokenGrid, mask_alt, mask_figure
from s2s_core.figures.theme import percent, signed
from s2s_core.training.lessons.mask_case import (
    IGNORE,
    MOST_ROWS,
    OMISSIONS,
    PACKING,
    WEIGHTS,
    names,
)
from s2s_core.ui import charts, literal, saving, shell, state
from s2s_core.ui.training import results
from s2s_core.ui.training.link import (
    CONTEXT,
    CONTEXTS,
    FIELDS,
    LEFT_OUT,
    ORDER,
    ORDERS,
    SEED,
    SEED_OPTION,
    SOURCES,
    TARGETS,
    WITHOUT,
)

if TYPE_CHECKING:
    from s2s_core.training.lessons.masks import MaskEffect, MaskLesson

_WHAT = {
    PACKING: "the encoder reads padding as if it were words, and its states change",
    WEIGHTS: "attention gives padding a share, and the context is mixed from states of nothing",
    IGNORE: "the loss also asks for padding, and teaches the model to write it",
}


def draw() -> None:
    """Draw the batch, the choice of what is left out, and what that does.

    Raises:
        ExplorerError: the batch can't be read, or has no token that counts.
    """
    st.markdown("**Sentences in a batch have different lengths. What if padding isn't masked?**")
    _draw_batch_boxes()
    choice, meaning = st.columns([2, 3], gap="medium", vertical_alignment="bottom")
    choice.segmented_control("Leave out one mask", LEFT_OUT, key=WITHOUT.name, required=True)
    meaning.caption(
        "Packing: the encoder stands still on padding. Source weights: padding gets no attention. "
        "Ignore: padding isn't in the loss."
    )
    lesson = results.mask_lesson(state.read(FIELDS))
    literal.show(headline(lesson, results.left_out(state.read(FIELDS))), look="translation")
    grids = batch_grids(lesson, results.left_out(state.read(FIELDS)))
    charts.draw(mask_figure(grids, theme=shell.theme()), key="mask-batch", alt=mask_alt(grids))
    _draw_effects(lesson)
    _draw_step(lesson)


def headline(lesson: MaskLesson, left_out: str) -> str:
    """What the omission changes, in a sentence."""
    right = lesson.effect("")
    if not left_out:
        return (
            f"All three masks: loss {right.loss:.4f} over {lesson.valid} target tokens, and "
            f"{lesson.alone:.4f} for the sentences one by one."
        )
    effect = lesson.effect(left_out)
    change = signed_change(effect.loss - right.loss)
    return (
        f"Without {left_out}: loss {effect.loss:.4f} ({change}), "
        f"gradient off by {percent(effect.gradient_change)}."
    )


def signed_change(value: float) -> str:
    """A difference with its sign: +0.0021, −0.0150, ±0."""
    if abs(value) < 5e-7:
        return "±0"
    return f"{'+' if value > 0 else '−'}{abs(value):.4f}"


def batch_grids(lesson: MaskLesson, left_out: str) -> tuple[TokenGrid, ...]:
    """Sources, decoder inputs and targets, as they are drawn; where a mask lacks, padding leaks."""
    return (
        TokenGrid(
            f"sources: {_kept(PACKING, left_out)}, {_kept(WEIGHTS, left_out)}",
            _named(lesson.source),
            lesson.source_mask,
            leaks=left_out in (PACKING, WEIGHTS),
        ),
        TokenGrid("decoder inputs", _named(lesson.inputs), lesson.target_mask),
        TokenGrid(
            f"targets: {_kept(IGNORE, left_out)}",
            _named(lesson.targets),
            lesson.target_mask,
            leaks=left_out == IGNORE,
        ),
    )


def _kept(mask: str, left_out: str) -> str:
    return f"no {mask}" if mask == left_out else mask


def effects_frame(lesson: MaskLesson) -> pd.DataFrame:
    """One row for each way of masking."""
    return pd.DataFrame(
        {
            "left out": effect.left_out or "nothing",
            "loss": effect.loss,
            "counted positions": effect.counted,
            "gradient norm": effect.gradient_norm,
            "gradient off by": effect.gradient_change,
            "largest weight on padding": effect.padding_weight,
            "states off by": effect.state_change,
        }
        for effect in lesson.effects
    )


def gradients_frame(lesson: MaskLesson) -> pd.DataFrame:
    """One row a parameter."""
    return pd.DataFrame(
        {
            "parameter": step.name,
            "shape": " × ".join(map(str, step.shape)),
            "gradient norm": step.gradient_norm,
            "finite": step.finite,
        }
        for step in lesson.steps
    )


def _named(rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(names, rows))


def _draw_batch_boxes() -> None:
    source, target, score, reads, seed = st.columns(
        [4, 4, 2, 2, 1.4], gap="small", vertical_alignment="bottom"
    )
    source.text_input(f"Sources, up to {MOST_ROWS}, with / between them", key=SOURCES.name)
    target.text_input("Targets, as many", key=TARGETS.name)
    score.selectbox("Score", CONTEXTS, key=CONTEXT.name)
    reads.selectbox("Encoder reads", ORDERS, key=ORDER.name)
    seed.number_input(
        "Seed", SEED_OPTION.minimum, SEED_OPTION.maximum, key=SEED.name, help=SEED_OPTION.help
    )


def _draw_effects(lesson: MaskLesson) -> None:
    literal.table(
        (
            *("left out", "loss", "change", "counted", "gradient norm", "gradient off by"),
            *("on padding", "states off by", "why"),
        ),
        [_effect_row(lesson, effect) for effect in lesson.effects],
        marked=[OMISSIONS.index(results.left_out(state.read(FIELDS)))],
        caption="Each mask left out in turn, on the same untrained network and batch",
    )
    st.caption(
        "Loss: nats a counted position. Gradient off by: length of the difference to the right "
        "gradient, as a share of it. On padding: the largest share of attention that padding gets. "
        "States off by: the largest change in the states of real source tokens and in the "
        "decoder's first state. The network is tiny and its weights are random; that the numbers "
        "change at all is the point: a sentence must not care who shares its batch."
    )
    saving.table("Masks", lambda: effects_frame(lesson))


def _effect_row(lesson: MaskLesson, effect: MaskEffect) -> tuple[str | int, ...]:
    nothing = not effect.left_out
    return (
        effect.left_out or "nothing",
        f"{effect.loss:.4f}",
        "–" if nothing else signed_change(effect.loss - lesson.effect("").loss),
        effect.counted,
        f"{effect.gradient_norm:.4f}",
        "–" if nothing else percent(effect.gradient_change),
        percent(effect.padding_weight),
        "–" if nothing else signed(effect.state_change),
        _WHAT.get(effect.left_out, "the loss of the sentences one by one"),
    )


def _draw_step(lesson: MaskLesson) -> None:
    finite = sum(step.finite for step in lesson.steps)
    st.markdown("**One training step, with all three masks**")
    literal.show(
        f"Source states {_shape(lesson.states_shape)} → logits {_shape(lesson.logits_shape)} → "
        f"{lesson.valid} valid target tokens → loss {lesson.effect('').loss:.4f}. "
        f"{finite} of {len(lesson.steps)} gradients are there and finite. After one "
        f"step down the gradient the same batch has the loss {lesson.loss_after:.4f}."
    )
    with st.expander("Every parameter and its gradient", icon=":material/table_chart:"):
        frame = gradients_frame(lesson)
        literal.table(
            tuple(frame.columns),
            [
                (s.name, " × ".join(map(str, s.shape)), f"{s.gradient_norm:.2e}",
                 "yes" if s.finite else "no")
                for s in lesson.steps
            ],
        )  # fmt: skip
    saving.table("Gradients", lambda: gradients_frame(lesson))


def _shape(sizes: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, sizes))})"
