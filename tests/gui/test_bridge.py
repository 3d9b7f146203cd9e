"""Threads: a run followed from one, work done in one, and values coalesced."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from fullfield.errors import FullfieldError, UsageError
from fullfield.jobs.handle import JobHandle
from fullfield.protocol.events import Event, ItemDecoded, RunEnded, RunStarted
from fullfield.protocol.session_commands import Cancel, Export, Open
from fullfield_app.gui.bridge.job_bridge import Session
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.throttle import Throttle
from gui.fake_job import FakeJob


def test_that_commands_go_down_and_events_come_up_in_their_order(
    qtbot: QtBot, start: Callable[[], FakeJob], jobs: list[FakeJob]
) -> None:
    session, reported = Session(start), list[Event]()
    session.reported.connect(reported.extend)
    session.start()
    session.post(Open(index=4, source="/in/a.dcm"))
    qtbot.waitUntil(lambda: any(isinstance(event, ItemDecoded) for event in reported))
    session.close()
    assert isinstance(reported[0], RunStarted)
    assert jobs[0].posted == [{"command": "open", "index": 4, "source": "/in/a.dcm", "archive": ""}]


def test_that_events_arrive_on_the_thread_of_the_window(qtbot: QtBot, start: Callable[[], FakeJob]) -> None:
    session, threads = Session(start), list[threading.Thread]()
    session.reported.connect(lambda _: threads.append(threading.current_thread()))
    session.start()
    qtbot.waitUntil(lambda: bool(threads))
    session.close()
    assert threads[0] is threading.main_thread()


def test_that_the_worker_is_started_and_polled_on_another_thread(qtbot: QtBot, tmp_path: Path) -> None:
    polled = set[threading.Thread]()

    class Watched(FakeJob):
        def poll(self) -> list[Event]:
            polled.add(threading.current_thread())
            return super().poll()

    session = Session(lambda: Watched(tmp_path / "run"))
    session.start()
    qtbot.waitUntil(lambda: bool(polled))
    session.close()
    assert threading.main_thread() not in polled


def test_that_closing_stops_the_worker(qtbot: QtBot, start: Callable[[], FakeJob], jobs: list[FakeJob]) -> None:
    session = Session(start)
    session.start()
    qtbot.waitUntil(lambda: bool(jobs))
    session.close()
    assert jobs[0].stopped and not jobs[0].killed


def test_that_a_worker_that_does_not_stop_is_killed(qtbot: QtBot, tmp_path: Path, monkeypatch: object) -> None:
    class Deaf(FakeJob):
        def stop(self) -> None:
            self.stopped = True

    made: list[FakeJob] = []

    def start() -> JobHandle:
        made.append(Deaf(tmp_path / "run"))
        return made[-1]

    session = Session(start)
    session.start()
    qtbot.waitUntil(lambda: bool(made))
    session.close()
    assert made[0].stopped and made[0].killed


def test_that_a_worker_that_is_killed_in_the_middle_of_an_export_leaves_no_half_file(
    qtbot: QtBot, tmp_path: Path
) -> None:
    class Deaf(FakeJob):
        def stop(self) -> None:
            self.stopped = True

    job, out = Deaf(tmp_path / "run", hold=frozenset({"export"})), tmp_path / "out"
    session = Session(lambda: job, grace=0.1)
    session.start()
    session.post(Export(index=0, target=str(out / "in" / "0.dcm"), format="dicom", folder=str(out)))
    qtbot.waitUntil(lambda: bool(job.posted))
    parts = out / ".fullfield" / "parts"
    parts.mkdir(parents=True)
    (parts / ".half.part").write_bytes(b"half")
    session.close()
    assert job.killed and not [path for path in out.rglob("*") if path.is_file()] and not parts.exists()


def test_that_a_worker_that_cannot_be_started_is_told_as_an_error(qtbot: QtBot) -> None:
    def start() -> JobHandle:
        raise UsageError("Cannot start the worker.", hint="Install Fullfield again.")

    session, reported = Session(start), list[FullfieldError]()
    session.refused.connect(reported.append)
    session.start()
    qtbot.waitUntil(lambda: bool(reported))
    session.close()
    assert "Cannot start" in reported[0].title


def test_that_the_end_of_a_worker_is_told_after_its_last_events_with_what_became_of_it(
    qtbot: QtBot, start: Callable[[], FakeJob], jobs: list[FakeJob]
) -> None:
    session, reported = Session(start), list[object]([None])
    session.reported.connect(reported.extend)
    session.ended.connect(lambda reason, died: reported.append((reason, str(died))))
    session.start()
    qtbot.waitUntil(lambda: bool(jobs))
    jobs[0].die()
    qtbot.waitUntil(lambda: isinstance(reported[-1], tuple))
    reason, died = reported[-1]
    assert reason == "died" and "ended unexpectedly" in died and "every" in died
    session.start()
    qtbot.waitUntil(lambda: len(jobs) == 2)
    jobs[1].reported.append(RunEnded(reason="completed"))
    qtbot.waitUntil(lambda: reported[-1] == ("completed", "The worker has ended. Start it again."))
    session.close()


def test_that_another_worker_can_be_started_after_one_has_ended(
    qtbot: QtBot, start: Callable[[], FakeJob], jobs: list[FakeJob]
) -> None:
    session, reported = Session(start), list[Event]()
    session.reported.connect(reported.extend)
    session.start()
    qtbot.waitUntil(lambda: bool(jobs))
    jobs[0].die()
    qtbot.waitUntil(lambda: any(isinstance(event, RunEnded) for event in reported))
    session.start()
    qtbot.waitUntil(lambda: len(jobs) == 2)
    session.post(Open(index=0, source="/in/a.dcm"))
    qtbot.waitUntil(lambda: bool(jobs[1].posted))
    session.close()


def test_that_nothing_is_heard_of_a_worker_that_was_replaced_while_it_was_telling(
    qtbot: QtBot, start: Callable[[], FakeJob], jobs: list[FakeJob]
) -> None:
    session, reported = Session(start), list[Event]()
    session.reported.connect(reported.extend)
    session.start()
    qtbot.waitUntil(lambda: bool(reported))
    jobs[0].reported.append(ItemDecoded(index=0, decoded="/cache/0"))
    end = time.monotonic() + 5
    while jobs[0].reported and time.monotonic() < end:  # on its way, for this thread takes nothing in here
        time.sleep(0.01)
    time.sleep(0.05)
    reported.clear()
    session.start()
    qtbot.waitUntil(lambda: bool(reported))
    session.close()
    assert not jobs[0].reported and len(jobs) == 2
    assert not any(isinstance(event, ItemDecoded) for event in reported)


def test_that_a_live_worker_is_ended_before_another_is_started(
    qtbot: QtBot, start: Callable[[], FakeJob], jobs: list[FakeJob]
) -> None:
    session = Session(start)
    session.start()
    session.start()
    qtbot.waitUntil(lambda: len(jobs) == 2)
    assert jobs[0].killed and not jobs[1].ended
    session.close()
    assert jobs[1].stopped


def test_that_a_replaced_worker_leaves_its_results_to_look_at_and_not_what_it_was_asked(
    qtbot: QtBot, start: Callable[[], FakeJob], jobs: list[FakeJob]
) -> None:
    session = Session(start)
    session.start()
    qtbot.waitUntil(lambda: bool(jobs))
    for name in ("job.json", "commands.jsonl", "result.npy"):
        (jobs[0].folder / name).write_text("/clinic/a/patient.dcm")
    session.start()
    qtbot.waitUntil(lambda: len(jobs) == 2)
    assert [path.name for path in jobs[0].folder.iterdir()] == ["result.npy"]
    session.close()
    assert not jobs[0].folder.exists() and not jobs[1].folder.exists()


def test_that_closing_ends_a_worker_that_can_no_longer_be_asked(qtbot: QtBot, tmp_path: Path) -> None:
    class Unreachable(FakeJob):
        def stop(self) -> None:
            raise OSError(28, "No space left on device")

    made: list[FakeJob] = []

    def start() -> JobHandle:
        made.append(Unreachable(tmp_path / "run"))
        return made[-1]

    session = Session(start)
    session.start()
    qtbot.waitUntil(lambda: bool(made))
    session.close()
    assert made[0].killed


def test_that_a_command_is_plain_fields_for_the_worker() -> None:
    assert Cancel(indexes=(1, 2)).to_fields() == {"command": "cancel", "indexes": [1, 2]}


def test_that_a_task_works_elsewhere_and_its_value_comes_back_here(qtbot: QtBot) -> None:
    tasks, got = Tasks(), list[tuple[threading.Thread, threading.Thread]]()
    tasks.start(threading.current_thread, lambda worked: got.append((worked, threading.current_thread())))
    qtbot.waitUntil(lambda: bool(got))
    tasks.close()
    assert got[0][0] is not threading.main_thread() and got[0][1] is threading.main_thread()


def test_that_an_exception_of_a_task_is_told_and_not_swallowed(qtbot: QtBot) -> None:
    tasks, reported = Tasks(), list[BaseException]()
    tasks.failed.connect(reported.append)
    tasks.start(lambda: 1 // 0, lambda _: None)
    qtbot.waitUntil(lambda: bool(reported))
    tasks.close()
    assert isinstance(reported[0], ZeroDivisionError)


def test_that_closed_tasks_deliver_nothing_more(qtbot: QtBot) -> None:
    tasks, got, gate = Tasks(), list[int](), threading.Event()
    tasks.start(lambda: int(gate.wait(5)), got.append)
    tasks.start(lambda: 2, got.append)
    gate.set()
    tasks.close()
    qtbot.wait(30)
    assert got == []


def test_that_of_many_values_the_first_and_the_last_are_passed_on(qtbot: QtBot) -> None:
    throttle, passed = Throttle(20), list[int]()
    throttle.passed.connect(passed.append)
    for value in range(1000):
        throttle.offer(value)
    qtbot.waitUntil(lambda: passed == [0, 999])
