"""The events of a run, one per line in its folder: how much there is, and whether the last one is an end."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from fullfield.protocol import event_lines
from fullfield.protocol.events import Event, RunEnded, RunFailed, RunStarted

TAIL_BYTES = 16384
_E = TypeVar("_E", bound=Event)


def path(folder: Path) -> Path:
    """The file of a run's events."""
    return folder / "events.jsonl"


def size(folder: Path) -> int:
    """How many bytes of events there are."""
    try:
        return path(folder).stat().st_size
    except OSError:
        return 0


def has_ended(folder: Path) -> bool:
    """The last event is an end: nobody is at the run, or somebody who has not told a thing yet. Quick."""
    return isinstance(last(folder), RunEnded)


def last(folder: Path) -> Event | None:
    """The last event; None where there is none, or its line is not whole."""
    lines = _last_lines(folder)
    return event_lines.from_line(lines[-1]) if lines else None


def last_of(folder: Path, kind: type[_E], *, ever: bool = False) -> _E | None:
    """The last event of this kind since the run was last, or was `ever`, started; None where there is none. It reads
    all that there is."""
    found: _E | None = None
    for event in _every(folder, *((kind,) if ever else (RunStarted, kind))):
        found = event if isinstance(event, kind) else None if isinstance(event, RunStarted) else found
    return found


def end(folder: Path) -> RunEnded | None:
    """How a run has ended; a later start that was refused has changed nothing of it. None while it is at work, and
    where it has died without a word. It reads all that there is."""
    found: RunEnded | None = None
    before: RunEnded | None = None
    refused = False
    for event in _every(folder, RunStarted, RunFailed, RunEnded):
        match event:
            case RunStarted():
                before, found, refused = found, None, False
            case RunFailed():
                refused = event.refused
            case RunEnded():
                found = before if refused else event
            case _:
                pass
    return found


def failure(folder: Path) -> RunFailed | None:
    """By what a run has failed that has ended; None of any other."""
    *_, reported, end = map(event_lines.from_line, ["", "", *_last_lines(folder)[-2:]])
    return reported if isinstance(reported, RunFailed) and isinstance(end, RunEnded) else None


def _every(folder: Path, *kinds: type[Event]) -> Iterator[Event]:
    """The events of these kinds, in their order."""
    names = [f'"{one.__name__}"'.encode() for one in kinds]
    with contextlib.suppress(FileNotFoundError), path(folder).open("rb") as stream:
        for line in stream:
            if any(name in line for name in names):
                event = event_lines.from_line(line.decode("utf-8", "replace"))
                if isinstance(event, kinds):
                    yield event


def _last_lines(folder: Path) -> list[str]:
    try:
        with path(folder).open("rb") as stream:
            stream.seek(max(0, size(folder) - TAIL_BYTES))
            return stream.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
