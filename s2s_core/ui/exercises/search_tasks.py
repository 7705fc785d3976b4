"""The exercises about search and length: Decode, Length penalty, Search playground, Search lab."""

from __future__ import annotations

from dataclasses import replace

from s2s_core.search.beam import beam_search
from s2s_core.search.exact import ExactResult
from s2s_core.search.length_penalty import GnmtPenalty, PowerPenalty
from s2s_core.search.presets import PRESETS
from s2s_core.ui.exercises.facts import Decoded, RankingShown
from s2s_core.ui.exercises.task import AnyExercise, Exercise
from s2s_core.ui.playground.link import OWN_TABLE
from s2s_core.ui.playground.searches import Searches

_MODEL = "en-fr-additive-gru"
_RAINING = "It was raining when I left the house."
_LOWEST_FLIP = 0.72
_UNNAMED = {"table": OWN_TABLE, "own": PRESETS["beam-two-is-worse"].text}
"""As one's own table, since the preset's name would give the answer away."""


def _left_the_trap(found: Searches) -> bool:
    return (
        found.greedy.best.text == "A x"
        and found.exact is not None
        and found.beam.best.token_ids == found.exact.best.token_ids
    )


def _a_narrower_one_wins(found: Searches) -> bool:
    """Whether some narrower beam finds a higher score in the same table."""
    if not found.beam.best.finished:
        return False
    narrower = (replace(found.config, beam_size=b) for b in range(1, found.config.beam_size))
    return any(
        beam_search(found.table, "", config).best.score > found.beam.best.score + 1e-9
        for config in narrower
    )


def _long_one_leads(ranked: RankingShown) -> bool:
    return (
        ranked.list_name == "short-and-long"
        and isinstance(ranked.penalty, GnmtPenalty)
        and ranked.entries[0].length == 12
    )


def _words_lead_early(ranked: RankingShown) -> bool:
    return (
        ranked.list_name == "empty-wins"
        and isinstance(ranked.penalty, PowerPenalty)
        and ranked.penalty.alpha <= _LOWEST_FLIP
        and ranked.entries[0].text != ""
    )


def _greedy_differs(found: Decoded) -> bool:
    return (
        found.greedy is not None
        and not found.trace.request.forced_ids
        and found.greedy.best.text != found.trace.best.text
    )


def _forced_elsewhere(found: Decoded) -> bool:
    return found.before is not None and found.before.best.text != found.trace.best.text


def _proved_right(found: ExactResult) -> bool:
    return found.proved and not found.search_error


GREEDY_TRAP = Exercise(
    name="greedy-trap",
    title="Out of the greedy trap",
    task="Greedy search takes A first, because it is the more probable token, and ends at “A x” "
    "with log P −1.2040. The exact search below shows that another string is more probable. "
    "**Change the beam size** until the beam search finds it, too. How many prefixes must it keep, "
    "and why does one not do?",
    hint="A search with one prefix can keep A or B, not both. What if there were room for two?",
    answer="Two. A beam of 2 keeps B as well, and finds “B x”: 0.4 · 0.95 = 0.38, log P −0.9676. "
    "“A x” has 0.6 · 0.5 = 0.3.",
    page="playground",
    start={"table": "greedy-trap", "beam": "1"},
    solution={"table": "greedy-trap", "beam": "2"},
    fact=Searches,
    done=_left_the_trap,
)

RANK_ONE = Exercise(
    name="rank-one-changes",
    title="Where rank 1 changes",
    task="Two hypotheses: a short one (log P −2.5, 4 tokens) and a long one (−4.0, 12 tokens), "
    "under the GNMT penalty. At alpha 0 the short one ranks first. **Move alpha** until the long "
    "one does. Work out both scores at alpha 1 on paper first.",
    hint="Divide each log P by ((5 + L) / 6) to the power of alpha. At alpha 1 that is 9/6 for the "
    "short one and 17/6 for the long one.",
    answer="At alpha 0.6: −1.9601 against −2.1413, the short one leads. At alpha 1: −1.6667 "
    "against −1.4118, the long one leads. They cross once, at alpha 0.7390.",
    page="length",
    start={"list": "short-and-long", "penalty": "gnmt", "alpha": "0"},
    solution={"list": "short-and-long", "penalty": "gnmt", "alpha": "1"},
    fact=RankingShown,
    done=_long_one_leads,
)

WIDER_LOSES = Exercise(
    name="wider-loses",
    title="A wider beam that loses",
    task="Surely a wider beam can't be worse? Find a **beam size** whose result has a lower "
    "score than that of a narrower beam on the same table.",
    hint="Try 1, 2 and 3, and watch what is pushed out at step 2.",
    answer="With one prefix the search keeps A x. With two, both continuations of B are more "
    "probable at step 2 and push A x out; then they lead nowhere, and “B u p” has log P −2.84 "
    "against −1.57. With three there is room for A x again.",
    page="playground",
    start={**_UNNAMED, "beam": "1"},
    solution={**_UNNAMED, "beam": "2"},
    fact=Searches,
    done=_a_narrower_one_wins,
)

EMPTY_WINS = Exercise(
    name="empty-output",
    title="When saying nothing wins",
    task="Figures from a bug report: the empty output ranks first at alpha 0.6, with L to the "
    "power of alpha. Find an alpha **of at most 0.72** at which a translation with words leads.",
    hint="The picture draws each hypothesis' score against alpha: where does the line of the empty "
    "output stop being the highest?",
    answer="From alpha 0.6963 on, the hypothesis of 16 tokens leads. Its log P is 6.9 times "
    "as far below 0, but 16 to the power of 0.6963 is 6.9.",
    page="length",
    start={"list": "empty-wins", "penalty": "power", "alpha": "0.6"},
    solution={"list": "empty-wins", "penalty": "power", "alpha": "0.7"},
    fact=RankingShown,
    done=_words_lead_early,
)

GREEDY_DIFFERS = Exercise(
    name="greedy-differs",
    title="Greedy goes another way",
    task="For this sentence greedy search and the beam agree. **Find a sentence** for which their "
    "translations differ, and read where greedy leaves the beam.",
    hint="Longer sentences with several ways to begin are good candidates; the examples beside the "
    "box hold one.",
    answer=f"“{_RAINING}” is one: greedy takes the locally better word and can't go back.",
    page="decode",
    start={"model": _MODEL, "source": "Where is the station?"},
    solution={"model": _MODEL, "source": _RAINING},
    fact=Decoded,
    done=_greedy_differs,
)

FORCE = Exercise(
    name="force-a-token",
    title="Put words in its mouth",
    task="**Click a node** of the tree, choose another token there and force it. The model goes on "
    "from your token: make it end at another translation, and see what your choice cost in log P.",
    hint="Click the first node after the start, or open the tab “Selected node”: it lists what the "
    "model thought of at that place.",
    answer="Any token that leads elsewhere will do. The forced token keeps the model's own log "
    "P, so the difference between the two runs is the price of your choice.",
    page="decode",
    start={"model": _MODEL, "source": "My father's father is my grandfather."},
    solution={"model": _MODEL, "source": "My father's father is my grandfather.", "forced": "725"},
    fact=Decoded,
    done=_forced_elsewhere,
)

PROVE = Exercise(
    name="prove-it",
    title="Prove that nothing was missed",
    task="Beam search can miss the best output. **Search exactly** for this sentence, and find out "
    "whether the beam did.",
    hint="The first tab has the button. Exact search tries every string, but leaves out what can't "
    "win any more.",
    answer="For this sentence the search ends with “Proved”, after a handful of prefixes: the "
    "beam's output is the best of all that the model can write.",
    page="lab",
    start={"model": _MODEL, "source": "I love you."},
    solution={"model": _MODEL, "source": "I love you."},
    press="Search exactly",
    fact=ExactResult,
    done=_proved_right,
)

SEARCH_TASKS: tuple[AnyExercise, ...] = (
    GREEDY_TRAP,
    RANK_ONE,
    WIDER_LOSES,
    EMPTY_WINS,
    GREEDY_DIFFERS,
    FORCE,
    PROVE,
)
