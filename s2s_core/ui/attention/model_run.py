"""What the tabs on a loaded model show: pure functions of the page's controls.

The target is the model's own best output, or one that a person typed.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from s2s_core.models.along_target import OpenedStep, open_steps, shown_weights
from s2s_core.models.hand_case import Numbers
from s2s_core.models.inspection import inspectable
from s2s_core.models.occlusion import (
    WAYS,
    OcclusionMap,
    Way,
    occlude,
    padding_drops,
    share_lost,
)
from s2s_core.models.replacement import EVERYWHERE as ALL
from s2s_core.models.replacement import Place, SwapRequest, Swaps, swap_weights
from s2s_core.search.config import SearchRequest
from s2s_core.ui import cached
from s2s_core.ui.attention.link import EVERYWHERE, SEED, STEP, TARGET, WAY, YOURS
from s2s_core.ui.decode.link import HEAD, LAYER
from s2s_core.ui.link import LinkValues
from s2s_core.ui.shared_link import MODEL, SOURCE, check_source


@dataclass(frozen=True)
class TargetRequest:
    """Which model reads which source and writes which target; "" is its own best output."""

    model: str
    source: str
    target: str


@dataclass(frozen=True)
class SwapJob:
    """Weights to replace along a target."""

    request: TargetRequest
    swap: SwapRequest


@dataclass(frozen=True, eq=False)
class StepScreen:
    """One step of the model, and which attention of it is shown.

    steps: how many there are. layer: from 0, or -1 for the last. head: from 0, or None for the
        mean.
    """

    opened: OpenedStep
    steps: int
    layer: int
    head: int | None

    @property
    def weights(self) -> Numbers:
        """(S,)."""
        return shown_weights(self.opened.weights, layer=self.layer, head=self.head)

    @property
    def scores(self) -> Numbers:
        """(S,); for several heads the mean, whose softmax isn't the mean of their weights."""
        return shown_weights(self.opened.scores, layer=self.layer, head=self.head)


@dataclass(frozen=True, eq=False)
class ExplanationScreen:
    """All steps with each source token taken away, and one step with other weights.

    step: from 1. layer, head: as in `StepScreen`.
    """

    occlusion: OcclusionMap
    swaps: Swaps
    step: int
    way: Way
    layer: int
    head: int | None

    @property
    def attention(self) -> Numbers:
        """(T, S): the weights."""
        return self.occlusion.attention(layer=self.layer, head=self.head)

    @property
    def lost(self) -> Numbers:
        """(T, S): the share of each token's probability that is lost, in the chosen way."""
        return share_lost(self.occlusion.drops(self.way))

    @property
    def correlations(self) -> tuple[float | None, ...]:
        """T rank correlations of weights and drops, in the chosen way."""
        return self.occlusion.correlations(self.way, layer=self.layer, head=self.head)


def step_screen(values: LinkValues) -> StepScreen:
    """The step that the controls ask for; the last one if there are fewer.

    Raises:
        UnsupportedModelError: the model has no attention.
        ExplorerError: source or target can't be used.
    """
    steps = opened(target_request(values))
    step = min(values.get(STEP), len(steps))
    layer, head = chosen_head(values, steps[0])
    return StepScreen(steps[step - 1], len(steps), layer, head)


def explanation_screen(values: LinkValues) -> ExplanationScreen:
    """What the controls ask to take away and to replace.

    Raises:
        UnsupportedModelError: the model has no attention.
        ModelInputError: source and target are too long, or the weights set by hand can't be used.
        ExplorerError: source or target can't be used.
    """
    request = target_request(values)
    steps = opened(request)
    step = min(values.get(STEP), len(steps))
    layer, head = chosen_head(values, steps[0])
    place = ALL if values.get(EVERYWHERE) else Place(layer % steps[0].layers, head)
    swap = SwapRequest(step, place, values.get(YOURS) or None, values.get(SEED))
    return ExplanationScreen(
        occlusion=occluded(request),
        swaps=swapped(SwapJob(request, swap)),
        step=step,
        way=next(way for way in WAYS if way == values.get(WAY)),
        layer=layer,
        head=head,
    )


def target_request(values: LinkValues) -> TargetRequest:
    """Model, source and target of the controls.

    Raises:
        SourceTooLongError: the source or the target has more characters than allowed.
    """
    source, target = check_source(values.get(SOURCE)), check_source(values.get(TARGET))
    return TargetRequest(values.get(MODEL), source, target.strip())


def chosen_head(values: LinkValues, step: OpenedStep) -> tuple[int, int | None]:
    """Layer and head from 0; what the model doesn't have is the last layer, the mean."""
    layer, head = values.get(LAYER), values.get(HEAD)
    return (
        -1 if layer is None or layer > step.layers else layer - 1,
        None if head is None or head > step.heads else head - 1,
    )


@st.cache_data(max_entries=200, hash_funcs={TargetRequest: repr}, show_spinner=False)
def target_ids(request: TargetRequest) -> tuple[int, ...]:
    """The target's ids; a typed one ends with the end token.

    Raises:
        UnsupportedModelError: the model has no attention.
        ExplorerError: source or target can't be used.
    """
    model = cached.model(request.model)
    inspectable(model)
    if request.target:
        text = model.prepare_target(request.target).text
        return (*model.target.ids(text), model.target.eos_id)
    return cached.search(SearchRequest(request.model, request.source)).best.token_ids


@st.cache_data(
    max_entries=50, max_size="100mb", hash_funcs={TargetRequest: repr}, show_spinner=False
)
def opened(request: TargetRequest) -> tuple[OpenedStep, ...]:
    """Every step opened up.

    Raises:
        The same errors as `target_ids`.
    """
    return open_steps(cached.model(request.model), request.source, target_ids(request))


@st.cache_data(
    max_entries=100,
    max_size="50mb",
    hash_funcs={TargetRequest: repr},
    show_spinner="Taking away each source token …",
)
def occluded(request: TargetRequest) -> OcclusionMap:
    """Each source token taken away at each step.

    Raises:
        ModelInputError: source and target are too long.
        The same errors as `target_ids`.
    """
    return occlude(cached.model(request.model), request.source, target_ids(request))


@st.cache_data(max_entries=200, max_size="50mb", hash_funcs={SwapJob: repr}, show_spinner=False)
def swapped(job: SwapJob) -> Swaps:
    """One step under other weights.

    Raises:
        ModelInputError: the weights set by hand can't be used.
        The same errors as `target_ids`.
    """
    request = job.request
    model = cached.model(request.model)
    return swap_weights(model, request.source, target_ids(request), job.swap)


@st.cache_data(max_entries=50, hash_funcs={TargetRequest: repr}, show_spinner=False)
def padded(request: TargetRequest) -> tuple[tuple[float, ...], ...]:
    """Drops at the padding that the source gets beside itself written twice; T rows.

    Raises:
        SourceTooLongError: twice the source is too long for the model.
        The same errors as `target_ids`.
    """
    return padding_drops(
        cached.model(request.model),
        request.source,
        target_ids(request),
        beside=f"{request.source} {request.source}",
    )
