"""Other decoders over the same model: sampling, beams of other kinds, minimum Bayes risk."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from s2s_core.figures.search_lab import utility_figure
from s2s_core.metrics.utility import UTILITIES
from s2s_core.options import IntegerOption, RealOption
from s2s_core.search.config import SearchRequest
from s2s_core.search.coverage import BETA
from s2s_core.search.decoder_base import Decoded, Decoder
from s2s_core.search.decoders import (
    DECODERS,
    CoverageDecoder,
    DiverseDecoder,
    MbrDecoder,
    SamplingDecoder,
    StochasticDecoder,
    WordsDecoder,
)
from s2s_core.search.diverse import GROUPS, STRENGTH, Diversity
from s2s_core.search.mbr import MbrResult
from s2s_core.search.sampling import SAMPLES, SEED, TEMPERATURE, TOP_K, TOP_P, Sampling
from s2s_core.ui import cached, charts, literal, shell, state
from s2s_core.ui.lab.link import (
    BETA_FIELD,
    COUNT,
    DECODER,
    DECODER_NAMES,
    GROUP_COUNT,
    MBR_OF,
    OF,
    SEED_FIELD,
    STRENGTH_FIELD,
    TOP_K_FIELD,
    TOP_P_FIELD,
    UTILITY,
    UTILITY_NAMES,
    WARMTH,
    WORDS,
)
from s2s_core.ui.length import tables
from s2s_core.ui.link import LinkField
from s2s_core.ui.tables import shown


def draw(request: SearchRequest) -> None:
    """Draw the choice of decoder, its settings and what it gives."""
    st.segmented_control(
        "Decoder",
        DECODER_NAMES,
        key=DECODER.name,
        required=True,
        format_func=lambda name: DECODERS[name].label,
    )
    kind = DECODERS[state.get(DECODER)]
    literal.show(kind.help)
    with st.container(horizontal=True):
        _CONTROLS[kind.name]()
    if kind is WordsDecoder and not _words():
        literal.show("Type the words that the output must hold, separated by commas.")
        return
    decoded = cached.decoded(cached.DecoderJob(_MAKERS[kind.name](), request))
    st.dataframe(
        shown(frame(decoded, kind), decimals=4),
        hide_index=True,
        key="decoder_table",
        alt="What the decoder gave, in its own order",
    )
    if isinstance(decoded.detail, MbrResult):
        best = decoded.detail.best
        charts.draw(
            utility_figure(decoded.detail, theme=shell.theme()),
            key="utilities",
            alt=f"Utility of each text against each other one; “{best}” agrees best with all.",
        )


def frame(decoded: Decoded, kind: type[Decoder]) -> pd.DataFrame:
    """The hypotheses in the decoder's own order."""
    rows = [
        {
            "place": place,
            "output": tables.shown(hypothesis.text),
            kind.value_name: value,
            "log P": hypothesis.log_prob,
            "score": hypothesis.score,
            "L": hypothesis.length,
            "finished": hypothesis.finished,
        }
        for place, (hypothesis, value) in enumerate(
            zip(decoded.hypotheses, decoded.values, strict=True), start=1
        )
    ]
    return pd.DataFrame(rows)


def _words() -> tuple[str, ...]:
    return tuple(word.strip() for word in state.get(WORDS).split(",") if word.strip())


def _sampling() -> Sampling:
    return Sampling(
        temperature=state.get(WARMTH),
        top_k=state.get(TOP_K_FIELD),
        top_p=state.get(TOP_P_FIELD),
        samples=state.get(COUNT),
        seed=state.get(SEED_FIELD),
    )


_MAKERS: dict[str, Callable[[], Decoder]] = {
    SamplingDecoder.name: lambda: SamplingDecoder(_sampling()),
    StochasticDecoder.name: lambda: StochasticDecoder(state.get(SEED_FIELD)),
    DiverseDecoder.name: lambda: DiverseDecoder(
        Diversity(state.get(GROUP_COUNT), state.get(STRENGTH_FIELD))
    ),
    CoverageDecoder.name: lambda: CoverageDecoder(state.get(BETA_FIELD)),
    WordsDecoder.name: lambda: WordsDecoder(_words()),
    MbrDecoder.name: lambda: MbrDecoder(
        UTILITIES[state.get(UTILITY)],
        "samples" if state.get(OF) == "samples" else "pool",
        _sampling(),
    ),
}


def _whole(field: LinkField[int], option: IntegerOption) -> None:
    st.number_input(
        option.name,
        option.minimum,
        option.maximum,
        key=field.name,
        help=option.help,
        width=150,
    )


def _real(field: LinkField[float], option: RealOption) -> None:
    st.number_input(
        option.name,
        option.minimum,
        option.maximum,
        step=option.step,
        key=field.name,
        help=option.help,
        width=150,
    )


def _draw_sampling() -> None:
    _real(WARMTH, TEMPERATURE)
    _whole(TOP_K_FIELD, TOP_K)
    _real(TOP_P_FIELD, TOP_P)
    _whole(COUNT, SAMPLES)
    _whole(SEED_FIELD, SEED)
    st.caption("Temperature first, then top-k, then top-p; what is left is scaled to sum to 1.")


def _draw_diverse() -> None:
    _whole(GROUP_COUNT, GROUPS)
    _real(STRENGTH_FIELD, STRENGTH)


def _draw_words() -> None:
    st.text_input("Words that must occur", key=WORDS.name, max_chars=200)


def _draw_mbr() -> None:
    st.selectbox("Utility", UTILITY_NAMES, key=UTILITY.name, width=150)
    st.selectbox("Over", MBR_OF, key=OF.name, width=150)
    _draw_sampling()


_CONTROLS: dict[str, Callable[[], None]] = {
    SamplingDecoder.name: _draw_sampling,
    StochasticDecoder.name: lambda: _whole(SEED_FIELD, SEED),
    DiverseDecoder.name: _draw_diverse,
    CoverageDecoder.name: lambda: _real(BETA_FIELD, BETA),
    WordsDecoder.name: _draw_words,
    MbrDecoder.name: _draw_mbr,
}
