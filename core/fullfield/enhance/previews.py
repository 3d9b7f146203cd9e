"""Previews for the window's sliders: the visible part of one image, enhanced with values that are being tried.

What needs the whole image is measured when an image is first previewed, and kept for the one that is looked at.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fullfield import log
from fullfield.enhance import item as items
from fullfield.enhance.choose import preset_for
from fullfield.errors import FullfieldError
from fullfield.image.cache import Decoded
from fullfield.image.method import Method
from fullfield.image.parts import Box
from fullfield.image.preview import Preview as Prepared
from fullfield.protocol.events import Event, ItemPreviewed
from fullfield.protocol.session_commands import Preview

_log = logging.getLogger(__name__)
_KEPT_FILES = 6  # the window may be about to read the last ones


class Previews:
    """Answers preview commands: `find` gives the image that is open under an index, or None."""

    def __init__(self, find: Callable[[int], Decoded | None], emit: Callable[[Event], None], folder: Path) -> None:
        self._find, self._emit, self._folder = find, emit, folder
        self._ready: tuple[tuple[object, ...], Prepared] | None = None
        self._numbers = itertools.count()
        self._files: list[Path] = []

    def answer(self, command: Preview) -> None:
        """Compute one part and tell of it. What is wrong is not told: the enhancement that follows tells it."""
        try:
            self._answer(command)
        except FullfieldError:
            return
        except Exception as error:  # noqa: BLE001 - a preview is a courtesy: it never ends the session
            _log.error("a preview failed: %s", log.describe(error))

    def forget(self, index: int) -> None:
        """Keep nothing of this image."""
        ready = self._ready
        if ready is not None and ready[0][0] == index:
            self._ready = None

    def _answer(self, command: Preview) -> None:
        index, method = command.index, Method(choice=command.choice, kind=command.kind, changes=command.changes)
        found = self._find(index)
        if found is None or method.of_model:
            return
        decoded = items.as_kind(found, method.kind)
        ready = self._prepare(index, decoded, method)
        if ready is None:
            return
        top, bottom, left, right = command.region
        level = min(command.level, ready.deepest())
        shift = command.level - level
        box = Box(top=top << shift, bottom=bottom << shift, left=left << shift, right=right << shift)
        pixels, box = ready.part(preset_for(method, decoded), level=level, box=box)
        path = self._folder / f"preview-{next(self._numbers)}.npy"
        items.leave(path, pixels)
        self._sweep(path)
        self._emit(
            ItemPreviewed(
                index=index,
                serial=command.serial,
                preview=str(path),
                bits=ready.bits,
                level=level,
                top=box.top,
                left=box.left,
            )
        )

    def _prepare(self, index: int, decoded: Decoded, method: Method) -> Prepared | None:
        """The image made ready, by the preset without changes: from there sliders go both ways."""
        key = (index, decoded.folder, decoded.image.kind)
        ready = self._ready  # another thread may forget it meanwhile
        if ready is None or ready[0] != key:
            preset = preset_for(replace(method, changes=()), decoded)
            self._ready = ready = (key, Prepared(decoded.image, preset))
        return None if ready[1].flat else ready[1]

    def _sweep(self, path: Path) -> None:
        self._files.append(path)
        while len(self._files) > _KEPT_FILES:
            with contextlib.suppress(OSError):
                self._files.pop(0).unlink()


__all__ = ["Previews"]
