"""What a rank says to the others is counted: it is what they wait for."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(kw_only=True)
class Traffic:
    """What a rank has sent: bytes to single ranks in so many messages, and bytes that it put into collective
    operations, in which all ranks take part at once: what goes from one to all, or from all to one, counts as half of
    what all sum, for it travels once; so does a whole of which each rank gives, or gets, a piece.

    `timed`: the host waits for a message, so the seconds in messages are those of the rank: not so over NCCL, where
    the card waits.
    """

    sent: int = 0
    messages: int = 0
    shared: int = 0
    collectives: int = 0
    timed: bool = field(default=False, compare=False)
    _waited: float = field(default=0.0, compare=False)
    _since: float | None = field(default=None, compare=False)

    def tell(self, tensor: Tensor) -> None:
        """One more message."""
        self.sent += tensor.nbytes
        self.messages += 1

    def tell_all(self, tensor: Tensor) -> None:
        """One more collective operation."""
        self.shared += tensor.nbytes
        self.collectives += 1

    def tell_one(self, tensor: Tensor) -> None:
        """One more from one rank to all, or from all to one; or the whole of what each has a piece of."""
        self.shared += tensor.nbytes // 2
        self.collectives += 1

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Inside, this rank waits for others."""
        self._since = began = time.monotonic()
        try:
            yield
        finally:
            self._since = None
            self._waited += time.monotonic() - began

    def seconds(self) -> float:
        """How long this rank has waited, with the message in hand; from any thread."""
        since = self._since
        return self._waited + (0.0 if since is None else time.monotonic() - since)
