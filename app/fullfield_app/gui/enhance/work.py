"""The queue at work: what the user asks goes to the session worker, what the worker tells changes the queue.

No widget: the panel connects it. A worker that dies is noticed here; `restart` starts another, and what was in hand
is asked of that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from fullfield.errors import FullfieldError
from fullfield.image.method import Method
from fullfield.inputs.files import InputFile
from fullfield.protocol.events import Event, ItemDecoded, ItemEvent, ItemPreviewed, Notice, RunStarted
from fullfield.protocol.places import PLACE, kind
from fullfield.protocol.session_commands import Cancel, Enhance, Export, Preview
from fullfield_app.gui.bridge.job_bridge import Session
from fullfield_app.gui.bridge.throttle import Throttle
from fullfield_app.gui.bridge.workers import Start
from fullfield_app.gui.enhance.pace import Clock, Pace
from fullfield_app.gui.enhance.queue_model import NONE, Indexes, Queue
from fullfield_app.gui.enhance.where import Where
from fullfield_app.gui.queue.row import Row, Step

COUNT_MILLISECONDS = 100  # all rows are counted for it: per event that would grow with the square of their number


class Work(QObject):
    """`changed`, `added`, `removed`: indexes of rows; `noticed`: a sentence; `lost`: a FullfieldError; `silent`:
    whether the worker gives no sign of life. `progressed`: how much is done, and what there is to do, may be other than
    before; of what the worker tells while the queue is busy, ten times a second at most.

    `decoded`: the cache folder that the worker has just left an image in; `previewed`: an ItemPreviewed; `placed`: a
    Notice of a machine that enhances, of those in `where`.
    """

    changed = Signal(object)
    added = Signal(object)
    removed = Signal(object)
    progressed = Signal()
    decoded = Signal(object)
    previewed = Signal(object)
    noticed = Signal(str)
    started = Signal()
    lost = Signal(object)
    silent = Signal(bool)
    placed = Signal(object)

    def __init__(self, start: Start, parent: QObject | None = None, *, clock: Clock | None = None) -> None:
        super().__init__(parent)
        self.queue = Queue()
        self.running = False
        self.pace = Pace(clock)
        self.where = Where()
        self._first: tuple[int, ...] = ()
        self._lost = False
        self._soon = Throttle(COUNT_MILLISECONDS, self)
        self._soon.passed.connect(lambda _: self.progressed.emit())
        self._session = Session(start, self)
        self._session.reported.connect(self._take_in)
        self._session.refused.connect(self._lose)
        self._session.ended.connect(lambda _, died: self._lose(died))
        self._session.silent.connect(self.silent)

    # The worker -------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the worker; what is asked of the queue waits until then."""
        self.running = True
        self._lost = False
        self._session.start()
        self._tell(NONE)

    def end_at_once(self) -> None:
        """End the worker in the middle of what it is at, and start another: for what cannot be cancelled otherwise."""
        self._say(self.queue.worker_lost())
        self.start()

    def close(self) -> None:
        """End the worker; returns when it is gone."""
        self.running = False
        self._session.close()

    # What the user asks -----------------------------------------------------------------------------------------

    def add(self, items: Sequence[InputFile], method: Method) -> list[int]:
        """Take files into the queue; returns their indexes."""
        self._begin_batch()
        indexes = self.queue.add(items, method)
        self.added.emit(tuple(indexes))
        self._tell(NONE)
        return indexes

    def remove(self, indexes: Sequence[int]) -> tuple[Row, ...]:
        """Take rows out of the queue; `restore` brings them back."""
        rows = tuple(row for index in indexes if (row := self.queue.get(index)) is not None)
        command = self.queue.remove(indexes)
        if command is not None:
            self._session.post(command)
        self.removed.emit(tuple(indexes))
        self._tell(NONE)
        return rows

    def restore(self, rows: Sequence[Row]) -> None:
        """Bring rows back that were removed."""
        self._begin_batch()
        self.added.emit(tuple(self.queue.restore(rows)))
        self._tell(NONE)

    def enhance(self, methods: Mapping[int, Method]) -> None:
        """Enhance these, each with its method."""
        self._begin_batch()
        self._tell(self.queue.ask_enhance(methods))

    def again(self, indexes: Iterable[int]) -> None:
        """Try those of these again that failed or were cancelled."""
        self._begin_batch()
        self._tell(self.queue.ask_again(indexes))

    def renew(self, index: int) -> None:
        """What the worker had left of this image is gone from the disk: have it opened and enhanced anew."""
        self._begin_batch()
        command = self.queue.renew(index)
        if command is not None:
            self._session.post(command)
        self._tell(frozenset({index}))

    def enhance_on(self, where: Where) -> None:
        """These enhance from now on; what is under way stays where it is."""
        self.where = where
        self._tell(NONE)

    def preview(self, command: Preview) -> None:
        """Ask what a method does to a part of an image; answered with `previewed`, or not at all."""
        row = self.queue.get(command.index)
        if self.running and row is not None and row.opened:
            self._session.post(command)

    def pause(self) -> None:
        """Finish what is in hand, and begin nothing until `resume`."""
        command = self.queue.pause()
        if command is not None:
            self._session.post(command)
        self.pace.pause()
        self._say(NONE)

    def resume(self) -> None:
        """Go on."""
        self.queue.resume()
        self.pace.resume()
        self._tell(NONE)

    def export(self, exports: Iterable[Export]) -> None:
        """Write these."""
        self._begin_batch()
        self._tell(self.queue.ask_export(exports))

    def cancel(self, indexes: Iterable[int]) -> None:
        """Leave out what has not begun."""
        changed, command = self.queue.cancel(indexes)
        if isinstance(command, Cancel):
            self._session.post(command)
        self._tell(changed)

    def prefer(self, indexes: Sequence[int]) -> None:
        """Do these next: the user is looking at them."""
        self._first = tuple(indexes)

    # Within -----------------------------------------------------------------------------------------------------

    def _begin_batch(self) -> None:
        if not self.queue.busy:
            self.pace.begin()
            if self.queue.paused:
                self.pace.pause()
        if self._lost:  # a dead worker is started again by asking for more
            self.start()

    def _tell(self, changed: Indexes, *, soon: bool = False) -> None:
        """These have changed: ask of the worker what there is to do now, and say so."""
        commands = self.queue.due(self._first, self.where.ahead) if self.running else []
        self._session.post(*map(self._placed, commands))
        self._say(changed | {command.index for command in commands}, soon=soon)

    def _say(self, changed: Indexes, *, soon: bool = False) -> None:
        if changed:
            self.changed.emit(changed)
        if soon and self.queue.busy:
            self._soon.offer(None)
        elif changed or not soon:
            self.progressed.emit()

    def _placed(self, command: Step) -> Step:
        """The command, with where it is done."""
        if not isinstance(command, Enhance):
            return command
        return replace(command, place=self.where.place, images_to=self.where.images_to)

    def _take_in(self, news: tuple[Event, ...]) -> None:
        if not self.running:  # given up after a refusal: the next worker knows nothing of what this one still says
            return
        changed: Indexes = frozenset()
        for event in news:
            match event:
                case ItemPreviewed():
                    self.previewed.emit(event)
                case ItemEvent():
                    if isinstance(event, ItemDecoded):
                        self.decoded.emit(Path(event.decoded))
                    changed |= self.queue.apply(event)
                case Notice() if kind(event.topic) == PLACE:
                    self.placed.emit(event)
                case Notice():
                    self.noticed.emit(event.text)
                case RunStarted():
                    self.started.emit()
        self._tell(changed, soon=True)

    def _lose(self, error: FullfieldError) -> None:
        if self.running:
            self.running, self._lost = False, True
            self._say(self.queue.worker_lost())
            self.lost.emit(error)
