"""The other nodes of a training on several: each is given what it needs and started, and started again where the head
has lost it. Threads do that, and tell nothing: who takes part, the head tells."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable

from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.errors import FullfieldError
from fullfield.nodes import pieces, ssh
from fullfield.nodes.node import Node
from fullfield.nodes.pieces import Piece
from fullfield.protocol.events import Event
from fullfield.protocol.rank_events import NodesChanged

LOOK_SECONDS = 0.5
AGAIN_SECONDS = 3.0
STARTS_SECONDS = 15.0
"""In which a node that was started comes."""
FORGET_TRIES = 4
_log = logging.getLogger(__name__)


class Silent:
    """A context that tells nothing: while a run is followed, what stands in its events is counted."""

    def __init__(self, context: Context) -> None:
        self.folder, self.rank, self.world = context.folder, context.rank, context.world
        self.worlds = context.worlds
        self.stopping, self.commands = context.stopping, context.commands
        self.accept, self.begin_anew = context.accept, context.begin_anew
        self.is_to_regroup, self.reason = context.is_to_regroup, context.reason

    def emit(self, event: Event, /) -> None:
        """Not told."""


class Members:
    """`nodes`: all but the head. `request`: what the one of a number, from 1, is asked to run. `given`: what it needs
    for that; made when it is first asked for."""

    def __init__(
        self,
        nodes: tuple[Node, ...],
        request: Callable[[int, tuple[Piece, ...]], Fields],
        given: Callable[[], tuple[Piece, ...]],
    ) -> None:
        self._nodes, self._request, self._given = nodes, request, given
        self._there: frozenset[str] = frozenset()
        self._over = threading.Event()
        self._making = threading.Lock()
        self._pieces: tuple[Piece, ...] | None = None

    def begin(self) -> None:
        """Start each, and look after it until `end`."""
        for number, node in enumerate(self._nodes, 1):
            threading.Thread(target=self._keep, args=(number, node), name=f"node {number}", daemon=True).start()

    def hear(self, event: Event) -> None:
        """What the head tells."""
        if isinstance(event, NodesChanged):
            self._there = frozenset(event.nodes)

    def end(self, *, forget: str = "") -> None:
        """None is started any more; the run of this name is forgotten on each, once its part has ended."""
        self._over.set()
        for node in self._nodes if forget else ():
            for _ in range(FORGET_TRIES):
                with contextlib.suppress(FullfieldError):
                    ssh.ask(node, "forget", forget)
                    break
                time.sleep(LOOK_SECONDS)

    def _keep(self, number: int, node: Node) -> None:
        next_try, was_there = 0.0, False
        while not self._over.is_set():
            there = node.name in self._there
            if was_there and not there:
                next_try = 0.0
            was_there = there
            if not there and time.monotonic() > next_try:
                next_try = time.monotonic() + (STARTS_SECONDS if self._start(number, node) else AGAIN_SECONDS)
            self._over.wait(LOOK_SECONDS)

    def _start(self, number: int, node: Node) -> bool:
        try:
            needed = self._needed()
            pieces.send(node, needed, pause=lambda: None)
            ssh.ask(node, "run", said=self._request(number, needed))
        except (FullfieldError, OSError) as error:
            _log.warning("node %d cannot be started: %s", number, type(error).__name__)
            return False
        return True

    def _needed(self) -> tuple[Piece, ...]:
        with self._making:
            if self._pieces is None:
                self._pieces = self._given()
            return self._pieces
