"""The runs that there are, listed and read in the background, and what is done with their folders. No widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from fullfield import checked
from fullfield.runs import reading, runs
from fullfield.runs.own_images import SPLIT
from fullfield.runs.runs import Label, Run, State
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.runs import words
from fullfield_app.gui.runs.overlay import Compared

REFRESH_MILLISECONDS, AGAIN_MILLISECONDS = 4000, 1000
MOST_COMPARED = 6  # as many as there are colours


class Shelf(QObject):
    """`listed`: a list of Run, the newest first; `read`: those to compare; `failed`: an exception."""

    listed = Signal(object)
    read = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shelf = runs.Shelf()
        self._tasks, self._reading = Tasks(self), Tasks(self)  # a list never waits for a long story
        self._tasks.failed.connect(self.failed)
        self._reading.failed.connect(self.failed)
        self._busy = self._any = False
        self._asked = 0
        self._readers: dict[Path, reading.Reader] = {}  # of those that are compared: what was read is not read again
        self._known: dict[Path, tuple[float, Compared]] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH_MILLISECONDS)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(AGAIN_MILLISECONDS)
        for timer in (self._timer, self._again):
            timer.timeout.connect(self.refresh)

    def begin(self) -> None:
        """List now, and again every few seconds while the page is seen."""
        self.refresh()
        self._timer.start()

    def rest(self) -> None:
        """The page is not seen."""
        self._timer.stop()

    def refresh(self) -> None:
        """List anew."""
        if not self._busy:
            self._busy = True
            self._tasks.start(self._shelf.listed, self._list, failed=self._fail)

    def compare(self, chosen: Sequence[Run], *, most: int = MOST_COMPARED) -> None:
        """Read these runs, up to so many; only the last question is answered."""
        self._asked += 1
        shown = [run for run in chosen if run.state is not State.DAMAGED][:most]
        titles = words.apart([words.title(run) for run in shown])
        number, some = self._asked, [(run.folder, title) for run, title in zip(shown, titles, strict=True)]
        if not some:
            self.read.emit(())
            return
        self._reading.start(lambda: self._read(some, number), lambda found: self._tell(found, number))

    def rename(self, folder: Path, before: Label, label: Label) -> None:
        """Keep the user's name and notes of a run, as far as they are others than `before`: the rest may have been
        changed in another window meanwhile."""
        changed = dict(asdict(label).items() - asdict(before).items())
        self._tasks.start(lambda: runs.rename(folder, replace(runs.label(folder), **changed)), lambda _: self.refresh())

    def remove(self, folders: Sequence[Path]) -> None:
        """Delete these runs for good."""

        def remove() -> None:
            for folder in folders:
                runs.remove(folder)

        def done(_: None) -> None:
            self._any = False  # that none is left is no surprise
            self.refresh()

        self._tasks.start(remove, done, failed=self._fail_and_refresh)

    def see(self, folder: Path) -> None:
        """The user knows of this run's end."""
        self._tasks.start(lambda: runs.see(folder), lambda _: None)

    def close(self) -> None:
        """Begin nothing any more."""
        self._timer.stop()
        self._again.stop()
        self._tasks.close()
        self._reading.close()

    def _list(self, found: list[Run]) -> None:
        """Where all are gone at once, that is so once it was seen twice: a network drive may be away for a moment."""
        self._busy, gone = False, self._any and not found
        self._any = bool(found)
        if gone:
            self._again.start()
        else:
            self.listed.emit(found)

    def _fail(self, error: BaseException) -> None:
        self._busy = False
        self._timer.stop()  # said once; listed again when the page is shown, or something is done with a run
        self.failed.emit(error)

    def _fail_and_refresh(self, error: BaseException) -> None:
        self.failed.emit(error)
        self.refresh()

    def _read(self, chosen: list[tuple[Path, str]], number: int) -> tuple[Compared, ...] | None:
        """In the background. None where another question has come meanwhile."""
        found, before = [], self._readers
        self._readers = {folder: before.get(folder) or reading.Reader(folder) for folder, _ in chosen}
        for folder, title in chosen:
            if number != self._asked:
                return None
            stamp = _stamp(folder)
            known = self._known.get(folder)
            if known is None or known[0] != stamp:
                reported = self._readers[folder].snapshot()
                compared = Compared(folder=folder, title="", reported=reported, held_back=_held_back(folder))
                self._known[folder] = known = (stamp, compared)
            found.append(replace(known[1], title=title))
        return tuple(found)

    def _tell(self, found: tuple[Compared, ...] | None, number: int) -> None:
        if found is not None and number == self._asked:
            self.read.emit(found)


def _stamp(folder: Path) -> float:
    try:
        return (folder / "events.jsonl").stat().st_mtime
    except OSError:
        return 0.0


def _held_back(folder: Path) -> tuple[str, ...]:
    """The validation images of a run, by what they were made from: the same radiograph at two sizes is the same."""
    try:
        values = checked.make(_Split, checked.parse((folder / SPLIT).read_bytes()))
    except (OSError, ValueError):
        return ()
    return tuple("+".join(sorted(item.sha256)) for item in values.validation)


@dataclass(frozen=True, kw_only=True)
class _Item:
    sha256: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class _Split:
    validation: tuple[_Item, ...]
