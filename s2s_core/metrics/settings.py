"""How BLEU is computed: what a person can set, checked once, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from s2s_core.errors import SettingError
from s2s_core.metrics.tokenizers import check_tokenizer
from s2s_core.options import IntegerOption, RealOption

SmoothingMethod = Literal["exp", "floor", "add-k", "none"]

MAX_ORDER = IntegerOption(
    "maximum order", 1, 10, 4, "The longest n-grams that count: 4 is what papers mean by BLEU."
)
SAMPLES = IntegerOption("samples", 100, 100_000, 1000, "How often the bootstrap draws anew.")
TRIALS = IntegerOption("trials", 100, 100_000, 10_000, "How often outputs are swapped at random.")
SEED = IntegerOption("seed", 0, 2**31 - 1, 12345, "Of the random numbers; the same, the same test.")


@dataclass(frozen=True, slots=True)
class Smoothing:
    """What is done about an n-gram order without a match.

    formula: LaTeX, with m matches and t n-grams of the order.
    value: the bounds of its parameter, or None where it has none.
    help: one plain sentence.
    """

    formula: str
    value: RealOption | None
    help: str


@dataclass(frozen=True, slots=True)
class BleuSettings:
    """How to compute BLEU; the defaults are sacreBLEU's.

    lowercase: lower-case both sides first.
    tokenize: a name of `available_tokenizers()`.
    smooth: a key of `SMOOTHINGS`.
    smooth_value: the parameter of floor and add-k; None is the method's default. It becomes None
        for methods without one, so that equal settings compare equal.
    max_order: N, the longest n-grams that count.
    effective_order: leave out orders that the text is too short to have; meant for one sentence.

    Raises:
        SettingError: a value isn't one of those allowed.
    """

    lowercase: bool = False
    tokenize: str = "13a"
    smooth: SmoothingMethod = "exp"
    smooth_value: float | None = None
    max_order: int = MAX_ORDER.default
    effective_order: bool = False

    def __post_init__(self) -> None:
        for name in ("lowercase", "effective_order"):
            value: object = getattr(self, name)
            if not isinstance(value, bool):
                words = name.replace("_", " ")
                raise SettingError(f"{words} must be True or False, not {value!r}")
        check_tokenizer(self.tokenize)
        object.__setattr__(self, "max_order", MAX_ORDER.check(self.max_order))
        if not isinstance(self.smooth, str) or self.smooth not in SMOOTHINGS:
            raise SettingError(
                f"smoothing must be one of {', '.join(SMOOTHINGS)}, not {self.smooth!r}"
            )
        option = SMOOTHINGS[self.smooth].value
        value = self.smooth_value if option is not None else None
        if option is not None and value is not None:
            value = option.check(value)
        object.__setattr__(self, "smooth_value", value)

    @property
    def effective_smooth_value(self) -> float:
        """The value that smoothing works with; 0 for methods without one."""
        option = SMOOTHINGS[self.smooth].value
        if option is None:
            return 0.0
        return option.default if self.smooth_value is None else self.smooth_value

    def for_sentences(self) -> BleuSettings:
        """The same, with effective order, as a single sentence wants it."""
        return replace(self, effective_order=True)


SMOOTHINGS: dict[SmoothingMethod, Smoothing] = {
    "exp": Smoothing(
        r"\frac{1}{2^k\,t}",
        None,
        "The k-th order without a match counts as 1/2^k matches; other orders stay as they are.",
    ),
    "floor": Smoothing(
        r"\frac{v}{t}",
        RealOption("floor value", 0.0, 1.0, 0.1, 0.05, "Stands in for 0 matches."),
        "An order without a match counts as that many matches; other orders stay as they are.",
    ),
    "add-k": Smoothing(
        r"\frac{m+k}{t+k}",
        RealOption("add-k value", 0.0, 100.0, 1.0, 0.5, "Added to matches and n-grams."),
        "From order 2 on, k is added to matches and n-grams, so an order that the text is too "
        "short to have counts as 100 %.",
    ),
    "none": Smoothing("0", None, "An order without a match makes the score 0."),
}
"""Chen & Cherry 2014, "A systematic comparison of smoothing techniques for sentence-level BLEU"."""

DEFAULT_SETTINGS = BleuSettings()
