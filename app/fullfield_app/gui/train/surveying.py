"""The worker that looks at a data folder, as the page uses it: one folder at a time, its news as plain values.

No widget. What the worker leaves in files is read in the background.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from fullfield import array_file
from fullfield.data import survey
from fullfield.errors import FullfieldError
from fullfield.jobs.handle import JobHandle, Launch
from fullfield.protocol.commands import Stop
from fullfield.protocol.events import Event
from fullfield.protocol.setup_commands import Propose, Split
from fullfield.protocol.setup_events import DataRead, DataSurveyed, PairDrawn, ReferenceProposed, ReferenceRefused
from fullfield.protocol.small import SurveySpec
from fullfield_app.gui.bridge.job_bridge import Session
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import own_job
from fullfield_app.gui.view.picture import Picture, open_result
from fullfield_app.gui.view.thumbnail import STAMP, stamp

BITS = 16


class Surveying(QObject):
    """`read`: files looked at, of how many. `surveyed`: a Survey. `drawn`: a pair's key and a QImage of both.

    `proposed`: a ReferenceProposed and the Pictures of image and reference; `unproposed`: a ReferenceRefused. `failed`:
    a FullfieldError, after which nothing comes any more; `stopped`: it was cancelled. `broken`: an exception that
    nobody foresaw.
    """

    read = Signal(int, int)
    surveyed = Signal(object)
    drawn = Signal(str, object)
    proposed = Signal(object, object, object)
    unproposed = Signal(object)
    failed = Signal(object)
    stopped = Signal()
    broken = Signal(object)

    def __init__(self, launch: Launch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._launch = launch
        self._spec: SurveySpec | None = None
        self._running = False
        self._looked = self._number = 0
        self._session = Session(self._start, self, grace=0.5)
        self._tasks = Tasks(self)
        self._session.reported.connect(self._receive)
        self._session.refused.connect(self._fail)
        self._session.ended.connect(self._end)
        self._tasks.failed.connect(self.broken)

    def look_at(self, spec: SurveySpec) -> None:
        """Survey a folder, in place of the one before."""
        self._spec, self._running = spec, True
        self._looked += 1
        self._session.start()

    def cancel(self) -> None:
        """Stop reading."""
        self._session.post(Stop())

    def split(self, validation: float, seed: int, review: bool, use_on: str) -> None:
        """Ask who is held back, and what the model will be for, with other settings."""
        if self._running and self._spec is not None:
            self._spec = replace(self._spec, validation=validation, seed=seed, review=review, use_on=use_on)
            self._session.post(Split(validation=validation, seed=seed, review=review, use_on=use_on))

    def propose(self, key: str, preset: str, strength: float, size: int) -> int:
        """Ask for a reference; only the latest is answered, with the number that is returned."""
        self._number += 1
        self._session.post(Propose(number=self._number, key=key, preset=preset, strength=strength, size=size))
        return self._number

    def close(self) -> None:
        """End the worker and what runs in the background."""
        self._running = False
        self._session.close()
        self._tasks.close()

    def _start(self) -> JobHandle:
        assert self._spec is not None  # `look_at` starts it
        handle: JobHandle = self._launch(own_job(self._spec))
        return handle

    def _receive(self, news: tuple[Event, ...]) -> None:
        for event in news:
            match event:
                case DataRead():
                    self.read.emit(event.done, event.total)
                case DataSurveyed():
                    self._open(lambda path=Path(event.survey): survey.load(path), self.surveyed.emit)
                case PairDrawn():
                    self._open(
                        lambda reported=event: _drawn(reported),
                        lambda image, key=event.key: self.drawn.emit(key, image),
                    )
                case ReferenceProposed(number=self._number):
                    self._open(lambda reported=event: _pictures(reported), lambda found: self.proposed.emit(*found))
                case ReferenceRefused(number=self._number):
                    self.unproposed.emit(event)
                case _:
                    pass

    def _open(self, work: Any, done: Any) -> None:
        """Read what the worker left; what is gone meanwhile, or comes too late, belongs to a folder that is no longer
        looked at."""
        failed, looked = self.broken.emit, self._looked

        def tell(found: object) -> None:
            if self._running and looked == self._looked:
                done(found)

        self._tasks.start(work, tell, failed=lambda error: None if isinstance(error, OSError) else failed(error))

    def _end(self, reason: str, died: FullfieldError) -> None:
        if self._running and reason == "stopped":
            self._running = False
            self.stopped.emit()
        elif self._running:
            self._fail(died)

    def _fail(self, error: FullfieldError) -> None:
        self._running = False
        self.failed.emit(error)


def _drawn(event: PairDrawn) -> QImage:
    """Image and reference beside each other."""
    both = array_file.load(Path(event.drawn))
    return stamp(np.concatenate(list(both), axis=1), event.pixel_size, STAMP * 2)  # sharp on a dense screen


def _pictures(event: ReferenceProposed) -> tuple[ReferenceProposed, Picture, Picture]:
    image, reference = (open_result(Path(path), BITS, event.pixel_size) for path in (event.image, event.reference))
    return event, image, reference
