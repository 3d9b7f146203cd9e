"""The images that are open in a session, and the window as the destination of what is made of them.

Of each is kept where its pixels lie, and they are mapped for each use anew.

A mapped file takes a handle for as long as it is mapped, and systems allow a process some hundreds of them.
"""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from fullfield import array_file
from fullfield.dicom import eviction
from fullfield.dicom.members import Archives
from fullfield.dicom.read import Decoder
from fullfield.enhance import item as items
from fullfield.enhance.destinations.base import Made, Request
from fullfield.enhance.process import Source
from fullfield.image import cache
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced, Recipe
from fullfield.image.marks import disagreement_at, marks_at
from fullfield.inputs.files import exchanged
from fullfield.protocol.batch import Item
from fullfield.protocol.events import ItemEnhanced

IDLE_SECONDS = 10.0  # after these a ZIP is closed, which can then be moved, removed or ejected on every system


@dataclass(frozen=True, kw_only=True)
class Result:
    """An enhanced image whose pixels lie at `path`; `kind`: what its input was taken for (see `Method`)."""

    path: Path
    bits: int
    recipe: Recipe
    kind: str

    @classmethod
    def left_at(cls, path: Path, enhanced: Enhanced, *, kind: str) -> Result:
        """Leave the pixels there. Raises OSError."""
        items.leave(path, enhanced.pixels)
        return cls(path=path, bits=enhanced.bits, recipe=enhanced.recipe, kind=kind)

    def load(self) -> Enhanced:
        """With its pixels mapped; its warnings have been told. Raises OSError."""
        return Enhanced(pixels=array_file.load(self.path, "r"), bits=self.bits, recipe=self.recipe)


class Opened:
    """One image, from its "open" to its "close".

    `ready`: opening it has come to an end; `last`: so has what was asked of it last, which begins when what was asked
    before has come to its own. `folder`: where its pixels lie, None where that was in vain. `cancelled`: what waits is
    left out; `closed`: for good, and nothing is told of it but that.
    """

    def __init__(self, item: Item) -> None:
        self.item = item
        self.ready = self.last = threading.Event()
        self.folder: Path | None = None
        self.result: Result | None = None
        self.cancelled = self.closed = False


class Shown:
    """The window as the destination of one image: its pixels are left in `folder`, to be mapped, and exported."""

    def __init__(self, folder: Path, image: Opened) -> None:
        self._folder, self._image = folder, image

    def has(self, request: Request, input: str) -> bool:
        """See `Destination`: what is asked for again is made again."""
        return False

    def put(self, made: Made) -> ItemEnhanced:
        """See `Destination`. Raises OSError."""
        index, enhanced = made.request.item.index, made.enhanced
        path = self._folder / f"{index}-{time.monotonic_ns()}.npy"  # a new name: the window may map the last one
        self._image.result = Result.left_at(path, enhanced, kind=made.request.kind)
        if enhanced.marks is not None:
            items.leave(marks_at(path), enhanced.marks)
        found = enhanced.disagreement
        if found is not None:
            items.leave(disagreement_at(path), found.cells)
        remove_results(self._folder, index, but=path)
        return ItemEnhanced(
            index=index,
            input=made.input[: items.SHORT],
            enhanced=str(path),
            bits=enhanced.bits,
            recipe=items.describe(enhanced.recipe),
            seconds=made.request.watch.seconds,
            digest=enhanced.recipe.digest,
            made_by=enhanced.recipe.sha256,
            method_wanted=enhanced.method_wanted,
            disagreement=None if found is None else found.p99,
        )


def remove_results(folder: Path, index: int, *, but: Path | None = None) -> None:
    """Remove what was left of an image in `folder`."""
    for path in folder.glob(f"{index}-*.npy"):
        if but is None or path not in (but, marks_at(but), disagreement_at(but)):
            with contextlib.suppress(OSError):  # Windows keeps what the window still maps; it goes with the session
                path.unlink()


def as_source(decoded: Decoded) -> contextlib.AbstractContextManager[Source]:
    """An image that has been read, and stays, as a source of `process`."""
    return contextlib.nullcontext(Source(sha256=decoded.header.sha256, decoded=contextlib.nullcontext(decoded)))


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
            raise exchanged()
        return decoded


__all__ = ["Opened", "Reading", "Result", "Shown", "as_source", "remove_results"]
