"""How a rank of several nodes begins and ends: what it ends by decides what its agent does."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fullfield.checked import Fields
from fullfield.distribution import meet
from fullfield.errors import ExitCode, Interrupted, OutOfMemory, RankLost
from fullfield.jobs import event_log, heartbeat, rank, ranks, registry
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.rank import AGAIN, RankContext
from fullfield.protocol import event_lines
from fullfield.protocol.commands import Stop
from fullfield.protocol.computers import Computer
from fullfield.protocol.events import RunEnded
from fullfield.protocol.fleets import Fleet
from fullfield.protocol.small import EmptySpec

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows cannot be a rank")
COMPUTERS = tuple(Computer(name=name, free_bytes=9, total_bytes=10) for name in "ab")
FLEET = Fleet(names=("a", "b", "c"), number=1, least=2, most=3, interface="eth7", key="k", computers=COMPUTERS)
Does = Callable[[RankContext], Fields]


class Left(BaseException):
    """In the place of `os._exit`."""


class Rank:
    """A rank in the process of the test; `does` is its job."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self._patch = folder, monkeypatch
        self.does: Does = lambda context: {"done": 1}
        self.context: RankContext
        self.beats: list[tuple[Path, int]] = []
        monkeypatch.setattr(registry.Kind, "load", lambda kind: self._run)
        monkeypatch.setattr(heartbeat, "beat", lambda *given: self.beats.append(given))
        monkeypatch.setattr(os, "_exit", self._leave)
        monkeypatch.setenv(meet.INTERFACE, "")

    def begin(self, number: int, kind: str = "empty") -> int:
        """The code that it ends by."""
        jobs.save(Job(kind=kind, processes=2, fleet=FLEET), self.folder)
        self._patch.setenv("RANK", str(number))
        self._patch.setenv("WORLD_SIZE", "4")
        try:
            rank.main(str(self.folder))
        except Left as left:
            assert left.args != (0,)
            return int(left.args[0])
        return 0

    def told(self) -> list[Any]:
        log = event_log.path(self.folder)
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [replace(event, time=0.0) for line in lines if (event := event_lines.from_line(line)) is not None]

    def _run(self, spec: EmptySpec, context: RankContext) -> Fields:
        assert spec == EmptySpec()
        self.context = context
        return self.does(context)

    def _leave(self, code: int) -> None:
        raise Left(code)


@pytest.fixture
def one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, did: list[str]) -> Rank:
    return Rank(tmp_path, monkeypatch)


@pytest.mark.parametrize("number", [0, 3])
def test_that_a_rank_is_known_by_its_number_and_one_and_the_first_says_how_the_run_ended(
    one: Rank, number: int, did: list[str]
) -> None:
    jobs.save(Job(kind="empty", processes=2), one.folder)
    assert one.begin(number) == 0
    assert did == [
        "offline.stay_offline",
        "end_with_parent",
        f"worker-{number + 1}.log INFO own",
        "interpreter.prepare_for_torch",
    ]
    itself = jobs.worker(one.folder, number + 1)
    assert itself is not None and (itself.pid, itself.world) == (os.getpid(), 4)
    assert one.beats == [(one.folder, number + 1)] and os.environ[meet.INTERFACE] == "eth7"
    assert (one.context.rank, one.context.world, one.context.worlds) == (number, 4, (4, 6))
    assert one.context.nodes == COMPUTERS
    assert one.told() == ([] if number else [RunEnded(reason="completed", summary={"done": 1})])
    assert (jobs.load(one.folder).fleet == FLEET) == (number == 0), "the first accepts what was asked"
    assert {signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)} == {one.context.ask_to_stop}


def test_that_what_no_person_waits_for_comes_after_the_rest_of_the_machine(
    one: Rank, did: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one.begin(0)
    assert "lower_priority" not in did
    monkeypatch.setitem(registry.KINDS, "empty", replace(registry.KINDS["empty"], low_priority=True))
    one.begin(0)
    assert did[-1] == "lower_priority"


def stopped(context: RankContext) -> Fields:
    """By its user."""
    (context.folder / "commands.jsonl").write_text(f"{Stop().to_line()}\n")
    raise Interrupted("It was stopped.", detail="x")


def asked(context: RankContext) -> Fields:
    """By its agent."""
    context.ask_to_stop(signal.SIGTERM, None)
    raise Interrupted("It was stopped.")


def interrupted(context: RankContext) -> Fields:
    raise Interrupted("By nobody.")


def anew(context: RankContext) -> Fields:
    context.begin_anew()
    return {}


def lost(context: RankContext) -> Fields:
    raise RankLost("Another one has ended.")


@pytest.mark.parametrize("number", [0, 3])
@pytest.mark.parametrize("does", [asked, interrupted, anew, lost])
def test_that_one_that_is_to_meet_others_says_so_to_its_agent_and_nothing_to_people(
    one: Rank, number: int, does: Does
) -> None:
    one.does = does
    assert one.begin(number) == AGAIN
    assert one.told() == [] and not list(one.folder.glob("failed-*"))


def test_that_of_those_that_their_user_stopped_the_first_says_so_and_the_others_would_begin_anew(one: Rank) -> None:
    one.does = stopped
    assert one.begin(1) == AGAIN and one.told() == []
    assert one.begin(0) == 0
    summary = {"title": "It was stopped.", "detail": "x", "hint": ""}
    assert one.told() == [RunEnded(reason="stopped", summary=summary)]


@pytest.mark.parametrize("number", [0, 3])
def test_that_one_that_cannot_go_on_leaves_why(one: Rank, number: int) -> None:
    def does(context: RankContext) -> Fields:
        raise OutOfMemory("No memory.", hint="Take less.")

    one.does = does
    assert one.begin(number) == ExitCode.OUT_OF_MEMORY
    left = ranks.failure(one.folder, number)
    assert left is not None and left[0] == "failed" and left[1].code is ExitCode.OUT_OF_MEMORY
    assert left[1].fields == {"title": "No memory.", "detail": "", "hint": "Take less."}
    assert one.told() == []


def test_that_what_nobody_foresaw_names_the_log_that_tells_more(one: Rank) -> None:
    one.does = lambda context: {}[0]  # type: ignore[misc]
    assert one.begin(3) == ExitCode.UNEXPECTED
    left = ranks.failure(one.folder, 3)
    assert left is not None and "worker-4.log" in left[1].fields["hint"]
