"""A training run as a TOML file of about twenty lines."""

from __future__ import annotations

import dataclasses
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from s2s_core.errors import ConfigError
from s2s_core.training.data import DataConfig, TaskConfig
from s2s_core.training.schedules import ObjectiveConfig

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Section = TypeVar("Section", bound="DataclassInstance")


HIGHEST_RATE = 1.0


@dataclass(frozen=True, slots=True)
class TokenizerConfig:
    """Vocabulary: its size, and how many different characters become tokens."""

    size: int = 6000
    alphabet_size: int = 3000


@dataclass(frozen=True, slots=True)
class OptimiserConfig:
    """Budget and optimisation.

    steps: updates in all. The learning rate rises linearly over `warmup_steps`, stays, and falls
        linearly to 0 over the last `decay_fraction` of the steps (Hägele et al. 2024,
        arXiv:2405.18392): a run can be lengthened or cut while the rate is still level.
    batch_tokens: target tokens an update, about.
    learning_rates: tried in short runs first; what they choose takes the place of `learning_rate`
        (see `rate_choice`). Empty: `learning_rate` as it stands.
    whole_runs: rates that are run to the end; the best of them is taken, whatever short runs say.
    patience: evaluations without a better development BLEU before training stops; 0 is never.
    average_decay: weight of the old value in the running average of the weights that is evaluated
        and saved (Polyak averaging); 0 is no average.
    """

    steps: int
    batch_tokens: int = 1600
    learning_rate: float = 1e-3
    learning_rates: tuple[float, ...] = ()
    whole_runs: tuple[float, ...] = ()
    warmup_steps: int = 400
    decay_fraction: float = 0.3
    weight_decay: float = 0.01
    gradient_norm: float = 1.0
    label_smoothing: float = 0.1
    average_decay: float = 0.0
    evaluate_every: int = 1000
    patience: int = 0
    seed: int = 1
    precision: Literal["auto", "float32", "bfloat16"] = "auto"


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """A whole run."""

    name: str
    title: str
    architecture: str
    data: DataConfig | TaskConfig
    optimiser: OptimiserConfig
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    objective: ObjectiveConfig = field(default_factory=ObjectiveConfig)
    model: dict[str, int | float | str | bool] = field(default_factory=dict)


_KINDS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "str": (str,),
    "tuple[float, ...]": (list,),
}


def load_config(path: Path) -> TrainingConfig:
    """Read a training configuration.

    Raises:
        ConfigError: the file can't be read or a key is missing, unknown or of the wrong kind.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} can't be read as TOML: {error}") from error
    data = values.pop("data", {})
    sections = {
        "data": (
            _section(TaskConfig, data, "data")
            if "task" in data
            else _section(DataConfig, data, "data")
        ),
        "tokenizer": _section(TokenizerConfig, values.pop("tokenizer", {}), "tokenizer"),
        "objective": _section(ObjectiveConfig, values.pop("objective", {}), "objective"),
        "optimiser": _section(OptimiserConfig, values.pop("optimiser", {}), "optimiser"),
    }
    config = _section(TrainingConfig, {**values, **sections}, "the top level")
    _check(config.optimiser)
    return config


def _section(kind: type[Section], values: dict[str, Any], where: str) -> Section:
    if not isinstance(values, dict):
        raise ConfigError(f"[{where}] must be a table of keys and values")
    fields = {f.name: f for f in dataclasses.fields(kind)}
    for name, value in values.items():
        if name not in fields:
            raise ConfigError(f"{where}: {name!r} isn't a key; there are: {', '.join(fields)}")
        wanted = str(fields[name].type)
        kinds = _KINDS.get(wanted)
        if kinds is not None and (isinstance(value, bool) or not isinstance(value, kinds)):
            raise ConfigError(f"{where}: {name} must be of type {wanted}, not {value!r}")
    missing = [
        f.name
        for f in fields.values()
        if f.name not in values
        and f.default is dataclasses.MISSING
        and f.default_factory is dataclasses.MISSING
    ]
    if missing:
        raise ConfigError(f"{where}: {missing[0]} is missing")
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return kind(**{**values, **lists})


def _check(optimiser: OptimiserConfig) -> None:
    positive = ("steps", "batch_tokens", "learning_rate", "gradient_norm", "evaluate_every")
    for name in positive:
        if not getattr(optimiser, name) > 0:
            raise ConfigError(f"optimiser: {name} must be above 0, not {getattr(optimiser, name)}")
    for name in ("learning_rates", "whole_runs"):
        rates = getattr(optimiser, name)
        for rate in rates:
            if isinstance(rate, bool) or not isinstance(rate, (int, float)) or not rate > 0:
                raise ConfigError(f"optimiser: {name} must be numbers above 0, not {rate!r}")
        if len(set(rates)) < len(rates):
            raise ConfigError(f"optimiser: {name} names a rate twice: {', '.join(map(str, rates))}")
    for rate in (optimiser.learning_rate, *optimiser.learning_rates, *optimiser.whole_runs):
        if rate > HIGHEST_RATE:
            raise ConfigError(
                f"optimiser: a learning rate must be at most {HIGHEST_RATE:g}, not {str(rate)[:20]}"
            )
    for name in ("decay_fraction", "label_smoothing", "average_decay"):
        if not 0 <= getattr(optimiser, name) < 1:
            raise ConfigError(
                f"optimiser: {name} must be at least 0 and below 1, not {getattr(optimiser, name)}"
            )
    if optimiser.precision not in ("auto", "float32", "bfloat16"):
        raise ConfigError(
            f"optimiser: precision is {optimiser.precision!r}, "
            "but must be auto, float32 or bfloat16"
        )
