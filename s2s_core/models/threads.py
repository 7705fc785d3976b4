"""How many threads the computation takes."""

from __future__ import annotations

import torch


def use_one_thread() -> None:
    """Compute on one thread, in the whole process.

    The matrices of a small model are so small that handing them to several threads takes longer
    than multiplying them. A choice for a program to make, not for the library.
    """
    torch.set_num_threads(1)
