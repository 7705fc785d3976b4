"""What a person sets for a small training run: task, network, size, rate, inputs, budget, seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from s2s_core.errors import SettingError
from s2s_core.options import IntegerOption, RealOption
from s2s_core.text.tasks import check_task
from s2s_core.training.schedules import ObjectiveConfig

Sizes = dict[str, int | float | str | bool]

LENGTH = IntegerOption("length", 2, 12, 7, "How many digits the strings have.")
WIDTH = IntegerOption("width", 16, 128, 64, "Numbers in the decoder's state; a multiple of 16.")
WIDTH_STEP = 16
RATE = RealOption("learning rate", 0.0001, 0.1, 0.002, 0.001, "Size of the optimiser's steps.")
STEPS = IntegerOption("steps", 50, 5000, 400, "Updates in all, unless the time is up before.")
SECONDS = IntegerOption("seconds", 5, 120, 60, "When they are over, the run ends at its step.")
SEED = IntegerOption("seed", 0, 9999, 1, "Of the first weights and the strings that are drawn.")
SHARE = RealOption("share of true tokens", 0.0, 1.0, 1.0, 0.05, "1 is teacher forcing.")
HALF = IntegerOption("half", 10, 5000, 200, "The step at which half of the inputs are true.")


@dataclass(frozen=True, slots=True)
class LiveModel:
    """A network by its name on the screen: the architecture, and its sizes for a width."""

    title: str
    architecture: str
    sizes: Callable[[int], Sizes]
    attention: bool = True


def _fixed(context: str) -> Callable[[int], Sizes]:
    return lambda width: {
        "source_order": "forward",
        "context": context,
        "embedding_size": width // 2,
        "encoder_size": width,
        "decoder_size": width,
    }


def _attention(context: str) -> Callable[[int], Sizes]:
    return lambda width: {
        "source_order": "bidirectional",
        "context": context,
        "embedding_size": width // 2,
        "encoder_size": width // 2,  # in each direction
        "decoder_size": width,
        "attention_size": width // 2,
    }


def _transformer(width: int) -> Sizes:
    return {"layers": 2, "width": width, "heads": 4, "feed_forward_size": 2 * width}


LIVE_MODELS: dict[str, LiveModel] = {
    "additive": LiveModel("Additive attention", "recurrent", _attention("additive")),
    "dot": LiveModel("Dot attention", "recurrent", _attention("dot")),
    "general": LiveModel("General attention", "recurrent", _attention("general")),
    "transformer": LiveModel("Transformer", "transformer", _transformer),
    "fixed-once": LiveModel(
        "Fixed vector, read once (A)", "recurrent", _fixed("fixed_once"), False
    ),
    "fixed-every-step": LiveModel(
        "Fixed vector, read at every step (B)", "recurrent", _fixed("fixed_every_step"), False
    ),
}
"""The networks of the reversal checkpoints. A new one is one entry here."""


@dataclass(frozen=True, slots=True)
class LiveConfig:
    """One run.

    model: a key of `LIVE_MODELS`. task: a key of `TASKS`.
    length: of the strings; with `mixed`, of the longest: the others are 1 to `length` digits long.
    objective: which tokens the decoder reads in training.
    steps, seconds: the run ends with whichever is over first.
    """

    model: str = "additive"
    task: str = "reverse"
    length: int = LENGTH.default
    mixed: bool = False
    width: int = WIDTH.default
    learning_rate: float = RATE.default
    objective: ObjectiveConfig = field(default_factory=ObjectiveConfig)
    steps: int = STEPS.default
    seconds: int = SECONDS.default
    seed: int = SEED.default

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            SettingError: one isn't among what is allowed.
        """
        check_task(self.task, self.shortest, self.length)
        if self.model not in LIVE_MODELS:
            known = ", ".join(LIVE_MODELS)
            raise SettingError(f"model must be one of {known}, not {self.model!r}")
        LENGTH.check(self.length)
        WIDTH.check(self.width)
        RATE.check(self.learning_rate)
        STEPS.check(self.steps)
        SECONDS.check(self.seconds)
        SEED.check(self.seed)
        if self.width % WIDTH_STEP:
            raise SettingError(f"width must be a multiple of {WIDTH_STEP}, not {self.width}")

    @property
    def shortest(self) -> int:
        """The fewest digits of a string."""
        return 1 if self.mixed else self.length
