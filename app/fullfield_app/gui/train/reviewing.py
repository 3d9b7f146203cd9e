"""An expert's way through references that were made: which image is shown, how it is made, and what was said of each.

No widget. Verdicts are kept as soon as they are given, so one can stop at any time and go on another day.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from fullfield.data import review
from fullfield.data.review import PLAIN, Judgement, Verdict
from fullfield.data.survey import Radiograph, Survey
from fullfield_app.gui.bridge.task import Tasks


@dataclass(frozen=True, kw_only=True)
class Way:
    """How a reference is made: `preset` "" is the one that a training would take."""

    preset: str = ""
    strength: float = PLAIN


class Reviewing(QObject):
    """`moved`: another image, or another way for it: ask for the reference. `judged`: a verdict was kept or taken back.

    `failed`: an exception.
    """

    moved = Signal()
    judged = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)
        self._verdicts: Mapping[str, Verdict] = {}
        self._radiographs: tuple[Radiograph, ...] = ()
        self._place = self._writing = 0
        self.way = Way()

    @property
    def total(self) -> int:
        """How many references are made."""
        return len(self._radiographs)

    @property
    def reviewed(self) -> int:
        """Of how many something was said."""
        return sum(one.sha256 in self._verdicts for one in self._radiographs)

    @property
    def place(self) -> int:
        """Which one is shown, from 0."""
        return self._place

    @property
    def current(self) -> Radiograph | None:
        """The image that is shown."""
        return self._radiographs[self._place] if self._radiographs else None

    @property
    def verdict(self) -> Verdict | None:
        """What was said of it."""
        return self._verdicts.get(self.current.sha256) if self.current is not None else None

    def take(self, survey: Survey | None, *, processes: bool) -> None:
        """The images of a folder; `processes`: the conventional processor makes references. Verdicts are read anew."""
        before = [one.key for one in self._radiographs]
        self._radiographs = tuple(one for one in survey.radiographs if not one.own) if survey and processes else ()
        if before != [one.key for one in self._radiographs]:
            self._place = 0
        self._read()

    def begin(self) -> None:
        """Show the first image of which nothing was said."""
        self._go(next((place for place, one in enumerate(self._radiographs) if one.sha256 not in self._verdicts), 0))

    def step(self, by: int) -> None:
        """Show another one; at the ends it stays."""
        self._go(min(max(self._place + by, 0), max(self.total - 1, 0)))

    def set_way(self, way: Way) -> None:
        """Make the reference in another way."""
        if way != self.way:
            self.way = way
            self.moved.emit()

    def approve(self, preset: str, made_by: str) -> None:
        """The reference that is seen is good; `preset` made it."""
        plain = self.way == Way()
        judgement = Judgement.APPROVED if plain else Judgement.ADJUSTED
        self._give(Verdict(judgement=judgement, preset=preset, strength=self.way.strength, made_by=made_by))

    def reject(self) -> None:
        """It is not fit to learn from."""
        self._give(Verdict(judgement=Judgement.REJECTED))

    def take_back(self) -> None:
        """Nothing is said of this one any more."""
        one = self.current
        if one is not None:
            self._write(one.sha256, None)

    def close(self) -> None:
        """Wait for what is being written."""
        self._tasks.close()

    def _give(self, verdict: Verdict) -> None:
        one = self.current
        if one is None:
            return
        self._write(one.sha256, verdict)
        self._verdicts = {**self._verdicts, one.sha256: verdict}
        self.judged.emit()
        later = range(self._place + 1, self.total)
        undecided = [place for place in later if self._radiographs[place].sha256 not in self._verdicts]
        self._go(undecided[0] if undecided else min(self._place + 1, self.total - 1))

    def _write(self, sha256: str, verdict: Verdict | None) -> None:
        self._writing += 1
        self._tasks.start(lambda: review.give(sha256, verdict), self._written, failed=self._not_written)

    def _written(self, verdicts: Mapping[str, Verdict]) -> None:
        self._writing -= 1
        self._know(verdicts)

    def _not_written(self, error: BaseException) -> None:
        self._writing -= 1
        self._verdicts = {}  # also where the file cannot be read
        self._read()
        self.failed.emit(error)

    def _read(self) -> None:
        self._tasks.start(review.load, self._know)

    def _know(self, verdicts: Mapping[str, Verdict]) -> None:
        """What the file holds; what is still being written is not in it yet."""
        if not self._writing:
            self._verdicts = verdicts
            self.judged.emit()

    def _go(self, place: int) -> None:
        self._place = place
        verdict = self.verdict
        adjusted = verdict is not None and verdict.judgement is Judgement.ADJUSTED
        self.way = Way(preset=verdict.preset, strength=verdict.strength) if verdict and adjusted else Way()
        self.moved.emit()


def with_strength(way: Way, percent: int) -> Way:
    """The way at another strength."""
    return replace(way, strength=percent / 100)
