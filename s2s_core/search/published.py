"""Lists of hypotheses whose ranking is known, and what each toolkit computes."""

from __future__ import annotations

from dataclasses import dataclass

from s2s_core.search.length_penalty import GnmtPenalty, LengthPenalty, PowerPenalty
from s2s_core.search.rank_entries import LengthCount
from s2s_core.search.ranking import RankEntry


@dataclass(frozen=True, slots=True)
class PublishedList:
    """Hypotheses from elsewhere, with L as this project counts it (EOS counted).

    name: the key in `PUBLISHED_LISTS`.
    title, lesson: for a person.
    source: where the figures come from.
    penalty: the one that they were ranked with, or that the exercise asks for.
    """

    name: str
    title: str
    lesson: str
    source: str
    penalty: LengthPenalty
    entries: tuple[RankEntry, ...]


_MARIAN = PublishedList(
    name="empty-wins",
    title="An n-best list that the empty output wins",
    lesson="The empty output has one token, the end, and a high probability. With L to the power "
    "of alpha it ranks first up to alpha 0.6963; then one of 16 tokens does, and from 0.8500 one "
    "of 17. With GNMT it holds out until 1.5256.",
    source="marian-dev issue 462, n-best with --normalize 0.6; only the figures are published",
    penalty=PowerPenalty(0.6),
    entries=(
        RankEntry(1, "", -1.18324, 1),
        RankEntry(2, "(hypothesis 2, 16 tokens)", -8.15704, 16),
        RankEntry(3, "(hypothesis 3, 17 tokens)", -8.58838, 17),
        RankEntry(4, "(hypothesis 4, 15 tokens)", -8.23043, 15),
        RankEntry(5, "(hypothesis 5, 16 tokens)", -8.64039, 16),
        RankEntry(6, "(hypothesis 6, 17 tokens)", -9.01087, 17),
    ),
)

_SHORT_AND_LONG = PublishedList(
    name="short-and-long",
    title="Exercise: a short one and a long one",
    lesson="Which ranks first with the GNMT penalty at alpha 0, 0.6 and 1? Work it out on paper, "
    "then look.",
    source="the formula is eq. 14, Wu et al. 2016, arXiv:1609.08144",
    penalty=GnmtPenalty(0.6),
    entries=(
        RankEntry(1, "(short, 4 tokens)", -2.5, 4),
        RankEntry(2, "(long, 12 tokens)", -4.0, 12),
    ),
)

PUBLISHED_LISTS: dict[str, PublishedList] = {
    _MARIAN.name: _MARIAN,
    _SHORT_AND_LONG.name: _SHORT_AND_LONG,
}


@dataclass(frozen=True, slots=True)
class Toolkit:
    """How one toolkit scores and stops, read in its source at one commit or version.

    score: the normalised score with its defaults; n is the visible tokens, L the length below.
    length: L for n visible tokens and EOS, in words; None where that isn't said.
    count: the same as a key of `LENGTH_COUNTS`, or None.
    family: the penalty class with the same formula, or None where no family here has it.
    candidates: how many a step looks at, for beam size k.
    final_when: when a hypothesis is finished.
    stop_rule: when the search ends.
    """

    name: str
    version: str
    score: str
    length: str | None
    count: LengthCount | None
    family: type[LengthPenalty] | None
    candidates: str
    final_when: str
    stop_rule: str
    source: str


TOOLKITS: tuple[Toolkit, ...] = (
    Toolkit(
        name="GNMT (the paper)",
        version="Wu et al. 2016",
        score="log P / ((5+L)/6)^α + coverage penalty, β Σ log min(Σ attention, 1)",
        length=None,
        count=None,
        family=GnmtPenalty,
        candidates="pruned by a margin of score",
        final_when="not said",
        stop_rule="not said",
        source="eq. 14, arXiv:1609.08144",
    ),
    Toolkit(
        name="OpenNMT-py",
        version="97111d9",
        score="none: log P; avg: log P / L^α; wu: log P / ((5+L)/6)^α (α 1, beam 5)",
        length="n + 2: BOS and EOS",
        count="with BOS and EOS",
        family=GnmtPenalty,
        candidates="k",
        final_when="EOS among the k best, or the maximum length",
        stop_rule="the top of the beam has ended and n-best are collected; with a ratio above 0, "
        "a bound on the length",
        source="github.com/OpenNMT/OpenNMT-py",
    ),
    Toolkit(
        name="JoeyNMT",
        version="cdc4d03",
        score="log P / ((5+L)/6)^α for α > 0, else log P (α −1 means off)",
        length="n + 1: EOS",
        count="with EOS",
        family=GnmtPenalty,
        candidates="k; finished rows are extended on and keep taking places",
        final_when="the first EOS in the row",
        stop_rule="every place in the beam has ended once",
        source="github.com/joeynmt/joeynmt",
    ),
    Toolkit(
        name="fairseq",
        version="3d262bb",
        score="log P / L^lenpen (1); an unknown-word penalty is taken off at every step",
        length="n + 1: EOS",
        count="with EOS",
        family=PowerPenalty,
        candidates="2k",
        final_when="EOS among the first k",
        stop_rule="exactly k finished; EOS is forced at the maximum length",
        source="github.com/facebookresearch/fairseq",
    ),
    Toolkit(
        name="Marian",
        version="c9f287d",
        score="(log P − wp·L) / L^normalize (0; the bare flag is 1), wp 0, beam 12",
        length="n + 1: EOS",
        count="with EOS",
        family=PowerPenalty,
        candidates="the live beam; each finished hypothesis makes it one narrower for good",
        final_when="EOS in the beam, or 3 times the source length",
        stop_rule="the beam is empty",
        source="github.com/marian-nmt/marian-dev",
    ),
    Toolkit(
        name="Sockeye",
        version="871d986",
        score="cost / ((β+L)/(β+1))^α (α 1, β 0), and a brevity penalty of a predicted length",
        length="n + 1: EOS",
        count="with EOS",
        family=PowerPenalty,
        candidates="k; finished rows keep a place, their normalised cost against raw ones",
        final_when="EOS in the beam",
        stop_rule="all k have ended (first: one)",
        source="github.com/awslabs/sockeye",
    ),
    Toolkit(
        name="transformers",
        version="5.24.0",
        score="log P / L^length_penalty (1.0)",
        length="n + 1: EOS; the prompt isn't counted (before 4.36 it was)",
        count="with EOS",
        family=PowerPenalty,
        candidates="max(2, 1 + number of EOS tokens)·k",
        final_when="EOS, or another stopping criterion, among the first k",
        stop_rule="early_stopping decides: k finished, or a bound on what a live one can reach",
        source="github.com/huggingface/transformers",
    ),
    Toolkit(
        name="CTranslate2",
        version="0d8bcd3",
        score="log P / L^lp (1) + β Σ log min(coverage, 1), only at the end; beam 2",
        length="n + 1: EOS (n for Whisper)",
        count="with EOS",
        family=PowerPenalty,
        candidates="2k",
        final_when="EOS among the first k; its place is filled again",
        stop_rule="without penalties: the top has ended and n are collected; else k·patience "
        "finished",
        source="github.com/OpenNMT/CTranslate2",
    ),
    Toolkit(
        name="tensor2tensor",
        version="bafdc1b",
        score="log P / ((5+L)/6)^α; a pool of the best k",
        length="n + 1: EOS",
        count="with EOS",
        family=GnmtPenalty,
        candidates="2k, and EOS counts anywhere among them",
        final_when="EOS among the 2k",
        stop_rule="best finished > best live / lp(maximum length) (stop_early), else the worst "
        "finished",
        source="github.com/tensorflow/tensor2tensor",
    ),
)
"""Figures in brackets are defaults; for all of them a higher score is better."""
