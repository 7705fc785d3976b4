"""Words about BLEU and other metrics."""

from __future__ import annotations

from s2s_core.ui.glossary.term import Term

_PAPINENI = "Papineni et al. 2002, P02-1040"

METRIC_TERMS = (
    Term("n-gram", "n tokens in a row. BLEU counts those of 1 to 4.", "bleu"),
    Term(
        "clipped precision",
        "Of the output's n-grams, the share that a reference has too; each counts at most as often "
        "as one reference has it. Sums over the whole corpus are divided, not means taken.",
        "bleu",
        also="modified precision",
        formula=r"p_n = \frac{\sum_{g} \min(c_g,\, r_g)}{\sum_{g} c_g}",
        symbols=(
            ("p_n", "the precision of n-grams of length n"),
            ("g", "an n-gram of the hypothesis"),
            ("c_g", "how often the hypothesis has it"),
            ("r_g", "how often the reference that has it most does"),
        ),
        source=_PAPINENI,
        link=(("part", "n-grams"),),
    ),
    Term(
        "brevity penalty",
        "Lowers the score of outputs that are shorter than their references, which precision alone "
        "would favour. From 0 to 1.",
        "bleu",
        formula=r"\mathrm{BP} = \min\left(1,\ \exp\left(1 - \frac{r}{c}\right)\right)",
        symbols=(
            (r"\mathrm{BP}", "the brevity penalty"),
            ("r", "the closest reference lengths, added up"),
            ("c", "the length of the output, in tokens"),
        ),
        source=_PAPINENI,
        link=(("part", "Length"),),
    ),
    Term(
        "BLEU",
        "The geometric mean of the four precisions times the brevity penalty, from 0 to 100. "
        "Comparable only at the same settings, and noisy for single sentences.",
        "bleu",
        formula=r"\mathrm{BLEU} = \mathrm{BP} \cdot "
        r"\exp\left(\sum_{n=1}^{N} w_n \log\, p_n\right)",
        symbols=(
            (r"\mathrm{BP}", "the brevity penalty"),
            ("N", "the longest n-grams that count, usually 4"),
            ("w_n", "the weight of each order, 1 / N"),
            ("p_n", "the clipped precision of n-grams of length n"),
        ),
        source=_PAPINENI,
    ),
    Term(
        "smoothing",
        "Puts something small in the place of a precision of 0, which would make the whole product "
        "0. Needed for single sentences.",
        "bleu",
        source="Chen & Cherry 2014, W14-3346",
        link=(("part", "Smoothing"),),
    ),
    Term(
        "signature",
        "How a score was computed, in one line. Two scores can be compared if their signatures are "
        "the same.",
        "bleu",
        source="Post 2018, W18-6319",
    ),
    Term(
        "chrF",
        "An F-score over character n-grams: it also sees words that are almost right.",
        "bleu",
        source="Popović 2015, W15-3049",
        link=(("part", "Beyond BLEU"),),
    ),
    Term(
        "TER",
        "How many edits turn the output into the reference, per word of it. Lower is better.",
        "bleu",
        source="Snover et al. 2006, 2006.amta-papers.25",
        link=(("part", "Beyond BLEU"),),
    ),
    Term(
        "confidence interval",
        "Drawn again and again from the same test sentences, with repetitions, the score falls "
        "into this range 95 times of 100.",
        "compare",
        also="bootstrap interval",
        source="Koehn 2004, W04-3250",
        link=(("tab", "Quality and length"),),
    ),
)
