"""What a decoder is: settings in, hypotheses in the decoder's own order out.

To add one, write a frozen dataclass and one line in `decoders.DECODERS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.config import SearchRequest
from s2s_core.search.coverage import Covered
from s2s_core.search.diverse import DiverseResult
from s2s_core.search.exact import ExactResult
from s2s_core.search.mbr import MbrResult
from s2s_core.search.sampling import SampleResult
from s2s_core.search.stochastic import StochasticResult
from s2s_core.search.trace import BeamTrace, Hypothesis

Detail = (
    ExactResult
    | SampleResult
    | StochasticResult
    | DiverseResult
    | MbrResult
    | tuple[Covered, ...]
    | None
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a decoder gave.

    hypotheses: in the decoder's own order, the chosen one first.
    values: for each the number that the order goes by; `Decoder.value_name` says what it is.
    traces: the searches behind it; one for each group of a diverse beam, () for exact search where
        the beam found nothing.
    detail: what this decoder has beside that, or None.
    """

    hypotheses: tuple[Hypothesis, ...]
    values: tuple[float, ...]
    traces: tuple[BeamTrace, ...]
    detail: Detail = None

    @property
    def best(self) -> Hypothesis:
        """The chosen one."""
        return self.hypotheses[0]

    @property
    def source_tokens(self) -> tuple[str, ...]:
        """What the attention columns are; () where neither a trace nor attention tells."""
        if self.traces:
            return self.traces[0].source_tokens
        return self.best.attention.source_tokens if self.best.attention else ()


class Decoder(ABC):
    """A way to get from a model and a source to targets."""

    __slots__ = ()

    name: ClassVar[str]
    """Key in the registry, in links and on the command line."""
    label: ClassVar[str]
    """What a person reads beside the control."""
    help: ClassVar[str]
    """One sentence on what it does."""
    value_name: ClassVar[str] = "score"
    """What `Decoded.values` are."""
    random: ClassVar[bool] = False
    """It draws, so it has a seed."""

    @abstractmethod
    def decode(self, model: TranslationModel[State], request: SearchRequest) -> Decoded:
        """Decode.

        Raises:
            ExplorerError: as the function behind it does.
        """
