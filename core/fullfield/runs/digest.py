"""The figures of a training in a list, and `digest.json`, which keeps them: a long run is read once.

The file names the bytes of events that they are of; where there are more by now, the run is read again.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from fullfield import checked, files
from fullfield.checked import Count, Seconds
from fullfield.errors import CannotWrite
from fullfield.jobs import event_log
from fullfield.runs.run_state import RunSnapshot

FILE = "digest.json"
VERSION = 3


@dataclass(frozen=True, kw_only=True)
class Digest:
    """The figures of a list. `epoch` of `epochs`: of an ensemble, members that are complete. `peak_bytes`: of the card,
    where `on_card`; else of the computer. `seconds`: at work."""

    began: Seconds = 0.0
    seconds: Seconds = 0.0
    epoch: Count = 0
    epochs: Count = 0
    best_loss: float | None = None
    best_epoch: Count = 0
    peak_bytes: Count = 0
    on_card: bool = False
    stepping: bool = False
    ended: str = ""
    techniques: tuple[str, ...] | None = None

    @property
    def kept(self) -> bool:
        """See `RunSnapshot.kept`."""
        return self.stepping or self.epoch > 0


@dataclass(frozen=True, kw_only=True)
class _Kept:
    size: int
    version: int
    digest: Digest


def of_run(folder: Path, tell: Callable[[Path], RunSnapshot]) -> Digest:
    """The figures of a run. `tell`: its state, where it is to be read."""
    size = event_log.size(folder)
    try:
        kept = checked.make(_Kept, checked.parse((folder / FILE).read_bytes()))
        if (kept.size, kept.version) == (size, VERSION):
            return kept.digest
    except (OSError, ValueError):
        pass
    digest = of_state(tell(folder))
    if not folder.is_dir():
        return digest  # somebody has deleted it meanwhile
    with contextlib.suppress(CannotWrite):  # read again the next time
        files.write_text(folder / FILE, json.dumps(asdict(_Kept(size=size, version=VERSION, digest=digest))))
    return digest


def of_state(reported: RunSnapshot) -> Digest:
    """The figures of a run."""
    members = reported.members
    return Digest(
        began=reported.began,
        seconds=round(reported.seconds, 1),
        epoch=sum(one.state == "completed" for one in members) if members else reported.epoch,
        epochs=members[0].members if members else reported.epochs_wanted,
        best_loss=reported.best.validation_loss if reported.best else None,
        best_epoch=reported.best.epoch if reported.best else 0,
        peak_bytes=reported.memory.peak_bytes,
        on_card=reported.memory.on_card,
        stepping=reported.stepping,
        ended=reported.ended,
        techniques=reported.techniques,
    )
