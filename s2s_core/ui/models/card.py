"""A checkpoint's card in readable form: what it is, how it was trained, what was measured."""

from __future__ import annotations

import math
from dataclasses import asdict

import pandas as pd
import streamlit as st

from s2s_core.figures.architecture import (
    architecture_alt,
    architecture_boxes,
    architecture_figure,
)
from s2s_core.figures.costs import BLEU_AXES, LOSS_AXES, bleu_lines, loss_lines
from s2s_core.figures.lines import Axes, Line, lines_alt, lines_figure
from s2s_core.figures.quality import lengths_label
from s2s_core.models.card import CARD, METRICS, CheckpointCard, RateTrial
from s2s_core.models.cost import parameter_bytes
from s2s_core.models.families import kind_of
from s2s_core.text.normalise import LANGUAGES
from s2s_core.ui import charts, literal, saving, shell


def draw_card(card: CheckpointCard) -> None:
    """Draw the network, its sizes, its data and licence, and the button that saves the card."""
    picture, facts = st.columns([5, 6], gap="medium")
    with picture:
        charts.draw(
            architecture_figure(card, theme=shell.theme()),
            key="architecture",
            alt=architecture_alt(card),
        )
        narrow = any(box.narrow for box in architecture_boxes(card))
        st.caption(
            "Full frames: encoder (above) and decoder (below). Dashed: what is handed over."
            + (" The narrow frame is of one size, however long the source." if narrow else "")
        )
    with facts:
        literal.table(("about", ""), facts_rows(card))
        saving.button("Card (JSON)", card.to_json, f"{card.name}-{CARD}", "application/json")


def facts_rows(card: CheckpointCard) -> list[tuple[str, str]]:
    """What it is, in words."""
    names = [
        LANGUAGES[code].name if code in LANGUAGES else code
        for code in (card.source_language, card.target_language)
    ]
    return [
        ("name", card.name),
        ("languages", " → ".join(names)),
        ("kind", kind_of(card)),
        ("parameters", f"{card.parameters:,}"),
        (
            "memory",
            f"{parameter_bytes(card) / 1e6:.1f} MB of weights; as float16 in the file, half of it",
        ),
        ("data", card.data),
        ("training pairs", f"{card.training_pairs:,}"),
        ("licence", card.licence),
        ("attribution", card.attribution),
        ("sizes", _listed(card.sizes)),
        ("seed", str(card.seed)),
    ]


def draw_training(card: CheckpointCard) -> None:
    """Draw the budget, the learning rates that were tried, and the learning curves."""
    literal.table(
        ("budget", ""), [(name.replace("_", " "), _value(v)) for name, v in card.budget.items()]
    )
    perplexity = math.exp(min(card.development_loss, 700.0))
    literal.show(
        f"Development loss of the stored weights: {card.development_loss:.4g} nats a token "
        f"(perplexity {perplexity:.4g}).",
        look="small",
    )
    if card.learning_rate_trials:
        literal.table(
            ("learning rate", "run", "steps", "target tokens", "development loss", "BLEU"),
            [_trial(t, card) for t in card.learning_rate_trials],
            marked=_used(card),
            caption="Learning rates tried: the highest BLEU on the development set decides, of "
            "whole runs where there are any (bold: what was taken)",
        )
        if told := overruled(card):
            literal.show(told, look="small")
    else:
        literal.show("The card names no trials of learning rates.", look="small")
    if not card.learning_curve:
        literal.show("The card has no learning curve.", look="small")
        return
    places = st.columns(2, gap="medium")
    with places[0]:
        _draw_lines(loss_lines(card), LOSS_AXES, "losses")
    with places[1]:
        _draw_lines(bleu_lines(card), BLEU_AXES, "bleu")
    st.caption(
        "As it was during the run. The training loss is that of the objective, averaged over the "
        "steps since the point before; what its name says in parentheses sets it apart from the "
        "development loss, so that the two are no measure of overfitting by themselves."
    )
    saving.table("Learning curve", lambda: pd.DataFrame(map(asdict, card.learning_curve)))


def _draw_lines(lines: tuple[Line, ...], axes: Axes, key: str) -> None:
    charts.draw(lines_figure(lines, axes, theme=shell.theme()), key=key, alt=lines_alt(lines, axes))


def draw_measured(card: CheckpointCard) -> None:
    """Draw the commands, the figures of the whole, and all figures as a table."""
    for data, command in card.commands.items():
        st.markdown(f"The command that gives the figures of **{literal.code(data)}**:")
        st.code(str(command), language="bash", wrap_lines=True)
    frame = scores_frame(card)
    if frame.empty:
        literal.show("The card has no measured figures.", look="small")
        return
    st.dataframe(frame, hide_index=True, width="stretch", height=430)
    st.caption(
        "Low and high: the 95 % interval by resampling sentences. Beam 0: no search, the true "
        "prefix given; 1: greedy. "
        + "; ".join(f"{name}: {unit}" for name, unit in METRICS.items())
        + ". Compare scores only at the same signature and data."
    )
    saving.table("Figures", lambda: frame)


def scores_frame(card: CheckpointCard) -> pd.DataFrame:
    """One row a figure, in the order of the card."""
    return pd.DataFrame(
        {
            "data": score.data,
            "lengths": lengths_label(score),
            "sentences": score.sentences,
            "references": score.references,
            "beam": score.beam_size,
            "figure": score.metric,
            "score": round(score.score, 4),
            "low": round(score.low, 4),
            "high": round(score.high, 4),
            "signature": score.signature,
        }
        for score in card.scores
    )


def _trial(trial: RateTrial, card: CheckpointCard) -> tuple[str | float, ...]:
    kind = "whole" if trial.steps == card.budget.get("steps_taken") else "short"
    counts = f"{trial.steps:,}", f"{trial.target_tokens:,}"
    measured = trial.development_loss, trial.development_bleu
    return (f"{trial.learning_rate:g}", kind, *counts, *measured)


def _used(card: CheckpointCard) -> list[int]:
    rate, trials = card.budget.get("learning_rate"), card.learning_rate_trials
    longest = max(trial.steps for trial in trials)
    return [
        place
        for place, trial in enumerate(trials)
        if (trial.learning_rate, trial.steps) == (rate, longest)
    ]


def overruled(card: CheckpointCard) -> str:
    """That the best of the longest trials wasn't taken, in words; "" if it was."""
    best = max(
        card.learning_rate_trials,
        key=lambda trial: (trial.steps, *trial.merit),
        default=None,
    )
    if best is None or best.learning_rate == card.budget.get("learning_rate"):
        return ""
    return "Another rate was taken than these runs name: the configuration of the run says why."


def _listed(sizes: dict[str, int | float | str | bool]) -> str:
    return "; ".join(f"{name.replace('_', ' ')} {_value(value)}" for name, value in sizes.items())


def _value(value: int | float | str | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return f"{value:,}" if isinstance(value, int) else value
