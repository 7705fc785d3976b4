"""What each model would say next, step by step: along its own output, or along one target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from s2s_core.errors import ExplorerError, PrefixError
from s2s_core.figures.next_token import next_token_alt, next_token_figure, next_tokens
from s2s_core.figures.theme import signed
from s2s_core.search.config import MAX_LENGTH
from s2s_core.search.records import Candidate
from s2s_core.search.trace import BeamTrace
from s2s_core.text.normalise import Normalised
from s2s_core.ui import cached, charts, literal, shell, state
from s2s_core.ui.compare.link import PREFIX, STEP
from s2s_core.ui.compare.run import ModelRun
from s2s_core.ui.places import abreast
from s2s_core.ui.shared_link import check_source

_RANGE = "_compare_steps"  # the end of the slider


@dataclass(frozen=True, eq=False)
class Followed:
    """A model with the tokens that it is followed along.

    path: from the first token on; empty where there is none.
    given: how many of them were given; the others are the model's own.
    problem: why there is no trace; "" if there is one.
    """

    run: ModelRun
    trace: BeamTrace | None
    path: tuple[Candidate, ...]
    given: int = 0
    problem: str = ""

    @property
    def steps(self) -> int:
        """How many steps there are to show: after given tokens, the one that goes on from them."""
        return self.given + 1 if self.given else len(self.path)


def draw(runs: Sequence[ModelRun]) -> None:
    """Draw the given target and a step, and what each model would say next there."""
    prefix = _draw_prefix(runs)
    lines = [along(run, prefix) if prefix else own_output(run) for run in runs]
    longest = max(1, *(line.steps for line in lines))
    if state.opened() and state.get(STEP) > longest:
        state.refuse(STEP, f"1 to {longest}")
    if longest != st.session_state.get(_RANGE):  # a slider with another end would begin anew
        st.session_state[_RANGE] = longest
        state.put(STEP, min(state.get(STEP), longest))
    if longest > 1:
        st.slider("Step", 1, longest, key=STEP.name)
    if len({tuple(c.token for c in line.path[: line.given]) for line in lines if line.given}) > 1:
        literal.show(
            "These models cut the target into different tokens: the same step isn't the same "
            "place, and log P is over different steps.",
            look="small",
        )
    for place, line in abreast(lines, columns=3 if len(lines) == 3 else 2):
        with place:
            literal.show(line.run.title)
            _draw_step(line, state.get(STEP))
    st.caption(
        "Every model after the same tokens, as in training; after the last of them stands what its "
        "own search would do. A high log P of a right target is what training asks for; it doesn't "
        "promise a right output."
        if prefix
        else "Each model after its own output so far, which need not be that of the others."
    )


def own_output(run: ModelRun) -> Followed:
    """A model along what it wrote."""
    if run.trace is None:
        return Followed(run, None, (), problem=run.problem)
    return Followed(run, run.trace, _best_path(run.trace))


def along(run: ModelRun, prefix: str) -> Followed:
    """A model along a target, or its beginning, that it is given."""
    if run.trace is None:
        return Followed(run, None, (), problem=run.problem)
    try:
        ids = _ids(run.card.name, prefix)
        if len(ids) >= MAX_LENGTH.maximum:
            raise PrefixError(
                f"the target has {len(ids)} tokens, but at most {MAX_LENGTH.maximum - 1} are "
                "allowed: shorten it"
            )
        usual = run.trace.request.config.resolved_max_length(run.trace.source_tokens)
        config = replace(run.trace.request.config, max_length=max(usual, len(ids) + 1))
        trace = cached.search(replace(run.trace.request, config=config, forced_ids=ids))
    except ExplorerError as error:
        return Followed(run, None, (), problem=str(error))
    return Followed(run, trace, _best_path(trace), given=len(ids))


def _best_path(trace: BeamTrace) -> tuple[Candidate, ...]:
    return trace.path(trace.ranked_ids()[0])


def _ids(name: str, prefix: str) -> tuple[int, ...]:
    model = cached.model(name)
    return tuple(model.target.ids(model.prepare_target(check_source(prefix)).text))


def _draw_prefix(runs: Sequence[ModelRun]) -> str:
    """Draw the box for a target that all follow → what stands in it."""
    names = [run.card.name for run in runs if run.trace is not None]
    st.text_input(
        "One target for all, or its beginning",
        key=PREFIX.name,
        placeholder="None: each model follows its own output",
        help="Every model gets these tokens, as in training, whatever it would have written.",
        on_change=_go_to_its_end,
        args=(names,),
    )
    prefix = check_source(state.get(PREFIX))
    if not prefix.strip():
        return ""
    for told in dict.fromkeys(_change(name, prefix) for name in names):
        if told:
            literal.show(told, look="small")
    return prefix


def _change(name: str, prefix: str) -> str:
    """What was changed in the target to bring it into the form of the corpora, in words."""
    prepared: Normalised = cached.model(name).prepare_target(prefix)
    return f"As the models write it: {prepared.text} ({prepared.told})" if prepared.changed else ""


def _go_to_its_end(names: Sequence[str]) -> None:
    """Show the step after the target."""
    prefix = state.get(PREFIX)
    try:
        lengths = [len(_ids(name, prefix)) for name in names] if prefix.strip() else []
    except ExplorerError:
        return  # drawing says why
    state.put(STEP, min(lengths, default=0) + 1)


def _given(trace: BeamTrace, last: Candidate, count: int) -> str:
    """What the given tokens are worth, as a beginning and as the whole target, in words."""
    tokens = "given token" if count == 1 else f"{count} given tokens"
    told = f"log P of the {tokens}: {signed(last.log_prob)}"
    ends = [c for c in trace.steps[count].row(last.id) if c.token_id == trace.eos_id]
    return f"{told}; with the end token: {signed(ends[0].log_prob)}" if ends else told


def _draw_step(line: Followed, step: int) -> None:
    if line.trace is None:
        st.error(literal.code(shell.as_sentence(line.problem)), icon=":material/error:")
        return
    if line.given:
        literal.show(_given(line.trace, line.path[line.given - 1], line.given), look="small")
    if step > line.steps:
        ended = (
            f"The target ends with step {line.given}"
            if line.given
            else f"Ended at step {line.steps}: {line.path[-1].text}"
        )
        literal.show(ended, look="small")
        return
    taken = line.path[step - 1]
    going_on = 0 < line.given < step  # its own search: nothing here is given, nothing followed
    row = next_tokens(line.trace, taken.parent_id, taken_id=None if going_on else taken.id)
    if row is None:
        literal.show("This step wasn't recorded.", look="small")
        return
    literal.show(f"after: {row.prefix or 'the start'}", look="small")
    charts.draw(
        next_token_figure(row, theme=shell.theme()),
        key=f"next-{line.run.card.name}",
        alt=f"{line.run.title}. {next_token_alt(row)}",
    )
