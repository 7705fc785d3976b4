"""Short clauses of our own, by language, to be joined to sources of any length.

A sentence of clauses grows without getting harder to understand: each clause is one that a model
translates well alone. What changes is how much has to be carried from the source to the target.
"""

from __future__ import annotations

from dataclasses import dataclass

from s2s_core.errors import SettingError
from s2s_core.text.normalise import DIGITS


@dataclass(frozen=True, slots=True)
class Clauses:
    """Clauses of one language, and how they are joined.

    between: what stands between two clauses. last: between the last two. end: after the last.
    """

    clauses: tuple[str, ...]
    between: str
    last: str
    end: str
    capital: bool = True

    def sentence(self, clauses: tuple[str, ...]) -> str:
        """Clauses as one sentence."""
        *first, final = clauses
        head = self.between.join(first)
        text = f"{head}{self.last if first else ''}{final}{self.end}"
        return text[:1].upper() + text[1:] if self.capital else text


def join_clauses(language: str, count: int) -> str:
    """The first clauses of a language as one sentence.

    Raises:
        SettingError: the language has no clauses, or fewer than that.
    """
    return _clauses(language, count).sentence(CLAUSES[language].clauses[:count])


def single_clauses(language: str, count: int) -> tuple[str, ...]:
    """The same clauses as sentences of their own.

    Raises:
        SettingError: the language has no clauses, or fewer than that.
    """
    found = _clauses(language, count)
    return tuple(found.sentence((clause,)) for clause in found.clauses[:count])


def _clauses(language: str, count: int) -> Clauses:
    if language not in CLAUSES:
        raise SettingError(
            f"language must be one of {', '.join(CLAUSES)} to have clauses, not {language!r}"
        )
    most = len(CLAUSES[language].clauses)
    if not 1 <= count <= most:
        raise SettingError(f"clauses must be 1 to {most}, not {count}")
    return CLAUSES[language]


CLAUSES: dict[str, Clauses] = {
    "en": Clauses(
        (
            "the door is open", "my sister is reading a book", "it is raining",
            "the cat is on the table", "we are drinking tea", "he works in a bank",
            "the children are sleeping", "she bought two apples", "I lost my keys",
            "the train was late",
        ),
        ", ", " and ", ".",
    ),
    "fr": Clauses(
        (
            "la porte est ouverte", "ma sœur lit un livre", "il pleut",
            "le chat est sur la table", "nous buvons du thé", "il travaille dans une banque",
            "les enfants dorment", "elle a acheté deux pommes", "le train était en retard",
            "la fenêtre est fermée",
        ),
        ", ", " et ", ".",
    ),
    "de": Clauses(
        (
            "die Tür ist offen", "meine Schwester liest ein Buch", "es regnet",
            "die Katze liegt auf dem Tisch", "wir trinken Tee", "er arbeitet in einer Bank",
            "die Kinder schlafen", "sie hat zwei Äpfel gekauft", "der Zug war zu spät",
            "das Fenster ist zu",
        ),
        ", ", " und ", ".",
    ),
    "es": Clauses(
        (
            "la puerta está abierta", "mi hermana lee un libro", "está lloviendo",
            "el gato está en la mesa", "bebemos té", "él trabaja en un banco",
            "los niños duermen", "ella compró dos manzanas", "el tren llegó tarde",
            "la ventana está cerrada",
        ),
        ", ", " y ", ".",
    ),
    "zh": Clauses(
        (
            "门开着", "我姐姐在看书", "外面在下雨", "猫在桌子上", "我们在喝茶",
            "他在银行工作", "孩子们睡着了", "她买了两个苹果", "火车晚点了", "窗户关着",
        ),
        "，", "，", "。", capital=False,
    ),
    DIGITS: Clauses(
        ("4 9 7", "1 2", "8 0 5", "3 3", "6 1 9", "2 7", "5 4 0", "9 8", "0 6 2", "7 1"),
        " ", " ", "", capital=False,
    ),
}  # fmt: skip
"""The clauses by language; a new one is an entry here."""

MOST_CLAUSES = min(len(found.clauses) for found in CLAUSES.values())
"""So many can be joined in every language."""
