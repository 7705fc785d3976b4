"""What is scored now, and its results, each computed once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from s2s_core.errors import CorpusError
from s2s_core.metrics.notices import Notice, report_notices, to_nfc
from s2s_core.metrics.others import MetricScore, chrf_score, ter_score
from s2s_core.metrics.report import BleuReport, Progress, bleu_report
from s2s_core.metrics.settings import BleuSettings
from s2s_core.metrics.significance import PairedTests, paired_tests
from s2s_core.metrics.unclipped import unclipped_matches
from s2s_core.text.to_score import TextsToScore, check_line_counts, typed_texts
from s2s_core.ui import state
from s2s_core.ui.bleu.fields import (
    BASELINE,
    FIELDS,
    HYPOTHESIS,
    INPUT,
    LINES,
    NFC,
    REFERENCES,
    bleu_settings,
)
from s2s_core.ui.bleu.store import Store
from s2s_core.ui.link import LinkValues

_CORPUS = "_bleu_corpus"  # texts that came as files
_WITH_BAR = 500  # segments from which on a bar shows the progress
_REFERENCES = tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True, slots=True)
class BleuRequest:
    """Texts and settings: what a score depends on."""

    hypotheses: tuple[str, ...]
    references: _REFERENCES
    settings: BleuSettings

    @property
    def characters(self) -> int:
        """Of all texts together."""
        theirs = sum(len(text) for own in self.references for text in own if text is not None)
        return theirs + sum(map(len, self.hypotheses))


@dataclass(frozen=True, slots=True)
class Scored:
    """A report with what a page says about it.

    unclipped: for each order, the matches before clipping.
    """

    request: BleuRequest
    report: BleuReport
    notices: tuple[Notice, ...]
    unclipped: tuple[int, ...]


def hold(texts: TextsToScore) -> None:
    """Keep texts that came as files for this visitor."""
    st.session_state[_CORPUS] = texts


def held() -> TextsToScore | None:
    """The texts that came as files, if there are any."""
    found: TextsToScore | None = st.session_state.get(_CORPUS)
    return found


def texts_of(values: LinkValues) -> TextsToScore | None:
    """The texts that the boxes hold; None if all boxes of references are blank.

    Raises:
        CorpusError: the numbers of lines differ; names the first line without a partner.
    """
    boxes = [values.get(field) for field in REFERENCES]
    if not any(box.strip() for box in boxes):
        return None
    hypothesis, baseline = values.get(HYPOTHESIS), values.get(BASELINE)
    if not values.get(LINES):
        systems = (hypothesis, baseline) if baseline.strip() else (hypothesis,)
        own = tuple(box for box in boxes if box.strip())
        return TextsToScore(tuple((system,) for system in systems), (own,))
    texts = typed_texts(hypothesis, boxes)
    if not baseline.strip():
        return texts
    other = typed_texts(baseline, ()).systems[0]
    counts = [len(texts.systems[0]), len(other)]
    check_line_counts(["the box of hypotheses", "the box of the baseline"], counts)
    return replace(texts, systems=(*texts.systems, other))


def texts(values: LinkValues | None = None) -> TextsToScore | None:
    """The texts on the screen; None if there is no reference yet.

    values: other ones than those of the screen.

    Raises:
        CorpusError: they don't belong together.
    """
    if state.get(INPUT) == "files":
        found = held()
        if found is None:
            state.refuse(INPUT, "typed; files aren't in a link, so upload them again")
    else:
        found = texts_of(state.read(FIELDS) if values is None else values)
    return _composed(found) if found is not None and state.get(NFC) else found


def request(found: TextsToScore, system: int = 0) -> BleuRequest:
    """The request for one of the systems, with the settings on the screen."""
    settings = bleu_settings(state.read(FIELDS))
    return BleuRequest(found.systems[system], found.references, settings)


def scored(asked: BleuRequest) -> Scored:
    """The score of a request.

    Raises:
        SegmentError: the texts can't be scored.
    """
    return _scores().get(asked, lambda: _score(asked), weight=asked.characters)


def other_metrics(asked: BleuRequest) -> tuple[MetricScore, ...]:
    """chrF and chrF++ of the same texts."""

    def make() -> tuple[MetricScore, ...]:
        texts = (asked.hypotheses, asked.references)
        return tuple(chrf_score(*texts, word_order=order) for order in (0, 2))

    return _others().get(("chrF", asked), make, weight=asked.characters)


def ter(asked: BleuRequest) -> tuple[MetricScore, ...]:
    """TER of the same texts.

    Raises:
        TooLongToScoreError: it would take too long.
    """

    def make() -> tuple[MetricScore, ...]:
        return (ter_score(asked.hypotheses, asked.references),)

    return _others().get(("TER", asked), make, weight=asked.characters)


def tests(baseline: BleuRequest, system: BleuRequest) -> PairedTests:
    """The paired tests of two systems on the same references."""
    ours, theirs = scored(baseline).report, scored(system).report
    weight = baseline.characters
    return _tests().get((baseline, system), lambda: paired_tests(ours, theirs), weight=weight)


def check_characters(found: TextsToScore) -> TextsToScore:
    """Refuse what can't be written as text again.

    Raises:
        CorpusError: a text holds half of a surrogate pair, as JSON's \\ud800 can give.
    """
    rows = zip(*found.systems, found.references, strict=True)
    for number, (*systems, references) in enumerate(rows, start=1):
        for text in (*systems, *references):
            if text is not None and any("\ud800" <= character <= "\udfff" for character in text):
                raise CorpusError(
                    f"segment {number} holds half of a surrogate pair, which isn't a character; "
                    "save the file as UTF-8 without \\ud800 to \\udfff"
                )
    return found


def _composed(found: TextsToScore) -> TextsToScore:
    return TextsToScore(
        tuple(tuple(map(to_nfc, system)) for system in found.systems),
        tuple(
            tuple(None if text is None else to_nfc(text) for text in own)
            for own in found.references
        ),
    )


def _score(asked: BleuRequest) -> Scored:
    place = st.empty()
    report = bleu_report(
        asked.hypotheses,
        asked.references,
        asked.settings,
        on_progress=_progress(place, len(asked.hypotheses)),
    )
    place.empty()
    return Scored(asked, report, report_notices(report), unclipped_matches(report))


def _progress(place: st.delta_generator.DeltaGenerator, segments: int) -> Progress | None:
    if segments < _WITH_BAR:
        return None
    bar = place.progress(0.0, f"Scoring {segments:,} segments …")

    def show(done: int, all_: int) -> None:
        bar.progress(done / all_, f"{done:,} of {all_:,} segments")

    return show


@st.cache_resource(max_entries=1, show_spinner=False)
def _scores() -> Store[Scored]:
    return Store(entries=200, weight=20_000_000)


@st.cache_resource(max_entries=1, show_spinner=False)
def _others() -> Store[tuple[MetricScore, ...]]:
    return Store(entries=200, weight=20_000_000)


@st.cache_resource(max_entries=1, show_spinner=False)
def _tests() -> Store[PairedTests]:
    return Store(entries=50, weight=20_000_000)
