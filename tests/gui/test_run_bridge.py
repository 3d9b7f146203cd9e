"""A run, followed in the background: bounded news, and what is asked of it reaches it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from fullfield.errors import FullfieldError
from fullfield.jobs.job import Job
from fullfield.protocol.events import Event, Notice, RunEnded
from fullfield.runs.runs import State
from fullfield_app.gui.bridge.follower import Follower
from fullfield_app.gui.bridge.run_bridge import MODEL, Following
from fullfield_app.gui.bridge.workers import Workers
from gui import fake_run
from gui.fake_run import FakeRun, begun, epoch


class Ear:
    """Follows the runs of a test, and keeps what came."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.runs: dict[Path, FakeRun] = {}
        self.launched: list[Job] = []
        self.first = begun(3000.0)  # what a run that goes on says at once
        self.came: list[Following] = []
        self.refused: list[FullfieldError] = []
        self.removed: list[Path] = []
        self.follower = Follower(Workers(attach=self.runs.__getitem__, launch=self.launch))
        self.follower.came.connect(self.came.append)
        self.follower.refused.connect(self.refused.append)
        self.follower.removed.connect(self.removed.append)

    def launch(self, job: Job, *, folder: Path | None = None) -> FakeRun:
        assert folder is not None
        self.launched.append(job)
        self.runs[folder] = FakeRun(folder, self.first)
        return self.runs[folder]

    def follow(self, reported: list[Event], *, alive: bool = True, number: int = 0) -> FakeRun:
        run = FakeRun(fake_run.training(number, reported=reported), reported, alive=alive)
        self.runs[run.folder] = run
        self.follower.follow(run.folder)
        return run

    def wait(self, condition: Callable[[Following], bool]) -> Following:
        self.qtbot.waitUntil(lambda: bool(self.came) and condition(self.came[-1]))
        return self.came[-1]


@pytest.fixture
def ear(qtbot: QtBot) -> Iterator[Ear]:
    made = Ear(qtbot)
    yield made
    made.follower.close()


def test_that_a_run_that_goes_on_is_told_from_its_first_event_and_live(ear: Ear) -> None:
    run = ear.follow([*begun(), *epoch(1)])
    first = ear.wait(lambda now: now.whole)
    assert (first.state, first.reported.epoch, first.reported.memory.peak_bytes) == (State.RUNNING, 1, 3 << 30)
    run.tell(*epoch(2))
    assert ear.wait(lambda now: now.reported.epoch == 2).state is State.RUNNING


def test_that_100_000_events_come_up_as_a_few_bounded_values(ear: Ear) -> None:
    ear.follow([*begun(), *(Notice(text=f"{number}") for number in range(100_000)), *epoch(1)])
    last = ear.wait(lambda now: now.whole)
    assert len(ear.came) < 20 and len(last.reported.notices) < 1000


@pytest.mark.parametrize(
    ("ask", "command", "state"),
    [
        (Follower.pause, {"command": "stop", "why": "paused"}, State.PAUSED),
        (Follower.stop, {"command": "stop"}, State.STOPPED),
    ],
)
def test_that_a_pause_and_a_stop_are_different_and_both_reach_the_run(
    ear: Ear, ask: Callable[[Follower], None], command: dict[str, str], state: State
) -> None:
    run = ear.follow([*begun(), *epoch(1)])
    ear.wait(lambda now: now.whole)
    ask(ear.follower)
    ear.wait(lambda now: now.state is state)
    assert run.posted == [command]
    assert {now.pausing for now in ear.came if now.stopping} == {state is State.PAUSED}


def test_that_a_paused_run_goes_on_in_its_own_folder_with_what_it_was_asked(ear: Ear) -> None:
    run = ear.follow([*begun(), *epoch(1), RunEnded(reason="paused", time=1100.0)], alive=False)
    ear.wait(lambda now: now.state is State.PAUSED)
    ear.follower.resume(1)
    ear.wait(lambda now: now.state is State.PREPARING)
    assert ear.launched[0].spec["watch"] == 1 and ear.launched[0].spec["size"] == 512
    ear.runs[run.folder].tell(*epoch(2))
    assert ear.wait(lambda now: now.state is State.RUNNING).reported.epochs[0].epoch == 1


def test_that_a_resume_waits_for_the_process_that_has_said_its_last_word(ear: Ear) -> None:
    run = ear.follow([*begun(), *epoch(1), RunEnded(reason="paused", time=1100.0)])
    ear.wait(lambda now: now.state is State.PAUSED)
    ear.follower.resume()
    ear.wait(lambda now: now.state is State.PREPARING)
    assert ear.launched == []
    run.kill()
    ear.qtbot.waitUntil(lambda: len(ear.launched) == 1)


def test_that_a_run_that_is_resumed_twice_goes_on_once(ear: Ear) -> None:
    run = ear.follow([*begun(), *epoch(1), RunEnded(reason="paused", time=1100.0)], alive=False)
    ear.wait(lambda now: now.state is State.PAUSED)
    ear.first = []
    ear.follower.resume()
    ear.wait(lambda now: now.state is State.PREPARING)
    ear.follower.resume()
    ear.runs[run.folder].tell(*begun(3000.0), *epoch(2))
    ear.wait(lambda now: now.state is State.RUNNING)
    ear.follower.pause()
    ear.wait(lambda now: now.state is State.PAUSED and not ear.runs[run.folder].alive())
    ear.qtbot.wait(300)
    assert len(ear.launched) == 1 and ear.came[-1].state is State.PAUSED


def test_that_a_run_that_goes_on_already_is_not_resumed_when_it_is_paused_later(ear: Ear) -> None:
    run = ear.follow([*begun(), *epoch(1), RunEnded(reason="paused", time=1100.0)])  # resumed, and looked at anew
    ear.wait(lambda now: now.state is State.PAUSED)
    ear.follower.resume()
    ear.wait(lambda now: now.state is State.PREPARING)
    run.tell(*begun(3000.0), *epoch(2))
    ear.wait(lambda now: now.state is State.RUNNING)
    ear.follower.pause()
    ear.wait(lambda now: now.state is State.PAUSED)
    ear.qtbot.wait(300)
    assert ear.launched == []


def test_that_a_resumed_worker_that_dies_before_its_first_word_is_told_of_and_can_be_resumed(ear: Ear) -> None:
    run = ear.follow([*begun(), *epoch(1), RunEnded(reason="paused", time=1100.0)], alive=False)
    ear.wait(lambda now: now.state is State.PAUSED)
    ear.first = []
    for times in (1, 2):
        ear.follower.resume()
        ear.qtbot.waitUntil(lambda times=times: len(ear.launched) == times)
        ear.runs[run.folder].die()
        ear.wait(lambda now: now.state is State.DIED)


def test_that_a_stop_that_could_not_be_written_can_be_asked_again(ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ear.follow([*begun(), *epoch(1)])
    ear.wait(lambda now: now.whole)

    def full(command: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run, "post", full)
    ear.follower.stop()
    ear.qtbot.waitUntil(lambda: bool(ear.refused))
    run.tell(*epoch(2))
    assert not ear.wait(lambda now: now.reported.epoch == 2).stopping


def test_that_a_model_is_told_as_soon_as_it_is_left(ear: Ear) -> None:
    run = ear.follow([*begun()])
    assert not ear.wait(lambda now: now.whole).has_model
    (run.folder / MODEL).write_bytes(b"")
    run.tell(*epoch(1))
    assert ear.wait(lambda now: now.reported.epoch == 1).has_model


def test_that_a_killed_worker_is_told_as_such(ear: Ear) -> None:
    run = ear.follow([*begun(), *epoch(1)])
    ear.wait(lambda now: now.whole)
    run.die()
    last = ear.wait(lambda now: now.state is State.DIED)
    assert last.reported.error["title"] == "The worker was killed."


def test_that_a_discarded_run_is_ended_and_its_folder_is_gone(ear: Ear) -> None:
    run = ear.follow([*begun(), *epoch(1)])
    ear.wait(lambda now: now.whole)
    ear.follower.discard(ear.follower.number)
    ear.qtbot.waitUntil(lambda: ear.removed == [run.folder])
    assert run.killed and not run.folder.exists()


def test_that_news_of_a_run_that_is_no_longer_asked_for_is_not_told(ear: Ear) -> None:
    ear.follow([*begun(), *epoch(1)])
    second = ear.follow([*begun(), *epoch(1), *epoch(2)], number=1)
    ear.wait(lambda now: now.whole)
    assert {now.folder for now in ear.came} == {second.folder}


def test_that_a_run_whose_folder_is_gone_is_refused_in_words(ear: Ear, tmp_path: Path) -> None:
    def gone(folder: Path) -> FakeRun:
        raise FileNotFoundError(folder)

    ear.follower._bridge._workers = Workers(attach=gone)
    ear.follower.follow(tmp_path / "nothing")
    ear.qtbot.waitUntil(lambda: bool(ear.refused))
    assert "gone" in ear.refused[0].detail
