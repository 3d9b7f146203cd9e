"""Which nodes train together now: a rendezvous for torchrun's elastic agent that the head alone decides, in its store.

gather    {"round", "now"}: the head gathers nodes for this round; "now": workers are to be killed, for one is lost
ready/N   {"died", "new"}: node N has no workers, and waits for a round; exit codes of those that ended without a word;
          "new": its agent has been in none
ended/N   node N has done its part
round     {"round", "nodes"}: those that train together; their workers begin
over      the training has ended, and no round comes any more

torch's own rendezvous keeps a pickle there, by which whoever is on the network could run what he likes; this is JSON.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fullfield.distribution.heartbeats import SILENT_SECONDS, Heartbeats
from fullfield.protocol.fleets import Fleet

_log = logging.getLogger(__name__)
LOOK_SECONDS = 0.1
FIRST_SECONDS = 20.0
"""Within which nodes that are started together come."""
SETTLE_SECONDS, SAVE_SECONDS = 1.0, 20.0
"""A round begins once all that live are ready; one that saves has so long."""


class Left(Exception):
    """No round comes any more: the training is over."""


class HeadLost(Exception):
    """The head gives no sign of life."""


@dataclass(frozen=True, kw_only=True)
class Round:
    """`nodes`: numbers of those that train together from now on; the first round is the `first`. `lost`: of those that
    do not any more, the seconds without a sign of life. `again`: of those that do, a process has died without a word.
    `broken`: processes have ended, and neither that nor a node that comes is why: they hear each other no more."""

    number: int
    nodes: tuple[int, ...]
    lost: dict[int, float]
    again: set[int]
    first: bool
    broken: bool = False


class Gathering:
    """See above; what torch calls a rendezvous handler. `kill` ends this node's workers at once; `died`: exit codes of
    those of this round that have ended without a word. `is_over`: no other node can take part any more. `clear`:
    called once this node's workers have ended, before others begin.

    `reported`: called by the head with each round. `check`: called often, with whether this node waits for others; it
    may raise `Left`.
    """

    def __init__(
        self,
        store: Any,
        heartbeats: Heartbeats,
        fleet: Fleet,
        *,
        reported: Callable[[Round], None],
        check: Callable[[bool], None],
    ) -> None:
        self._store, self._heartbeats, self._fleet = store, heartbeats, fleet
        self._reported, self._check = reported, check
        self.kill: Callable[[], None] = lambda: None
        self.clear: Callable[[], None] = lambda: None
        self.is_over: Callable[[], bool] = lambda: False
        self.died: tuple[int, ...] = ()
        self.nodes: tuple[int, ...] = ()
        self.round = int((self._read("round") or {}).get("round", 0))
        self._comes = False
        self._lost: dict[int, float] = {}
        for left in ("ready", "ended"):  # by this node, before it was lost
            store.delete_key(f"{left}/{fleet.number}")

    # what the agent asks

    def next_rendezvous(self) -> Any:
        """Wait for the next round that this node is in."""
        from torch._C._distributed_c10d import PrefixStore
        from torch.distributed.elastic.rendezvous.api import RendezvousInfo, RendezvousStoreInfo

        self._check(True)
        self.clear()
        self.nodes = self._gathered() if self._fleet.leads else self._taken()
        self.died = ()
        place = RendezvousStoreInfo(self._fleet.address, self._fleet.port)
        agents = PrefixStore(f"agents/{self.round}", self._store)
        return RendezvousInfo(agents, self.nodes.index(self._fleet.number), len(self.nodes), place)

    def num_nodes_waiting(self) -> int:
        """Whether workers are to begin anew: a node comes or is lost (the head), or the head says so."""
        if not self._fleet.leads:
            return self._asked()
        self._check(False)
        return self._changed()

    def is_saving(self) -> bool:
        """Whether workers of the head, asked to make room for a node that comes, can come to the end of their step.
        Where another one is gone, for which they wait in vain, they are killed."""
        if not self._comes:
            return False
        self._check(False)
        lost, ready = self._silent(), set(self._ready())
        if lost or any(self._has_died(number) for number in ready & set(self.nodes)):
            self._lost |= {number: self._heartbeats.silent_seconds(number) for number in lost}
            self._comes = False
            self.kill()
        return self._comes

    def get_run_id(self) -> str:
        """What stands before the words of this round's workers in the store."""
        return f"{self._fleet.key}/workers/{self.round}"

    def get_backend(self) -> str:
        """Its name."""
        return "fullfield"

    use_agent_store = False

    def is_closed(self) -> bool:
        """Whether the training is over."""
        return bool(self._store.check(["over"]))

    def set_closed(self) -> None:
        """Say that it is."""
        self._store.set("over", "{}")

    def shutdown(self) -> bool:
        """Nothing is to be done."""
        return True

    # the head

    def _gathered(self) -> tuple[int, ...]:
        self.round, first = self.round + 1, self.round == 0
        _log.info("nodes are gathered for round %d", self.round)
        self._write("gather", {"round": self.round, "now": not self._comes})
        began = time.monotonic()
        while True:
            self._check(True)
            alive, waited = self._heartbeats.alive(), time.monotonic() - began
            ready = [number for number in self._ready() if number in alive][: self._fleet.most - 1]
            count, patience = 1 + len(ready), FIRST_SECONDS if first else SAVE_SECONDS
            all_here = not first and waited > SETTLE_SECONDS and alive <= set(ready)
            if count >= self._fleet.least and (count == self._fleet.most or all_here or waited > patience):
                break
            time.sleep(LOOK_SECONDS)
        nodes = (0, *ready)
        self._lost |= {number: self._heartbeats.silent_seconds(number) for number in self._silent()}
        lost = {number: silent for number, silent in self._lost.items() if number not in nodes}
        again = {number for number in ready if self._has_died(number)} | ({0} if self.died else set())
        broken = not (first or lost or again or self._lost or self._comes)
        for number in ready:
            self._store.delete_key(f"ready/{number}")
        self._reported(Round(number=self.round, nodes=nodes, lost=lost, again=again, first=first, broken=broken))
        self._lost, self._comes = {}, False
        self._write("round", {"round": self.round, "nodes": nodes})
        return nodes

    def _changed(self) -> int:
        alive, ready, lost = self._heartbeats.alive(), self._ready(), self._silent()
        again = {number for number in ready if number in self.nodes} - lost
        come = {number for number in ready if number in alive and number not in self.nodes}
        if lost or again:  # the others wait for it in vain
            self._lost |= {number: self._heartbeats.silent_seconds(number) for number in lost}
            _log.info("lost: %s; waiting: %s", lost, again)
            self.kill()
        elif come and len(self.nodes) < self._fleet.most and not self.is_over():
            self._comes = True
            return len(come)
        return len(lost | again)

    def _has_died(self, number: int) -> bool:
        """Whether a process of another node has, or all of one that was in this round."""
        said = self._read(f"ready/{number}") or {}
        return bool(said.get("died")) or (bool(said.get("new")) and number in self.nodes)

    def _silent(self) -> set[int]:
        """The others of this round that give no sign of life, and have not done their part."""
        silent = set(self.nodes[1:]) - self._heartbeats.alive()
        return {number for number in silent if not self._store.check([f"ended/{number}"])}

    def _ready(self) -> list[int]:
        """The other nodes that wait for a round."""
        return [one for one in range(1, len(self._fleet.names)) if self._store.check([f"ready/{one}"])]

    # the others

    def _taken(self) -> tuple[int, ...]:
        _log.info("ready after round %d", self.round)
        self._write(f"ready/{self._fleet.number}", {"died": self.died, "new": not self.nodes})
        while True:
            self._look_for_the_head(True)
            found = self._read("round") or {"round": 0, "nodes": []}
            if found["round"] > self.round and self._fleet.number in found["nodes"]:
                self.round = int(found["round"])
                return tuple(found["nodes"])
            time.sleep(LOOK_SECONDS)

    def _asked(self) -> int:
        self._look_for_the_head(False)
        found = self._read("gather") or {"round": 0, "now": False}
        if found["round"] <= self.round:
            return 0
        if found["now"]:
            self.kill()
        return 1

    def _look_for_the_head(self, waits: bool) -> None:
        self._check(waits)
        if self.is_closed():
            raise Left
        if self._heartbeats.silent_seconds(0) > SILENT_SECONDS:
            raise HeadLost

    def ended(self) -> None:
        """This node has done its part: that it is silent from now on is no loss."""
        self._store.set(f"ended/{self._fleet.number}", "{}")

    def _read(self, key: str) -> Any:
        return json.loads(self._store.get(key)) if self._store.check([key]) else None

    def _write(self, key: str, values: Mapping[str, int | bool | tuple[int, ...]]) -> None:
        self._store.set(key, json.dumps(values))
