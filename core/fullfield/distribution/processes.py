"""Ranks as processes that talk through torch.distributed: what is sent is counted, for it is what ranks wait for.

The process group is there before and stays afterwards: what starts the ranks makes it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from fullfield import torch_errors
from fullfield.distribution.buckets import LARGE
from fullfield.distribution.team import Later, Team
from fullfield.distribution.traffic import Traffic
from fullfield.errors import RankLost

if TYPE_CHECKING:
    import torch
    from torch import Tensor, distributed


SMALL_BYTES = 64 << 10
"""Of a tensor that waits for others to go with, such as BatchNorm's."""


def bundled(tensors: Sequence[Tensor]) -> tuple[list[Tensor], Later]:
    """Messages that hold all of the tensors, of one dtype: each large one as it lies there, and one with a copy of the
    others. And what gives them back from there, in their order."""
    import torch

    shapes = {place: one.shape for place, one in enumerate(tensors) if one.nbytes < LARGE}
    large = {place: one.contiguous() for place, one in enumerate(tensors) if place not in shapes}
    flat = [torch.cat([tensors[place].reshape(-1) for place in shapes])] if shapes else []

    def opened() -> list[Tensor]:
        parts = torch.split(flat[0], [shape.numel() for shape in shapes.values()]) if flat else ()
        small = {place: part.view(shape) for (place, shape), part in zip(shapes.items(), parts, strict=True)}
        return [large[place] if place in large else small[place] for place in range(len(large) + len(small))]

    return [*large.values(), *flat], opened


class Processes(Team):
    """A rank of a process group of torch.distributed, the default one where none is named. `device`: on which the
    group's backend takes tensors, as gloo takes those of the CPU. `traffic`: in which is counted what it sends."""

    def __init__(
        self,
        device: torch.device,
        group: distributed.ProcessGroup | None = None,
        down: distributed.ProcessGroup | None = None,
        traffic: Traffic | None = None,
    ) -> None:
        """`down`: another group of the same ranks, for what goes to lower ones."""
        from torch import distributed

        super().__init__(distributed.get_rank(group), distributed.get_world_size(group))
        self.device, self._group = device, group
        self.traffic = traffic or Traffic(timed=distributed.get_backend() != "nccl")
        self._on_host = distributed.get_backend() == "gloo"  # from one to another it sends what lies there alone
        # NCCL sends one after another: what goes up must not wait for what goes down. gloo has no such order.
        self._down = down if down or self._on_host else _made(range(distributed.get_world_size()))

    def grouped(self, groups: Sequence[Sequence[int]]) -> Team:
        """See Team. Of the default group alone."""
        made = [(_made(ranks), None if self._on_host else _made(ranks)) for ranks in groups]  # by all, in one order
        ((group, down),) = [pair for ranks, pair in zip(groups, made, strict=True) if self.rank in ranks]
        same = Processes(self.device, group, down, self.traffic)
        same.alike = self.alike
        return same

    def agree(self, numbers: Sequence[float]) -> list[float]:
        """See Team."""
        import torch

        return self.sum([torch.tensor(numbers, dtype=torch.float64, device=self.device)])[0].tolist()

    def sum(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """See Team."""
        return self.sum_later(tensors)()

    def sum_later(self, tensors: Sequence[Tensor]) -> Later:
        """See Team. A rank that gets a sum gets that of the others, whatever the order of adding."""
        from torch import distributed

        messages, opened = bundled(tensors)
        given = [one.detach() for one in messages]  # the same bytes, by another name
        with self._talking():
            works = [distributed.all_reduce(one, group=self._group, async_op=True) for one in given]
        for one in messages:
            self.traffic.tell_all(one)

        def wait() -> list[Tensor]:
            with self._talking():
                for work, one in zip(works, given, strict=True):
                    work.wait()
                    _free(one)
            return opened()

        return wait

    def gather(self, tensor: Tensor) -> list[Tensor]:
        """See Team."""
        return self.gather_later(tensor)()

    def gather_later(self, tensor: Tensor) -> Later:
        """See Team."""
        import torch
        from torch import distributed

        every = [torch.empty_like(tensor) for _ in range(self.size)]
        with self._talking():
            work = distributed.all_gather(every, tensor, group=self._group, async_op=True)
        self.traffic.tell_all(tensor)

        def wait() -> list[Tensor]:
            with self._talking():
                work.wait()
            return every

        return wait

    def reduce(self, tensor: Tensor, to: int) -> None:
        """See Team."""
        from torch import distributed

        given = _as_it_lies(tensor)
        with self._talking():
            distributed.reduce(given, group=self._group, group_dst=to)
        self.traffic.tell_one(tensor)
        _free(given)

    def broadcast(self, tensors: Sequence[Tensor], source: int) -> None:
        """See Team. Small ones go in one message, so that large ones need no room for a copy."""
        import torch
        from torch import distributed

        small = [_as_it_lies(one) for one in tensors if one.nbytes <= SMALL_BYTES]
        flat = [torch.cat(small)] if small else []
        for one in (
            *(each.detach() for each in flat),
            *(_as_it_lies(one) for one in tensors if one.nbytes > SMALL_BYTES),
        ):
            with self._talking():
                distributed.broadcast(one, group=self._group, group_src=source)
            self.traffic.tell_one(one)
            _free(one)
        if small and self.rank != source:
            for one, filled in zip(small, torch.split(flat[0], [each.numel() for each in small]), strict=True):
                one.copy_(filled)

    def exchange(self, give: Mapping[int, Tensor], take: Mapping[int, Tensor]) -> None:
        """See Team. Receiving begins first, so none waits for another that waits for it."""
        from torch import distributed

        going = {peer: self._sent(one.contiguous()) for peer, one in give.items()}  # they stay until all are through
        coming = {peer: self._room(one) for peer, one in take.items()}
        work = [
            distributed.P2POp(call, one, group=self._group, group_peer=peer)
            for call, of_peers in ((distributed.irecv, coming), (distributed.isend, going))
            for peer, one in of_peers.items()
        ]
        with self._talking():
            for each in distributed.batch_isend_irecv(work) if work else ():
                each.wait()
        for one in going.values():
            self.traffic.tell(one)
        for peer, one in coming.items():
            _moved(one, take[peer])

    def send(self, tensor: Tensor, peer: int) -> Callable[[], None]:
        """See Team."""
        from torch import distributed

        self.traffic.tell(tensor)
        there = self._sent(tensor)
        with self._talking():
            work = distributed.isend(there, group=self._way(peer < self.rank), group_dst=peer)

        def left(kept: Tensor = there) -> None:  # gloo reads it until then
            with self._talking():
                if work is not None:
                    work.wait()

        return left

    def receive(self, room: Tensor, peer: int) -> None:
        """See Team."""
        from torch import distributed

        there = self._room(room)
        with self._talking():
            distributed.recv(there, group=self._way(self.rank < peer), group_src=peer)
        _moved(there, room)

    def _sent(self, tensor: Tensor) -> Tensor:
        return tensor.cpu() if self._on_host else tensor

    def _room(self, tensor: Tensor) -> Tensor:
        """Where what another sends arrives before it is in `tensor`; that one itself, where it can."""
        return tensor.new_empty(tensor.shape, device="cpu") if self._on_host and tensor.is_cuda else tensor

    def _way(self, down: bool) -> distributed.ProcessGroup | None:
        return self._down if down and self._down else self._group

    @contextlib.contextmanager
    def _talking(self) -> Iterator[None]:
        """The time of it is counted. torch says that a rank has gone in words of its library; memory of this one that
        runs out is its own fault."""
        try:
            with self.traffic.waiting():
                yield
        except RuntimeError as error:
            if torch_errors.is_out_of_memory(error):
                raise
            raise RankLost(
                "The training cannot go on.", detail="Another of its processes has ended.", hint=RankLost.HINT
            ) from error


def _made(ranks: Iterable[int]) -> distributed.ProcessGroup:
    from torch import distributed

    return cast("distributed.ProcessGroup", distributed.new_group(list(ranks)))


def _moved(there: Tensor, room: Tensor) -> None:
    if there is not room:
        room.copy_(there)


def _free(sent: Tensor) -> None:
    """The storage of a message that has arrived, as far as this name holds it: gloo's thread keeps the name until it
    runs again."""
    sent.data = sent.new_empty(0)


def _as_it_lies(tensor: Tensor) -> Tensor:
    """All values in the order of memory, whatever the layout; the same storage. It is no view of another tensor, whose
    storage would stay when this one's is freed."""
    return tensor.detach().as_strided((tensor.numel(),), (1,)).detach()
