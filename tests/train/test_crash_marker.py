"""A process that dies says nothing; what it leaves says that nothing was saved."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fullfield.plan.spec import TrainSpec
from fullfield.protocol.commands import Command
from fullfield.protocol.events import Event
from fullfield.train import crash_marker

ASKED = TrainSpec(data="images", fit="auto")


@dataclass
class Reported:
    """A context that can be asked to stop."""

    folder: Path
    rank: int = 0
    world: int = 1
    asked: bool = False
    living: list[object] = field(default_factory=list)

    def emit(self, event: Event, /) -> None: ...

    def stopping(self) -> bool:
        return self.asked

    def commands(self) -> list[Command]:
        return []


@pytest.fixture
def dead(tmp_path: Path) -> Reported:
    """The context of a training whose process has died in it."""
    context = Reported(tmp_path)
    die(context)
    return context


def die(context: Reported) -> None:
    """Enter, and never leave."""
    training = crash_marker.noted(ASKED, context)
    training.__enter__()
    context.living.append(training)


def test_that_a_process_that_died_before_it_had_saved_anything_is_known_once(dead: Reported) -> None:
    found = crash_marker.lost(ASKED, dead.folder)
    assert found is not None
    assert "memory" in found.detail
    assert crash_marker.lost(ASKED, dead.folder) is None


def test_that_one_that_had_saved_something_is_not_blamed(dead: Reported) -> None:
    crash_marker.forget(dead.folder)
    assert crash_marker.lost(ASKED, dead.folder) is None


def test_that_one_that_was_asked_to_stop_is_not_blamed_though_it_was_ended_at_once(dead: Reported) -> None:
    dead.asked = True
    end = time.monotonic() + 20
    while (dead.folder / crash_marker.NOTE).exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert crash_marker.lost(ASKED, dead.folder) is None


def test_that_another_training_in_the_same_folder_is_not_blamed_but_another_image_may_be_watched(
    dead: Reported,
) -> None:
    assert crash_marker.lost(replace(ASKED, size=256), dead.folder) is None
    die(dead)
    assert crash_marker.lost(replace(ASKED, watch=1), dead.folder) is not None


def test_that_one_that_ended_by_itself_leaves_no_note(tmp_path: Path) -> None:
    context = Reported(tmp_path)
    with crash_marker.noted(ASKED, context):
        assert list(tmp_path.iterdir())
    with pytest.raises(MemoryError), crash_marker.noted(ASKED, context):
        raise MemoryError
    assert list(tmp_path.iterdir()) == []


def test_that_a_damaged_note_says_nothing(tmp_path: Path) -> None:
    (tmp_path / crash_marker.NOTE).write_bytes(b"\xff\x00")
    assert crash_marker.lost(ASKED, tmp_path) is None
