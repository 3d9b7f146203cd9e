"""Ranks as threads of one process: a team whose members really wait for one another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from fullfield.distribution.team import Team

T = TypeVar("T")
SECONDS = 60.0


class Meeting:
    """Where ranks meet. A rank that leaves early, or says more or less than the others, breaks it for all."""

    def __init__(self, size: int) -> None:
        self.barrier = threading.Barrier(size, timeout=SECONDS)
        self.said: list[list[float]] = [[] for _ in range(size)]


class Member(Team):
    """A rank of a meeting."""

    def __init__(self, rank: int, meeting: Meeting) -> None:
        super().__init__(rank, len(meeting.said))
        self._meeting = meeting

    def agree(self, numbers: Sequence[float]) -> list[float]:
        """See Team."""
        self._meeting.said[self.rank] = list(numbers)
        self._meeting.barrier.wait()
        found = [sum(column[1:], column[0]) for column in zip(*self._meeting.said, strict=True)]
        self._meeting.barrier.wait()
        return found


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
            meeting.barrier.abort()

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
