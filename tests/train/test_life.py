"""A process that dies says nothing; what it leaves says that nothing was saved."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fullfield.plan.spec import TrainSpec
from fullfield.protocol.commands import Command
from fullfield.protocol.events import Event
from fullfield.train import life

ASKED = TrainSpec(data="images", fit="auto")


@dataclass
class Told:
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
def dead(tmp_path: Path) -> Told:
    """The context of a training whose process has died in it."""
    context = Told(tmp_path)
    die(context)
    return context


def die(context: Told) -> None:
    """Enter, and never leave."""
    training = life.noted(ASKED, context)
    training.__enter__()
    context.living.append(training)


def test_that_a_process_that_died_before_it_had_saved_anything_is_known_once(dead: Told) -> None:
    found = life.lost(ASKED, dead.folder)
    assert found is not None
    assert "memory" in found.detail
    assert life.lost(ASKED, dead.folder) is None


def test_that_one_that_had_saved_something_is_not_blamed(dead: Told) -> None:
    life.forget(dead.folder)
    assert life.lost(ASKED, dead.folder) is None


def test_that_one_that_was_asked_to_stop_is_not_blamed_though_it_was_ended_at_once(dead: Told) -> None:
    dead.asked = True
    end = time.monotonic() + 20
    while (dead.folder / life.NOTE).exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert life.lost(ASKED, dead.folder) is None


def test_that_another_training_in_the_same_folder_is_not_blamed_but_another_image_may_be_watched(dead: Told) -> None:
    assert life.lost(replace(ASKED, size=256), dead.folder) is None
    die(dead)
    assert life.lost(replace(ASKED, watch=1), dead.folder) is not None


def test_that_one_that_ended_by_itself_leaves_no_note(tmp_path: Path) -> None:
    context = Told(tmp_path)
    with life.noted(ASKED, context):
        assert list(tmp_path.iterdir())
    with pytest.raises(MemoryError), life.noted(ASKED, context):
        raise MemoryError
    assert list(tmp_path.iterdir()) == []


def test_that_a_damaged_note_says_nothing(tmp_path: Path) -> None:
    (tmp_path / life.NOTE).write_bytes(b"\xff\x00")
    assert life.lost(ASKED, tmp_path) is None
