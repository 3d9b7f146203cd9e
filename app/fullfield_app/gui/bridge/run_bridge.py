"""A training, followed from a background thread: its events are folded there, and only bounded values come up.

`RunBridge` lives in the thread; its owner on the window's side is in `follower.py`. The run itself goes on whatever
becomes of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from fullfield.errors import FullfieldError, UsageError
from fullfield.files import cannot_write
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.heartbeat import Listener
from fullfield.protocol.commands import PAUSE, Command, Stop
from fullfield.protocol.events import RunEnded, RunFailed, RunStarted
from fullfield.runs import reading, runs
from fullfield.runs.run_state import RunSnapshot, RunState
from fullfield.runs.runs import State
from fullfield_app.gui.bridge.job_bridge import SILENT_SECONDS
from fullfield_app.gui.bridge.wording import in_words
from fullfield_app.gui.bridge.workers import Workers

POLL_MILLISECONDS = 100
TELL_SECONDS = 0.3  # between two news: what comes oftener is not seen
DEATH_SECONDS = 10.0
MODEL = "model.safetensors"  # what a training leaves, from its first epoch on


@dataclass(frozen=True, kw_only=True, eq=False)
class Following:
    """How far a run is. `whole`: all that its events say so far has been read; `stopping`: it has been asked to end;
    `pausing`: to be gone on with; `silent`: its worker gives no sign of life; `has_model`: it has left one."""

    folder: Path
    reported: RunSnapshot
    state: State
    whole: bool = True
    stopping: bool = False
    pausing: bool = False
    silent: bool = False
    has_model: bool = False


class RunBridge(QObject):
    """Follows a run. All slots run in the bridge's thread; the numbers are those of `Follower`.

    `came`: a Following; `refused`: a FullfieldError; `removed`: the folder of a run that was discarded.
    """

    came = Signal(int, object)
    refused = Signal(int, object)
    removed = Signal(object)

    def __init__(self, workers: Workers) -> None:
        super().__init__()
        self._workers = workers
        self._number = 0
        self._folder: Path | None = None
        self._handle: JobHandle | None = None
        self._again: int | None = None  # to be resumed as soon as the process is gone
        self._starting = False  # has been resumed, and its new worker has not said a word yet
        self._resumed = False  # here, and has not ended since
        self._run_state = RunState()
        self._listener: Listener | None = None
        self._stopping = self._pausing = self._whole = self._unsaid = self._silent = False
        self._reported_at = 0.0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._poll)

    @Slot(int, object)
    def follow(self, number: int, folder: Path) -> None:
        """Tell of the run in `folder` from its first event."""
        self._begin(number, folder)
        for event in reading.prelude(folder):
            self._run_state.apply(event)
        self._try(lambda: self._take(self._workers.attach(folder)))

    @Slot(int, int)
    def resume(self, number: int, watch: int) -> None:
        """Go on with the run that is followed, in its own folder. `watch`: the image to watch; −1: as before.

        One that is about to go on already goes on once."""
        if number != self._number or self._folder is None or self._starting:
            return
        if self._handle is None or not self._handle.alive():
            self._launch(self._folder, watch)
        elif self._run_state.snapshot().ended:  # its last word is said, and its process about to go
            self._again = watch
            self._tell()

    @Slot(int, object)
    def post(self, number: int, command: Command) -> None:
        """Ask something of the run that is followed."""
        handle = self._handle
        if number != self._number or handle is None:
            return

        def ask() -> None:
            handle.post(command)
            if isinstance(command, Stop) and not self._stopping:
                self._stopping, self._pausing = True, command == PAUSE

        self._try(ask)
        self._tell()

    @Slot(int)
    def discard(self, number: int) -> None:
        """End the run at once, and delete all that it left."""
        folder, handle = self._folder, self._handle
        if number != self._number or folder is None:
            return

        def end() -> None:
            if handle is not None and handle.alive():
                handle.kill()
                until = time.monotonic() + DEATH_SECONDS
                while handle.alive() and time.monotonic() < until:
                    time.sleep(0.02)
            self._detach()
            runs.remove(folder)
            self.removed.emit(folder)

        self._try(end)

    @Slot()
    def finish(self) -> None:
        """Let the run go on alone, and end the thread."""
        self._detach()
        QThread.currentThread().quit()

    def _begin(self, number: int, folder: Path) -> None:
        self._detach()
        self._number, self._folder, self._run_state = number, folder, RunState(reading.epochs_wanted(folder))
        self._stopping = False

    def _launch(self, folder: Path, watch: int) -> None:
        def launch() -> None:
            job = runs.resumed(folder, watch=None if watch < 0 else watch)
            self._take(self._workers.launch(job, folder=folder))
            self._stopping, self._starting, self._resumed = False, True, True

        self._try(launch)

    def _take(self, handle: JobHandle) -> None:
        self._handle, self._listener = handle, Listener(handle.folder)
        self._whole = self._silent = False
        self._timer.start(0)

    def _detach(self) -> None:
        self._timer.stop()
        self._handle = self._again = None
        self._starting = self._resumed = False

    def _poll(self) -> None:
        if self._handle is None or self._listener is None:
            return
        alive, news = self._handle.alive(), tuple(map(in_words, self._handle.poll()))
        for event in news:
            self._run_state.apply(event)
            if isinstance(event, RunStarted | RunEnded):
                self._starting = False
            if isinstance(event, RunFailed) and event.refused and self._resumed:  # it is what it was: say why
                title, detail, hint = (event.error.get(part, "") for part in ("title", "detail", "hint"))
                self.refused.emit(self._number, UsageError(title, detail=detail, hint=hint))
            if isinstance(event, RunStarted):
                self._again = None  # it goes on, whoever has resumed it
        silent = alive and self._listener.silent_seconds() > SILENT_SECONDS
        self._unsaid = self._unsaid or bool(news) or silent != self._silent
        self._silent = silent
        if not news and not self._whole:
            self._whole = True
            self._timer.start(POLL_MILLISECONDS)
            self._tell()
        elif self._unsaid and time.monotonic() - self._reported_at > TELL_SECONDS:
            self._tell()
        if not news and not alive:
            again = self._again
            self._detach()
            if again is not None and self._folder is not None:
                self._launch(self._folder, again)
            self._tell()

    def _tell(self) -> None:
        if self._folder is None:
            return
        self._reported_at, self._unsaid = time.monotonic(), False
        reported = self._run_state.snapshot()
        state = self._state(reported)
        self.came.emit(
            self._number,
            Following(
                folder=self._folder,
                reported=reported,
                state=state,
                whole=self._whole,
                stopping=self._stopping and state.alive,
                pausing=self._stopping and self._pausing and state.alive,
                silent=self._silent and state.alive,
                has_model=(self._folder / MODEL).exists(),
            ),
        )

    def _state(self, reported: RunSnapshot) -> State:
        if self._again is not None or self._starting:
            return State.PREPARING
        if reported.ended in runs.ENDS:
            return State(reported.ended)
        if self._handle is not None:
            return State.RUNNING if reported.stepping else State.PREPARING
        return State.DIED

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except FullfieldError as error:
            self.refused.emit(self._number, error)
        except FileNotFoundError:
            title, detail = self.tr("Cannot open this run."), self.tr("Its folder is gone.")
            gone = UsageError(title, detail=detail, hint=self.tr("Choose another one."))
            self.refused.emit(self._number, gone)
        except OSError as error:
            self.refused.emit(self._number, cannot_write(error))
