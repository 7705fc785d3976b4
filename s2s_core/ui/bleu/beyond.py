"""What BLEU can't see, what to report with it, and other metrics beside it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import streamlit as st

from s2s_core.errors import TooLongToScoreError
from s2s_core.metrics.display import shown_score
from s2s_core.metrics.others import MetricScore
from s2s_core.ui import literal, state
from s2s_core.ui.bleu import scoring
from s2s_core.ui.bleu.fields import NFC, OTHERS, TER
from s2s_core.ui.bleu.scoring import Scored

_AT_ONCE = 20_000  # characters up to which chrF takes no noticeable time

_CANNOT_SEE = """
**What BLEU can't see**

- **Meaning.** It counts runs of equal tokens. A right paraphrase scores low, and a wrong *not*,
  name or number costs as little as any other token.
- **Order beyond N tokens.** Whole phrases may change places at hardly any cost.
- **One sentence.** A sentence score rests on a handful of n-grams and on smoothing; use it to
  look, not to decide.
- **Other settings.** Another tokenizer, case, order, smoothing or set of references gives
  another number. Compare only scores with the same signature on the same references.
- **Whether a difference matters.** Test it (“Two systems”), and read the output. Where a
  decision needs judgement, people have to read.
"""
_COMPLEMENTS = """
**Complements, and what to write down with each**

- **chrF, chrF++** (Popović 2015, 2017): characters, so inflection costs less. Report the
  signature.
- **TER** (Snover et al. 2006): edits to reach a reference; lower is better, and it may exceed
  100. Report the signature.
- **COMET** (Rei et al. 2020): a trained model that reads source, hypothesis and reference.
  Report the package's version and the full name of the model, such as `Unbabel/wmt22-comet-da`,
  and whether a reference was used. Scores of different models, and of different language pairs,
  can't be compared.
- **BERTScore** (Zhang et al. 2020): similarity of contextual vectors. Report its hash code,
  which holds the model, the layer, idf or not, the version, and whether scores were rescaled
  with a baseline. Raw values crowd together near the top.

How well each agrees with people varies with task, language and version. COMET and BERTScore
aren't computed here: they need large models of their own.
"""


def draw(scored: Scored) -> None:
    """Draw the explanation, the line to report, and the other metrics."""
    text, report = st.columns(2, gap="medium")
    with text:
        st.markdown(_CANNOT_SEE)
        st.markdown(_COMPLEMENTS)
    with report:
        literal.show(
            "To report, with the name of the test set and who translated it", look="second"
        )
        st.code(report_line(scored, composed=state.get(NFC)), language=None, wrap_lines=True)
        _draw_others(scored)
        _draw_ter(scored)


def report_line(scored: Scored, *, composed: bool) -> str:
    """Score, parts and signature in a line that a paper can quote."""
    found = scored.report
    precisions = "/".join(f"{min(p, 100):.1f}" for p in found.precisions)
    note = " (both sides normalised to NFC)" if composed else ""
    return (
        f"BLEU = {shown_score(found.score)} {precisions} (BP = {found.brevity_penalty:.3f}, "
        f"hypothesis {found.hypothesis_length} tokens, reference {found.reference_length}), "
        f"{len(found.segments)} segment{'s' if len(found.segments) > 1 else ''}{note}, sacreBLEU "
        f"{version('sacrebleu')}: {found.signature}"
    )


def _draw_others(scored: Scored) -> None:
    if scored.request.characters > _AT_ONCE:
        state.put(OTHERS, state.get(OTHERS))
        st.toggle("chrF and chrF++, a few seconds for large texts", key=OTHERS.name)
        if not state.get(OTHERS):
            return
    with st.spinner("chrF …", show_time=True):
        found = scoring.other_metrics(scored.request)
    _table("Higher is better, 0 to 100", found)


def _draw_ter(scored: Scored) -> None:
    state.put(TER, state.get(TER))
    st.toggle(
        "TER: slow on long text, so only on request",
        key=TER.name,
        help="Stopped after 10 seconds; segments above 100 tokens are refused.",
    )
    if not state.get(TER):
        return
    try:
        with st.spinner("TER …", show_time=True):
            found = scoring.ter(scored.request)
    except TooLongToScoreError as error:
        st.info(literal.code(str(error)), icon=":material/timer_off:")
        return
    _table("Lower is better; lower-cased", found)


def _table(caption: str, found: Sequence[MetricScore]) -> None:
    rows = [
        (
            each.name,
            f"{each.score:.2f}" if each.name == "TER" else shown_score(each.score),
            each.signature,
        )
        for each in found
    ]
    literal.table(("metric", "score", "signature"), rows, caption=caption)
