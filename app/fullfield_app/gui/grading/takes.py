"""The versions of images that a grading shows: from the cache, from the list's results, or made by a worker of its own.

No widget. That worker is started when the first version is missing, so that the list is left as it is. What comes next
is made ready while a pair is being read.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from fullfield.errors import FullfieldError
from fullfield.grading.study import HASH_LENGTH
from fullfield.image.method import Method
from fullfield.inputs.files import exchanged
from fullfield.protocol.events import Event, ItemDecoded, ItemEnhanced, ItemFailed, ItemStarted, ItemWarned
from fullfield.protocol.session_commands import Open
from fullfield_app.gui.bridge.job_bridge import Session
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import Start
from fullfield_app.gui.grading.candidates import Candidate
from fullfield_app.gui.queue.row import Result, Trouble, enhance_command
from fullfield_app.gui.view.picture import Picture, open_result, open_source

KEPT = 8  # this pair, the next one, and those one goes back to
Key = tuple[str, Method | None]
_ERROR = exchanged()
_CHANGED = Trouble(title=_ERROR.title, detail=_ERROR.detail, hint=_ERROR.hint)  # `TakesView` says it translated


@dataclass(frozen=True, kw_only=True, eq=False)
class Take:
    """A version that can be shown; `recipe`: how it was made, in words; `made_by`: see `ItemEnhanced`; `notes`: what
    its user was warned of, where it was made here."""

    picture: Picture
    recipe: str
    made_by: str = ""
    notes: tuple[str, ...] = ()


class Takes(QObject):
    """`ready`: a version has come, or the trouble with one."""

    ready = Signal()

    def __init__(
        self, start: Start, candidates: Iterable[Candidate], parent: QObject | None = None, *, graded: bool = False
    ) -> None:
        """`graded`: what a preset made in a model's place is trouble, for it says nothing about the model."""
        super().__init__(parent)
        self._graded = graded
        self._start = start
        self._session: Session | None = None
        self._running = False
        self._tasks = Tasks(self)
        self._candidates = {one.image: one for one in candidates}
        self._results: dict[Key, Result] = {
            (one.image, one.result.method): one.result for one in self._candidates.values() if one.result is not None
        }
        self._notes: dict[Key, tuple[str, ...]] = {}
        self._takes: OrderedDict[Key, Take] = OrderedDict()
        self._troubles: dict[Key, Trouble] = {}
        self._asked: set[Key] = set()
        self._made: list[Key] = []  # what the worker knows by its place in this list
        self._others: set[int] = set()  # the places of those that are another image now

    def add(self, one: Candidate) -> None:
        """Another image that can be asked for."""
        self._candidates[one.image] = one

    def get(self, image: str, method: Method | None) -> Take | Trouble | None:
        """A version, or why there is none; None: it is on its way, and `ready` will tell."""
        key = (image, method)
        if key in self._takes:
            self._takes.move_to_end(key)
            return self._takes[key]
        if key in self._troubles:
            return self._troubles[key]
        if key not in self._asked:
            self._asked.add(key)
            self._fetch(key)
        return self._troubles.get(key)  # it may have been refused at once

    @staticmethod
    def can_help(version: Take | Trouble | None) -> bool:
        """Whether trying again may make this version: another file in the place of its own stays another one."""
        return isinstance(version, Trouble) and version != _CHANGED

    def try_again(self) -> None:
        """What could not be made is asked for anew."""
        self._asked -= self._troubles.keys()
        self._troubles.clear()
        self.ready.emit()

    def close(self) -> None:
        """End the worker; returns when it is gone. From any thread."""
        if self._session is not None:
            self._session.close()
        self._tasks.close()

    # Within -----------------------------------------------------------------------------------------------------

    def _fetch(self, key: Key) -> None:
        image, method = key
        one = self._candidates.get(image)
        if one is None:
            self._refuse(key, Trouble(title=self.tr("This image is not in the list."), hint=self.tr("Open it again.")))
        elif method is None:
            self._load(key, lambda: Take(picture=open_source(one.decoded).picture, recipe="original"))
        elif key in self._results:
            result, notes = self._results[key], self._notes.get(key, ())
            if self._graded and result.method_wanted:
                self._refuse(key, Trouble(title=self.tr("The model did not make this image."), detail=" ".join(notes)))
                return
            self._load(
                key,
                lambda: Take(
                    picture=open_result(result.path, result.bits, one.pixel_size),
                    recipe=result.recipe,
                    made_by=result.made_by,
                    notes=notes,
                ),
            )
        else:
            self._made.append(key)
            index = len(self._made) - 1
            opened = Open(index=index, source=one.item.source, archive=one.item.archive)
            self._worker().post(opened, enhance_command(index, method))

    def _load(self, key: Key, work: Callable[[], Take]) -> None:
        def done(take: Take) -> None:
            self._asked.discard(key)
            self._takes[key] = take
            while len(self._takes) > KEPT:
                self._takes.popitem(last=False)
            self.ready.emit()

        def fail(_: BaseException) -> None:
            self._results.pop(key, None)  # what cannot be read is made anew when it is tried again
            title = self.tr("The pixels of this image are no longer in the cache.")
            hint = self.tr("Close the grading, remove the image from the list, open it again and resume.")
            self._refuse(key, Trouble(title=title, hint=hint))

        self._tasks.start(work, done, failed=fail)

    def _worker(self) -> Session:
        if self._session is None:
            self._session = Session(self._start, self)
            self._session.reported.connect(self._take_in)
            self._session.refused.connect(self._lose)
            self._session.ended.connect(lambda _, died: self._lose(died))
        if not self._running:
            self._running = True
            self._session.start()
        return self._session

    def _take_in(self, news: tuple[Event, ...]) -> None:
        for event in news:
            if not self._running:
                return  # it was given up: what it still says is of images that are asked for anew
            match event:
                case ItemDecoded() if not self._made[event.index][0].startswith(event.sha256[:HASH_LENGTH]):
                    self._others.add(event.index)
                    self._refuse(self._made[event.index], _CHANGED)
                case ItemStarted() | ItemEnhanced() | ItemFailed() if event.index in self._others:
                    pass  # what is made of another image is nobody's
                case ItemStarted():
                    self._notes[self._made[event.index]] = ()
                case ItemWarned() if (key := self._made[event.index]) in self._notes:  # else it is about the file
                    self._notes[key] += (event.text,)
                case ItemEnhanced():
                    key = self._made[event.index]
                    method = key[1] or Method()
                    self._results[key] = Result(
                        path=Path(event.enhanced),
                        bits=event.bits,
                        method=method,
                        recipe=event.recipe,
                        seconds=event.seconds,
                        made_by=event.made_by,
                        method_wanted=event.method_wanted,
                    )
                    self._fetch(key)
                case ItemFailed():
                    self._refuse(self._made[event.index], _trouble(event.error))

    def _lose(self, error: FullfieldError) -> None:
        """The worker is gone: what it owed is trouble, until it is tried again with another one."""
        self._running = False
        owed = [key for key in self._made if key not in self._results]
        self._made.clear()
        self._others.clear()
        for key in owed:
            self._refuse(key, Trouble(title=error.title, detail=error.detail, hint=error.hint))

    def _refuse(self, key: Key, trouble: Trouble) -> None:
        self._troubles[key] = trouble
        self.ready.emit()


def _trouble(error: dict[str, str]) -> Trouble:
    return Trouble(title=error.get("title", ""), detail=error.get("detail", ""), hint=error.get("hint", ""))
