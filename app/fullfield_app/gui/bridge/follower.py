"""The window's side of a training that is followed: one run at a time, what is asked of it, and how far it is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot

from fullfield.errors import FullfieldError
from fullfield.protocol.commands import PAUSE, Stop, Watch
from fullfield_app.gui.bridge.run_bridge import Following, RunBridge
from fullfield_app.gui.bridge.workers import Workers


class Follower(QObject):
    """Follows one run. `came`: a Following, `refused`: a FullfieldError, `removed`: the folder of a discarded run; all
    on the window's thread, the first two only of the run that was asked for last."""

    came = Signal(object)
    refused = Signal(object)
    removed = Signal(object)
    _follow = Signal(int, object)
    _resume = Signal(int, int)
    _post = Signal(int, object)
    _discard = Signal(int)
    _finish = Signal()

    def __init__(self, workers: Workers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._thread = QThread(self)
        self._thread.setObjectName("run bridge")
        self._bridge = RunBridge(workers)
        self._bridge.moveToThread(self._thread)
        self._connect()
        self._thread.start()

    def follow(self, folder: Path) -> None:
        """Tell of this run from now on."""
        self._number += 1
        self._follow.emit(self._number, folder)

    def pause(self) -> None:
        """Let it end after the step in hand, to be gone on with: its card is free then."""
        self._post.emit(self._number, PAUSE)

    def stop(self) -> None:
        """Let it end after the step in hand, and keep its model."""
        self._post.emit(self._number, Stop())

    def watch(self, image: int) -> None:
        """Watch another image from the next epoch on."""
        self._post.emit(self._number, Watch(image=image))

    def resume(self, watch: int = -1) -> None:
        """Go on with it."""
        self._resume.emit(self._number, watch)

    @property
    def number(self) -> int:
        """Of the run that is followed now, for `discard`."""
        return self._number

    def discard(self, number: int) -> None:
        """End it at once and delete it, if it is still the one that is followed."""
        self._discard.emit(number)

    def close(self) -> None:
        """Let the run go on alone; returns when the thread is gone."""
        if self._thread.isRunning():
            self._finish.emit()
            self._thread.wait()

    def _connect(self) -> None:
        queued, bridge = Qt.ConnectionType.QueuedConnection, self._bridge
        self._follow.connect(bridge.follow, queued)
        self._resume.connect(bridge.resume, queued)
        self._post.connect(bridge.post, queued)
        self._discard.connect(bridge.discard, queued)
        self._finish.connect(bridge.finish, queued)
        bridge.came.connect(self._receive, queued)
        bridge.refused.connect(self._receive_refusal, queued)
        bridge.removed.connect(self.removed, queued)

    @Slot(int, object)
    def _receive(self, number: int, following: Following) -> None:
        if number == self._number:
            self.came.emit(following)

    @Slot(int, object)
    def _receive_refusal(self, number: int, error: FullfieldError) -> None:
        if number == self._number:
            self.refused.emit(error)
