"""Lines with intervals: quality by length, learning curves, costs, and the network's boxes."""

from __future__ import annotations

import json
from dataclasses import replace

import plotly.graph_objects as go
import pytest

from s2s_core.errors import ConfigError
from s2s_core.figures.architecture import (
    architecture_alt,
    architecture_boxes,
    architecture_figure,
    architecture_flows,
)
from s2s_core.figures.costs import (
    BLEU_AXES,
    DECODING_AXES,
    LOSS_AXES,
    MEMORY_AXES,
    PAIR_AXES,
    TRAINING_AXES,
    bleu_lines,
    decoding_time_lines,
    loss_lines,
    memory_lines,
    pair_lines,
    training_time_lines,
)
from s2s_core.figures.lines import Axes, Line, lines_alt, lines_figure
from s2s_core.figures.quality import lengths_label, quality_axes, quality_lines
from s2s_core.figures.theme import DARK, LIGHT
from s2s_core.models.card import CheckpointCard, MeasuredScore
from s2s_core.models.checkpoint import CHECKPOINTS, checkpoint_names, load_card
from s2s_core.models.cost import CostTimes, Spread, Times, cost_times
from s2s_core.models.families import families
from tests.models.checkpoints import make_card
from tests.models.networks import NETWORKS

SPREADS = (
    (Spread(0.02, 0.01, 0.03), Spread(0.04, 0.04, 0.05)),
    (Spread(0.001, 0.001, 0.001), Spread(0.003, 0.002, 0.004)),
)
TIMES = CostTimes("a machine", 16, 3, (Times("n", "A → B, <b>", (5, 10), *SPREADS, (2000, 5000)),))


def score(shortest: int, longest: int | None, value: float) -> MeasuredScore:
    return MeasuredScore(
        "test", shortest, longest, 9, "column 2", 5, "exact match", value, value - 2, value + 3, ""
    )


def carded(title: str, *scores: MeasuredScore) -> CheckpointCard:
    return replace(make_card(), title=title, scores=scores)


ONE = carded("Family, one", score(1, 5, 90), score(6, 10, 40), score(11, None, 5))
TWO = carded("Family, two", score(1, 5, 95), score(6, 10, 80))
NONE = carded("Family, none")


def drawn(lines: tuple[Line, ...], axes: Axes) -> dict[str, object]:
    figure = lines_figure(lines, axes, theme=DARK)
    checked = go.Figure(figure.to_plotly_json())  # raises ValueError at a bad property
    assert json.loads(checked.to_json()) == json.loads(figure.to_json())
    return json.loads(figure.to_json())  # type: ignore[no-any-return]


def test_quality_has_a_line_a_card_that_has_it_with_its_intervals() -> None:
    lines = quality_lines((ONE, TWO, NONE), "exact match", beam_size=5)
    assert [line.name for line in lines] == ["one", "two"]
    assert lines[0].ys == (90, 40, 5)
    assert lines[0].lows == (88, 38, 3) and lines[0].highs == (93, 43, 8)
    data = drawn(lines, quality_axes((ONE, TWO, NONE), "exact match", beam_size=5))["data"]
    first = data[0]  # type: ignore[index]
    assert first["error_y"]["array"] == [3, 3, 3] and first["error_y"]["arrayminus"] == [2, 2, 2]
    assert "lengths 11+: 5 (3 to 8), 9 sentences" in first["text"]


def test_models_at_one_length_stand_side_by_side_under_one_label() -> None:
    lines = quality_lines((ONE, TWO), "exact match", beam_size=5)
    axes = quality_axes((ONE, TWO), "exact match", beam_size=5)
    assert [text for _, text in axes.ticks] == ["1–5", "6–10", "11+"]
    assert lines[0].xs[0] < axes.ticks[0][0] < lines[1].xs[0]
    assert lines[1].xs[0] - lines[0].xs[0] < 1
    assert axes.y == "exact match, %"


def test_the_longest_length_in_training_is_marked_where_longer_ones_were_measured() -> None:
    loss = replace(score(1, 5, 1), metric="loss", beam_size=0)
    toy = replace(ONE, scores=(loss, *ONE.scores))
    axes = quality_axes((toy,), "exact match", beam_size=5)
    assert axes.limit == (5.5, "trained up to 5")
    shapes = drawn(quality_lines((toy,), "exact match", beam_size=5), axes)["layout"]["shapes"]  # type: ignore[index]
    assert shapes[0]["x0"] == 5.5
    assert quality_axes((ONE,), "exact match", beam_size=5).limit is None


def test_lines_differ_by_more_than_colour() -> None:
    lines = tuple(Line(f"n{i}", (0, 1), (i, i)) for i in range(6))
    traces = drawn(lines, Axes("x", "y"))["data"]
    for look in ({t["line"]["dash"] for t in traces}, {t["marker"]["symbol"] for t in traces}):  # type: ignore[attr-defined, index]
        assert len(look) == 6


def test_names_are_literal_and_the_alt_text_has_the_numbers() -> None:
    lines, axes = training_time_lines(TIMES), TRAINING_AXES
    picture = drawn(lines, axes)
    assert picture["data"][0]["name"] == "&lt;b&gt;"  # type: ignore[index]
    alt = lines_alt(lines, axes)
    assert "<b>: 20 at 5, 40 at 10" in alt and "ms a training step" in alt


def test_a_logarithmic_axis_has_round_ticks_within_it() -> None:
    layout = drawn(decoding_time_lines(TIMES), DECODING_AXES)["layout"]
    assert layout["yaxis"]["tickvals"] == [1, 2]  # type: ignore[index]
    assert layout["xaxis"]["tickvals"] == [5, 10]  # type: ignore[index]


def test_times_have_their_middle_half_and_memory_is_in_kilobytes() -> None:
    (line,) = training_time_lines(TIMES)
    assert (line.ys, line.lows, line.highs) == ((20, 40), (10, 40), (30, 50))
    assert line.labels[0] == "5 tokens: 20 ms (10 to 30)"
    (line,) = memory_lines(TIMES)
    assert line.ys == (2, 5) and drawn((line,), MEMORY_AXES)


def test_scored_pairs_grow_with_the_square_and_a_fixed_vector_has_no_line() -> None:
    names = ("gru-bidirectional-additive", "gru-forward-fixed_once", "transformer-1-layer-1-head")
    lines = pair_lines([make_card(name) for name in names])
    assert len(lines) == 2
    assert lines[0].ys == (25, 100, 400, 1600, 6400)
    assert lines[1].ys[0] == 25 + 25 + 15
    assert drawn(lines, PAIR_AXES)


def test_learning_curves_are_those_of_the_card() -> None:
    card = make_card()
    losses = loss_lines(card)
    assert losses[0].ys == (3.25, 2.5) and losses[1].ys == (3.5, 3)
    assert losses[1].name == "training loss (dropout)"
    smoothed = replace(card, budget={"label_smoothing": 0.1}, sizes={**card.sizes, "dropout": 0.0})
    assert loss_lines(smoothed)[1].name == "training loss (smoothed labels)"
    plain = replace(smoothed, budget={"label_smoothing": 0.0})
    assert loss_lines(plain)[1].name == "training loss"
    assert bleu_lines(card)[0].xs == (5, 10)
    assert drawn(losses, LOSS_AXES) and drawn(bleu_lines(card), BLEU_AXES)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_is_drawn_with_its_sizes(name: str) -> None:
    card = make_card(name)
    boxes = architecture_boxes(card)
    story = architecture_alt(card)
    parts = [box.part for box in boxes]
    if card.architecture == "input_feeding":  # Luong: the new state of the decoder asks
        assert parts[-4:] == ["decoder", "between", "decoder", "decoder"]
    else:
        assert parts == sorted(parts, key=["encoder", "between", "decoder"].index)
    assert any(box.narrow for box in boxes) == ("fixed" in name)
    if "fixed" not in name:
        assert "S × " in story
    assert f"softmax over {card.sizes['vocabulary_size']:,}" in story
    figure = architecture_figure(card, theme=LIGHT)
    checked = go.Figure(figure.to_plotly_json())
    assert json.loads(checked.to_json()) == json.loads(figure.to_json())
    around = card.architecture == "input_feeding"  # the states pass by the decoder
    assert len(figure.layout.shapes) == len(boxes) + around


def test_sizes_that_a_card_leaves_out_are_the_defaults() -> None:
    for architecture, wanted in (("recurrent", "2 × 256 wide"), ("transformer", "3 × 4 heads")):
        card = replace(make_card(), architecture=architecture, sizes={"vocabulary_size": 1234})
        story = architecture_alt(card)
        assert wanted in story and "softmax over 1,234" in story


def test_a_card_that_no_network_fits_is_a_named_error() -> None:
    with pytest.raises(ConfigError, match="isn't known"):
        architecture_boxes(replace(make_card(), architecture="convolution"))
    with pytest.raises(ConfigError, match="layers"):
        card = replace(make_card("transformer-1-layer-1-head"), sizes={"vocabulary_size": 9})
        architecture_boxes(replace(card, sizes={**card.sizes, "layers": "many"}))


def test_what_is_handed_over_is_told() -> None:
    def told(name: str) -> str:
        return architecture_alt(make_card(name))

    assert "12 wide, read at the start" in told("gru-forward-fixed_once")
    assert "read at every step" in told("gru-forward-fixed_every_step")
    assert "right to left" in told("lstm-reversed-dot")
    assert "additive score, width 8" in told("gru-bidirectional-additive")
    assert "last output" in told("input-feeding-lstm-reversed-dot")
    assert "2 × 4 heads" in told("transformer-2-layers-4-heads")


@pytest.mark.parametrize("name", NETWORKS)
def test_the_decoder_asks_attention_and_attention_gets_the_states(name: str) -> None:
    card = make_card(name)
    titles = [box.title.split(":")[0] for box in architecture_boxes(card)]
    flows = {(titles[f.start], titles[f.end]): f.label for f in architecture_flows(card)}
    attention = next((t for t in titles if "ttention" in t), None)
    if "fixed" in name:
        assert attention is None and set(flows.values()) == {""}
        return
    assert flows["Decoder", attention] == "query"
    assert ("A state for each source token", attention) in flows
    assert "query" in architecture_alt(card)


@pytest.mark.parametrize("name", checkpoint_names())
def test_every_shipped_card_can_be_drawn(name: str) -> None:
    card = load_card(CHECKPOINTS / name)
    assert len(architecture_figure(card).layout.shapes) >= 6
    assert quality_lines((card,), "token accuracy", beam_size=1)


def test_lengths_are_written_as_a_range() -> None:
    assert lengths_label(score(6, 10, 1)) == "6–10"
    assert lengths_label(score(16, None, 1)) == "16+"


def test_a_model_looks_alike_in_every_chart() -> None:
    names = ("gru-forward-fixed_once", "gru-bidirectional-additive", "transformer-1-layer-1-head")
    family = [replace(make_card(name), name=name) for name in names]
    chosen = pair_lines(family[2:], family=family)
    assert [line.look for line in chosen] == [2]
    everyone = tuple(Line(name, (0, 1), (1, 2)) for name in names)
    (alone,) = drawn(chosen, PAIR_AXES)["data"]  # type: ignore[misc]
    third = drawn(everyone, Axes("x", "y"))["data"][2]  # type: ignore[index]
    assert (alone["line"], alone["marker"]) == (third["line"], third["marker"])
    assert [line.look for line in quality_lines((NONE, ONE), "exact match", beam_size=5)] == [1]


def test_the_measured_networks_stand_in_the_order_of_their_family() -> None:
    names = [each.name for each in cost_times().networks]
    (family,) = families([load_card(CHECKPOINTS / name) for name in names])
    assert family.names == tuple(names)
