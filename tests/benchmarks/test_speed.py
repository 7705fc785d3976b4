"""How long things take: `python -m pytest -m benchmark tests/benchmarks/test_speed.py -s`.

Medians over interleaved runs on one thread, printed, never asserted: machines are noisy.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from s2s_core.figures.attention import attention_figure
from s2s_core.figures.beam_tree import beam_tree_figure
from s2s_core.figures.grid import attention_grid
from s2s_core.models.architectures import build_network
from s2s_core.models.checkpoint import checkpoint_folder, load_checkpoint
from s2s_core.models.network import parameter_count
from s2s_core.models.translation import TrainedModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig, StopRule
from s2s_core.search.tree import build_tree
from tests.everyday import EVERYDAY

pytestmark = pytest.mark.benchmark

REPEATS = 15
STOP_RULES: tuple[StopRule, ...] = ("best", "bound", "exhaust", "first")
WORDS = (
    "the old man who lives near the station bought a small red umbrella for his sister and "
    "then walked home with her because the last bus had left and it was raining very hard when "
    "they saw a black cat under the tree"
).split()


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def model() -> TrainedModel[Any]:
    return load_checkpoint(checkpoint_folder("en-fr-additive-gru"))


def medians(actions: dict[str, Callable[[], object]], repeats: int = REPEATS) -> dict[str, float]:
    """Milliseconds of each action, taking turns, after one warm-up round."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for round_number in range(repeats + 1):
        for name, action in actions.items():
            start = time.perf_counter()
            action()
            if round_number:
                times[name].append(1000 * (time.perf_counter() - start))
    return {name: statistics.median(values) for name, values in times.items()}


def sentence(model: TrainedModel[Any], tokens: int) -> str:
    """A sentence that the model reads as exactly so many source tokens, end token included."""
    for count in range(1, len(WORDS) + 1):
        text = " ".join(WORDS[:count]).capitalize() + "."
        if len(model.source_ids(text)) >= tokens:
            return text
    raise AssertionError("the words don't reach")


def test_encode_search_figures_and_json(model: TrainedModel[Any]) -> None:
    print()
    for tokens in (5, 10, 20, 40):
        source = sentence(model, tokens)
        traces = {beam: beam_search(model, source, SearchConfig(beam)) for beam in (1, 5, 10)}
        trace = traces[5]
        actions: dict[str, Callable[[], object]] = {
            "encode": lambda source=source: model.encode([source]),
            **{
                f"search, beam {beam}": lambda source=source, beam=beam: beam_search(
                    model, source, SearchConfig(beam)
                )
                for beam in traces
            },
            "figures": lambda trace=trace: (
                attention_figure(attention_grid(trace.best.attention)),
                beam_tree_figure(build_tree(trace), penalty=trace.request.config.length_penalty),
            ),
            "JSON": trace.to_json,
        }
        found = medians(actions)
        figures = ", ".join(f"{name} {value:.1f} ms" for name, value in found.items())
        print(
            f"{len(trace.source_tokens)} source tokens, {len(trace.steps)} steps at beam 5: "
            f"{figures}, JSON size {len(trace.to_json()) / 1000:.0f} kB"
        )


def test_extra_steps_of_each_stop_rule(model: TrainedModel[Any]) -> None:
    print()
    for rule in STOP_RULES:
        extra = []
        for source in EVERYDAY:
            trace = beam_search(model, source, SearchConfig(stop_rule=rule))
            extra.append(len(trace.steps) - trace.best.length)
        print(
            f"{rule}: {statistics.mean(extra):.1f} steps on average after the best hypothesis "
            f"ended (median {statistics.median(extra):.0f}, most {max(extra)})"
        )


# Layers, width, inner width: about as many parameters as the additive GRU. The first has the
# proportions of the published Marian models (six layers, inner width four times the width).
MARIAN_SHAPES = ((6, 184, 736), (3, 256, 768))


@pytest.mark.parametrize(("layers", "width", "inner"), MARIAN_SHAPES)
def test_speed_beside_a_marian_model(
    model: TrainedModel[Any], layers: int, width: int, inner: int
) -> None:
    transformers = pytest.importorskip("transformers")
    heads = 8
    vocabulary = model.tokenizer.size
    marian = transformers.MarianMTModel(
        transformers.MarianConfig(
            vocab_size=vocabulary,
            d_model=width,
            encoder_layers=layers,
            decoder_layers=layers,
            encoder_attention_heads=heads,
            decoder_attention_heads=heads,
            encoder_ffn_dim=inner,
            decoder_ffn_dim=inner,
            pad_token_id=0,
            eos_token_id=2,
            decoder_start_token_id=1,
            forced_eos_token_id=None,
        )
    ).eval()
    own = TrainedModel(
        build_network(
            "transformer",
            {
                "vocabulary_size": vocabulary,
                "layers": layers,
                "width": width,
                "heads": heads,
                "feed_forward_size": inner,
            },
        ),
        model.tokenizer,
        source_language="en",
        target_language="fr",
    )
    own.network.prepare_decoding()  # as a loaded checkpoint is
    source = sentence(model, 10)
    ids = torch.tensor([model.source_ids(source)])
    steps = 14
    config = SearchConfig(5, max_length=steps, min_length=steps, stop_rule="exhaust")
    generation = transformers.GenerationConfig(
        num_beams=5,
        min_new_tokens=steps,
        max_new_tokens=steps,
        do_sample=False,
        pad_token_id=0,
        eos_token_id=2,
        decoder_start_token_id=1,
    )

    def generate() -> object:
        return marian.generate(ids, generation_config=generation)

    assert len(beam_search(model, source, config).steps) == steps
    found = medians(
        {
            "additive GRU": lambda: beam_search(model, source, config),
            "our Transformer": lambda: beam_search(own, source, config),
            "Marian generate": generate,
        },
        repeats=25,
    )
    print(
        f"\n{layers} layers of width {width}; parameters: GRU {parameter_count(model.network):,}, "
        f"our Transformer {parameter_count(own.network):,}, Marian {parameter_count(marian):,}"
    )
    for name, value in found.items():
        ratio = found["Marian generate"] / value
        print(f"{name}: {value:.1f} ms, {ratio:.2f} times as fast as Marian generate")
