"""What a node of several does beside the rounds: how its part ends, when it says that it waits, and who trains on."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fullfield import files
from fullfield.distribution.gathering import HeadLost, Left, Round
from fullfield.jobs import agent, event_log, rank, ranks
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.protocol import event_lines, events
from fullfield.protocol.commands import Stop
from fullfield.protocol.events import Notice, RunEnded
from fullfield.protocol.fleets import Fleet
from fullfield.protocol.rank_events import NodesChanged

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows cannot be a rank")
FLEET = Fleet(names=("a", "b", "c"), number=0, least=2, most=3, interface="lo", key="k", address="127.0.0.1", port=7)
HEAD, OTHER = 0, 1


class Gathering:
    """In the place of the real one."""

    def __init__(self, store: Store, lives: tuple[Any, ...], fleet: Fleet, *, reported: Any, check: Any) -> None:
        self.store, self.lives, self.fleet, self.reported, self.check = store, lives, fleet, reported, check
        self.said: list[str] = []

    def clear(self) -> None:
        """Set by the agent."""

    def is_over(self) -> bool:
        """Set by the agent."""
        raise NotImplementedError

    def set_closed(self) -> None:
        self.said.append("closed")

    def ended(self) -> None:
        self.said.append("ended")


class Store(dict[str, str]):
    """The head's, as torch's is asked."""

    def set(self, key: str, value: str) -> None:
        self[key] = value

    def get(self, key: str) -> bytes:  # type: ignore[override]
        return self[key].encode()

    def check(self, keys: list[str]) -> bool:
        return all(key in self for key in keys)


class Node:
    """A node whose agent is begun in the process of the test; `does` is what torch's agent does there."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.store = folder, Store()
        self.asked: list[Any] = []
        self.gathering: Gathering
        self.does: Callable[[Gathering], bool] = lambda gathering: True
        for name in ("prepare", "opened"):
            monkeypatch.setattr(agent.elastic, name, lambda *given, name=name: self.asked.append((name, *given)))
        monkeypatch.setattr(agent.elastic, "connected", lambda fleet: self.store)
        monkeypatch.setattr(agent.elastic, "run", self._run)
        monkeypatch.setattr(agent, "Gathering", self._gathering)
        monkeypatch.setattr(agent, "Heartbeats", lambda connect, *given: (connect(), *given))
        monkeypatch.setattr(agent, "Looking", lambda *given: self.asked.append(("looking", *given[:3], given[3]())))

    def begin(self, number: int) -> int:
        """What its agent ends by."""
        jobs.save(Job(kind="train", processes=2, fleet=replace(FLEET, number=number)), self.folder)
        return agent.main([str(self.folder)])

    def told(self) -> list[Any]:
        log = event_log.path(self.folder)
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [event_lines.from_line(line) for line in lines]

    def _gathering(self, *given: Any, **called: Any) -> Gathering:
        self.gathering = Gathering(*given, **called)
        return self.gathering

    def _run(self, gathering: Gathering, *given: Any, again: int) -> bool:
        self.asked.append(("run", *given, again))
        return self.does(gathering)


@pytest.fixture
def node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, did: list[str]) -> Node:
    return Node(tmp_path, monkeypatch)


def raising(error: Exception) -> Callable[[Gathering], bool]:
    def does(gathering: Gathering) -> bool:
        raise error

    return does


@pytest.mark.parametrize("number", [HEAD, OTHER])
def test_that_a_node_begins_its_ranks_and_ends_as_they_do(node: Node, number: int, did: list[str]) -> None:
    assert node.begin(number) == agent.Part.DONE == 0
    assert did == ["offline.stay_offline", "worker-0.log INFO own", "end_with_starter"]
    fleet = replace(FLEET, number=number)
    assert node.asked[0] == ("prepare", ["fullfield.jobs.rank", "fullfield.tuning.job"])
    assert (("opened", fleet) in node.asked) == (number == HEAD), "the head alone keeps the store"
    assert node.gathering.store is node.store and node.gathering.fleet == fleet
    assert node.gathering.lives == (node.store, number, (1, 2) if number == HEAD else (0,))
    assert ("looking", node.folder, fleet, node.gathering, node.store) in node.asked
    assert node.asked[-1] == ("run", rank.main, (str(node.folder),), 2, rank.AGAIN)
    assert node.gathering.said == ["closed" if number == HEAD else "ended"]
    assert not node.gathering.is_over()
    (node.folder / ranks.TRAINED).touch()
    assert node.gathering.is_over()


@pytest.mark.parametrize(
    ("number", "does", "code"),
    [
        (HEAD, lambda gathering: False, 1),
        (OTHER, lambda gathering: False, 1),
        *((HEAD, raising(error("x")), 1) for error in (HeadLost, RuntimeError, OSError)),
        *((OTHER, raising(error("x")), 5) for error in (HeadLost, RuntimeError, OSError)),
    ],
)
def test_that_a_part_that_ends_by_what_nobody_foresaw_has_the_code_of_that(
    node: Node, number: int, does: Callable[[Gathering], bool], code: int
) -> None:
    node.does = does
    assert node.begin(number) == code


@pytest.mark.parametrize("number", [HEAD, OTHER])
def test_that_where_no_round_comes_any_more_the_head_says_that_it_is_over(node: Node, number: int) -> None:
    node.does = raising(Left())
    assert node.begin(number) == agent.Part.DONE
    assert node.store == ({"over": "{}"} if number == HEAD else {})
    assert node.gathering.said == []


def test_that_a_head_whose_store_is_gone_ends_as_it_would_with_it(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*given: str) -> None:
        raise RuntimeError

    node.does = raising(Left())
    monkeypatch.setattr(node.store, "set", gone)
    assert node.begin(HEAD) == agent.Part.DONE


def checks(*waits: bool) -> Callable[[Gathering], bool]:
    def does(gathering: Gathering) -> bool:
        for one in waits:
            gathering.check(one)
        return True

    return does


@pytest.mark.parametrize("waits", [False, True])
def test_that_what_a_rank_of_any_node_has_left_ends_all_parts_and_is_brought_to_the_head(
    node: Node, waits: bool
) -> None:
    node.does = checks(waits)
    assert node.begin(OTHER) == agent.Part.DONE
    (node.folder / "failed-3.json").write_text('{"title": "Größe"}', encoding="utf-8")
    assert node.begin(OTHER) == agent.Part.FAILED == 4
    assert json.loads(node.store["failed"]) == ["failed-3.json", '{"title": "Größe"}']
    (node.folder / "failed-3.json").unlink()
    assert node.begin(HEAD) == agent.Part.FAILED
    assert (node.folder / "failed-3.json").read_text(encoding="utf-8") == '{"title": "Größe"}'
    del node.store["failed"]
    assert node.begin(HEAD) == agent.Part.FAILED and "failed" not in node.store, "by one of its own"


def test_that_no_file_of_another_name_is_written_on_the_head(node: Node) -> None:
    node.does = checks(False)
    node.store.set("failed", json.dumps(["../failed-3.json", "x"]))
    assert node.begin(HEAD) == agent.Part.FAILED
    assert not list(node.folder.parent.rglob("failed-*"))


def test_that_a_head_that_waits_ends_with_its_run_or_where_its_user_would_not_wait(node: Node) -> None:
    for number, waits, code in ((HEAD, False, 0), (OTHER, True, 0), (HEAD, True, agent.Part.STOPPED)):
        files.append_line(node.folder / "commands.jsonl", Stop().to_line())
        node.does = checks(waits, waits)
        assert node.begin(number) == code
        assert node.gathering.said == ([] if code else ["ended" if number else "closed"])
    files.append_line(event_log.path(node.folder), events.to_line(RunEnded(reason="completed")))
    assert node.begin(HEAD) == agent.Part.DONE and node.gathering.said == []


def test_that_once_it_has_waited_for_half_a_minute_it_is_said_and_not_again_before_the_next_round(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 500.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    told: list[int] = []

    def does(gathering: Gathering) -> bool:
        nonlocal now
        for seconds in (0.0, 29.9, 0.2, 1.0, 40.0):
            now += seconds
            gathering.check(True)
            told.append(sum(isinstance(event, Notice) for event in node.told()))
        gathering.reported(Round(number=1, nodes=(0, 1), lost={}, again=set(), first=True))
        for seconds in (0.0, 30.1):
            now += seconds
            gathering.check(True)
            told.append(sum(isinstance(event, Notice) for event in node.told()))
        return True

    node.does = does
    assert node.begin(HEAD) == 0
    assert told == [0, 0, 1, 1, 1, 2, 3]
    notice = next(event for event in node.told() if isinstance(event, Notice))
    assert (notice.level, notice.text.partition(".")[0]) == ("warning", "Fewer than 2 nodes are there")


ROUND = Round(number=2, nodes=(0, 1), lost={}, again=set(), first=False)
ON = "The training goes on with a, b."


@pytest.mark.parametrize(
    ("found", "changed", "said", "level"),
    [
        (replace(ROUND, first=True), NodesChanged(nodes=("a", "b")), "2 of 3 nodes train together: a, b.", "info"),
        (ROUND, NodesChanged(nodes=("a", "b")), ON, "info"),
        (
            replace(ROUND, lost={2: 6.04}, again={1}, broken=True),
            NodesChanged(nodes=("a", "b"), lost=("c",), after_seconds=6.0),
            f"No answer for 6 seconds from c. {ON}",
            "warning",
        ),
        (
            replace(ROUND, nodes=(0,), lost={1: 5.5, 2: 7.26}),
            NodesChanged(nodes=("a",), lost=("b", "c"), after_seconds=7.3),
            "No answer for 7 seconds from b and c. The training goes on with a.",
            "warning",
        ),
        (
            replace(ROUND, again={1, 0}, broken=True),
            NodesChanged(nodes=("a", "b")),
            f"A process on a and b has ended without a word. {ON}",
            "warning",
        ),
        (
            replace(ROUND, broken=True),
            NodesChanged(nodes=("a", "b")),
            f"A connection between nodes has broken. {ON}",
            "warning",
        ),
    ],
)
def test_that_who_trains_on_and_why_is_told_and_what_ranks_of_before_told_is_cleared(
    node: Node, found: Round, changed: NodesChanged, said: str, level: str
) -> None:
    left = [node.folder / name for name in ("rank-1.json", "rank-12.json", ranks.TRAINED)]

    def does(gathering: Gathering) -> bool:
        for clears in (gathering.clear, lambda: gathering.reported(found)):
            for path in left:
                path.touch()
            clears()
            assert not any(path.exists() for path in left)
        return True

    node.does = does
    assert node.begin(HEAD) == 0
    nodes, notice = node.told()
    assert replace(nodes, time=0.0) == changed
    assert replace(notice, time=0.0) == Notice(text=said, level=level)
