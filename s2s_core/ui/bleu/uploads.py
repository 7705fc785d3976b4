"""Files of hypotheses and references: what was chosen, read strictly, or refused with the line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from s2s_core.errors import CorpusError, ExplorerError
from s2s_core.text.to_score import (
    NamedFile,
    TextsToScore,
    check_line_counts,
    json_lines,
    plain_lines,
    plain_texts,
    tab_separated,
    typed_texts,
)
from s2s_core.ui import literal, state
from s2s_core.ui.bleu import examples, scoring
from s2s_core.ui.bleu.fields import (
    BASELINE,
    FIELDS,
    HYPOTHESIS,
    INPUT,
    MAXIMUM_BOXES,
    RESULTS,
    TEXTS,
)
from s2s_core.ui.link import MAXIMUM_CHARACTERS, link_length, write_link

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

MAXIMUM_MEGABYTES = 50
_HYPOTHESES, _REFERENCES, _BASELINE = "file_hypotheses", "file_references", "file_baseline"
_PROBLEM = "_upload_problem"


def draw() -> None:
    """Draw the button with the places to drop files, and what is wrong with them."""
    with st.popover("Files", icon=":material/upload_file:", key="bleu_files", width="stretch"):
        st.file_uploader(
            "Hypotheses: one a line (.txt), or with their references: .tsv (hypothesis TAB "
            'reference TAB …), .jsonl ({"hypothesis": "…", "references": ["…"]} a line)',
            key=_HYPOTHESES,
            max_upload_size=MAXIMUM_MEGABYTES,
        )
        st.file_uploader(
            "References: one a line, a file for each translator",
            key=_REFERENCES,
            accept_multiple_files=True,
            max_upload_size=MAXIMUM_MEGABYTES,
        )
        st.file_uploader(
            "A baseline to compare with, one a line (may be left out)",
            key=_BASELINE,
            max_upload_size=MAXIMUM_MEGABYTES,
        )
        st.button("Score these files", type="primary", on_click=_take, key="score_files")
        problem: str = st.session_state.get(_PROBLEM, "")
        if problem:
            st.error(literal.code(problem), icon=":material/error:")


def read_files(
    hypotheses: NamedFile, references: Sequence[NamedFile], baseline: NamedFile | None
) -> TextsToScore:
    """Read what was uploaded; the ending of the first file says what is in it.

    Raises:
        CorpusError: a file can't be used, or they don't belong together.
    """
    ending = hypotheses.name.lower().rpartition(".")[2]
    if ending in ("tsv", "jsonl", "json", "ndjson"):
        if references:
            raise CorpusError(
                f"{hypotheses.name} holds its references itself; take the files of references away"
            )
        found = tab_separated(hypotheses) if ending == "tsv" else json_lines(hypotheses)
    elif not references:
        raise CorpusError(
            f"{hypotheses.name} is read as one hypothesis a line, so it needs at least one file "
            "of references; or upload a .tsv or .jsonl file that holds both"
        )
    else:
        found = plain_texts([hypotheses], references)
    if baseline is not None:
        lines = plain_lines(baseline)
        counts = [len(found.references), len(lines)]
        check_line_counts([hypotheses.name, baseline.name], counts)
        found = TextsToScore((*found.systems, lines), found.references)
    return scoring.check_characters(found)


def put(found: TextsToScore) -> None:
    """Put texts on the screen: into the boxes where they fit, so that they are in the link too.

    In a callback.
    """
    state.reset((*TEXTS, *RESULTS))
    boxes = boxes_of(found)
    if boxes is None:
        scoring.hold(found)
        state.put(INPUT, "files")
        return
    state.put(HYPOTHESIS, "\n".join(found.systems[0]))
    state.put(BASELINE, "\n".join(found.systems[1]) if len(found.systems) > 1 else "")
    examples.put_references(boxes)
    if link_length(write_link(state.read(FIELDS), FIELDS)) > MAXIMUM_CHARACTERS:
        state.reset(TEXTS)
        scoring.hold(found)
        state.put(INPUT, "files")


def boxes_of(found: TextsToScore) -> list[str] | None:
    """The references as boxes, if reading those gives the same texts again; else None."""
    most = max(map(len, found.references))
    if most > MAXIMUM_BOXES or len(found.references) > 200:
        return None
    padded = [[*own, *[None] * (most - len(own))] for own in found.references]
    boxes = ["\n".join(text or "" for text in column) for column in zip(*padded, strict=True)]
    try:
        again = [typed_texts("\n".join(system), boxes) for system in found.systems]
    except CorpusError:
        return None
    same = all(
        texts.systems[0] == system and texts.references == found.references
        for texts, system in zip(again, found.systems, strict=True)
    )
    return boxes if same else None


def _take() -> None:
    st.session_state[_PROBLEM] = ""
    given: UploadedFile | None = st.session_state[_HYPOTHESES]
    if given is None:
        st.session_state[_PROBLEM] = "Choose a file of hypotheses first."
        return
    baseline: UploadedFile | None = st.session_state[_BASELINE]
    try:
        put(
            read_files(
                _named(given),
                [_named(file) for file in st.session_state[_REFERENCES]],
                None if baseline is None else _named(baseline),
            )
        )
    except ExplorerError as error:
        st.session_state[_PROBLEM] = str(error)


def _named(file: UploadedFile) -> NamedFile:
    return NamedFile(file.name, file.getvalue())
