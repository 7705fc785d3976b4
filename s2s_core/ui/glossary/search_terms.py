"""Words about search and length."""

from __future__ import annotations

from s2s_core.search.length_penalty import GnmtPenalty, PowerPenalty, WordReward
from s2s_core.ui.glossary.term import Term

_LOG_P = (r"\log P", "the sum of the tokens' log-probabilities")
_LENGTH = ("L", "how many tokens were generated, EOS counted, BOS not")
_ALPHA = (r"\alpha", "how strongly length counts; 0 is not at all")

SEARCH_TERMS = (
    Term(
        "log-probability",
        "Probabilities multiply, their logarithms add up. 0 is certain, and each token makes the "
        "sum lower. Natural logarithms here: −0.69 is one half.",
        "decode",
        also="log P",
        formula=r"\log P = \sum_{t=1}^{L} \log\, p(y_t \mid y_{<t}, x)",
        symbols=(_LENGTH, ("y_t", "the token at position t"), ("x", "the source")),
    ),
    Term(
        "greedy search",
        "Takes the most probable token at each step. It can't go back.",
        "playground",
    ),
    Term(
        "beam search",
        "Keeps the B best prefixes at each step and continues all of them. What was pruned can't "
        "come back, so a better hypothesis can be missed.",
        "decode",
    ),
    Term(
        "beam size",
        "B: how many prefixes live on at each step. A wider beam usually finds a higher score, and "
        "sometimes a lower one.",
        "lab",
        also="beam width",
        link=(("tab", "Beam width"),),
    ),
    Term(
        "step, position, row",
        "A step of the search, counted from 1, writes one position of every prefix. Each live "
        "prefix is one row of the batch that the model reads.",
        "decode",
    ),
    Term(
        "pool",
        "The B best finished hypotheses so far, by score.",
        "decode",
    ),
    Term(
        "pruned",
        "A candidate that had no room in the beam, or ended below the pool.",
        "decode",
    ),
    Term(
        "stop rule",
        "When a search may stop: at the limit (exhaust), when nothing can enter the pool any more "
        "(bound), when nothing can beat the best (best), or at the first B ends (first).",
        "playground",
    ),
    Term(
        "exact search",
        "Finds the hypothesis of highest score and proves it, by leaving out only what can't win.",
        "lab",
        source="Stahlberg & Byrne 2019, D19-1331",
    ),
    Term(
        "search error, model error",
        "A search error: a higher score exists and was missed. A model error: the model scores a "
        "right translation lower than what was found, so no search could have chosen it.",
        "lab",
        source="Stahlberg & Byrne 2019, D19-1331",
    ),
    Term(
        "score",
        "What ranks hypotheses: log P after the length penalty. Higher is better.",
        "length",
    ),
    Term(
        "length",
        "L: the generated tokens, EOS counted, BOS not. Toolkits differ in this.",
        "length",
    ),
    Term(
        "power penalty",
        "With alpha 1 it is the mean log-probability of a token.",
        "length",
        also="length normalisation",
        formula=PowerPenalty.latex,
        symbols=(_LOG_P, _LENGTH, _ALPHA),
        source=PowerPenalty.source,
        link=(("penalty", PowerPenalty.name),),
    ),
    Term(
        "GNMT penalty",
        "Grows more slowly for short outputs than the power penalty.",
        "length",
        formula=GnmtPenalty.latex,
        symbols=(_LOG_P, _LENGTH, _ALPHA),
        source=GnmtPenalty.source,
        link=(("penalty", GnmtPenalty.name),),
    ),
    Term(
        "word reward",
        "Adds the same amount for every token.",
        "length",
        formula=WordReward.latex,
        symbols=(_LOG_P, _LENGTH, (r"\gamma", "what each token is worth")),
        source=WordReward.source,
        link=(("penalty", WordReward.name),),
    ),
    Term(
        "crossing",
        "The alpha at which one hypothesis overtakes another. Two cross at most once.",
        "length",
        formula=r"\alpha^{*} = \frac{\ln\,(s_2 / s_1)}{\ln\,(\ell_2 / \ell_1)}",
        symbols=(
            ("s_1", "log P of the first"),
            ("s_2", "log P of the second"),
            (r"\ell_1", "L of the first, or (5 + L) / 6"),
            (r"\ell_2", "the same of the second"),
        ),
    ),
    Term(
        "re-ranking",
        "Sorting the hypotheses of a search again under another penalty. It can't bring back a "
        "prefix that was pruned.",
        "decode",
    ),
    Term(
        "coverage",
        "How much attention each source token has got by the end: a penalty on little of it "
        "favours outputs that leave nothing out.",
        "lab",
        source="eq. 14, Wu et al. 2016, arXiv:1609.08144",
        link=(("tab", "Other decoders"),),
    ),
    Term(
        "temperature",
        "Divides the scores before the softmax: below 1 the distribution gets sharper, above 1 "
        "flatter.",
        "lab",
        formula=r"p_i = \frac{\exp(z_i / \tau)}{\sum_j \exp(z_j / \tau)}",
        symbols=(
            ("p_i", "the probability of token i"),
            ("z_i", "its score before the softmax"),
            (r"\tau", "the temperature"),
        ),
        link=(("tab", "Other decoders"),),
    ),
)
