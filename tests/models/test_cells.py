"""The cells against torch's own, with the same weights."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from s2s_core.models.cells import CELLS, GruCell, LstmCell, RecurrentCell

INPUT, SIZE, ROWS = 5, 7, 4


def rearranged(blocks: Tensor, order: tuple[int, ...]) -> Tensor:
    """Gate blocks (gates · size, ...) in another order."""
    parts = blocks.chunk(len(order))
    return torch.cat([parts[index] for index in order])


def copy_weights(cell: RecurrentCell, oracle: nn.RNNCellBase, order: tuple[int, ...]) -> None:
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in oracle.parameters():
            parameter.normal_()
        cell.input_weights.weight.copy_(rearranged(oracle.weight_ih, order))
        cell.input_weights.bias.copy_(rearranged(oracle.bias_ih, order))
        cell.state_weights.weight.copy_(rearranged(oracle.weight_hh, order))
        cell.state_weights.bias.copy_(rearranged(oracle.bias_hh, order))


def test_gru_equals_torch() -> None:
    cell, oracle = GruCell(INPUT, SIZE), nn.GRUCell(INPUT, SIZE)
    copy_weights(cell, oracle, (0, 1, 2))  # both: reset, keep, new
    hidden = expected = torch.randn(ROWS, SIZE)
    for inputs in torch.randn(6, ROWS, INPUT):
        hidden = cell(cell.project(inputs), hidden)
        expected = oracle(inputs, expected)
        torch.testing.assert_close(hidden, expected)
        torch.testing.assert_close(cell.hidden(hidden), expected)


def test_lstm_equals_torch_in_hidden_and_cell_state() -> None:
    cell, oracle = LstmCell(INPUT, SIZE), nn.LSTMCell(INPUT, SIZE)
    # torch: input, forget, new, output; ours: input (write), forget, output (show), new.
    copy_weights(cell, oracle, (0, 1, 3, 2))
    expected = (torch.randn(ROWS, SIZE), torch.randn(ROWS, SIZE))
    state = torch.cat(expected, dim=1)
    for inputs in torch.randn(6, ROWS, INPUT):
        state = cell(cell.project(inputs), state)
        expected = oracle(inputs, expected)
        torch.testing.assert_close(state, torch.cat(expected, dim=1))
        torch.testing.assert_close(cell.hidden(state), expected[0])


@pytest.mark.parametrize("name", CELLS)
def test_recurrent_matrices_start_orthogonal_gate_by_gate(name: str) -> None:
    cell = CELLS[name](INPUT, SIZE)
    for block in cell.state_weights.weight.chunk(cell.gates):
        torch.testing.assert_close(block @ block.T, torch.eye(SIZE), rtol=0, atol=1e-5)


def test_the_forget_gate_of_an_lstm_starts_open_and_no_other() -> None:
    bias = LstmCell(INPUT, SIZE).state_weights.bias.detach()
    assert bias.tolist() == [0.0] * SIZE + [1.0] * SIZE + [0.0] * (2 * SIZE)


@pytest.mark.parametrize("name", CELLS)
def test_a_step_leaves_its_inputs_as_they_are(name: str) -> None:
    cell = CELLS[name](INPUT, SIZE)
    projected, state = cell.project(torch.randn(ROWS, INPUT)), torch.randn(ROWS, cell.state_size)
    kept = projected.clone(), state.clone()
    cell(projected, state)
    assert torch.equal(projected, kept[0])
    assert torch.equal(state, kept[1])
