"""Data-parallel training: several processes take each step of the optimiser together.

    loss of a batch = Σ_workers (loss of the worker's share) · (its target tokens / the batch's)

Every worker holds the whole network, reads a share of each batch's rows, and gets the sum of all
gradients. So N workers take the steps that one process takes over the same batches, but for
dropout, whose masks each draws anew. `torchrun` starts the processes, on one machine or several,
and tells each who it is (https://docs.pytorch.org/docs/stable/elastic/run.html).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields

import torch
from torch import Tensor, distributed, nn

from s2s_core.training.objective import Batch


@dataclass(frozen=True, slots=True)
class Workers:
    """The processes of a run, and which of them this one is: 0 to count - 1."""

    rank: int = 0
    count: int = 1

    @classmethod
    def join(cls) -> Workers:
        """This process among those that `torchrun` started; one alone without it."""
        count = int(os.environ.get("WORLD_SIZE", "1"))
        if count == 1:
            return cls()
        if not distributed.is_initialized():
            distributed.init_process_group("gloo")
        return cls(distributed.get_rank(), count)

    @property
    def leads(self) -> bool:
        """Whether this one evaluates, writes the files and shows the progress."""
        return self.rank == 0

    def share(self, batch: Batch) -> Batch | None:
        """This worker's rows of a batch, or None where there are too few for all."""
        if self.rank >= len(batch.source):
            return None
        rows = slice(self.rank, None, self.count)
        return Batch(**{field.name: getattr(batch, field.name)[rows] for field in fields(batch)})

    def add_up(self, network: nn.Module, loss: Tensor) -> float:
        """Put the sum of all workers' gradients in place of each; returns the sum of the losses."""
        total = loss.detach().double()
        if self.count > 1:
            for parameter in network.parameters():
                if parameter.grad is None:  # this worker had no row
                    parameter.grad = torch.zeros_like(parameter)
            gradients = [p.grad for p in network.parameters() if p.grad is not None]
            joined = torch.cat([gradient.flatten() for gradient in gradients])
            distributed.all_reduce(joined)
            parts = torch.split(joined, [gradient.numel() for gradient in gradients])
            for gradient, part in zip(gradients, parts, strict=True):
                gradient.copy_(part.view_as(gradient))
            distributed.all_reduce(total)
        return float(total)

    def tell(self, *values: float) -> tuple[float, ...]:
        """The leader's numbers, to all; the others' are ignored."""
        told = torch.tensor(values, dtype=torch.float64)
        if self.count > 1:
            distributed.broadcast(told, src=0)
        return tuple(told.tolist())

    def wait(self) -> None:
        """Until all are here."""
        if self.count > 1:
            distributed.barrier()
