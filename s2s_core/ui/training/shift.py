"""The shift table, and one wrong token on the way."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from s2s_core.errors import ExplorerError
from s2s_core.figures.error_story import MOST_STEPS, error_alt, error_figure
from s2s_core.figures.theme import percent
from s2s_core.training.lessons.free_running import ErrorStory, Run
from s2s_core.ui import charts, literal, saving, shell, state
from s2s_core.ui.exercises import progress
from s2s_core.ui.training import results, shift_controls
from s2s_core.ui.training.link import FIELDS, LEARNER, OF, OF_DIGITS


def draw() -> None:
    """Draw the controls, the two ways of reading, and what follows from the mistake.

    Raises:
        ExplorerError: the target, the source or the model can't be used.
    """
    question, kind = st.columns([5, 2], vertical_alignment="center")
    question.markdown("**What does each step read: the true token, or the one just written?**")
    with kind:
        shift_controls.draw_kind()
    shift_controls.draw()
    story = results.error_story(state.read(FIELDS))
    progress.watch(story)
    literal.show(headline(story), look="translation")
    charts.draw(error_figure(story, theme=shell.theme()), key="error-story", alt=error_alt(story))
    if max(len(story.rows), len(story.disturbed or story.free)) > MOST_STEPS:
        literal.show(f"The picture has the first {MOST_STEPS} steps.", look="small")
    literal.show(
        "Under teacher forcing a step reads the target's token before it, whatever the model "
        "answered: a wrong answer harms nothing that follows. On its own, a model reads what it "
        "wrote. ✓ and ✗ say whether a token is the target's; the share is the probability of the "
        "model's first choice. <s> is BOS, </s> is EOS. Bengio et al. 2015, arXiv:1506.03099.",
        look="small",
    )
    if state.get(OF) != OF_DIGITS:
        literal.show(
            "A token counts as right only in the target's own place. So a translation that is as "
            "good, but says it otherwise, counts as wrong: read what is written.",
            look="small",
        )
    table, others = st.columns([2, 3], gap="large")
    with table:
        literal.table(
            ("step", "decoder reads", "is asked for"),
            [(row.step, plain(row.read), plain(row.wanted)) for row in story.rows],
            caption="The shift: what is read is the target, moved by one",
        )
    with others:
        if state.get(OF) == OF_DIGITS:
            _draw_family()
        _draw_choices(story)
    with st.expander("Every step of the three runs", icon=":material/table_chart:"):
        frame = steps_frame(story)
        literal.table(
            tuple(frame.columns),
            [_shown(row) for row in frame.itertuples(index=False, name=None)],
        )
    saving.table("Steps", lambda: steps_frame(story))


def headline(story: ErrorStory) -> str:
    """What the mistake did, in a sentence."""
    if story.mistake is None:
        wrong = sum(not step.right for step in story.free)
        return f"No mistake put in: on its own the model has {wrong} of {len(story.free)} wrong."
    step = story.mistake.step
    if not story.disturbed:
        return f"On its own the model ends before step {step}: nothing can be put in there."
    put_in, wanted = story.disturbed[step - 1], story.rows[step - 1]
    if put_in.right:
        return f"{plain(put_in.written)} is what the target has at step {step}: no mistake."
    right, count = story.after_mistake
    extra = len(story.disturbed) - len(story.rows)
    return (
        f"Step {step + 1} reads {plain(put_in.written)}, not {plain(wanted.wanted)}. "
        f"Of the {count} to come, {right} {_are(right)} right"
        f"{f', and {extra} more {_are(extra)} written' if extra > 0 else ''}."
    )


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def plain(token: str) -> str:
    """A token without the mark of the space before it."""
    return token.removeprefix("▁") or token


def steps_frame(story: ErrorStory) -> pd.DataFrame:
    """One row a step of each run."""
    runs = (
        ("teacher forcing", story.forced),
        ("on its own", story.free),
        ("on its own, with the mistake", story.disturbed),
    )
    return pd.DataFrame(
        {
            "run": name,
            "step": step.step,
            "reads": step.read,
            "first choice": step.choices[0].token,
            "probability": step.probability,
            "written": step.written,
            "put in": step.put_in,
            "target": step.wanted,
            "right": step.right,
        }
        for name, run in runs
        for step in run
    )


def _shown(row: tuple[str | float | bool, ...]) -> tuple[str | float, ...]:
    """A row of `steps_frame` for the screen: truths as signs, the probability in %."""
    return tuple(
        ("✓" if cell else "–")
        if isinstance(cell, bool)
        else percent(cell)
        if isinstance(cell, float)
        else cell
        for cell in row
    )


def _draw_family() -> None:
    """The same mistake in every model that reverses digits."""
    values, rows, here = state.read(FIELDS), [], []
    for place, card in enumerate(results.reversal_cards()):
        try:
            story = results.error_story(values.replace(LEARNER, card.name))
        except ExplorerError as error:
            rows.append((card.title, str(error), ""))
            continue
        run = story.disturbed or story.free
        rows.append((card.title, _written(run), _of(story)))
        if card.name == state.get(LEARNER):
            here.append(place)
    literal.table(
        ("model", "writes", "right after it"),
        rows,
        marked=here,
        caption="The same mistake in every model that reverses digits",
    )


def _of(story: ErrorStory) -> str:
    """How many tokens after the mistake are right; a sign where all that follows is."""
    right, count = story.after_mistake
    return f"{right} of {count}{' ✓' if story.recovered else ''}" if count else "–"


def _written(run: Run) -> str:
    return " ".join(f"[{plain(s.written)}]" if s.put_in else plain(s.written) for s in run)


def _draw_choices(story: ErrorStory) -> None:
    """The first choices of the step after the mistake, with and without it."""
    if story.mistake is None or not story.disturbed:
        return
    step = story.mistake.step
    if step >= min(len(story.free), len(story.disturbed)):
        return
    without, with_it = story.free[step], story.disturbed[step]
    literal.table(
        (f"after {plain(without.read)}", "", f"after {plain(with_it.read)}", ""),
        [
            (plain(a.token), percent(a.probability), plain(b.token), percent(b.probability))
            for a, b in zip(without.choices[:4], with_it.choices[:4], strict=True)
        ],
        caption=f"What step {step + 1} would write, without and with the mistake",
    )
