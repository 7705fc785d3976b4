"""The recurrent encoder–decoder, with and without attention.

    h_1..h_S = encoder(x)                                   source states, (N, S, E)
    c_t      = fixed vector, or attention(s_{t-1}, h)       context
    s_t      = cell([y_{t-1}; c_t], s_{t-1})                decoder state
    r_t      = tanh(W_r [s_t; c_t; y_{t-1}])                readout
    P(y_t)   = softmax(embedding · r_t + b)                 one table embeds and scores

Sources: Sutskever et al. 2014, arXiv:1409.3215 (fixed vector once, reversed source); Cho et al. 2014,
arXiv:1406.1078 (fixed vector at every step); Bahdanau et al. 2015, arXiv:1409.0473 (attention).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from s2s_core.errors import ConfigError
from s2s_core.models.attention import ATTENTION_SCORES, attend, check_memory
from s2s_core.models.cells import CELLS
from s2s_core.models.network import Network, NetworkStep

SourceOrder = Literal["forward", "reversed", "bidirectional"]
Context = Literal["fixed_once", "fixed_every_step", "additive", "dot", "general", "scaled_dot"]


@dataclass(frozen=True, slots=True)
class RecurrentConfig:
    """Sizes and choices of a recurrent model.

    context: `fixed_once` (the source's vector only starts the decoder), `fixed_every_step` (it is
        read at every step as well), or the name of an attention score.
    encoder_size: width of the encoder's state in each direction.
    dropout: share of the numbers of a vector set to 0 in training, the same at every position;
        token_dropout: share of tokens whose embedding is set to 0 (both: Gal & Ghahramani 2016,
        arXiv:1512.05287).
    """

    vocabulary_size: int
    cell: Literal["gru", "lstm"] = "gru"
    source_order: SourceOrder = "bidirectional"
    context: Context = "additive"
    embedding_size: int = 256
    encoder_size: int = 256
    decoder_size: int = 256
    attention_size: int = 256
    dropout: float = 0.2
    token_dropout: float = 0.0

    def __post_init__(self) -> None:
        """Check the choices.

        Raises:
            ConfigError: a name isn't known or a size isn't positive.
        """
        contexts = ("fixed_once", "fixed_every_step", *ATTENTION_SCORES)
        for name, value, allowed in (
            ("cell", self.cell, tuple(CELLS)),
            ("source_order", self.source_order, ("forward", "reversed", "bidirectional")),
            ("context", self.context, contexts),
        ):
            if value not in allowed:
                raise ConfigError(f"{name} is {value!r}, but must be one of {', '.join(allowed)}")
        sizes = (self.embedding_size, self.encoder_size, self.decoder_size, self.attention_size)
        dropouts = (self.dropout, self.token_dropout)
        if min(self.vocabulary_size, *sizes) < 1 or not all(0 <= d < 1 for d in dropouts):
            raise ConfigError("sizes must be at least 1, and dropouts at least 0 and below 1")

    @property
    def memory_size(self) -> int:
        """E, the width of one source state."""
        return self.encoder_size * (2 if self.source_order == "bidirectional" else 1)

    @property
    def uses_attention(self) -> bool:
        """Whether the context is looked up anew at each step."""
        return self.context in ATTENTION_SCORES

    @property
    def reads_context(self) -> bool:
        """Whether the decoder reads a context beside its state."""
        return self.context != "fixed_once"


@dataclass(frozen=True, slots=True)
class RecurrentState:
    """What decoding carries along; every tensor has the rows first."""

    hidden: Tensor  # (N, decoder state)
    memory: Tensor  # (N, S, E): source states; S is 1 for a fixed vector
    keys: Tensor  # (N, S, A): the score's share of the source states
    mask: Tensor  # (N, S)


class RecurrentNetwork(Network[RecurrentState]):
    """See the module."""

    def __init__(self, config: RecurrentConfig) -> None:
        """Build with random weights."""
        super().__init__()
        self.config = config
        cell = CELLS[config.cell]
        width, memory = config.embedding_size, config.memory_size
        self.embedding = nn.Embedding(config.vocabulary_size, width)
        nn.init.normal_(self.embedding.weight, std=width**-0.5)
        self.dropout = nn.Dropout(config.dropout)
        if config.source_order != "reversed":
            self.encoder_forward = cell(width, config.encoder_size)
        if config.source_order != "forward":
            self.encoder_backward = cell(width, config.encoder_size)
        self.decoder = cell(width, config.decoder_size)
        final_size = memory * cell.parts
        self.bridge = nn.Linear(final_size, self.decoder.state_size)
        if config.reads_context:
            gates = self.decoder.gates * config.decoder_size
            self.context_weights = nn.Linear(memory, gates, bias=False)
        if config.uses_attention:
            score = ATTENTION_SCORES[config.context]
            self.score = score(config.decoder_size, memory, config.attention_size)
        readout_size = config.decoder_size + width + (memory if config.reads_context else 0)
        self.readout = nn.Linear(readout_size, width)
        self.output_bias = nn.Parameter(torch.zeros(config.vocabulary_size))

    def start(self, source: Tensor, mask: Tensor) -> RecurrentState:
        """Read the sources (N, S); see `Network`."""
        embedded = self._embed(source)
        states, finals = [], []
        if self.config.source_order != "reversed":
            outputs, final = _run(self.encoder_forward, embedded, mask, backward=False)
            states.append(outputs)
            finals.append(final)
        if self.config.source_order != "forward":
            outputs, final = _run(self.encoder_backward, embedded, mask, backward=True)
            states.append(outputs)
            finals.append(final)
        memory, final = torch.cat(states, dim=-1), torch.cat(finals, dim=-1)
        check_memory(memory, mask)
        hidden = torch.tanh(self.bridge(final))
        if self.config.uses_attention:
            memory = self._drop(memory)
            return RecurrentState(hidden, memory, self.score.project(memory), mask)
        parts = [f[..., : self.config.encoder_size] for f in finals]
        vector = torch.cat(parts, dim=-1).unsqueeze(1)  # (N, 1, E): the only thing handed over
        return RecurrentState(hidden, vector, vector, mask[:, :1])

    def step(self, state: RecurrentState, last_ids: Tensor) -> NetworkStep[RecurrentState]:
        """One position; see `Network`."""
        embedded = self.embedding(last_ids)
        hidden, context, weights = self._advance(state, self.decoder.project(embedded))
        logits = self.logits(self._read_out(self.decoder.hidden(hidden), context, embedded))
        after = RecurrentState(hidden, state.memory, state.keys, state.mask)
        attention = weights[:, None, None, :] if weights is not None else None
        return NetworkStep(logits, attention, after)

    def forward(self, source: Tensor, mask: Tensor, target_inputs: Tensor) -> Tensor:
        """Teacher forcing; see `Network`. Only the recurrence itself runs step by step."""
        state = self.start(source, mask)
        embedded = self._embed(target_inputs)
        hiddens, contexts = [], []
        for projected in self.decoder.project(embedded).unbind(dim=1):
            hidden, context, _ = self._advance(state, projected)
            state = RecurrentState(hidden, state.memory, state.keys, state.mask)
            hiddens.append(self.decoder.hidden(hidden))
            contexts.append(context)
        readouts = self._read_out(torch.stack(hiddens, 1), torch.stack(contexts, 1), embedded)
        return self._drop(readouts)

    def logits(self, readouts: Tensor) -> Tensor:
        """Readouts (..., D) → scores over the vocabulary, by the embedding table."""
        return nn.functional.linear(readouts, self.embedding.weight, self.output_bias)

    def _embed(self, ids: Tensor) -> Tensor:
        """Ids (N, T) → embeddings (N, T, width), with dropout while training."""
        embedded = self._drop(self.embedding(ids))
        if self.training and self.config.token_dropout:
            kept = torch.rand(ids.shape) >= self.config.token_dropout
            embedded = embedded * kept.unsqueeze(-1)
        return embedded

    def _drop(self, sequence: Tensor) -> Tensor:
        """Dropout with one mask for all positions of a sentence."""
        if not self.training:
            return sequence
        return sequence * self.dropout(torch.ones_like(sequence[:, :1]))

    def _advance(
        self, state: RecurrentState, projected: Tensor
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """One step of the recurrence → decoder state, context (N, E), weights (N, S) or None."""
        if self.config.uses_attention:
            scores = self.score(self.decoder.hidden(state.hidden), state.keys)
            context, weights = attend(scores, state.mask, state.memory)
        else:
            context, weights = state.memory[:, 0], None
        if self.config.reads_context:
            projected = projected + self.context_weights(context)
        return self.decoder(projected, state.hidden), context, weights

    def _read_out(self, hidden: Tensor, context: Tensor, embedded: Tensor) -> Tensor:
        """Decoder state, context and last token, brought to the width of the embedding."""
        parts = [hidden, context, embedded] if self.config.reads_context else [hidden, embedded]
        return torch.tanh(self.readout(torch.cat(parts, dim=-1)))


def _run(
    cell: nn.Module, embedded: Tensor, mask: Tensor, *, backward: bool
) -> tuple[Tensor, Tensor]:
    """Run a cell over the source in one direction → hidden states (N, S, H) and the final state.

    Padding leaves the state as it is, so a sentence's result doesn't depend on its neighbours.
    """
    inputs = cell.project(embedded).unbind(dim=1)
    valid = mask.unsqueeze(-1).unbind(dim=1)
    state = inputs[0].new_zeros(embedded.shape[0], cell.state_size)
    outputs = [state] * len(inputs)
    for t in reversed(range(len(inputs))) if backward else range(len(inputs)):
        state = torch.where(valid[t], cell(inputs[t], state), state)
        outputs[t] = cell.hidden(state)
    return torch.stack(outputs, dim=1), state
