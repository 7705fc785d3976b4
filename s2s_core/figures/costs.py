"""Learning curves, scored pairs, measured times and memory as lines."""

from __future__ import annotations

from collections.abc import Sequence

from s2s_core.figures.lines import Axes, Line
from s2s_core.models.card import CheckpointCard
from s2s_core.models.cost import CostTimes, Spread, scored_pairs
from s2s_core.models.families import short_titles, sizes_of

LOSS_AXES = Axes(x="step", y="loss, nats a token")
BLEU_AXES = Axes(x="step", y="development BLEU", from_zero=True)
TRAINING_AXES = Axes(x="tokens, source and target", y="ms a training step", scale="log")
DECODING_AXES = Axes(x="tokens, source and target", y="ms a sentence", scale="log")

MEMORY_AXES = Axes(x="tokens, source and target", y="kB of the decoder's state", scale="log")

PAIR_AXES = Axes(x="tokens, source and target", y="scored pairs", scale="log")
PAIR_LENGTHS = (5, 10, 20, 40, 80)


def pair_lines(
    cards: Sequence[CheckpointCard], *, family: Sequence[CheckpointCard] = ()
) -> tuple[Line, ...]:
    """Scored pairs against length, S = T, on logarithmic axes; a fixed vector has no line.

    family: all cards that charts show, in their order; a line looks as it does there.
    """
    looks = {card.name: place for place, card in enumerate(family or cards)}
    names = short_titles([card.title for card in cards])
    return tuple(
        Line(
            name,
            tuple(map(float, PAIR_LENGTHS)),
            tuple(float(scored_pairs(card, n, n).total) for n in PAIR_LENGTHS),
            labels=tuple(
                f"{n} tokens: {scored_pairs(card, n, n).total:,} pairs" for n in PAIR_LENGTHS
            ),
            look=looks[card.name],
        )
        for name, card in zip(names, cards, strict=True)
        if scored_pairs(card, 1, 1).total
    )


def loss_lines(card: CheckpointCard) -> tuple[Line, ...]:
    """Training and development loss during the run."""
    curve = card.learning_curve
    steps = tuple(float(point.step) for point in curve)
    return (
        Line("development loss", steps, tuple(p.development_loss for p in curve)),
        Line(f"training loss{_conditions(card)}", steps, _training(card)),
    )


def _conditions(card: CheckpointCard) -> str:
    """What makes the training loss another figure than the development loss; "" if nothing does."""
    found = [
        name
        for name, value in (
            ("smoothed labels", card.budget.get("label_smoothing")),
            ("dropout", sizes_of(card).get("dropout")),
            ("left-out tokens", sizes_of(card).get("token_dropout")),
        )
        if value
    ]
    return f" ({', '.join(found)})" if found else ""


def _training(card: CheckpointCard) -> tuple[float, ...]:
    return tuple(point.training_loss for point in card.learning_curve)


def bleu_lines(card: CheckpointCard) -> tuple[Line, ...]:
    """BLEU of greedy search on development data during the run."""
    curve = card.learning_curve
    steps = tuple(float(point.step) for point in curve)
    return (Line("development BLEU", steps, tuple(p.development_bleu for p in curve)),)


def training_time_lines(times: CostTimes) -> tuple[Line, ...]:
    """Milliseconds a training step against length, on logarithmic axes."""
    return _time_lines(times, training=True)


def decoding_time_lines(times: CostTimes) -> tuple[Line, ...]:
    """Milliseconds to read and write one sentence against length, on logarithmic axes."""
    return _time_lines(times, training=False)


def memory_lines(times: CostTimes) -> tuple[Line, ...]:
    """Kilobytes of the decoder's state against length, on logarithmic axes."""
    names = short_titles([each.title for each in times.networks])
    return tuple(
        Line(
            name,
            tuple(map(float, each.lengths)),
            tuple(count / 1000 for count in each.memory),
            labels=tuple(
                f"{n} tokens: {count / 1000:,.1f} kB"
                for n, count in zip(each.lengths, each.memory, strict=True)
            ),
        )
        for name, each in zip(names, times.networks, strict=True)
    )


def _time_lines(times: CostTimes, *, training: bool) -> tuple[Line, ...]:
    names = short_titles([each.title for each in times.networks])
    lines = []
    for name, each in zip(names, times.networks, strict=True):
        found = [
            Spread(*(1000 * seconds for seconds in spread))
            for spread in (each.training if training else each.decoding)
        ]
        labels = tuple(
            f"{n} tokens: {ms.median:.3g} ms ({ms.low:.3g} to {ms.high:.3g})"
            for n, ms in zip(each.lengths, found, strict=True)
        )
        middles, lows, highs = zip(*found, strict=True)
        lines.append(Line(name, tuple(map(float, each.lengths)), middles, lows, highs, labels))
    return tuple(lines)
