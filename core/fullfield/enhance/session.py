"""The job behind the window: images are opened, enhanced and exported as they are asked for, until the window goes.

`spec`: `device`, `owner` (`[pid, created]` of the window: when it is gone, the session ends).
Commands: `open {index, source, archive}`, `enhance {index, choice}`, `export {index, target, format, overwrite}`,
`cancel {indexes}`. Opening has a thread of its own, so that an image is visible while others are being enhanced.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fullfield import events, files, system
from fullfield.context import Context
from fullfield.dicom.cache import Decoded
from fullfield.dicom.read import Decoder
from fullfield.dicom.write import remarks, write
from fullfield.enhance import item as items
from fullfield.enhance.choose import open_choice
from fullfield.enhance.enhancer import Enhancer
from fullfield.enhance.item import Item, Stopwatch
from fullfield.errors import CannotWrite, UsageError
from fullfield.events import ItemDecoded, ItemDone, ItemEnhanced, ItemSkipped, ItemStarted, ItemWarned, Notice
from fullfield.image.export import OutputFormat
from fullfield.image.image import Enhanced

_log = logging.getLogger(__name__)
TICK_SECONDS = 0.02
OWNER_SECONDS = 2.0


def run(spec: dict[str, Any], context: Context) -> dict[str, Any]:
    """Serve the window until it says stop or is gone."""
    session = _Session(spec, context)
    lanes = {"open": _Lane(session.open, session, first=session.warm), "enhance": _Lane(session.enhance, session)}
    lanes["export"] = lanes["enhance"]  # an export waits for the enhancement that it exports
    owner, looked = spec.get("owner"), time.monotonic()
    try:
        while not context.stopping():
            for command in context.commands():
                if command["command"] == "cancel":
                    session.cancelled.update(command["indexes"])
                elif command["command"] in lanes:
                    session.cancelled.discard(command["index"])
                    if command["command"] == "open":
                        session.expect(command["index"])
                    lanes[command["command"]].put(command)
            if owner and time.monotonic() - looked > OWNER_SECONDS:
                looked = time.monotonic()
                if not system.is_alive(*owner):
                    break
            time.sleep(TICK_SECONDS)
    finally:
        for lane in (lanes["open"], lanes["enhance"]):
            lane.close()
        session.close()
    return {}


class _Lane:
    """One thread that takes commands in turn."""

    def __init__(
        self, work: Callable[[dict[str, Any]], None], session: _Session, *, first: Callable[[], None] | None = None
    ) -> None:
        self._work, self._session, self._first = work, session, first
        self._queue: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self._thread.start()

    def put(self, command: dict[str, Any]) -> None:
        self._queue.put(command)

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()

    def _loop(self) -> None:
        if self._first is not None:
            self._first()
        while (command := self._queue.get()) is not None:
            if not self._session.stopping():
                self._session.settle(self._work, command)


class _Session:
    """The images that are open, and what can be done with one of them."""

    def __init__(self, spec: dict[str, Any], context: Context) -> None:
        self._context, self._device = context, str(spec.get("device", "auto"))
        self._decoder = Decoder()
        self._decoded: dict[int, Decoded] = {}
        self._enhanced: dict[int, Enhanced] = {}
        self._ready: dict[int, threading.Event] = {}
        self._method: tuple[str, Enhancer] | None = None
        self._folder = files.private_folder(context.folder / "enhanced")
        self.stopping = context.stopping
        self.cancelled: set[int] = set()

    def close(self) -> None:
        self._decoder.close()
        self._enhanced.clear()
        shutil.rmtree(self._folder, ignore_errors=True)

    def warm(self) -> None:
        """Have the decode child ready when the first image is dropped."""
        self._decoder.warm()

    def expect(self, index: int) -> None:
        """An image is about to be opened: what is asked of it from now on waits for that."""
        self._decoded.pop(index, None)
        self._ready[index] = threading.Event()

    def settle(self, work: Callable[[dict[str, Any]], None], command: dict[str, Any]) -> None:
        """Do one command; every fault becomes the item's verdict."""
        index = int(command["index"])
        if index in self.cancelled:
            if command["command"] == "open":
                self._ready[index].set()
            self._context.emit(ItemSkipped(index=index, reason="cancelled"))
            return
        try:
            work(command)
        except Exception as error:  # noqa: BLE001 - one image's fault must not end the window's session
            self._context.emit(events.failed(index, "", items.explain(error)))

    def open(self, command: dict[str, Any]) -> None:
        """Read an image and leave it where the window can map it."""
        item = Item.from_fields(command)
        try:
            decoded = items.decode(self._decoder, items.locate(item))
            self._decoded[item.index] = decoded
        finally:
            self._ready[item.index].set()
        short = decoded.header.sha256[: items.SHORT]
        self._context.emit(ItemDecoded(index=item.index, input=short, decoded=str(decoded.folder)))
        for text in (*decoded.header.warnings, *remarks(decoded)):
            self._context.emit(ItemWarned(index=item.index, input=short, text=text))

    def enhance(self, command: dict[str, Any]) -> None:
        """Enhance an open image, or export one that is enhanced."""
        index = int(command["index"])
        if index not in self._ready:
            raise UsageError("Cannot enhance the image.", detail="It is not open.", hint="Open it again.")
        self._ready[index].wait()
        if index not in self._decoded:
            return  # opening it failed or was cancelled, and that has been said
        if command["command"] == "export":
            self._export(index, command)
            return
        watch = Stopwatch()
        self._context.emit(ItemStarted(index=index))
        decoded = self._decoded[index]
        enhanced = self._choice(str(command["choice"])).enhance(decoded)
        path = self._folder / f"{index}-{time.monotonic_ns()}.npy"  # a new name: the window may map the last one
        np.save(path, enhanced.pixels)
        mapped = np.load(path, mmap_mode="r")
        for older in self._folder.glob(f"{index}-*.npy"):
            if older != path:
                with contextlib.suppress(OSError):  # Windows keeps what the window still maps; it goes with the session
                    older.unlink()
        self._enhanced[index] = Enhanced(
            pixels=mapped, bits=enhanced.bits, recipe=enhanced.recipe, warnings=enhanced.warnings
        )
        for text in enhanced.warnings:
            self._context.emit(ItemWarned(index=index, text=text))
        self._context.emit(
            ItemEnhanced(
                index=index,
                input=decoded.header.sha256[: items.SHORT],
                enhanced=str(path),
                bits=enhanced.bits,
                recipe=items.describe(enhanced.recipe),
                seconds=watch.seconds,
            )
        )

    def _export(self, index: int, command: dict[str, Any]) -> None:
        watch = Stopwatch()
        target, enhanced = Path(command["target"]), self._enhanced.get(index)
        if enhanced is None:
            raise UsageError("Cannot export the image.", detail="It is not enhanced yet.", hint="Enhance it first.")
        if target.exists() and not command.get("overwrite", False):
            raise CannotWrite(
                "Cannot export the image.",
                detail="A file of that name is in the folder.",
                hint="Choose another folder, or agree to replace it.",
            )
        write(self._decoded[index], enhanced, target, format=OutputFormat(command["format"]))
        self._context.emit(ItemDone(index=index, output="", seconds=watch.seconds, peak_bytes=system.peak_memory()))

    def _choice(self, choice: str) -> Enhancer:
        if self._method is None or self._method[0] != choice:
            opened = open_choice(choice, device=self._device, notice=lambda text: self._context.emit(Notice(text=text)))
            self._method = (choice, opened)
        return self._method[1]
