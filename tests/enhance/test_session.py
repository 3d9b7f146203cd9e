"""The session behind the window, by its commands and events."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from asking import command
from fullfield.enhance.choose import ON_THE_CPU
from fullfield.errors import ExitCode
from fullfield.files import resource
from fullfield.image import presets
from fullfield.image.export import OF_A_DAMAGED_FILE
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.protocol.events import (
    Event,
    ItemDecoded,
    ItemDone,
    ItemEnhanced,
    ItemFailed,
    ItemSkipped,
    ItemWarned,
    Notice,
    RunEnded,
    RunStarted,
)
from sources import half_a_jpeg


class Session:
    """A running session and the events it has told."""

    def __init__(self, handle: JobHandle) -> None:
        self.handle = handle
        self.reported: list[Event] = []

    def until(self, kind: type[Event], count: int = 1) -> list[Event]:
        """The first `count` events of a kind, however long they take."""
        deadline = time.monotonic() + 60
        while sum(isinstance(event, kind) for event in self.reported) < count:
            assert time.monotonic() < deadline, self.reported
            self.reported += self.handle.poll()
            time.sleep(0.01)
        return [event for event in self.reported if isinstance(event, kind)][:count]


@pytest.fixture
def session() -> Iterator[Session]:
    running = Session(launch(Job(kind="session", spec={"device": "cpu"})))
    yield running
    running.handle.kill()


def open_sample(session: Session, name: str = "hand-dx.dcm", index: int = 0) -> None:
    session.handle.post(
        command({"command": "open", "index": index, "source": str(resource("phantoms") / name), "archive": ""})
    )


def test_that_an_image_is_visible_before_it_is_enhanced_and_then_exported(session: Session, tmp_path: Path) -> None:
    open_sample(session)
    session.handle.post(command({"command": "enhance", "index": 0, "choice": "auto"}))
    (decoded,) = session.until(ItemDecoded)
    (enhanced,) = session.until(ItemEnhanced)
    assert isinstance(decoded, ItemDecoded) and isinstance(enhanced, ItemEnhanced)
    assert session.reported.index(decoded) < session.reported.index(enhanced)
    assert enhanced.made_by == presets.load(enhanced.recipe.split()[1]).sha256()
    before, after = np.load(Path(decoded.decoded) / "pixels.npy"), np.load(enhanced.enhanced)
    assert before.shape == after.shape and not np.array_equal(before, after)
    target = tmp_path / "out.dcm"
    export = {"command": "export", "index": 0, "target": str(target), "format": "dicom"}
    session.handle.post(command(export))
    session.until(ItemDone)
    assert target.stat().st_size > 1000
    session.handle.post(command(export))
    (failed,) = session.until(ItemFailed)
    assert isinstance(failed, ItemFailed) and failed.exit_code == ExitCode.CANNOT_WRITE


def test_that_a_damaged_file_is_said_when_it_is_opened_and_in_what_is_written_of_it(
    session: Session, tmp_path: Path
) -> None:
    source = tmp_path / "cut.jpg"
    source.write_bytes(half_a_jpeg())
    session.handle.post(command({"command": "open", "index": 0, "source": str(source), "archive": ""}))
    (warned,) = session.until(ItemWarned)
    assert isinstance(warned, ItemWarned) and warned.damaged and "damaged" in warned.text
    session.handle.post(command({"command": "enhance", "index": 0, "choice": "auto"}))
    session.until(ItemEnhanced)
    target = tmp_path / "out.png"
    session.handle.post(command({"command": "export", "index": 0, "target": str(target), "format": "png16"}))
    session.until(ItemDone)
    with Image.open(target) as written:
        assert OF_A_DAMAGED_FILE in written.text["Description"]


def test_that_it_is_said_once_on_which_device_presets_compute(session: Session) -> None:
    open_sample(session, "wedge-cr.dcm")
    for _ in range(2):
        session.handle.post(command({"command": "enhance", "index": 0, "choice": "general"}))
    session.until(ItemEnhanced, 2)
    assert [event.text for event in session.reported if isinstance(event, Notice)] == [ON_THE_CPU]


def test_that_a_bad_file_costs_its_own_image_only(session: Session, tmp_path: Path) -> None:
    bad = tmp_path / "bad.dcm"
    bad.write_bytes(b"nothing")
    session.handle.post(command({"command": "open", "index": 0, "source": str(bad), "archive": ""}))
    session.handle.post(command({"command": "enhance", "index": 0, "choice": "auto"}))
    open_sample(session, index=1)
    session.handle.post(command({"command": "enhance", "index": 1, "choice": "auto"}))
    (enhanced,) = session.until(ItemEnhanced)
    assert isinstance(enhanced, ItemEnhanced) and enhanced.index == 1
    failures = [event for event in session.reported if isinstance(event, ItemFailed)]
    assert [event.index for event in failures] == [0]


def test_that_what_has_not_begun_can_be_cancelled(session: Session) -> None:
    session.until(RunStarted)
    for index in range(8):
        open_sample(session, index=index)
        session.handle.post(command({"command": "enhance", "index": index, "choice": "auto"}))
    session.handle.post(command({"command": "cancel", "indexes": list(range(8))}))
    skipped = session.until(ItemSkipped)
    assert isinstance(skipped[0], ItemSkipped) and skipped[0].reason == "cancelled"


def test_that_a_session_ends_when_its_window_is_gone() -> None:
    gone = (os.getpid(), "long ago")
    running = Session(launch(Job(kind="session", owner=gone)))
    (end,) = running.until(RunEnded)
    assert isinstance(end, RunEnded) and end.reason == "stopped"
    assert not (running.handle.folder / "enhanced").exists()
