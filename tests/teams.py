"""Ranks as threads of one process: a team whose members really wait for one another."""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from fullfield.distribution.processes import bundled
from fullfield.distribution.team import Team
from fullfield.distribution.traffic import Traffic

if TYPE_CHECKING:  # a light installation has none
    from torch import Tensor

T = TypeVar("T")
SECONDS = 60.0


class Meeting:
    """Where ranks meet. A rank that leaves early, or says more or less than the others, breaks it for all."""

    def __init__(self, size: int) -> None:
        self.barrier = threading.Barrier(size, timeout=SECONDS)
        self.said: list[Any] = [None] * size
        self.parts: list[Meeting] = []
        self.ways: dict[tuple[int, int], queue.Queue[Any]] = {
            (one, other): queue.Queue() for one in range(size) for other in range(size)
        }

    def part(self, size: int) -> Meeting:
        """A meeting of some of them, which ends with this one."""
        self.parts.append(Meeting(size))
        return self.parts[-1]

    def abort(self) -> None:
        """Nobody waits any more."""
        for part in self.parts:
            part.abort()
        self.barrier.abort()
        for way in self.ways.values():
            way.put(None)


class Member(Team):
    """A rank of a meeting."""

    def __init__(self, rank: int, meeting: Meeting, traffic: Traffic | None = None) -> None:
        super().__init__(rank, len(meeting.said))
        self._meeting, self.traffic = meeting, traffic or Traffic()

    def grouped(self, groups: Sequence[Sequence[int]]) -> Member:
        """See Team."""
        (own,) = [ranks for ranks in groups if self.rank in ranks]
        met = self.reported(self._meeting.part(len(own)))[own[0]]  # that of the first of them is theirs
        return Member(own.index(self.rank), met, self.traffic)

    def reported(self, said: Any) -> list[Any]:
        """What every rank says, when all have said it."""
        self._meeting.said[self.rank] = said
        self._meeting.barrier.wait()
        found = list(self._meeting.said)
        self._meeting.barrier.wait()
        return found

    def agree(self, numbers: Sequence[float]) -> list[float]:
        """See Team."""
        return [sum(column[1:], column[0]) for column in zip(*self.reported(list(numbers)), strict=True)]

    def sum(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """See Team."""
        import torch

        every = self.reported([one.clone() for one in tensors])
        return [torch.stack(column).sum(0) for column in zip(*every, strict=True)]

    def gather(self, tensor: Tensor) -> list[Tensor]:
        """See Team."""
        return self.reported(tensor.clone())

    def reduce(self, tensor: Tensor, to: int) -> None:
        """See Team. Fails where ranks name different ones. What is used up is not a number."""
        import torch

        every = self.reported((to, tensor.detach().clone()))
        assert {each for each, _ in every} == {to}
        tensor.detach().copy_(torch.stack([one for _, one in every]).sum(0) if self.rank == to else math.nan)

    def broadcast(self, tensors: Sequence[Tensor], source: int) -> None:
        """See Team. Fails where ranks name different ones."""
        every = self.reported((source, [one.detach().clone() for one in tensors] if self.rank == source else []))
        assert {each for each, _ in every} == {source}
        for one, sent in zip(tensors, every[source][1], strict=True):
            one.detach().copy_(sent)

    def exchange(self, give: Mapping[int, Tensor], take: Mapping[int, Tensor]) -> None:
        """See Team. Fails where one rank sends what another does not take."""
        every = self.reported({peer: one.clone() for peer, one in give.items()})
        sent = {peer for peer, given in enumerate(every) if self.rank in given}
        assert sent == set(take), f"rank {self.rank} takes from {set(take)} and is sent something by {sent}"
        for peer, room in take.items():
            assert every[peer][self.rank].shape == room.shape
            room.copy_(every[peer][self.rank])

    def send(self, tensor: Tensor, peer: int) -> Callable[[], None]:
        """See Team."""
        assert tensor.is_contiguous()
        self.traffic.tell(tensor)
        self._meeting.ways[self.rank, peer].put(tensor.clone())
        return lambda: None

    def receive(self, room: Tensor, peer: int) -> None:
        """See Team. Fails where something else is sent than what is waited for."""
        came = self._meeting.ways[peer, self.rank].get(timeout=SECONDS)
        if came is None:
            raise threading.BrokenBarrierError
        assert room.is_contiguous() and (came.shape, came.dtype) == (room.shape, room.dtype)
        room.copy_(came)


class Lonely(Team):
    """A rank whose others are not there, for what a step takes on one rank: what they would send is made up, and lies
    where `Processes` has it."""

    def sum(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """As if the others had nothing to add."""
        return bundled(tensors)[1]()

    def broadcast(self, tensors: Sequence[Tensor], source: int) -> None:
        """Of others come small numbers."""
        for one in tensors if source != self.rank else ():
            one.detach().fill_(0.01)


def together(size: int, work: Callable[[Member], T]) -> list[T]:
    """What each rank's `work` returns, in their order. Raises what rank 0 raises, else what another one does."""
    meeting = Meeting(size)
    done: dict[int, T] = {}
    failed: dict[int, BaseException] = {}

    def run(rank: int) -> None:
        try:
            done[rank] = work(Member(rank, meeting))
        except BaseException as error:  # noqa: BLE001 - raised again in the test
            failed[rank] = error
            meeting.abort()

    threads = [threading.Thread(target=run, args=(rank,), name=f"rank {rank}") for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    broken = sorted(failed, key=lambda rank: (isinstance(failed[rank], threading.BrokenBarrierError), rank))
    if broken:
        raise failed[broken[0]]
    return [done[rank] for rank in range(size)]


def outcome(work: Callable[[], T]) -> T | Exception:
    """What `work` returns or raises, so that the others go on to where they notice; but for a meeting that breaks."""
    try:
        return work()
    except threading.BrokenBarrierError:
        raise
    except Exception as error:  # noqa: BLE001 - looked at by the test
        return error
