"""The job behind the window: images are opened, enhanced and exported as they are asked for, until the window goes.

The session's job is owned by the window's process, and stops when that is gone. Its commands are those of
`fullfield.protocol.session_commands`. Opening and previews have threads of their own, so that an image is visible, and
follows a slider, while others are being enhanced. On other machines several are, as many as the window asks for.
"""

from __future__ import annotations

import contextlib
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from fullfield import files
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.enhance import item as items
from fullfield.enhance.choose import Chosen
from fullfield.enhance.destinations.base import Request
from fullfield.enhance.destinations.registry import open_destination
from fullfield.enhance.elsewhere import Machines
from fullfield.enhance.lanes import Lane
from fullfield.enhance.opened import Opened, Reading, Shown, as_source, remove_results
from fullfield.enhance.previews import Previews
from fullfield.enhance.process import process
from fullfield.errors import UsageError
from fullfield.image.cache import Decoded
from fullfield.image.export import OutputFormat
from fullfield.image.method import Method
from fullfield.protocol.batch import Item
from fullfield.protocol.commands import Command
from fullfield.protocol.events import (
    ItemClosed,
    ItemDecoded,
    ItemSkipped,
    ItemStarted,
    Notice,
)
from fullfield.protocol.places import LOCAL
from fullfield.protocol.session_commands import Cancel, Close, Enhance, Export, Open, Preview
from fullfield.protocol.small import SessionSpec

TICK_SECONDS = 0.02
QUICK_TICK_SECONDS = 0.004  # while a slider moves: a preview must not wait for the next look
QUICK_FOR_SECONDS = 2.0
REST_SECONDS = 10.0
MOST_AWAY = 32
"""Images on other machines at once."""


def run(spec: SessionSpec, context: Context) -> Fields:
    """Serve the window until the run is asked to stop. Raises OSError where it cannot tell what it does."""
    session = _Session(spec, context)
    try:
        while not context.stopping():
            for command in context.commands():
                session.take(command)
            session.check()
            time.sleep(session.tick_seconds)
    finally:
        session.close()
    return {}


class _Session:
    """The images that are open, and what can be done with one of them."""

    def __init__(self, spec: SessionSpec, context: Context) -> None:
        self._context = context
        self._said = ""
        self._closing = False
        self._previewed = 0.0
        self._rested = time.monotonic()
        self._images: dict[int, Opened] = {}
        self._chosen = Chosen(device=spec.device, say=self._say)
        self._machines = Machines(device=spec.device, emit=context.emit)
        self._reading = Reading()
        self._folder = files.private_folder(context.folder / "enhanced")
        self._previews = Previews(self._find, context.emit, self._folder)
        self._opening, self._previewing = Lane(), Lane(latest=True)
        self._enhancing = Lane()  # and exports
        self._away: Lane | None = None
        self._leaving: dict[int, threading.Event] = {}
        self._begun: set[tuple[str, int]] = set()  # where, and of which order, something was exported
        self._opening.put(self._reading.warm)

    def close(self) -> None:
        """End what is in hand, and leave nothing."""
        self._closing = True
        for lane in self._lanes:
            lane.close()
        self._machines.close()
        self._reading.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def check(self) -> None:
        """Raise what has made it impossible to go on; and close what is not needed any more."""
        self._reading.rest()
        if time.monotonic() - self._rested > REST_SECONDS:
            self._rested = time.monotonic()
            self._enhancing.put(self._machines.rest)
        for lane in self._lanes:
            lane.check()

    @property
    def tick_seconds(self) -> float:
        """How long nothing is looked at."""
        quick = time.monotonic() - self._previewed < QUICK_FOR_SECONDS
        return QUICK_TICK_SECONDS if quick else TICK_SECONDS

    def take(self, command: Command) -> None:
        """Let the lane that it is for do a command in its turn."""
        match command:
            case Open():
                self._close(command.index)  # what was open under this index
                item = Item(index=command.index, source=command.source, archive=command.archive)
                image = self._images[command.index] = Opened(item)
                self._opening.put(partial(self._settle_open, image, self._leaving.pop(command.index, None)))
            case Enhance():
                lane = self._enhancing if command.place == LOCAL else self._other_machines()
                self._ask(command.index, partial(self._enhance, command), lane)
            case Export():
                self._ask(command.index, partial(self._export, command), self._enhancing)
            case Preview():
                self._previewed = time.monotonic()
                self._previewing.put(partial(self._previews.answer, command))
            case Cancel():
                for index in self._images.keys() & set(command.indexes):
                    self._images[index].cancelled = True
            case Close():
                for index in command.indexes:
                    self._close(index, reported=True)
            case _:
                pass

    @property
    def _lanes(self) -> tuple[Lane, ...]:
        return self._opening, *([self._away] if self._away else []), self._enhancing, self._previewing

    def _other_machines(self) -> Lane:
        """The lane of what they enhance, begun when the first image goes there."""
        self._away = self._away or Lane(threads=MOST_AWAY)
        return self._away

    def _ask(self, index: int, work: Callable[[Opened], None], lane: Lane) -> None:
        """Have something done with an open image, once what was asked of it before is done."""
        image = self._images.get(index)
        if image is None:
            error = UsageError("Cannot enhance the image.", detail="It is not open.", hint="Open it again.")
            self._context.emit(items.failed(index, error))
            return
        image.cancelled = False
        before, image.last = image.last, threading.Event()
        lane.put(partial(self._settle_after, before, work, image, image.last))

    def _close(self, index: int, *, reported: bool = False) -> None:
        """Forget an image: at once what waits for it, in its turn what is left of it."""
        image = self._images.pop(index, None)
        if image is not None:
            image.closed = True
            self._previews.forget(index)
        if image is not None or reported:
            gone = self._leaving[index] = threading.Event()
            self._enhancing.put(partial(self._forget, index, image, gone, reported=reported))

    def _forget(self, index: int, image: Opened | None, gone: threading.Event, *, reported: bool) -> None:
        if image is not None:
            image.last.wait()  # nothing is told of it any more
            remove_results(self._folder, index)
        if self._leaving.get(index) is gone:
            del self._leaving[index]
        gone.set()
        if reported:
            self._context.emit(ItemClosed(index=index))

    def _settle_open(self, image: Opened, gone: threading.Event | None) -> None:
        """`gone`: the one that had its index before is."""
        if gone is not None:
            gone.wait()
        try:
            self._settle(partial(self._open, image), image)
        finally:
            image.ready.set()

    def _settle_after(
        self, before: threading.Event, work: Callable[[Opened], None], image: Opened, done: threading.Event
    ) -> None:
        before.wait()
        try:
            if image.folder is not None:  # else opening it failed or was cancelled, and that has been said
                self._settle(partial(work, image), image)
        finally:
            done.set()

    def _settle(self, work: Callable[[], None], image: Opened) -> None:
        """Do one thing with an image; every fault becomes the image's verdict."""
        index = image.item.index
        if self._closing or self._context.stopping() or image.closed:
            return
        if image.cancelled:
            self._context.emit(ItemSkipped(index=index, reason="cancelled"))
            return
        try:
            work()
        except Exception as error:  # noqa: BLE001 - one image's fault must not end the window's session
            self._context.emit(items.failed(index, error))

    def _open(self, image: Opened) -> None:
        """Read an image and leave it where the window can map it."""
        decoded = self._reading.read(image.item)
        image.folder = decoded.folder
        index, sha256 = image.item.index, decoded.header.sha256
        short = sha256[: items.SHORT]
        self._context.emit(ItemDecoded(index=index, input=short, decoded=str(decoded.folder), sha256=sha256))
        for warning in items.source_warnings(index, decoded):
            self._context.emit(warning)

    def _find(self, index: int) -> Decoded | None:
        """The image that is open under an index."""
        image = self._images.get(index)
        return None if image is None or image.folder is None else self._reading.load(image)

    def _enhance(self, command: Enhance, image: Opened) -> None:
        method = Method(choice=command.choice, kind=command.kind, changes=command.changes)
        request = Request(item=image.item, kind=method.kind)
        self._context.emit(ItemStarted(index=command.index))
        with self._machines.use(command.place, command.images_to) as elsewhere:
            verdict = process(
                request,
                Shown(self._folder, image),
                source=as_source(self._reading.load(image)),
                enhance=partial(self._chosen.enhance, method=method, elsewhere=elsewhere),
                emit=self._context.emit,
            )
        self._context.emit(verdict)

    def _export(self, command: Export, image: Opened) -> None:
        result = image.result
        if result is None:
            raise UsageError("Cannot export the image.", detail="It is not enhanced yet.", hint="Enhance it first.")
        request = Request(
            item=replace(image.item, target=command.target),
            kind=result.kind,
            format=OutputFormat(command.format),
            delivery=command.delivery,
            recipe=result.recipe.sha256,
            overwrite=command.overwrite,
            anew=True,
            again=command.again,
        )
        source = as_source(self._reading.load(image))
        address = command.folder or str(Path(command.target).parent)
        order = (address, command.order)
        with contextlib.closing(open_destination(address, begun=order in self._begun)) as destination:
            verdict = process(
                request, destination, source=source, enhance=lambda _: result.load(), emit=self._context.emit
            )
            self._begun.add(order)
        self._context.emit(verdict)

    def _say(self, text: str) -> None:
        """How it is computed: on which device, and why; not twice in a row."""
        if text != self._said:
            self._said = text
            self._context.emit(Notice(text=text))
