"""Who alone keeps what of a training whose ranks do not all keep everything, and how rank 0 has it all for a file.

A checkpoint and a model are files of one process: they hold all tensors by name, whoever kept them, so a training goes
on with any number of ranks that share it in any way.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullfield.distribution.team import Team

if TYPE_CHECKING:
    import torch
    from torch import Tensor


@dataclass(frozen=True, kw_only=True)
class Owners:
    """Of each tensor of a network that one of the `ranks` owns, by name, which one; the same on all of them.

    The owner of a parameter updates it, and alone remembers what that takes. `gradients`: it alone has its gradient
    too, once backward is over. `weights`: names of the parameters and buffers that their owner alone keeps: on other
    ranks they have their shape and no storage, but for while they are used. Other tensors are on all ranks the same.
    """

    ranks: Team
    by_name: Mapping[str, int]
    gradients: bool = False
    weights: frozenset[str] = frozenset()

    def mine(self, name: str) -> bool:
        """Whether this rank owns it."""
        return self.by_name[name] == self.ranks.rank

    def norm(self, own: Tensor) -> Tensor:
        """Of all that ranks own, of whose share this rank has found the norm `own`. They call it together."""
        (total,) = self.ranks.sum([own.square()])
        return total.sqrt()

    def keeps(self, name: str) -> bool:
        """Whether this rank has the values of a tensor of the network for good."""
        return name not in self.weights or self.mine(name)


def balanced(sizes: Mapping[str, int], ranks: int) -> dict[str, int]:
    """An owner for every tensor of so many bytes: the largest first, each to the rank that has least by then."""
    loads = [0] * ranks
    found = {}
    for name in sorted(sizes, key=lambda one: (-sizes[one], one)):
        found[name] = loads.index(min(loads))
        loads[found[name]] += sizes[name]
    return found


def leading(names: Iterable[str]) -> dict[str, int]:
    """Rank 0 owns all of them."""
    return dict.fromkeys(names, 0)


def is_there(tensor: Tensor) -> bool:
    """Whether it has values here: one that another rank keeps has no storage."""
    return tensor.numel() == 0 or tensor.untyped_storage().nbytes() > 0


def united(ranks: Team, given: Mapping[str, Tensor], device: torch.device) -> dict[str, Tensor]:
    """On rank 0, what all ranks give, with that of others in the computer's memory; on others what they give.

    All ranks call it together. One tensor after the other goes from its rank to rank 0, by way of `device`, on which
    ranks talk. Its name, dtype and shape go before it, as JSON.
    """
    import torch

    own = list(given.items()) if ranks.rank else []
    header = json.dumps([[name, str(one.dtype).removeprefix("torch."), list(one.shape)] for name, one in own]).encode()
    counts = [0.0] * (2 * ranks.size)
    counts[2 * ranks.rank : 2 * ranks.rank + 2] = float(len(header)), float(len(own))
    counts = ranks.agree(counts)
    found = dict(given)
    for rank in range(1, ranks.size):
        length, count = int(counts[2 * rank]), int(counts[2 * rank + 1])
        text = torch.frombuffer(bytearray(header if ranks.rank == rank else length), dtype=torch.uint8).to(device)
        _send(ranks, rank, text)
        listed = json.loads(bytes(text.tolist())) if ranks.writes else []
        for number in range(count):
            if ranks.writes:
                name, dtype, shape = listed[number]
                room = torch.empty(shape, dtype=getattr(torch, dtype), device=device)
                _send(ranks, rank, _as_bytes(room))
                found[name] = room.cpu()
            else:
                _send(ranks, rank, _as_bytes(own[number][1].detach().to(device)) if ranks.rank == rank else None)
    return found


def _send(ranks: Team, source: int, tensor: Tensor | None) -> None:
    """The rank `source` sends `tensor` to rank 0, where it is filled; others have none."""
    give = {0: tensor} if ranks.rank == source and tensor is not None else {}
    take = {source: tensor} if ranks.writes and tensor is not None else {}
    ranks.exchange(give, take)


def _as_bytes(tensor: Tensor) -> Tensor:
    """Those of its values in their order: not every library sends every dtype."""
    import torch

    return tensor.contiguous().reshape(-1).view(torch.uint8)
