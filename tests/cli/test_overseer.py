"""What a batch leaves when its workers have ended."""

from __future__ import annotations

import errno
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from fullfield import checked, log
from fullfield.errors import CannotWrite, ModelError
from fullfield.jobs import heartbeat
from fullfield.jobs.job import Job
from fullfield.protocol.batch import BatchSpec, Item
from fullfield.protocol.events import (
    Event,
    ItemDone,
    ItemFailed,
    ItemSkipped,
    ItemStarted,
    Notice,
    RunEnded,
    RunFailed,
    failed,
)
from fullfield_app.cli import overseer as overseers
from fullfield_app.cli.overseer import Overseer

FULL = Path("/dev/full")
SPEC = BatchSpec(items=(), out="out", choice="auto", kind="auto", device="cpu", format="dicom", timeout=1.0)


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
def test_that_a_log_for_which_there_is_no_room_costs_no_end_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    log.configure()
    overseer = Overseer(SPEC, lambda event: None)
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "worker.log").write_text("a line\n")
        overseer._folders.append(tmp_path / name)
    overseer.close(FULL)
    error = log.lost()
    assert error is not None and error.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == []


def test_that_the_log_names_a_failure_by_its_place_and_kind_alone(tmp_path: Path) -> None:
    """A title may name the user's preset or model."""
    log.configure(file=tmp_path / "x.log", level=logging.INFO)
    overseer = Overseer(SPEC, lambda event: None)
    error = ModelError("Cannot find the model 'ward-of-anna'.")
    overseer._receive(failed(3, "anna.dcm", error))
    overseer._receive(RunFailed(error=error.as_fields(), exit_code=int(error.exit_code)))
    item, run = (tmp_path / "x.log").read_text("utf-8").splitlines()
    assert "WARNING" in item and item.endswith("item 3 failed: MODEL")
    assert "ERROR" in run and run.endswith("the run failed: MODEL")


class Worker:
    """One that has made the first of the images that are left; `frozen` then, until it is killed."""

    def __init__(self, folder: Path, index: int, *, frozen: bool) -> None:
        folder.mkdir()
        self.folder, self.killed = folder, False
        (folder / heartbeat.FILE).touch()
        self._news: list[Event] = [
            ItemStarted(index=index),
            ItemDone(index=index, output="", seconds=0.1, peak_bytes=0),
        ]
        self._news += [] if frozen else [RunEnded(reason="completed")]

    def poll(self) -> list[Event]:
        news, self._news = self._news, []
        return [Notice(text="it has died"), RunEnded(reason="died")] if self.killed else news

    def kill(self) -> None:
        self.killed = True


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frozen worker is waited for no longer than tests like to."""
    monkeypatch.setattr(overseers, "SILENT_SECONDS", 0.2)
    monkeypatch.setattr(overseers, "GRACE_SECONDS", -1.0)


@pytest.fixture
def one_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It freezes behind its first image; no other one can be started."""
    begun: list[Worker] = []

    def launch(job: object) -> Worker:
        if begun:
            raise CannotWrite("Cannot write a file.")
        begun.append(Worker(tmp_path / "run", 0, frozen=True))
        return begun[-1]

    monkeypatch.setattr(overseers, "launch", launch)


def test_that_a_worker_that_freezes_between_two_images_is_ended_and_the_batch_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Worker] = []

    def launch(job: object) -> Worker:
        begun.append(Worker(tmp_path / f"run-{len(begun)}", 2 * len(begun), frozen=not begun))
        return begun[-1]

    monkeypatch.setattr(overseers, "launch", launch)
    items = tuple(Item(index=index, source=f"{index}.dcm") for index in range(3))
    reported: list[Event] = []
    assert Overseer(replace(SPEC, items=items, jobs=1), reported.append).run() == "completed"
    assert len(begun) == 2 and begun[0].killed
    assert [event.index for event in reported if isinstance(event, ItemDone)] == [0, 2]
    (lost,) = [event for event in reported if isinstance(event, ItemFailed)]
    assert lost.index == 1 and "longer than 1 second" in lost.error["detail"]


def test_that_the_sheet_of_a_batch_whose_last_worker_died_is_made_by_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[BatchSpec] = []

    def launch(job: Job) -> Worker:
        asked.append(checked.make(BatchSpec, job.spec))
        return Worker(tmp_path / f"run-{len(asked)}", 0, frozen=len(asked) == 1)

    monkeypatch.setattr(overseers, "launch", launch)
    items = (Item(index=0, source="0.dcm"),)
    spec = replace(SPEC, items=items, contact_sheet=(0,))
    assert Overseer(spec, lambda event: None).run() == "completed"
    assert [(len(one.items), one.tiles) for one in asked] == [(1, ""), (0, str(tmp_path / "run-1"))]


@pytest.mark.usefixtures("one_worker")
def test_that_a_batch_that_stops_at_the_first_failure_does_so_too_where_a_worker_is_ended() -> None:
    items = tuple(Item(index=index, source=f"{index}.dcm") for index in range(4))
    reported: list[Event] = []
    assert Overseer(replace(SPEC, items=items, jobs=1, fail_fast=True), reported.append).run() == "completed"
    assert [event.index for event in reported if isinstance(event, ItemFailed)] == [1]
    skipped = [event for event in reported if isinstance(event, ItemSkipped)]
    assert [event.index for event in skipped] == [2, 3]
    assert {event.reason for event in skipped} == {"stopped after the first failure"}


@pytest.mark.usefixtures("one_worker")
def test_that_every_image_gets_a_verdict_where_no_second_worker_can_be_started() -> None:
    items = tuple(Item(index=index, source=f"{index}.dcm") for index in range(3))
    reported: list[Event] = []
    assert Overseer(replace(SPEC, items=items, jobs=1), reported.append).run() == "failed"
    verdicts = [event.index for event in reported if isinstance(event, ItemDone | ItemFailed | ItemSkipped)]
    assert verdicts == [0, 1, 2]
    (why,) = [event for event in reported if isinstance(event, RunFailed)]
    assert why.exit_code == CannotWrite.exit_code and why.error["title"] == "Cannot write a file."
