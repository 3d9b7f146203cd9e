"""What is done with one image on its way (see `fullfield.enhance.process`): found, read, said, described.

An item is known by its place in the job; no name of the user's leaves this module but in the output's own path.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fullfield import __version__, array_file, files, log, parts
from fullfield.dicom.members import Archives
from fullfield.dicom.read import Content, Decoder
from fullfield.dicom.refusals import no_file
from fullfield.dicom.remarks import IN_ITS_LINE
from fullfield.dicom.write import remarks
from fullfield.errors import FullfieldError, InputUnreadable, OutOfMemory
from fullfield.image.cache import Decoded
from fullfield.image.image import InputKind, Pixels, Recipe
from fullfield.image.presets import AUTO
from fullfield.protocol import events
from fullfield.protocol.batch import Item
from fullfield.protocol.events import ItemFailed, ItemWarned

SHORT = 12
_log = logging.getLogger(__name__)


@contextlib.contextmanager
def located(item: Item, archives: Archives) -> Iterator[Path]:
    """The file on disk that holds the item; a ZIP's member lies, bounded, in the private cache meanwhile.

    Raises InputUnreadable, InputRefused, CannotWrite.
    """
    if item.archive:
        with archives.member(Path(item.archive), item.source) as path:
            yield path
    else:
        yield _ordinary(Path(item.source))


def _ordinary(path: Path) -> Path:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise InputUnreadable(
            "Cannot read the file.", detail=f"The system says: {error.strerror}.", hint="Check that it is still there."
        ) from error
    if not stat.S_ISREG(mode):
        raise no_file(path)
    return path


def decode(decoder: Decoder, path: Path, content: Content | None = None) -> Decoded:
    """Read the file, and have the log forget whose it is. Raises InputRefused, InputUnreadable."""
    decoded = decoder.decode(path, content)
    log.remember((*decoded.header.patient.identifiers(), *decoded.header.secrets))
    return decoded


def as_kind(decoded: Decoded, kind: str) -> Decoded:
    """The image taken for "raw" or "processed" whatever its file looks like; "auto": as the reader found it."""
    if kind == AUTO:
        return decoded
    return replace(decoded, image=decoded.image.as_kind(InputKind(kind), "The user says so."))


def leave(path: Path, pixels: Pixels | NDArray[np.uint8]) -> None:
    """Leave pixels as a .npy to be mapped, whole or not at all. Raises OSError."""
    try:
        array_file.save(path, pixels)
    except OSError:
        path.unlink(missing_ok=True)
        raise


def explain(error: Exception) -> FullfieldError:
    """Whatever stopped an item, as an error for people; what nobody foresaw goes to the log, without its values."""
    match error:
        case FullfieldError():
            return error
        case MemoryError():
            return OutOfMemory(
                "Cannot enhance the image.",
                detail="Memory ran out.",
                hint="Close other programs, enhance fewer images at once, or take a preset instead of a model.",
            )
        case OSError(errno=int()):  # else a library says it, as of one that is not loaded
            return files.cannot_write(error)
    missing = parts.missing(error)
    if missing is not None:
        return missing
    _log.error("an item failed", exc_info=error)
    return FullfieldError(
        "Cannot work on the image.",
        detail=f"An error that we did not foresee: {log.describe(error)}.",
        hint="Try again; the other images are not affected.",
    )


def failed(index: int, error: Exception) -> ItemFailed:
    """The verdict on an item that `error` stopped, whatever it is."""
    return events.failed(index, "", explain(error))


def source_warnings(index: int, decoded: Decoded) -> list[ItemWarned]:
    """What the user should know of the file that was read, its damage first. Raises CannotWrite (see `remarks`)."""
    short = decoded.header.sha256[:SHORT]
    found = [
        ItemWarned(index=index, input=short, text=text, in_its_line=text in IN_ITS_LINE)
        for text in (*decoded.header.warnings, *remarks(decoded))
    ]
    if decoded.image.damage:
        found.insert(0, ItemWarned(index=index, input=short, text=decoded.image.damage, damaged=True))
    return found


def settings_hash(**settings: Any) -> str:
    """The SHA-256 of all that decides an output but its input; with it a run knows what is done before."""
    text = json.dumps({"product": __version__, **settings}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def describe(recipe: Recipe) -> str:
    """What was done, in words for people."""
    return ", ".join(part for part in (f"{recipe.method} {recipe.name} {recipe.version}", recipe.lessened) if part)


class Stopwatch:
    """Seconds since it was made."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._start = clock, clock()

    @property
    def seconds(self) -> float:
        """Elapsed wall time."""
        return round(self._clock() - self._start, 3)
