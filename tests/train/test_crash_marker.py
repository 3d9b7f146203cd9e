"""A process that dies says nothing; what it leaves says that nothing was saved."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fullfield.distribution.team import Team
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.commands import Command
from fullfield.protocol.events import Event
from fullfield.train import crash_marker
from teams import Member, together

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


def test_that_a_note_that_another_program_holds_open_says_nothing_any_more(
    dead: Reported, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        raise PermissionError

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", refuse)
        crash_marker.forget(dead.folder)
    assert (dead.folder / crash_marker.NOTE).read_text() == ""
    assert crash_marker.lost(ASKED, dead.folder) is None


def test_that_one_of_several_leaves_the_note_and_all_hear_of_it(tmp_path: Path) -> None:
    with crash_marker.noted(ASKED, Reported(tmp_path), Team(1, 2)):
        assert list(tmp_path.iterdir()) == []
    die(Reported(tmp_path))

    def rank(team: Member) -> list[bool]:
        return [crash_marker.lost(ASKED, tmp_path, team) is not None for _ in range(2)]

    assert together(2, rank) == [[True, False]] * 2


def test_that_a_stop_leaves_no_watcher_behind(tmp_path: Path) -> None:
    def watching() -> list[threading.Thread]:
        return [one for one in threading.enumerate() if one.name == "asked to stop"]

    others = len(watching())
    with crash_marker.noted(ASKED, Reported(tmp_path)):
        assert len(watching()) == others + 1 and all(one.daemon for one in watching())
    assert len(watching()) == others


def test_that_who_asks_to_stop_finds_the_note_gone_before_it_ends(tmp_path: Path) -> None:
    context = Reported(tmp_path)
    with crash_marker.noted(ASKED, context):
        assert (tmp_path / crash_marker.NOTE).exists()
        context.asked = True
        end = time.monotonic() + 20
        while (tmp_path / crash_marker.NOTE).exists() and time.monotonic() < end:
            time.sleep(0.01)
        assert not (tmp_path / crash_marker.NOTE).exists()
