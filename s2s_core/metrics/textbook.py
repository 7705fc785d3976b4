"""Short examples that each show one thing about BLEU."""

from __future__ import annotations

from dataclasses import dataclass

from s2s_core.metrics.settings import DEFAULT_SETTINGS, BleuSettings

_GUIDE = (
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
)


@dataclass(frozen=True, slots=True)
class Example:
    """One text to score.

    title: a few words for a button.
    shows: what to look at, in one or two sentences.
    """

    title: str
    hypothesis: str
    references: tuple[str, ...]
    shows: str
    settings: BleuSettings = DEFAULT_SETTINGS


EXAMPLES: tuple[Example, ...] = (
    Example(
        "the the cat",
        "the the cat",
        ("the cat",),
        "The reference has “the” once, so the second one is clipped away: 2 of 3 unigrams and 1 "
        "of 2 bigrams match.",
    ),
    Example(
        "Seven times the",
        "the the the the the the the",
        ("The cat is on the mat", "There is a cat on the mat"),
        "Without clipping this would be 7 of 7. The first reference has “the” twice once it is "
        "lower-cased, so 2 of 7 count (Papineni et al. 2002).",
        BleuSettings(lowercase=True),
    ),
    Example(
        "A good candidate",
        "It is a guide to action which ensures that the military always obeys the commands of "
        "the party",
        _GUIDE,
        "17 of 18 unigrams and 10 of 17 bigrams match one of three references "
        "(Papineni et al. 2002).",
        BleuSettings(lowercase=True),
    ),
    Example(
        "A bad candidate",
        "It is to insure the troops forever hearing the activity guidebook that party direct",
        _GUIDE,
        "8 of 14 unigrams match, but 1 of 13 bigrams only, and nothing longer "
        "(Papineni et al. 2002).",
        BleuSettings(lowercase=True),
    ),
    Example(
        "Too short to be wrong",
        "the cat sat on",
        ("the cat sat on the mat near the door",),
        "Every n-gram matches, so all precisions are 100 %. The brevity penalty alone lowers it.",
    ),
    Example(
        "Two lengths equally close",
        "a b c d e",
        ("a b c d", "a b c d e f"),
        "References of 4 and 6 tokens are both one token away from 5. The shorter one counts, so "
        "there is no brevity penalty.",
    ),
    Example(
        "No 4-gram matches",
        "the cat is on the mat",
        ("there is a cat on the mat",),
        "Smoothing stands in for the orders without a match. Switch the method and see how "
        "much of the score it makes.",
    ),
    Example(
        "A right paraphrase",
        "the feline rested upon the rug",
        ("the cat sat on the mat",),
        "It means nearly the same and scores nearly nothing: BLEU compares words, not meanings.",
    ),
)
"""The first is the shortest; the second to the fourth are Papineni's."""
