"""The recurrent encoder–decoder of Luong et al. 2015, arXiv:1508.04025: look last, feed it back.

    s_t = cell([y_{t-1}; r_{t-1}], s_{t-1})       decoder state; r_{t-1} is fed back (section 3.3)
    c_t = attention(s_t, h)                       the new state asks, not the one before
    r_t = tanh(W_r [s_t; c_t])                    readout, eq. 5
    P(y_t) = softmax(embedding · r_t + b)

In `recurrent`, as in Bahdanau et al. 2015, the old state asks and the cell reads the context at
once. Here the cell learns what was looked at only at the next step, through the readout.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from s2s_core.errors import ConfigError
from s2s_core.models.attention import ATTENTION_SCORES, attend, mix
from s2s_core.models.network import NetworkInspection, NetworkStep
from s2s_core.models.recurrent import RecurrentNetwork, RecurrentState
from s2s_core.models.recurrent_config import RecurrentConfig


@dataclass(frozen=True, slots=True)
class InputFeedingState(RecurrentState):
    """What decoding carries along, the last readout (N, width) among it."""

    fed: Tensor


class InputFeedingNetwork(RecurrentNetwork):
    """See the module."""

    def __init__(self, config: RecurrentConfig) -> None:
        """Build with random weights.

        Raises:
            ConfigError: the settings have no attention.
        """
        if not config.uses_attention:
            raise ConfigError(
                f"input feeding needs an attention score as context, not {config.context!r}; "
                f"there are: {', '.join(ATTENTION_SCORES)}"
            )
        super().__init__(config)

    def _build_lookup(self) -> None:
        config, memory, width = self.config, self.config.memory_size, self.config.embedding_size
        score = ATTENTION_SCORES[config.context]
        self.score = score(config.decoder_size, memory, config.attention_size)
        self.feed_weights = nn.Linear(width, self.decoder.gates * config.decoder_size, bias=False)
        self.readout = nn.Linear(config.decoder_size + memory, width)

    def start(self, source: Tensor, mask: Tensor) -> InputFeedingState:
        """Read the sources (N, S); see `Network`. The first readout fed back is zero."""
        memory, finals = self._read(source, mask)
        hidden = torch.tanh(self.bridge(torch.cat(finals, dim=-1)))
        fed = memory.new_zeros(len(memory), self.config.embedding_size)
        return InputFeedingState(hidden, memory, self.score.project(memory), None, mask, fed)

    def step(self, state: RecurrentState, last_ids: Tensor) -> NetworkStep[RecurrentState]:
        """One position; see `Network`."""
        after, weights, _ = self._advance(state, self._share(last_ids))
        return NetworkStep(self.logits(after.fed), weights[:, None, None, :], after)

    def forward(self, source: Tensor, mask: Tensor, target_inputs: Tensor) -> Tensor:
        """Teacher forcing; see `Network`. Readouts are fed back, so they too go step by step."""
        state = self.start(source, mask)
        readouts = []
        for share in self._token_shares(self._embed(target_inputs)).unbind(dim=1):
            state, _, _ = self._advance(state, share)
            readouts.append(state.fed)
        return self._drop(torch.stack(readouts, dim=1))

    def inspect(
        self, state: RecurrentState, last_ids: Tensor, weights: Tensor | None
    ) -> NetworkInspection[RecurrentState]:
        """One step, opened; see `Network`. The state after the step is what asks."""
        given = None if weights is None else weights[:, 0, 0]
        after, used, context = self._advance(state, self._share(last_ids), given)
        query = self.decoder.hidden(after.hidden)
        scores = self.score(query, state.keys).masked_fill(~state.mask, -torch.inf)
        state_after: RecurrentState = after
        return NetworkInspection(
            step=NetworkStep(self.logits(after.fed), used[:, None, None, :], state_after),
            query=query.unsqueeze(1),
            scores=scores[:, None, None, :],
            context=context.unsqueeze(1),
            decoder_state=query,
        )

    def _advance(
        self, state: RecurrentState, share: Tensor, given: Tensor | None = None
    ) -> tuple[InputFeedingState, Tensor, Tensor]:
        """One step of the recurrence.

        share: the last tokens' share of the gates, (N, G).
        given: weights (N, S) to use instead of the model's own.

        Returns:
            the next state, the weights (N, S) and the context (N, E).
        """
        assert isinstance(state, InputFeedingState)
        hidden = self.decoder(share + self.feed_weights(state.fed), state.hidden)
        query = self.decoder.hidden(hidden)
        if given is None:
            context, weights = attend(self.score(query, state.keys), state.mask, state.memory)
        else:
            context, weights = mix(given, state.memory), given
        fed = torch.tanh(self.readout(torch.cat([query, context], dim=-1)))
        return replace(state, hidden=hidden, fed=fed), weights, context

    def _token_shares(self, embedded: Tensor) -> Tensor:
        """Embeddings (..., width) → their share of the decoder's gates; the readout gets none."""
        return self.decoder.project(embedded)
