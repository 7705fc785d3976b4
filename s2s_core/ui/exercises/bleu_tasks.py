"""The exercises about BLEU."""

from __future__ import annotations

from s2s_core.metrics.report import BleuReport
from s2s_core.ui.exercises.task import AnyExercise, Exercise

_REFERENCE = "the old man sat on the bench by the sea"


def _all_words_right(report: BleuReport) -> bool:
    return report.orders[0].raw_precision == 100


def _half_a_penalty(report: BleuReport) -> bool:
    return _all_words_right(report) and 0.45 <= report.brevity_penalty <= 0.55


def _zero_with_right_words(report: BleuReport) -> bool:
    return (
        report.settings.smooth == "none"
        and _all_words_right(report)
        and report.brevity_penalty == 1
        and report.score == 0
    )


def _clipped_away(report: BleuReport) -> bool:
    """Every token of the hypothesis stands in a reference, and yet few of them count."""
    known = all(
        each.count == 0 or each.clipped > 0 for each in report.ngrams(1)
    )  # a token that stands nowhere is clipped to 0
    precision = report.orders[0].raw_precision
    return known and precision is not None and precision < 30


BREVITY = Exercise(
    name="half-a-penalty",
    title="A brevity penalty of a half",
    task="Every word of the hypothesis is right, so p₁ is 100 %. **Shorten the hypothesis**, still "
    "with right words only, until the brevity penalty lies between 0.45 and 0.55 (45 % and 55 %).",
    hint="The penalty is exp(1 − r / c), with c words in the hypothesis and r = 10 in the "
    "reference. For which c is 1 − 10 / c near ln 0.5 = −0.69?",
    answer="With c = 6 words: exp(1 − 10/6) = 0.5134. With 5 it is 0.3679, with 7 it is 0.6514.",
    page="bleu",
    start={"hypothesis": _REFERENCE, "reference": _REFERENCE},
    solution={"hypothesis": "the old man sat on the", "reference": _REFERENCE},
    fact=BleuReport,
    done=_half_a_penalty,
)

ZERO = Exercise(
    name="right-words-zero",
    title="All words right, and BLEU 0",
    task="**Reorder the words** of the hypothesis, using each as often as the reference does, so "
    "that p₁ stays 100 % and the brevity penalty 1, and yet BLEU is 0. (Smoothing is off.)",
    hint="BLEU is a geometric mean: one precision of 0 is enough. Which of the four is the easiest "
    "to bring to 0?",
    answer="It is enough that no four words in a row stand so in the reference: then p₄ is 0, and "
    "so is the product. “sea the by bench the on sat man old the” is one of many.",
    page="bleu",
    start={"hypothesis": _REFERENCE, "reference": _REFERENCE, "smoothing": "none"},
    solution={
        "hypothesis": "sea the by bench the on sat man old the",
        "reference": _REFERENCE,
        "smoothing": "none",
    },
    fact=BleuReport,
    done=_zero_with_right_words,
)

CLIPPING = Exercise(
    name="clipped-away",
    title="Caught by clipping",
    task="“the the cat” against “the cat”: all three words stand in the reference, but the second "
    "“the” doesn't count, so p₁ is 2/3. **Change the hypothesis** so that p₁ falls below 30 %, "
    "with words of the reference only.",
    hint="A word counts at most as often as the reference has it.",
    answer="Seven times “the” gives 1/7 here: one counts, six don't. (In the paper's example the "
    "reference has two, hence 2/7.)",
    page="bleu",
    start={"hypothesis": "the the cat", "reference": "the cat"},
    solution={"hypothesis": "the the the the the the the", "reference": "the cat"},
    fact=BleuReport,
    done=_clipped_away,
)

BLEU_TASKS: tuple[AnyExercise, ...] = (BREVITY, CLIPPING, ZERO)
