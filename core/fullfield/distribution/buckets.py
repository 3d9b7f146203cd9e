"""Gradients that go to all ranks in few messages: which go together, and what lies beside them meanwhile.

Arithmetic alone; imports no torch. `train.reduced` sends by it, and `memory.account` reckons with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

BUCKET_BYTES = 4 << 20
"""Of gradients that are summed together. torch.nn.parallel.DistributedDataParallel takes 25 MiB; with less the first
ones leave earlier, and less lies beside gradients that are freed inside backward."""

LARGE = 1 << 20
"""Bytes of a tensor that is a message by itself: a copy of it would cost more memory than a message costs time."""


def divided(sizes: Sequence[int], limits: tuple[int, int] | None = None) -> Iterator[range]:
    """Places of tensors of so many bytes, in their order, that are summed together. `limits`: bytes with which the
    first bucket is full, and each one after it; None: ours."""
    first, others = limits or (BUCKET_BYTES, BUCKET_BYTES)
    begin = filled = 0
    for place, size in enumerate(sizes):
        filled += size
        if filled >= (others if begin else first):
            yield range(begin, place + 1)
            begin, filled = place + 1, 0
    if begin < len(sizes):
        yield range(begin, len(sizes))


@dataclass(frozen=True, kw_only=True)
class Summed:
    """How the gradients of a step are summed over ranks. `gradients`: of each, in the order in which backward has them,
    the stage of its parameter and its bytes. `after`: no sum begins before backward is over. `copies`: bytes of what is
    made of gradients to be sent, by theirs; 0: what is small is copied into one message, and what is large is sent as
    it lies there. `sent`: of their bytes those that travel."""

    gradients: Sequence[tuple[str, int]]
    after: bool = False
    copies: float = 0.0
    sent: float = 1.0

    @property
    def bytes(self) -> int:
        """That a rank puts into messages."""
        return round(self.sent * sum(size for _, size in self.gradients))

    @property
    def messages(self) -> int:
        """How many those are."""
        large = [[self.sent * self.gradients[place][1] >= LARGE for place in bucket] for bucket in self._buckets]
        return sum(sum(each) + (not all(each)) for each in large)

    @property
    def last(self) -> int:
        """Bytes beside the gradients of all weights, where they are summed when backward is over."""
        return max(map(self._copied, self._buckets), default=0) if self.after else 0

    def beside(self, *, released: bool) -> Mapping[str, int]:
        """By stage, bytes beside what backward has: of copies for messages, and where gradients are `released` as soon
        as they are summed, of those that wait for others to go with, or for their sum."""
        found = dict.fromkeys((stage for stage, _ in self.gradients), 0)
        going = 0
        for bucket in self._buckets:
            filled = 0
            for place in bucket:
                stage, size = self.gradients[place]
                waiting = going + filled if released else 0
                leaves = place == bucket[-1] and (released or not self.after)
                copied = self._copied(bucket) if leaves else 0
                found[stage] = max(found[stage], waiting, copied + (filled if released else 0))
                going, filled = 0, filled + size  # what was sent is waited for when the next gradient is there
            going = filled
        return found

    @cached_property
    def _buckets(self) -> tuple[range, ...]:
        return tuple(divided([size for _, size in self.gradients]))

    def _copied(self, bucket: range) -> int:
        sizes = [self.gradients[place][1] for place in bucket]
        return round(self.copies * sum(sizes)) or sum(size for size in sizes if size < LARGE)
