"""A session in this process, whose images are there without being decoded: what it does with a command, and when."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from enhance.conftest import MakeDecoded
from fullfield.enhance import session as sessions
from fullfield.image.cache import Decoded
from fullfield.protocol.batch import Item
from fullfield.protocol.commands import Command
from fullfield.protocol.events import (
    Event,
    ItemClosed,
    ItemDecoded,
    ItemDone,
    ItemEnhanced,
    ItemFailed,
    ItemPreviewed,
    ItemSkipped,
    ItemStarted,
    Notice,
)
from fullfield.protocol.session_commands import Cancel, Close, Enhance, Export, Open, Preview
from fullfield.protocol.small import SessionSpec


class Desk:
    """The session's context and its reader in one. `gate`: an image is read when it is open."""

    rank, world = 0, 1

    def __init__(self, folder: Path, decoded: Decoded) -> None:
        self.folder, self.events, self.gate = folder, list[Event](), threading.Event()
        self.stops = False
        self._decoded = replace(decoded, folder=folder / "entry")
        self.gate.set()

    def warm(self) -> None: ...

    def rest(self) -> None: ...

    def close(self) -> None: ...

    def read(self, item: Item) -> Decoded:
        assert self.gate.wait(30)
        return self._decoded

    def load(self, image: object) -> Decoded:
        return self._decoded

    def emit(self, event: Event, /) -> None:
        self.events.append(event)

    def stopping(self) -> bool:
        return self.stops

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def until(self, kind: type[Event], count: int = 1) -> Any:
        """The last of so many events."""
        end = time.monotonic() + 30
        while len(self.of(kind)) < count and time.monotonic() < end:
            time.sleep(0.002)
        return self.of(kind)[count - 1]


@pytest.fixture
def desk(tmp_path: Path, radiograph: MakeDecoded, monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk(tmp_path, radiograph(64, 48))
    monkeypatch.setattr(sessions, "Reading", lambda: made)
    monkeypatch.setattr(sessions.items, "source_warnings", lambda index, decoded: [])
    return made


@pytest.fixture
def session(desk: Desk) -> Iterator[sessions._Session]:
    made = sessions._Session(SessionSpec(device="cpu"), desk)  # type: ignore[arg-type]
    yield made
    desk.gate.set()
    made.close()
    assert not (desk.folder / "enhanced").exists(), "nothing is left"


def opened(session: sessions._Session, desk: Desk, index: int = 0) -> None:
    session.take(Open(index=index, source="a.dcm"))
    desk.until(ItemDecoded)


def test_that_an_image_is_told_when_it_is_there_and_then_enhanced_and_exported(
    session: sessions._Session, desk: Desk, tmp_path: Path
) -> None:
    opened(session, desk, 3)
    (told,) = desk.of(ItemDecoded)
    assert (told.index, told.decoded, told.input, told.sha256) == (3, str(tmp_path / "entry"), "0" * 12, "0" * 64)
    session.take(Enhance(index=3, choice="general"))
    made = desk.until(ItemEnhanced)
    assert made.index == 3 and Path(made.enhanced).is_file() and [one.index for one in desk.of(ItemStarted)] == [3]
    session.take(Export(index=3, target=str(tmp_path / "out" / "x.png"), format="png16"))
    assert desk.until(ItemDone).index == 3 and (tmp_path / "out" / "x.png").is_file()
    session.check()


def test_that_what_is_not_open_or_not_enhanced_fails_in_words(
    session: sessions._Session, desk: Desk, tmp_path: Path
) -> None:
    session.take(Enhance(index=5, choice="general"))
    assert desk.until(ItemFailed).index == 5 and "It is not open." in str(desk.events)
    opened(session, desk)
    session.take(Export(index=0, target=str(tmp_path / "x.png"), format="png16"))
    assert "It is not enhanced yet." in str(desk.until(ItemFailed, 2))


def test_that_what_was_cancelled_before_its_turn_is_skipped_and_asked_for_again_is_done(
    session: sessions._Session, desk: Desk
) -> None:
    desk.gate.clear()
    session.take(Open(index=0, source="a.dcm"))
    session.take(Open(index=1, source="b.dcm"))
    session.take(Cancel(indexes=(1, 9)))
    desk.gate.set()
    skipped = desk.until(ItemSkipped)
    assert (skipped.index, skipped.reason) == (1, "cancelled")
    session.take(Enhance(index=0, choice="general"))
    assert desk.until(ItemEnhanced).index == 0
    session.take(Cancel(indexes=(0,)))
    session.take(Enhance(index=0, choice="general"))
    assert desk.until(ItemEnhanced, 2).index == 0, "it was asked for anew"


def test_that_a_closed_image_leaves_nothing_and_is_told_in_its_turn(session: sessions._Session, desk: Desk) -> None:
    opened(session, desk)
    session.take(Enhance(index=0, choice="general"))
    path = Path(desk.until(ItemEnhanced).enhanced)
    session.take(Close(indexes=(0, 7)))
    desk.until(ItemClosed, 2)
    assert [event.index for event in desk.of(ItemClosed)] == [0, 7] and not path.exists()
    session.take(Enhance(index=0, choice="general"))
    assert "It is not open." in str(desk.until(ItemFailed))


def test_that_nothing_begins_once_the_run_is_to_stop(session: sessions._Session, desk: Desk) -> None:
    opened(session, desk)
    desk.stops = True
    session.take(Enhance(index=0, choice="general"))
    session.take(Close(indexes=(0,)))
    desk.until(ItemClosed)
    assert desk.of(ItemStarted) == []


def test_that_a_preview_is_answered_and_the_session_looks_more_often_for_a_while(
    session: sessions._Session, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(session, desk)
    slow = session.tick_seconds
    session.take(Preview(index=0, serial=4, level=0, region=(0, 8, 0, 8), choice="general"))
    assert desk.until(ItemPreviewed).serial == 4 and session.tick_seconds < slow
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 2.5)
    assert session.tick_seconds == slow


def test_that_machines_rest_every_ten_seconds(
    session: sessions._Session, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    rested = threading.Semaphore(0)
    monkeypatch.setattr(session._machines, "rest", rested.release)
    session.check()
    now = time.monotonic()
    monkeypatch.setattr(sessions.time, "monotonic", lambda: now + 10.5)
    session.check()
    session.check()
    assert rested.acquire(timeout=30) and not rested.acquire(timeout=0.05), "once"


def test_that_how_it_is_computed_is_not_said_twice_in_a_row(session: sessions._Session, desk: Desk) -> None:
    for text in ("a", "a", "b", "a"):
        session._say(text)
    assert [event.text for event in desk.of(Notice)] == ["a", "b", "a"]


def test_that_another_command_is_passed_over_and_an_error_of_a_lane_is_raised(
    session: sessions._Session, desk: Desk
) -> None:
    session.take(Command())
    assert desk.events == []

    def fail() -> None:
        raise OSError("the pipe is gone")

    session._previewing.put(fail)
    with pytest.raises(OSError, match="the pipe is gone"):
        for _ in range(3000):
            session.check()
            time.sleep(0.005)
