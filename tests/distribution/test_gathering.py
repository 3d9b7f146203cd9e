"""Which nodes train together, as the head decides it from signs of life in its store."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
import torch

from fullfield.distribution import gathering, heartbeats
from fullfield.distribution.gathering import Gathering, HeadLost, Left, Round
from fullfield.distribution.heartbeats import Heartbeats
from fullfield.protocol.fleets import Fleet


def a_store() -> Any:
    return torch.distributed.HashStore()


class Clock:
    """The time of `heartbeats`, whose thread goes on as far as it is asked to."""

    def __init__(self) -> None:
        self.now = 0.0
        self._asked, self._done = threading.Semaphore(0), threading.Semaphore(0)

    def time_ns(self) -> int:
        return 0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self._done.release()
        self._asked.acquire()
        self.now += seconds

    def beats(self, count: int) -> None:
        """So many more; the first is made without being asked for."""
        for _ in range(count):
            assert self._done.acquire(timeout=10.0)
            self._asked.release()
        assert self._done.acquire(timeout=10.0)
        self._done.release()


class Slow:
    """A store of which one look takes its time."""

    def __init__(self, store: Any, clock: Clock) -> None:
        self._store, self._clock, self.seconds = store, clock, 0.0

    def __getattr__(self, name: str) -> Any:
        self._clock.now += self.seconds
        self.seconds = 0.0
        return getattr(self._store, name)


class Fake(Heartbeats):
    """Says who lives."""

    def __init__(self) -> None:
        self.silent: dict[int, float] = {}

    def silent_seconds(self, number: int) -> float:
        return self.silent.get(number, 0.0)

    def alive(self) -> set[int]:
        return {number for number in (1, 2) if self.silent_seconds(number) < heartbeats.SILENT_SECONDS}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "LOOK_SECONDS", 0.001)
    monkeypatch.setattr(gathering, "FIRST_SECONDS", 0.1)
    monkeypatch.setattr(gathering, "SETTLE_SECONDS", 0.01)


class Nodes:
    def __init__(self, least: int = 1) -> None:
        self.store, self.lives, self.rounds, self.killed = a_store(), Fake(), list[Round](), list[int]()
        self.least = least

    def node(self, number: int, check: Callable[[bool], None] = lambda waits: None) -> Gathering:
        fleet = Fleet(names=("a", "b", "c"), number=number, least=self.least, most=3, interface="lo", key="k")
        made = Gathering(self.store, self.lives, fleet, reported=self.rounds.append, check=check)
        made.kill = lambda: self.killed.append(number)
        return made

    def meet(self, *nodes: Gathering) -> None:
        """All wait for the next round."""
        threads = [threading.Thread(target=one.next_rendezvous, daemon=True) for one in nodes]
        for each in threads:
            each.start()
        for each in threads:
            each.join(10.0)
        assert not any(each.is_alive() for each in threads)


def test_that_a_node_that_comes_is_waited_for_and_one_that_is_lost_is_not() -> None:
    nodes = Nodes()
    nodes.lives.silent[2] = 99.0
    a, b = nodes.node(0), nodes.node(1)
    nodes.meet(a, b)
    assert a.nodes == b.nodes == (0, 1) and nodes.rounds[-1].first
    assert a.num_nodes_waiting() == b.num_nodes_waiting() == 0

    c = nodes.node(2)
    waits = threading.Thread(target=c.next_rendezvous, daemon=True)
    waits.start()
    nodes.lives.silent[2] = 0.0
    while not a.num_nodes_waiting():
        time.sleep(0.001)
    assert not nodes.killed, "who trains is asked to save"
    nodes.meet(a, b)
    waits.join(10.0)
    assert a.nodes == b.nodes == c.nodes == (0, 1, 2) and not nodes.rounds[-1].lost
    assert a.get_run_id() == c.get_run_id() == "k/workers/2"

    nodes.lives.silent[1] = 6.0
    assert a.num_nodes_waiting() == 1 and nodes.killed == [0], "they wait for it in vain"
    gathers = threading.Thread(target=a.next_rendezvous, daemon=True)
    gathers.start()
    while not c.num_nodes_waiting():
        time.sleep(0.001)
    assert nodes.killed == [0, 2]
    nodes.meet(c)
    gathers.join(10.0)
    assert a.nodes == c.nodes == (0, 2) and nodes.rounds[-1].lost == {1: 6.0}
    b = nodes.node(1)
    assert b.round == 3, "a round that it was in before it was lost is none of its own"


def test_that_every_node_clears_what_its_processes_told_before_others_begin_under_their_numbers() -> None:
    nodes, cleared = Nodes(least=2), list[tuple[int, int]]()
    nodes.lives.silent[2] = 99.0
    a, b = nodes.node(0), nodes.node(1)
    a.clear, b.clear = lambda: cleared.append((0, a.round)), lambda: cleared.append((1, b.round))
    nodes.meet(a, b)
    nodes.meet(a, b)
    assert sorted(cleared) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_that_a_node_that_comes_once_the_training_is_over_disturbs_nobody() -> None:
    nodes = Nodes()
    nodes.lives.silent[2] = 99.0
    a, b = nodes.node(0), nodes.node(1)
    nodes.meet(a, b)
    a.is_over = lambda: True
    nodes.lives.silent[2] = 0.0
    nodes.store.set("ready/2", '{"died": [], "new": true}')
    assert a.num_nodes_waiting() == 0
    a.is_over = lambda: False
    assert a.num_nodes_waiting() == 1


def test_that_who_saves_for_a_node_that_comes_has_as_long_as_it_takes_unless_another_one_is_gone() -> None:
    nodes = Nodes()
    nodes.lives.silent[2] = 99.0
    a, b = nodes.node(0), nodes.node(1)
    nodes.meet(a, b)
    assert not a.is_saving(), "nobody comes"
    threading.Thread(target=nodes.node(2).next_rendezvous, daemon=True).start()
    nodes.lives.silent[2] = 0.0
    while not a.num_nodes_waiting():
        time.sleep(0.001)
    nodes.store.set("ready/1", '{"died": [], "new": false}')
    assert a.is_saving() and not nodes.killed, "the other one has saved before"
    nodes.store.set("ready/1", '{"died": [-9], "new": false}')
    assert not a.is_saving() and nodes.killed == [0]
    nodes.store.delete_key("ready/1")
    assert a.num_nodes_waiting() and a.is_saving()
    nodes.lives.silent[1] = 6.0
    assert not a.is_saving() and nodes.killed == [0, 0]


def test_that_a_process_that_ends_without_a_word_is_named_and_that_all_begin_anew() -> None:
    nodes = Nodes(least=2)
    nodes.lives.silent[2] = 99.0
    a, b = nodes.node(0), nodes.node(1)
    nodes.meet(a, b)
    b.died = (-9,)
    again = threading.Thread(target=b.next_rendezvous, daemon=True)
    again.start()
    while not a.num_nodes_waiting():
        time.sleep(0.001)
    nodes.meet(a)
    again.join(10.0)
    assert nodes.rounds[-1].again == {1} and nodes.rounds[-1].nodes == (0, 1) == b.nodes
    nodes.store.set("ended/1", "{}")
    nodes.lives.silent[1] = 99.0
    assert a.num_nodes_waiting() == 0, "it has done its part"


def test_that_who_died_is_named_where_the_heads_own_processes_have_ended_before_it_looks() -> None:
    nodes = Nodes()
    a, b, c = nodes.node(0), nodes.node(1), nodes.node(2)
    nodes.meet(a, b, c)
    b.died = (-9,)  # the ranks of the others end in a message to it, and ask for a new round
    nodes.meet(a, b, c)
    assert nodes.rounds[-1].again == {1} and not nodes.rounds[-1].lost
    a.died = (1,)
    nodes.meet(a, b, c)
    assert nodes.rounds[-1].again == {0}, "what was said of a round before is forgotten"
    nodes.meet(a, b, c)
    assert nodes.rounds[-1].broken and not nodes.rounds[-1].again
    nodes.meet(a, nodes.node(1), c)
    assert nodes.rounds[-1].again == {1}, "all of its processes were gone, and it was started anew"

    nodes.lives.silent[1] = 6.0
    nodes.meet(a, c)
    assert nodes.rounds[-1].lost == {1: 6.0} and not nodes.rounds[-1].broken and a.nodes == (0, 2)


def test_that_who_waits_ends_with_the_training_or_without_its_head() -> None:
    nodes = Nodes(least=3)
    b = nodes.node(1)
    nodes.lives.silent[0] = 6.0
    with pytest.raises(HeadLost):
        b.next_rendezvous()
    nodes.node(0).set_closed()
    with pytest.raises(Left):
        b.next_rendezvous()

    def stopped(waits: bool) -> None:
        raise Left

    with pytest.raises(Left):
        nodes.node(0, stopped).next_rendezvous()


def test_that_silence_is_counted_while_this_computer_is_awake(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(heartbeats, "time", clock)
    store = Slow(a_store(), clock)
    store.set("pulse/1", "a count that somebody left")
    head = Heartbeats(lambda: store, 0, (1,))
    clock.beats(3)
    assert head.silent_seconds(1) == 3 * heartbeats.BEAT_SECONDS and head.alive() == set()
    store.set("pulse/1", "1")
    clock.beats(1)
    assert head.silent_seconds(1) == 0.0 and head.alive() == {1}
    store.seconds = 3600.0
    clock.beats(1)
    assert head.silent_seconds(1) == heartbeats.LOOK_SECONDS and head.alive() == {1}
    clock.beats(2)
    assert head.silent_seconds(1) == heartbeats.SILENT_SECONDS and head.alive() == set()
