"""Prepared pairs that are damaged or missing in the cache, made anew from their sources while a training reads them.

What is made must be what was recorded, to the bit: a training that goes on would else be another one.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from fullfield import files
from fullfield.data import prepare, prepared
from fullfield.data.index import Reader
from fullfield.data.prepare import Looked, Maker, Request
from fullfield.data.prepared import Item
from fullfield.errors import InputRefused, InputUnreadable, UsageError

MOST_REPORTED = 20  # pairs made anew, one sentence each

_HINT = "Connect the folder of images as it was, then go on with the training (--resume); or start a new training."


class Mender:
    """Makes pairs of `folder`, which `request` was prepared into, anew: to be called with an item.

    `reader`: opens what decodes their sources. `tell` gets a sentence for each pair; `pause` is called meanwhile
    and may raise to stop. Callable from any thread.
    """

    def __init__(
        self,
        request: Request,
        folder: Path,
        reader: Callable[[], AbstractContextManager[Reader]],
        *,
        tell: Callable[[str], None],
        pause: Callable[[], None],
    ) -> None:
        self._request, self._folder, self._reader = request, folder, reader
        self._tell, self._pause = tell, pause
        self._lock = threading.Lock()
        self._looked: Looked | None = None
        self._count = 0

    def __call__(self, item: Item) -> None:
        """Leave all arrays of this pair as they were. Raises InputUnreadable where that cannot be, CannotWrite, and
        what `pause` raises."""
        with self._lock:
            contents = self._made(item)
            if contents is None or tuple(hashlib.sha256(one).hexdigest() for one in contents) != item.sha256:
                raise _refused(item, "its source is not there any more, or gives another image now.")
            for part, content in zip(item.parts, contents, strict=True):
                files.write_bytes(prepared.array_path(self._folder, item.key, part), content)
            self._say(item)

    def _made(self, item: Item) -> tuple[bytes, ...] | None:
        try:
            with self._reader() as reader:
                if self._looked is None:  # once: whatever is damaged besides comes from the same folder
                    self._looked = prepare.look(self._request, reader, progress=lambda *_: self._pause())
                self._pause()
                pair = next((pair for pair in self._looked.judged.pairing.pairs if pair.key == item.key), None)
                if pair is None:
                    return None
                made, _ = Maker(self._looked, self._folder, reader).planes(pair)
                return tuple(prepared.encoded(plane) for plane in made.arrays)
        except (InputRefused, InputUnreadable, UsageError) as error:
            raise _refused(item, error.detail or error.title) from error

    def _say(self, item: Item) -> None:
        self._count += 1
        if self._count <= MOST_REPORTED:
            self._tell(
                f"The prepared image {item.key[:8]} was damaged or missing in the cache; "
                "it was made anew from its source and is the same again."
            )
        if self._count == MOST_REPORTED:
            self._tell("More damaged images are made anew without being told each.")


def _refused(item: Item, why: str) -> InputUnreadable:
    return InputUnreadable(
        "Cannot use the prepared training data.",
        detail=f"The prepared image {item.key[:8]} is damaged or missing, and it cannot be made anew: {why}",
        hint=_HINT,
    )
