"""What each model makes of the source: outputs with their differences, and attention."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from s2s_core.errors import ExplorerError
from s2s_core.figures.attention import attention_alt, attention_figure
from s2s_core.figures.grid import attention_grid
from s2s_core.figures.theme import percent, signed
from s2s_core.models.card import CheckpointCard
from s2s_core.models.families import short_titles
from s2s_core.search.config import BEAM_SIZE, SearchConfig, SearchRequest
from s2s_core.text.clauses import single_clauses
from s2s_core.text.difference import Piece, differences, found_again
from s2s_core.ui import cached, charts, literal, saving, shell, state
from s2s_core.ui.compare.link import AGAINST, AUTOMATIC, NOTHING
from s2s_core.ui.compare.run import ModelRun
from s2s_core.ui.decode.link import BEAM
from s2s_core.ui.places import abreast


def draw_outputs(runs: Sequence[ModelRun]) -> None:
    """Draw each output in its own frame, marked against another one or the right answer."""
    written = [run for run in runs if run.best is not None]
    if not written:
        for problem in dict.fromkeys(run.problem for run in runs):
            st.error(literal.code(shell.as_sentence(problem)), icon=":material/error:")
        return
    for answer in dict.fromkeys(run.places.answer for run in runs if run.places):
        literal.show(f"The right answer: {answer}")
    baseline = baseline_of(written, state.get(AGAINST))
    with st.container(gap="xsmall"):
        for run in runs:
            _draw_output(run, baseline)
    if any(run.places for run in runs):
        _draw_legend(
            runs,
            "Underlined: wrong at its place; one digit too few or too many moves all after it. "
            "Struck out: missing at the end.",
        )
    elif len(written) > 1:
        choice, legend = st.columns([3, 7], gap="medium")
        with choice:
            _draw_baseline(written)
        with legend:
            plain = state.get(AGAINST) == NOTHING
            _draw_legend(
                runs,
                "The outputs as they are."
                if plain
                else "Underlined: only here. Struck out: only in the other.",
            )
    else:
        _draw_legend(runs, "One output alone: there is nothing to set it against.")


def _draw_output(run: ModelRun, baseline: ModelRun) -> None:
    with st.container(border=True, gap="xxsmall"):
        if run.best is None:
            literal.show(run.title, look="small")
            st.error(literal.code(shell.as_sentence(run.problem)), icon=":material/error:")
            return
        literal.show(f"{run.title} · {_story(run)}", look="small")
        literal.marked(_pieces(run, baseline))


def _draw_legend(runs: Sequence[ModelRun], marks: str) -> None:
    """Draw what the marks mean, and what the numbers don't say."""
    st.caption(
        f"{marks} A higher log P of another model doesn't make its output better. Times are those "
        "of the first search on this server."
    )
    if told := budgets_told([run.card for run in runs]):
        literal.show(told, look="small")


def baseline_of(written: Sequence[ModelRun], name: str) -> ModelRun:
    """The output that the others are set against: the one of that name, or of the best score."""
    named = [run for run in written if run.card.name == name]
    return named[0] if named else max(written, key=_measured)


def _measured(run: ModelRun) -> float:
    score = run.card.score("BLEU", beam_size=BEAM_SIZE.default)
    return -1.0 if score is None else score.score


def _draw_baseline(written: Sequence[ModelRun]) -> None:
    """Draw the choice of the output that the others are set against."""
    title_of = {run.card.name: run.title for run in written}
    choices = (AUTOMATIC, NOTHING, *title_of)
    if state.get(AGAINST) not in choices:
        state.put(AGAINST, AUTOMATIC)
    best = baseline_of(written, AUTOMATIC)
    st.selectbox(
        "Differences from",
        choices,
        key=AGAINST.name,
        format_func={
            **title_of,
            AUTOMATIC: f"highest BLEU: {best.title}",
            NOTHING: "nothing: no marks",
        }.__getitem__,
    )


def budgets_told(cards: Sequence[CheckpointCard]) -> str:
    """How much each model read in training, in words; differing amounts are named."""
    budgets = (card.budget.get("target_tokens_seen") for card in cards)
    seen = [tokens for tokens in budgets if isinstance(tokens, int)]
    if len(cards) < 2 or len(seen) < len(cards):
        return ""
    if max(seen) - min(seen) <= max(seen) / 1000:  # batches don't come out even
        return f"All of them saw {max(seen) / 1e6:.2f} million target tokens in training."
    titles = short_titles([card.title for card in cards])
    told = "; ".join(f"{t}: {tokens:,}" for t, tokens in zip(titles, seen, strict=True))
    return f"Their training differs, in target tokens seen: {told}."


def outputs_frame(runs: Sequence[ModelRun]) -> pd.DataFrame:
    """One row a model, as it is saved."""
    return pd.DataFrame(
        {
            "model": run.card.name,
            "source": run.trace.request.source if run.trace else "",
            "output": run.best.text if run.best else "",
            "log P": run.best.log_prob if run.best else None,
            "length": run.best.length if run.best else None,
            "score": run.best.score if run.best else None,
            "finished": run.best.finished if run.best else None,
            "right positions": run.places.right if run.places else None,
            "positions": run.places.wanted if run.places else None,
            "seconds": run.seconds if run.best else None,
            "problem": run.problem,
        }
        for run in runs
    )


def _pieces(run: ModelRun, baseline: ModelRun) -> tuple[Piece, ...]:
    assert run.best is not None
    if run.places is not None:
        gap = Piece(" ", "same")
        return tuple(each for piece in run.places.pieces for each in (piece, gap))
    if baseline.best is None or run is baseline or state.get(AGAINST) == NOTHING:
        return (Piece(run.best.text, "same"),)
    return differences(run.best.text, baseline.best.text)


def _story(run: ModelRun) -> str:
    assert run.best is not None
    right = ""
    if run.places is not None:
        verdict = "exactly right" if run.places.exact else "not right"
        surplus = f", {run.places.surplus} too many" if run.places.surplus else ""
        right = f"{verdict}, {run.places.right} of {run.places.wanted} positions{surplus} · "
    cut = "" if run.best.finished else "cut at the maximum length · "
    return (
        f"{right}{cut}log P {signed(run.best.log_prob)} · {run.best.length} tokens with the end "
        f"token · {1000 * run.seconds:.0f} ms"
    )


def draw_clauses(runs: Sequence[ModelRun], language: str, count: int) -> None:
    """Draw how much of each clause's own translation stands in the translation of all."""
    clauses = single_clauses(language, count)
    found = [(run, _alone(run, clauses)) for run in runs if run.best is not None]
    shares = [[f"{text} ({percent(share)})" for text, share in alone] for _, alone in found]
    literal.table(
        ("clause", *(run.title for run, _ in found)),
        list(zip(clauses, *shares, strict=True)),
        caption="Each clause translated alone, and how many of those words the joined one has too",
    )
    st.caption(
        "Each model is set against itself: what it writes for a clause alone, and for all of them. "
        "Another wording lowers a share, and small words are found in other clauses too: look at "
        "the output before you call a clause kept or lost."
    )
    saving.table(
        "Clauses",
        lambda: pd.DataFrame(
            {
                "model": run.card.name,
                "clause": clause,
                "translation alone": text,
                "share found again": share,
            }
            for run, alone in found
            for clause, (text, share) in zip(clauses, alone, strict=True)
        ),
    )


def _alone(run: ModelRun, clauses: Sequence[str]) -> list[tuple[str, float]]:
    """What the model writes for each clause alone, and the share of it in the joined output."""
    whole = run.best.text if run.best else ""
    texts = [_translation(run.card.name, clause) for clause in clauses]
    return [(text, found_again(text, whole)) for text in texts]


def _translation(name: str, source: str) -> str:
    config = SearchConfig(beam_size=state.get(BEAM))
    try:
        return cached.search(SearchRequest(name, source, config)).best.text
    except ExplorerError:
        return ""


def draw_attention(runs: Sequence[ModelRun]) -> None:
    """Draw each model's attention along its output, all on the scale from 0 to 1."""
    without = [run.title for run in runs if run.best and run.best.attention is None]
    if without:
        literal.show(
            f"No attention to show: {'; '.join(without)}. Such a decoder gets one fixed vector of "
            "the whole source."
        )
    shown = [run for run in runs if run.best and run.best.attention is not None]
    for place, run in abreast(shown):
        with place:
            _draw_map(run)
    st.caption(
        "The mean over the heads of the last layer; recurrent models have one of each. "
        f"{charts.CAUTION}"
    )


def _draw_map(run: ModelRun) -> None:
    assert run.best is not None and run.best.attention is not None
    literal.show(run.title)
    grid = attention_grid(run.best.attention)
    charts.draw(
        attention_figure(grid, theme=shell.theme()),
        key=f"attention-{run.card.name}",
        alt=f"{run.title}. {attention_alt(grid)}",
    )
