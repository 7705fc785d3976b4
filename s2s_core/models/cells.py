"""Recurrent cells, written out: GRU and LSTM.

A cell reads its input in two parts that are added: what can be computed for all positions at once
(`project`, the embeddings) and what is only known at the step (the context, the previous state).
Its state is one tensor: for the LSTM, hidden and cell state side by side, so that models need no
branch.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from s2s_core.models.initial import draw_orthogonal


class RecurrentCell(nn.Module):
    """Base of the cells: `gates` gate blocks, `parts` vectors of width `size` in the state."""

    gates: int
    parts: int

    def __init__(self, input_size: int, size: int) -> None:
        """Width of the input and of the hidden state."""
        super().__init__()
        self.size = size
        self.state_size = self.parts * size
        self.input_weights = nn.Linear(input_size, self.gates * size)
        self.state_weights = nn.Linear(size, self.gates * size)
        # Orthogonal recurrence keeps the length of a gradient over many steps.
        for block in self.state_weights.weight.data.chunk(self.gates):
            draw_orthogonal(block)
        nn.init.zeros_(self.state_weights.bias)

    def project(self, inputs: Tensor) -> Tensor:
        """Inputs (..., input_size) → their share of the gates (..., gates · size)."""
        projected: Tensor = self.input_weights(inputs)
        return projected

    def forward(self, projected: Tensor, state: Tensor) -> Tensor:
        """The input's share of the gates (N, gates · size) and the old state → the new state."""
        raise NotImplementedError

    def hidden(self, state: Tensor) -> Tensor:
        """The part of a state (N, parts · size) that others may read, (N, size)."""
        return state if self.parts == 1 else state[..., : self.size]


class GruCell(RecurrentCell):
    """Cho et al. 2014, arXiv:1406.1078, in the form that resets after the matrix (as cuDNN does).

    r = σ(W_r x + U_r h)    z = σ(W_z x + U_z h)    n = tanh(W_n x + r ∘ U_n h)
    h' = (1 − z) ∘ n + z ∘ h
    """

    gates, parts = 3, 1

    def forward(self, projected: Tensor, state: Tensor) -> Tensor:
        """See the class."""
        two = 2 * self.size
        from_state = self.state_weights(state)
        both = torch.sigmoid(projected[..., :two] + from_state[..., :two])
        reset, keep = both.chunk(2, dim=-1)
        new = torch.tanh(projected[..., two:] + reset * from_state[..., two:])
        return torch.lerp(new, state.to(new.dtype), keep)


class LstmCell(RecurrentCell):
    """Hochreiter & Schmidhuber 1997 with a forget gate; the state is [h; c].

    i, f, o = σ(W x + U h)    g = tanh(W_g x + U_g h)    c' = f ∘ c + i ∘ g    h' = o ∘ tanh(c')
    """

    gates, parts = 4, 2

    def __init__(self, input_size: int, size: int) -> None:
        """See `RecurrentCell`; the forget gate starts open (Jozefowicz et al. 2015)."""
        super().__init__(input_size, size)
        nn.init.ones_(self.state_weights.bias.data[size : 2 * size])

    def forward(self, projected: Tensor, state: Tensor) -> Tensor:
        """See the class."""
        hidden, memory = state.chunk(2, dim=-1)
        gates = projected + self.state_weights(hidden)
        write, forget, show = torch.sigmoid(gates[..., : 3 * self.size]).chunk(3, dim=-1)
        memory = forget * memory + write * torch.tanh(gates[..., 3 * self.size :])
        return torch.cat([show * torch.tanh(memory), memory], dim=-1)


CELLS: dict[str, type[RecurrentCell]] = {"gru": GruCell, "lstm": LstmCell}
