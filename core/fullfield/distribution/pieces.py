"""Tensors of which each rank has a piece, as PyTorch's DTensor is; any other tensor is whole, and passes through.

What they are told by is what a DTensor offers, so that nothing of torch.distributed is imported where nobody has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor


def is_piece(tensor: Any) -> bool:
    """Whether other ranks have the rest of it."""
    return hasattr(tensor, "full_tensor")


def own(tensor: Any) -> Tensor:
    """What this rank has of it: the very memory."""
    found: Tensor = tensor.to_local() if is_piece(tensor) else tensor
    return found


def whole(tensor: Any) -> Tensor:
    """All of it. All ranks call it together."""
    found: Tensor = tensor.full_tensor() if is_piece(tensor) else tensor
    return found


def united(given: Mapping[str, Tensor], *, writes: bool) -> dict[str, Tensor]:
    """Of what all ranks have pieces of, all in the computer's memory where this one `writes`, and else what was given.
    All ranks call it together; they have one tensor after the other, so nobody else has everything at once."""
    found = dict(given)
    for name, tensor in given.items():
        if is_piece(tensor):
            full = whole(tensor.detach())
            found[name] = full.cpu() if writes else tensor
    return found


def fill(tensor: Any, values: Tensor) -> None:
    """Take `values`, which are whole, or this rank's piece of them. Nothing is sent."""
    if not is_piece(tensor):
        tensor.copy_(values)
        return
    from torch.distributed.tensor import distribute_tensor

    piece = own(tensor)
    cut = distribute_tensor(values.to(piece.device), tensor.device_mesh, tensor.placements, src_data_rank=None)
    piece.copy_(own(cut))
