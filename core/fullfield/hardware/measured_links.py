"""What links of this computer were measured to be, kept in this user's cache for the next plan of the same place.

A place is what decides how ranks talk: over NCCL where each has a card of its own, else over gloo, with tensors of a
card that several share, of the processor, or of both (`named.kind`).
"""

from __future__ import annotations

import hashlib
import json
import logging
import platform
from pathlib import Path

from fullfield import checked, files
from fullfield.errors import CannotWrite
from fullfield.hardware import devices
from fullfield.hardware.links import Link
from fullfield.protocol.plan import MEASURED

_log = logging.getLogger(__name__)


def apart(device: str, ranks: int, kind: str) -> bool:
    """Whether each of so many ranks on `device`, whose devices are of this kind, has a card of its own."""
    return kind == "cuda" and devices.sharing(device, ranks) == 1


def keep(kind: str, ranks: int, link: Link, *, apart: bool) -> None:
    """Note the figures for the next time; where that cannot be, they are estimated again then."""
    kept = _read() | {_place(kind, ranks, apart): [link.seconds, link.bytes_per_second]}
    try:
        files.write_text(_file(), json.dumps(kept))
    except CannotWrite:
        _log.warning("what a link was measured to be cannot be kept for the next time", exc_info=True)


def known(kind: str, ranks: int, *, apart: bool) -> Link | None:
    """What was measured last between as many ranks on devices of this kind; None where nothing was."""
    try:
        seconds, rate = map(float, _read()[_place(kind, ranks, apart)])
    except (KeyError, TypeError, ValueError):
        return None
    return Link(name="here", seconds=seconds, bytes_per_second=rate, source=MEASURED) if rate > 0.0 else None


def _place(kind: str, ranks: int, apart: bool) -> str:
    return f"{kind} {'apart' if apart else 'shared'} {ranks}"


def _read() -> checked.Fields:
    try:
        kept = checked.parse(_file().read_bytes())
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _file() -> Path:
    """Of this computer: the folder may be one that several share."""
    return files.cache_folder() / f"links-{hashlib.sha256(platform.node().encode()).hexdigest()[:12]}.json"
