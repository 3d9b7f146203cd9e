"""The folders that the program writes into: writable, private, and with room left on their disks."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from fullfield import files, system
from fullfield.diagnosis.check import bad, good, warn
from fullfield.diagnosis.redact import from_home
from fullfield.errors import FullfieldError
from fullfield.protocol.checks import CheckMade
from fullfield.units import format_bytes

LEAST_FREE = 200 << 20
LITTLE_FREE = 5 << 30  # the cache may take some gigabytes, and so do the checkpoints of a training


def checks(more: Mapping[str, str]) -> Iterator[CheckMade]:
    """Our own folders, and those that the front end names: `{title: path}`."""
    yield _check("cache", "Folder of decoded images", files.cache_folder, private=True)
    yield _check("runs", "Folder of runs", files.runs_folder, private=True)
    yield _check("temporary", "Folder for temporary files", lambda: Path(tempfile.gettempdir()))
    for number, (title, path) in enumerate(more.items()):
        yield _check(f"folder-{number}", title, partial(Path, path))


def _check(key: str, title: str, find: Callable[[], Path], *, private: bool = False) -> CheckMade:
    try:
        folder = find()
        there = _nearest(folder)
        with tempfile.TemporaryFile(dir=there) as stream:
            stream.write(b"\0" * 4096)
        free = shutil.disk_usage(there).free
    except FullfieldError as error:
        return bad(key, title, f"It cannot be used: {error.detail or error.title}", error.hint or _CHOOSE)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else type(error).__name__
        return bad(key, title, f"It cannot be written. The system says: {reason}.", _CHOOSE)
    text = f"{from_home(folder)}: writable, {format_bytes(free)} free on its disk."
    if free < LEAST_FREE:
        return bad(key, title, text, "Free some space on this disk.")
    if free < LITTLE_FREE:
        return warn(key, title, text, "Free some space on this disk: trainings and decoded images need some gigabytes.")
    if private and system.readable_by_others(folder):
        hint = "Let this user alone read it (chmod 700): images of patients and names of their files lie in it."
        return warn(key, title, f"{text} Other users of this computer can read it.", hint)
    return good(key, title, text)


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there: it is made when it is first needed."""
    return next(one for one in (folder, *folder.parents) if one.is_dir())


_CHOOSE = "Free some space, or give this user the right to write into it."
