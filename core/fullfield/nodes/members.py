"""The other nodes of a training on several: each is given what it needs and started, and started again where the head
has lost it. Threads do that, and tell why one does not come; who takes part, the head tells."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.errors import FullfieldError
from fullfield.nodes import pieces, probe, ssh
from fullfield.nodes.node import Node
from fullfield.nodes.pieces import Piece
from fullfield.nodes.ssh import LineCut
from fullfield.protocol.events import Event
from fullfield.protocol.rank_events import NodesChanged

LOOK_SECONDS = 0.5
AGAIN_SECONDS, LONGEST_SECONDS = 3.0, 60.0
"""Until a node is tried again, and at most where another try has not mended what is wrong with it."""
STARTS_SECONDS = 15.0
"""In which a node that was started comes."""
FORGET_TRIES = 4


class Silent:
    """A context that tells nothing: while a run is followed, what stands in its events is counted."""

    def __init__(self, context: Context) -> None:
        self.folder, self.rank, self.world = context.folder, context.rank, context.world
        self.worlds, self.nodes = context.worlds, context.nodes
        self.stopping, self.commands = context.stopping, context.commands
        self.accept, self.begin_anew = context.accept, context.begin_anew
        self.is_to_regroup, self.reason = context.is_to_regroup, context.reason

    def emit(self, event: Event, /) -> None:
        """Not told."""


class Members:
    """`nodes`: all but the head. `request`: what the one of a number, from 1, is asked to run. `given`: what it needs
    for that; made when it is first asked for. `tell`: called from several threads with each new reason why one does
    not come, in words."""

    def __init__(
        self,
        nodes: tuple[Node, ...],
        request: Callable[[int, tuple[Piece, ...]], Fields],
        given: Callable[[], tuple[Piece, ...]],
        tell: Callable[[str], None],
    ) -> None:
        self._nodes, self._request, self._given, self._tell = nodes, request, given, tell
        self._there: frozenset[str] = frozenset()
        self._reported: set[tuple[str, str]] = set()
        self._over = threading.Event()
        self._making = threading.Lock()
        self._pieces: tuple[Piece, ...] | None = None

    def begin(self) -> None:
        """Start each, and look after it until `end`."""
        for number, node in enumerate(self._nodes, 1):
            threading.Thread(target=self._keep, args=(number, node), name=f"node {number}", daemon=True).start()

    def receive(self, event: Event) -> None:
        """What the head tells."""
        if isinstance(event, NodesChanged):
            self._there = frozenset(event.nodes)
            self._reported = {(name, why) for name, why in self._reported.copy() if name not in event.nodes}

    def end(self, *, forget: str = "") -> None:
        """None is started any more; the run of this name is forgotten on each, once its part has ended."""
        self._over.set()
        if forget and self._nodes:
            with ThreadPoolExecutor(len(self._nodes)) as beside:
                beside.map(partial(_forget, forget), self._nodes)

    def _keep(self, number: int, node: Node) -> None:
        next_try, was_there, started, tries = 0.0, False, False, 0
        while not self._over.is_set():
            there = node.name in self._there
            if there != was_there:
                next_try, was_there, started, tries = 0.0, there, False, 0
            if not there and time.monotonic() > next_try:
                seconds = AGAIN_SECONDS
                try:
                    before = self._start(number, node)
                    why, seconds = before if started else "", STARTS_SECONDS
                    started, tries = True, 0
                except FullfieldError as error:
                    why, seconds = str(error), again(error, tries)
                    tries += 1
                except OSError as error:
                    why = f"The system says: {error.strerror or type(error).__name__}."
                next_try = time.monotonic() + seconds
                if why and (node.name, why) not in self._reported:
                    self._reported.add((node.name, why))
                    with contextlib.suppress(FullfieldError, OSError):  # a disk that is full here
                        self._tell(f"Not training with the others yet: {node.title}. {why} It is tried again.")
            self._over.wait(LOOK_SECONDS)

    def _start(self, number: int, node: Node) -> str:
        """Start its part; how that ended that it had begun before, where it says so. Raises what keeps it from that."""
        probe.refuse_others(probe.there(node).versions, probe.versions(), title=f"Cannot train on {node.title}.")
        needed = self._needed()
        pieces.send(node, needed, pause=lambda: None)
        before = ssh.ask(node, "run", said=self._request(number, needed)).get("failed") or {}
        return str(ssh.reported_error(node, before)) if before else ""

    def _needed(self) -> tuple[Piece, ...]:
        with self._making:
            if self._pieces is None:
                self._pieces = self._given()
            return self._pieces


def _forget(run: str, node: Node) -> None:
    for _ in range(FORGET_TRIES):
        with contextlib.suppress(FullfieldError):
            ssh.forget(node, run)
            break
        time.sleep(LOOK_SECONDS)


def again(error: FullfieldError, tries: int) -> float:
    """Seconds until a node is tried again after so many tries: a line may be back at any moment, but another version
    or a wrong interface is somebody's to mend, and each try costs the node a connection and a Python."""
    return AGAIN_SECONDS if isinstance(error, LineCut) else min(LONGEST_SECONDS, AGAIN_SECONDS * 2 ** min(tries, 10))
