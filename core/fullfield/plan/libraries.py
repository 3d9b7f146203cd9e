"""What a training's process holds beside its tensors: libraries, the compiler of the loss, and the rest of Python.

Measured, not assumed: a short-lived process (`fullfield.train.resident`) does on a small image what a training does,
lets go of every tensor and tells what it still holds. The figure is kept in this user's cache by all that decides it,
so it is measured once, some six seconds beside the tracing of a first plan. Imports no torch.
"""

from __future__ import annotations

import functools
import json
import logging
import os
import platform
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import version

from fullfield import __version__, files, interpreter, system
from fullfield.errors import CannotWrite
from fullfield.hardware import devices
from fullfield.techniques.base import Technique

_log = logging.getLogger(__name__)
MODULE = "fullfield.train.resident"
MIB = 2**20
LONGEST_SECONDS = 600.0
USUAL = ("banded_loss",)  # what every plan brings that is not asked for something else


@dataclass(frozen=True, kw_only=True)
class Libraries:
    """Bytes. `begin`: resident before a training has a network; `whole`: when it has done all that it does, without
    its tensors. `measured`: on this machine; else the process that measures could not be run."""

    begin: int
    whole: int
    measured: bool = True


UNMEASURED = Libraries(begin=800 * MIB, whole=920 * MIB, measured=False)


def prepare() -> bool:
    """Begin to measure what most plans need, beside what is done meanwhile; False where it is known."""
    return not isinstance(_measuring(USUAL, str(files.cache_folder())), Libraries)


def held(techniques: Iterable[Technique]) -> Libraries:
    """What a training with these techniques holds beside its tensors."""
    brings = tuple(sorted(one.name for one in techniques if one.brings))
    return _held(brings, str(files.cache_folder()))


def resident() -> int:
    """Bytes that this process holds now, without what nothing uses any more."""
    devices.free_cached()
    return devices.used_bytes()


def more(techniques: Iterable[Technique], resident: int) -> int:
    """Of `resident` bytes, those beyond what a process held when these libraries were measured: it has prepared data,
    or planned more."""
    return max(0, resident - held(techniques).begin)


def keep(brings: tuple[str, ...], found: Libraries) -> None:
    """Note a figure for the next time; where that cannot be, it is measured again then."""
    try:
        files.write_text(files.cache_folder() / _name(brings), json.dumps(asdict(found)))
    except CannotWrite:
        _log.warning("what libraries hold cannot be kept for the next time", exc_info=True)


@functools.cache
def _held(brings: tuple[str, ...], cache: str) -> Libraries:
    measuring = _measuring(brings, cache)
    if isinstance(measuring, Libraries):
        return measuring
    try:
        printed, _ = measuring.communicate(timeout=LONGEST_SECONDS)
        values = json.loads(printed.splitlines()[-1])
        found = Libraries(begin=int(values["begin"]), whole=int(values["whole"]))
    except (subprocess.TimeoutExpired, ValueError, KeyError, IndexError):
        measuring.kill()
        _log.warning("what libraries hold could not be measured")
        return UNMEASURED
    keep(brings, found)
    return found


@functools.cache
def _measuring(brings: tuple[str, ...], cache: str) -> Libraries | subprocess.Popen[bytes]:
    """What is kept, or the process that measures it."""
    try:
        values = json.loads((files.cache_folder() / _name(brings)).read_text(encoding="utf-8"))
        return Libraries(begin=int(values["begin"]), whole=int(values["whole"]))
    except (OSError, ValueError, KeyError, TypeError):
        pass
    try:
        environment = dict(os.environ)
        interpreter.prepare_for_torch(environment)
        return system.spawn_piped([*system.python_command(MODULE), *brings], environment=environment)
    except OSError:
        return UNMEASURED


def _name(brings: tuple[str, ...]) -> str:
    """The file of a figure, by all that decides it."""
    parts = (__version__, version("torch"), platform.python_version(), *brings)
    return f"libraries-{'-'.join(parts)}.json"
