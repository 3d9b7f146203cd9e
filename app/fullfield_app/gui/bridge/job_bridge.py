"""A run, followed from a background thread: commands go down, its events come up as frozen values.

`JobBridge` lives in the thread and is the only object there. `Session` is its owner on the window's side: it keeps
one worker warm, says when that worker has died, and can start another.
"""

from __future__ import annotations

import contextlib
import shutil
import threading
import time
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from fullfield.errors import FullfieldError, WorkerDied
from fullfield.files import cannot_write
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.heartbeat import Listener
from fullfield.protocol.commands import Command
from fullfield.protocol.events import Event, RunEnded, RunFailed
from fullfield.protocol.session_commands import Export, Preview
from fullfield_app.gui.bridge.wording import in_words
from fullfield_app.gui.bridge.workers import Start

POLL_MILLISECONDS = 30  # about one look per two frames: news that came together is handed over together
QUICK_MILLISECONDS = 8  # while a slider moves: what it does is shown as soon as it is there
QUICK_FOR_SECONDS = 1.0
GRACE_SECONDS = 2.0
TIDY_SECONDS = 2.0
SILENT_SECONDS = 10.0  # a worker beats once a second; loading torch from a cold disk keeps it from that for some


class JobBridge(QObject):
    """Starts a run and follows it. All slots run in the bridge's thread.

    `reported` carries a tuple of events, `refused` a FullfieldError, `silent` whether the worker gives no sign of life;
    all of them, before it, the number of the worker: what is on its way to the window's thread may come from one that
    has been replaced meanwhile.

    What its runs were asked names the user's files: that goes as soon as a worker is gone, the rest of the folders at
    the end, for the window still shows the results that an earlier worker left there.
    """

    reported = Signal(int, object)
    refused = Signal(int, object)
    silent = Signal(int, bool)

    def __init__(self, start: Start, grace: float) -> None:
        super().__init__()
        self._start, self._grace = start, grace
        self._handle: JobHandle | None = None
        self._listener: Listener | None = None
        self._silent = False
        self._number = 0
        self._folders: list[Path] = []
        self._written_to: set[Path] = set()
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MILLISECONDS)
        self._timer.timeout.connect(self._poll)
        self._previewed = 0.0

    @Slot(int)
    def begin(self, number: int) -> None:
        """Start worker `number`; one that is still there is ended at once, whatever it is at."""
        self._end(grace=0.0)
        self._number = number
        try:
            self._handle = self._start()
        except FullfieldError as error:
            self.refused.emit(number, error)
        except OSError as error:
            self.refused.emit(number, cannot_write(error))
        else:
            self._folders.append(self._handle.folder)
            self._listener, self._silent = Listener(self._handle.folder), False
            self._timer.start()

    @Slot(object)
    def post(self, commands: tuple[Command, ...]) -> None:
        """Hand commands to the worker; without one they are dropped, for its end has been told."""
        if self._handle is None:
            return
        if any(isinstance(command, Preview) for command in commands):
            self._previewed = time.monotonic()
            self._timer.setInterval(QUICK_MILLISECONDS)
        try:
            for command in commands:
                if isinstance(command, Export):
                    self._written_to.add(Path(command.folder or Path(command.target).parent))
                self._handle.post(command)
        except OSError as error:
            self.refused.emit(self._number, cannot_write(error))

    @Slot()
    def finish(self) -> None:
        """End the worker: asked first, killed when it is still busy after the grace. Its folders go with it."""
        self._end(grace=self._grace)
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)
        QThread.currentThread().quit()

    def _end(self, *, grace: float) -> None:
        self._timer.stop()
        handle, self._handle = self._handle, None
        if handle is None:
            return
        if grace and handle.alive():
            with contextlib.suppress(OSError):  # a worker that cannot be asked is killed after the grace
                handle.stop()
            end = time.monotonic() + grace
            while handle.alive() and time.monotonic() < end:
                time.sleep(0.02)
        if handle.alive():
            handle.kill()
            self._tidy()
        self._written_to.clear()
        _forget_asked(handle.folder)

    def _tidy(self) -> None:
        """Remove what the worker was writing; a share that answers no more is left as it is."""
        from fullfield.enhance import ledger

        for folder in self._written_to:
            thread = threading.Thread(target=ledger.tidy, args=(folder,), name="tidying that is left", daemon=True)
            thread.start()
            thread.join(TIDY_SECONDS)

    @Slot()
    def _poll(self) -> None:
        if self._handle is None:
            return
        if self._timer.interval() != POLL_MILLISECONDS and time.monotonic() - self._previewed > QUICK_FOR_SECONDS:
            self._timer.setInterval(POLL_MILLISECONDS)
        news = tuple(map(in_words, self._handle.poll()))
        self._listen()
        if any(isinstance(event, RunEnded) for event in news):
            self._timer.stop()
            _forget_asked(self._handle.folder)
            self._handle = None
        if news:
            self.reported.emit(self._number, news)

    def _listen(self) -> None:
        silent = self._listener is not None and self._listener.silent_seconds() > SILENT_SECONDS
        if silent != self._silent:
            self._silent = silent
            self.silent.emit(self._number, silent)


def _forget_asked(folder: Path) -> None:
    for name in ("job.json", "commands.jsonl"):
        with contextlib.suppress(OSError):
            (folder / name).unlink(missing_ok=True)


class Session(QObject):
    """The window's worker. `reported` carries a tuple of events, `refused` a FullfieldError, `silent` whether the
    worker gives no sign of life; `ended`, after its last events, the reason and a WorkerDied that says what became of
    it: on the window's thread.

    All only of the worker that was started last: an earlier one knows other images. `grace`: seconds that it has to
    end by itself when all is closed.
    """

    reported = Signal(object)
    refused = Signal(object)
    silent = Signal(bool)
    ended = Signal(str, object)
    _begin = Signal(int)
    _post = Signal(object)
    _finish = Signal()

    def __init__(self, start: Start, parent: QObject | None = None, *, grace: float = GRACE_SECONDS) -> None:
        super().__init__(parent)
        self._number = 0
        self._fault: WorkerDied | None = None
        self._thread = QThread(self)
        self._thread.setObjectName("session bridge")
        self._bridge = JobBridge(start, grace)
        self._bridge.moveToThread(self._thread)
        self._connect()
        self._thread.start()

    def start(self) -> None:
        """Start a worker, in place of the one there is: that is ended at once and no longer heard."""
        self._number += 1
        self._fault = None
        self._begin.emit(self._number)

    def post(self, *commands: Command) -> None:
        """Ask something of the worker."""
        if commands:
            self._post.emit(commands)

    def close(self) -> None:
        """End the worker and the thread; returns when both are gone."""
        if self._thread.isRunning():
            self._finish.emit()
            self._thread.wait()

    def _connect(self) -> None:
        queued = Qt.ConnectionType.QueuedConnection
        self._begin.connect(self._bridge.begin, queued)
        self._post.connect(self._bridge.post, queued)
        self._finish.connect(self._bridge.finish, queued)
        self._bridge.reported.connect(self._receive, queued)
        self._bridge.refused.connect(self._receive_refusal, queued)
        self._bridge.silent.connect(self._receive_silence, queued)

    @Slot(int, object)
    def _receive(self, number: int, news: tuple[Event, ...]) -> None:
        if number != self._number:
            return
        self.reported.emit(news)
        for event in news:
            match event:
                case RunFailed():
                    title, *rest = (event.error.get(part, "") for part in ("title", "detail", "hint"))
                    self._fault = WorkerDied(title, detail=rest[0], hint=rest[1])
                case RunEnded() if number == self._number:  # nobody has started another meanwhile
                    died = WorkerDied(self.tr("The worker has ended."), hint=self.tr("Start it again."))
                    self.ended.emit(event.reason, self._fault or died)
                case _:
                    pass

    @Slot(int, object)
    def _receive_refusal(self, number: int, error: FullfieldError) -> None:
        if number == self._number:
            self.refused.emit(error)

    @Slot(int, bool)
    def _receive_silence(self, number: int, silent: bool) -> None:
        if number == self._number:
            self.silent.emit(silent)
