"""The recurrent encoder–decoder, with and without attention.

    h_1..h_S = encoder(x)                                   source states, (N, S, E)
    c_t      = fixed vector, or attention(s_{t-1}, h)       context
    s_t      = cell([y_{t-1}; c_t], s_{t-1})                decoder state
    r_t      = tanh(W_r [s_t; c_t; y_{t-1}])                readout
    P(y_t)   = softmax(embedding · r_t + b)                 one table embeds and scores

The fixed vector is the state in which the encoder ends: h_S, or h_1 if it reads from right to left,
or both side by side. A learned projection, the bridge, makes the decoder's first state of the final
states: tanh(W [final states]). With LSTMs it reads hidden and cell state of the encoder, and gives
hidden and cell state of the decoder; what is read again at every step is the hidden part alone.

Sources: Sutskever et al. 2014, arXiv:1409.3215 (fixed vector once, reversed source); Cho et al.
2014, arXiv:1406.1078 (fixed vector at every step); Bahdanau et al. 2015, arXiv:1409.0473
(attention).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from s2s_core.models.attention import ATTENTION_SCORES, attention_weights, check_memory, mix
from s2s_core.models.cells import CELLS, RecurrentCell
from s2s_core.models.initial import Embedding, draw_normal
from s2s_core.models.network import (
    DecodingState,
    Network,
    NetworkInspection,
    NetworkStep,
    check_mask,
    check_source,
)
from s2s_core.models.recurrent_config import RecurrentConfig


@dataclass(frozen=True, slots=True)
class RecurrentState(DecodingState):
    """What decoding carries along; every tensor has the rows first."""

    of_source = ("memory", "keys", "shares", "mask")

    hidden: Tensor  # (N, decoder state)
    memory: Tensor  # (N or 1, S, E): source states; S is 1 for a fixed vector
    keys: Tensor | None  # (N or 1, S, A): their share of the scores
    shares: Tensor | None  # (N or 1, S, G + width): their share of gates and readout
    mask: Tensor  # (N or 1, S)


class RecurrentNetwork(Network[RecurrentState]):
    """See the module."""

    def __init__(self, config: RecurrentConfig) -> None:
        """Build with random weights."""
        super().__init__()
        self.config = config
        self.inspectable = config.uses_attention
        cell = CELLS[config.cell]
        width, memory = config.embedding_size, config.memory_size
        self.embedding = Embedding(config.vocabulary_size, width)
        draw_normal(self.embedding.weight, deviation=width**-0.5)
        self.dropout = nn.Dropout(config.dropout)
        if config.source_order != "reversed":
            self.encoder_forward = cell(width, config.encoder_size)
        if config.source_order != "forward":
            self.encoder_backward = cell(width, config.encoder_size)
        self.decoder = cell(width, config.decoder_size)
        final_size = memory * cell.parts
        self.bridge = nn.Linear(final_size, self.decoder.state_size)
        self._build_lookup()
        self.output_bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.token_table: Tensor | None = None  # (V, G + width), once it is ready to decode

    def _build_lookup(self) -> None:
        """What looks up the context, what reads it, and the readout."""
        config, memory = self.config, self.config.memory_size
        readout_size = config.decoder_size + config.embedding_size
        if config.reads_context:
            gates = self.decoder.gates * config.decoder_size
            self.context_weights = nn.Linear(memory, gates, bias=False)
            readout_size += memory
        if config.uses_attention:
            score = ATTENTION_SCORES[config.context]
            self.score = score(config.decoder_size, memory, config.attention_size)
        self.readout = nn.Linear(readout_size, config.embedding_size)

    def start(self, source: Tensor, mask: Tensor) -> RecurrentState:
        """Read the sources (N, S); see `Network`."""
        memory, finals = self._read(source, mask)
        hidden = torch.tanh(self.bridge(torch.cat(finals, dim=-1)))
        if self.config.uses_attention:
            keys = self.score.project(memory)
            return RecurrentState(hidden, memory, keys, self._source_shares(memory), mask)
        parts = [f[..., : self.config.encoder_size] for f in finals]
        vector = torch.cat(parts, dim=-1).unsqueeze(1)  # (N, 1, E): the only thing handed over
        shares = self._source_shares(vector) if self.config.reads_context else None
        return RecurrentState(hidden, vector, None, shares, mask[:, :1])

    def _read(self, source: Tensor, mask: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Run the encoder → source states (N, S, E) and the final state of each direction."""
        check_source(source, mask)
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
        memory = torch.cat(states, dim=-1)
        check_memory(memory, mask)
        return self._drop(memory), finals

    def step(self, state: RecurrentState, last_ids: Tensor) -> NetworkStep[RecurrentState]:
        """One position; see `Network`."""
        return self._finish(state, last_ids, self._look(state))

    def forward(self, source: Tensor, mask: Tensor, target_inputs: Tensor) -> Tensor:
        """Teacher forcing; see `Network`. Only the recurrence itself runs step by step."""
        state = self.start(source, mask)
        gates = self.decoder.gates * self.config.decoder_size
        shares = self._token_shares(self._embed(target_inputs))  # (N, T, G + width)
        hiddens, reads = [], []
        for share in shares.unbind(dim=1):
            given = self._given(state, share, self._look(state))
            state = replace(state, hidden=self.decoder(given[..., :gates], state.hidden))
            hiddens.append(self.decoder.hidden(state.hidden))
            reads.append(given[..., gates:])
        return self._drop(self._read_out(torch.stack(hiddens, 1), torch.stack(reads, 1)))

    def logits(self, readouts: Tensor) -> Tensor:
        """Readouts (..., D) → scores over the vocabulary, by the embedding table."""
        return nn.functional.linear(readouts, self.embedding.weight, self.output_bias)

    def inspect(
        self, state: RecurrentState, last_ids: Tensor, weights: Tensor | None
    ) -> NetworkInspection[RecurrentState]:
        """One step, opened; see `Network`."""
        if not self.config.uses_attention:
            return super().inspect(state, last_ids, weights)
        query = self.decoder.hidden(state.hidden)
        scores = self.score(query, state.keys).masked_fill(~state.mask, -torch.inf)
        used = torch.softmax(scores, dim=-1) if weights is None else weights[:, 0, 0]
        context = mix(used, state.memory)
        step = self._finish(state, last_ids, used)
        return NetworkInspection(
            step=step,
            query=query.unsqueeze(1),
            scores=scores[:, None, None, :],
            context=context.unsqueeze(1),
            decoder_state=self.decoder.hidden(step.state.hidden),
        )

    def source_states(self, state: RecurrentState) -> Tensor:
        """See `Network`."""
        if not self.config.uses_attention:
            return super().source_states(state)
        return state.memory.expand(len(state.hidden), -1, -1)

    def hide_source(self, state: RecurrentState, hidden: Tensor) -> RecurrentState:
        """See `Network`."""
        if not self.config.uses_attention:
            return super().hide_source(state, hidden)
        mask = state.mask & ~hidden
        check_mask(mask)
        return replace(state, mask=mask)

    def _embed(self, ids: Tensor) -> Tensor:
        """Ids (N, T) → embeddings (N, T, width), with dropout while training."""
        embedded: Tensor = self._drop(self.embedding(ids))
        if self.training and self.config.token_dropout:
            kept = torch.rand(ids.shape) >= self.config.token_dropout
            embedded = embedded * kept.unsqueeze(-1)
        return embedded

    def _drop(self, sequence: Tensor) -> Tensor:
        """Dropout with one mask for all positions of a sentence."""
        if not self.training:
            return sequence
        kept: Tensor = self.dropout(torch.ones_like(sequence[:, :1]))
        return sequence * kept

    def _look(self, state: RecurrentState) -> Tensor | None:
        """Where the decoder looks in the source: weights (N, S), or None for a fixed vector."""
        if not self.config.uses_attention:
            return None
        scores = self.score(self.decoder.hidden(state.hidden), state.keys)
        return attention_weights(scores, state.mask)

    def _finish(
        self, state: RecurrentState, last_ids: Tensor, weights: Tensor | None
    ) -> NetworkStep[RecurrentState]:
        """A step once it is known where the decoder looks."""
        given = self._given(state, self._share(last_ids), weights)
        gates = self.decoder.gates * self.config.decoder_size
        hidden = self.decoder(given[:, :gates], state.hidden)
        logits = self.logits(self._read_out(self.decoder.hidden(hidden), given[:, gates:]))
        attention = None if weights is None else weights[:, None, None, :]
        return NetworkStep(logits, attention, replace(state, hidden=hidden))

    def _share(self, last_ids: Tensor) -> Tensor:
        """What gates and readout get of the last tokens (N,)."""
        if self.token_table is None:
            return self._token_shares(self.embedding(last_ids))
        return self.token_table[last_ids]

    def _given(self, state: RecurrentState, share: Tensor, weights: Tensor | None) -> Tensor:
        """What gates and readout get beside the decoder's state: of token and source."""
        if state.shares is None:
            return share
        return share + (state.shares[:, 0] if weights is None else mix(weights, state.shares))

    def _read_out(self, hidden: Tensor, given: Tensor) -> Tensor:
        """tanh(W_r [s_t; c_t; y_{t-1}]), the part of all but s_t given."""
        weight = self.readout.weight[:, : self.config.decoder_size]
        return torch.tanh(nn.functional.linear(hidden, weight, self.readout.bias) + given)

    def _source_shares(self, memory: Tensor) -> Tensor:
        """Source states (N, S, E) → their share of the decoder's gates and of the readout.

        W Σ α_i h_i = Σ α_i W h_i: the right side needs the large matrices once a sentence.
        """
        first = self.config.decoder_size
        weight = self.readout.weight[:, first : first + self.config.memory_size]
        read = nn.functional.linear(memory, weight)
        return torch.cat([self.context_weights(memory), read], dim=-1)

    def _token_shares(self, embedded: Tensor) -> Tensor:
        """Embeddings (..., width) → their share of the decoder's gates and of the readout."""
        weight = self.readout.weight[:, -self.config.embedding_size :]
        read = nn.functional.linear(embedded, weight)
        return torch.cat([self.decoder.project(embedded), read], dim=-1)

    def prepare_decoding(self) -> None:
        """See `Network`: what a step takes from the last token is looked up in a table."""
        super().prepare_decoding()
        with torch.no_grad():
            self.token_table = self._token_shares(self.embedding.weight)


def _run(
    cell: RecurrentCell, embedded: Tensor, mask: Tensor, *, backward: bool
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
