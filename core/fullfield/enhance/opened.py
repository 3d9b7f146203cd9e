"""The images that are open in a session: of each is kept where its pixels lie, and they are mapped for each use anew.

A mapped file takes a handle for as long as it is mapped, and systems allow a process some hundreds of them.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fullfield.dicom import eviction
from fullfield.dicom.members import Archives
from fullfield.dicom.read import Decoder
from fullfield.enhance import item as items
from fullfield.errors import InputUnreadable
from fullfield.image import cache
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced, Recipe
from fullfield.protocol.batch import Item

IDLE_SECONDS = 10.0  # after these a ZIP is closed, which can then be moved, removed or ejected on every system


@dataclass(frozen=True, kw_only=True)
class Result:
    """An enhanced image whose pixels lie at `path`; `kind`: what its input was taken for (see `Method`)."""

    path: Path
    bits: int
    recipe: Recipe
    warnings: tuple[str, ...]
    kind: str

    @classmethod
    def left_at(cls, path: Path, enhanced: Enhanced, *, kind: str) -> Result:
        """Leave the pixels there. Raises OSError."""
        items.leave(path, enhanced.pixels)
        return cls(path=path, bits=enhanced.bits, recipe=enhanced.recipe, warnings=enhanced.warnings, kind=kind)

    def load(self) -> Enhanced:
        """With its pixels mapped. Raises OSError."""
        pixels = np.load(self.path, mmap_mode="r")
        return Enhanced(pixels=pixels, bits=self.bits, recipe=self.recipe, warnings=self.warnings)


class Opened:
    """One image, from its "open" to its "close".

    `ready`: opening it has come to an end; `folder`: where its pixels lie, None where that was in vain. `cancelled`:
    what waits is left out; `closed`: for good, and nothing is told of it but that.
    """

    def __init__(self, item: Item) -> None:
        self.item = item
        self.ready = threading.Event()
        self.folder: Path | None = None
        self.result: Result | None = None
        self.cancelled = self.closed = False


class Reading:
    """The session's decoder, shared by its threads. `warm` from the thread that will decode first."""

    def __init__(self) -> None:
        self._decoder = Decoder()
        self._archives = Archives()
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Have the decode child ready when the first image is dropped."""
        self._decoder.warm()

    def close(self) -> None:
        """End the decode child."""
        self._decoder.close()
        self._archives.close()

    def read(self, item: Item) -> Decoded:
        """Read an image. Raises InputRefused, InputUnreadable, CannotWrite."""
        with items.located(item, self._archives) as path, self._lock:
            return items.decode(self._decoder, path)

    def rest(self) -> None:
        """Close archives that nothing was asked of for a while."""
        self._archives.close(idle=IDLE_SECONDS)

    def load(self, image: Opened) -> Decoded:
        """An image that was read; read again where the cache has made room for others meanwhile.

        Raises InputUnreadable where it is another one now, and what `read` raises.
        """
        assert image.folder is not None
        try:
            decoded = cache.load(image.folder)
            eviction.use(image.folder)
        except (OSError, ValueError, KeyError, TypeError):
            decoded = self.read(image.item)
        if decoded.folder != image.folder:
            raise InputUnreadable(
                "Cannot read the image again.",
                detail="Its file has changed since it was opened.",
                hint="Remove it from the list, and open it again.",
            )
        return decoded


__all__ = ["Opened", "Reading", "Result"]
