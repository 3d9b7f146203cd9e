"""What a training of several processes tells of each of them. Rank 0 tells for all; one that is alone tells none of
this."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from fullfield.checked import Between, Count, Seconds
from fullfield.protocol.wire import Event

Share = Annotated[float, Between(0.0, 1.0)]
KILLED, FROZEN, FAILED = "killed", "frozen", "failed"


@dataclass(frozen=True, kw_only=True)
class RankState:
    """A rank in the `seconds` before it was told. Bytes are the highest of that time; None where this machine does not
    tell.

    `phase`: what ran last, as in `MemorySampled`. `host_bytes`: resident set size of the process; `device_bytes`: what
    it holds of its card; `peak_bytes`: what torch's allocator had given out. `waiting`: the share of the time that it
    spent in messages, waiting for the others or for the bytes themselves; None where the host does not wait (NCCL).
    Since it began: `sent_bytes` in `messages` to single ranks, `shared_bytes` put into `collectives`.
    """

    rank: Count
    seconds: Seconds = 0.0
    phase: str = ""
    host_bytes: Count = 0
    device_bytes: Count | None = None
    peak_bytes: Count | None = None
    waiting: Share | None = None
    sent_bytes: Count = 0
    messages: Count = 0
    shared_bytes: Count = 0
    collectives: Count = 0

    @property
    def held_bytes(self) -> int:
        """What it holds of the memory that its plan is about: its card's, or the computer's."""
        return self.host_bytes if self.device_bytes is None else self.device_bytes

    def after(self, before: RankState | None) -> RankState:
        """Both times as one, of which this one is the later."""
        if before is None:
            return self
        seconds = before.seconds + self.seconds
        waited = (before.waiting or 0.0) * before.seconds + (self.waiting or 0.0) * self.seconds
        return replace(
            self,
            seconds=round(seconds, 3),
            host_bytes=max(before.host_bytes, self.host_bytes),
            device_bytes=_higher(before.device_bytes, self.device_bytes),
            peak_bytes=_higher(before.peak_bytes, self.peak_bytes),
            waiting=None if self.waiting is None else round(min(1.0, waited / seconds), 3) if seconds else 0.0,
        )


@dataclass(frozen=True, kw_only=True)
class RankStarted(Event):
    """A rank is up, on the device `device` (torch's name) that is called `title` and had `free_bytes` free."""

    rank: Count
    world: Count
    device: str
    title: str
    free_bytes: Count = 0


@dataclass(frozen=True, kw_only=True)
class LinkMeasured(Event):
    """What is between the ranks, measured with tensors of their devices when they had met: latency of a message, and
    bytes a second in one direction."""

    seconds: Seconds
    bytes_per_second: float


@dataclass(frozen=True, kw_only=True)
class RanksSampled(Event):
    """The ranks of which something is new, `seconds` after the training began. `step`: optimizer steps done."""

    seconds: Seconds
    step: Count
    ranks: tuple[RankState, ...]


@dataclass(frozen=True, kw_only=True)
class RankLost(Event):
    """A rank has ended and takes the others along: it was killed, frozen, or has failed (`how`). `after_seconds`: since
    its last sign of life."""

    rank: Count
    world: Count
    how: str
    after_seconds: Seconds = 0.0


@dataclass(frozen=True, kw_only=True)
class NodesChanged(Event):
    """From now on these `nodes` train together, by their user's names for them, the head first. `lost`: those that did
    until now, and have given no sign of life for `after_seconds`."""

    nodes: tuple[str, ...]
    lost: tuple[str, ...] = ()
    after_seconds: Seconds = 0.0


def _higher(one: int | None, other: int | None) -> int | None:
    return max((count for count in (one, other) if count is not None), default=None)
