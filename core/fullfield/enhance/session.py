"""The job behind the window: images are opened, enhanced and exported as they are asked for, until the window goes.

`spec`: `device`. The session's job is owned by the window's process, and stops when that is gone.
Commands: `open {index, source, archive}`, `enhance {index, choice, kind, changes}` (see `fullfield.image.method`),
`preview {index, choice, kind, changes, level, region, serial}` (`region`: top, bottom, left, right of the image reduced
by 2**`level`), `export {index, target, format, overwrite, delivery}`, `cancel {indexes}`. Opening and previews have
threads of their own, so that an image is visible, and follows a slider, while others are being enhanced.
"""

from __future__ import annotations

import contextlib
import logging
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
from fullfield.enhance.choose import default_model, open_choice, preset_for, with_kind_said, with_warning
from fullfield.enhance.enhancer import Enhancer, process
from fullfield.enhance.item import Item, Stopwatch
from fullfield.enhance.lanes import Command, Lane
from fullfield.enhance.previews import Previews
from fullfield.errors import CannotWrite, UsageError
from fullfield.events import ItemDecoded, ItemDone, ItemEnhanced, ItemSkipped, ItemStarted, ItemWarned, Notice
from fullfield.image.delivery import Delivery
from fullfield.image.export import OutputFormat
from fullfield.image.image import Enhanced
from fullfield.image.method import Method

_log = logging.getLogger(__name__)
TICK_SECONDS = 0.02
ON_THE_CPU = "Presets compute on the CPU; models and trainings use a GPU where there is one."
QUICK_TICK_SECONDS = 0.004  # while a slider moves: a preview must not wait for the next look
QUICK_FOR_SECONDS = 2.0


def run(spec: dict[str, Any], context: Context) -> dict[str, Any]:
    """Serve the window until the run is asked to stop."""
    session = _Session(spec, context)
    opening, enhancing = Lane(session.settle_open, first=session.warm), Lane(session.settle_enhance)
    previewing = Lane(session.preview, latest=True)
    # an export waits for the enhancement that it exports
    lanes = {"open": opening, "enhance": enhancing, "export": enhancing, "preview": previewing}
    previewed = 0.0
    try:
        while not context.stopping():
            for command in context.commands():
                if command["command"] == "cancel":
                    session.cancelled.update(command["indexes"])
                elif command["command"] in lanes:
                    session.expect(command)
                    lanes[command["command"]].put(command)
                    if command["command"] == "preview":
                        previewed = time.monotonic()
            time.sleep(QUICK_TICK_SECONDS if time.monotonic() - previewed < QUICK_FOR_SECONDS else TICK_SECONDS)
    finally:
        for lane in (opening, enhancing, previewing):
            lane.close()
        session.close()
    return {}


class _Session:
    """The images that are open, and what can be done with one of them."""

    def __init__(self, spec: dict[str, Any], context: Context) -> None:
        self._context, self._device = context, str(spec.get("device", "auto"))
        self._said = ""
        self._decoder = Decoder()
        self._decoded: dict[int, Decoded] = {}
        self._enhanced: dict[int, Enhanced] = {}
        self._ready: dict[int, threading.Event] = {}
        self._used: dict[int, Decoded] = {}
        self._method: tuple[str, Enhancer] | None = None
        self._folder = files.private_folder(context.folder / "enhanced")
        self._previews = Previews(self._decoded.get, context.emit, self._folder)
        self.cancelled: set[int] = set()

    def close(self) -> None:
        self._decoder.close()
        self._enhanced.clear()
        shutil.rmtree(self._folder, ignore_errors=True)

    def warm(self) -> None:
        """Have the decode child ready when the first image is dropped."""
        self._decoder.warm()

    def expect(self, command: Command) -> None:
        """Something is about to be done with an image; what is asked of one that is being opened waits for that."""
        index = int(command["index"])
        if command["command"] != "preview":
            self.cancelled.discard(index)
        if command["command"] == "open":
            self._decoded.pop(index, None)
            self._ready[index] = threading.Event()

    def settle_open(self, command: Command) -> None:
        """Open, or say why not."""
        if not self._settle(self.open, command):
            self._ready[int(command["index"])].set()

    def settle_enhance(self, command: Command) -> None:
        """Enhance or export, or say why not."""
        self._settle(self.enhance, command)

    def preview(self, command: Command) -> None:
        """Show what a slider does, if the image is open."""
        if not self._context.stopping():
            self._previews.answer(command)

    def _settle(self, work: Callable[[Command], None], command: Command) -> bool:
        """Do one command; every fault becomes the item's verdict. False where it was not begun."""
        index = int(command["index"])
        if self._context.stopping():
            return False
        if index in self.cancelled:
            self._context.emit(ItemSkipped(index=index, reason="cancelled"))
            return False
        try:
            work(command)
        except Exception as error:  # noqa: BLE001 - one image's fault must not end the window's session
            self._context.emit(events.failed(index, "", items.explain(error)))
        return True

    def open(self, command: Command) -> None:
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

    def enhance(self, command: Command) -> None:
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
        method = Method.from_fields(command)
        decoded = items.as_kind(self._decoded[index], method.kind)
        enhanced = with_kind_said(self._enhance(decoded, method), method.kind)
        path = self._folder / f"{index}-{time.monotonic_ns()}.npy"  # a new name: the window may map the last one
        np.save(path, enhanced.pixels)
        mapped = np.load(path, mmap_mode="r")
        for older in self._folder.glob(f"{index}-*.npy"):
            if older != path:
                with contextlib.suppress(OSError):  # Windows keeps what the window still maps; it goes with the session
                    older.unlink()
        self._used[index] = decoded
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

    def _export(self, index: int, command: Command) -> None:
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
        format, delivery = OutputFormat(command["format"]), Delivery.from_fields(command.get("delivery", {}))
        write(self._used[index], enhanced, target, format=format, delivery=delivery)
        self._context.emit(ItemDone(index=index, output="", seconds=watch.seconds, peak_bytes=system.peak_memory()))

    def _enhance(self, decoded: Decoded, method: Method) -> Enhanced:
        if method.of_model:
            return self._by_model(decoded, method.choice)
        preset = preset_for(method, decoded)
        model, why_not = default_model(method, preset, decoded)
        if model:
            return self._by_model(decoded, model)
        self._say(ON_THE_CPU)
        return with_warning(process(decoded, preset), why_not)

    def _by_model(self, decoded: Decoded, model: str) -> Enhanced:
        if self._method is None or self._method[0] != model:
            self._method = (model, open_choice(model, device=self._device, notice=self._say))
        return self._method[1].enhance(decoded)

    def _say(self, text: str) -> None:
        """How it is computed: on which device, and why; not twice in a row."""
        if text != self._said:
            self._said = text
            self._context.emit(Notice(text=text))
