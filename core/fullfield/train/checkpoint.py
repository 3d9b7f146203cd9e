"""Checkpoints that survive a kill, a full disk and a flipped bit.

    checkpoints/step-000000120.safetensors   all tensors; the other state as JSON in its metadata
    checkpoints/best-000000096.safetensors   a model file that a kept checkpoint names as its best
    checkpoints/index.json, index.copy.json  the last three, each with the SHA-256 of its file
    checkpoints/lock                         one process at a time

A checkpoint is there whole or not at all: temporary → fsync → rename → fsync of the folder; only then the index names
it, and only then is the oldest removed. Neither safetensors nor torch notices a flipped bit, so the hash is checked
before anything is used; a checkpoint that fails gives way to the one before it, and that is said.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import filelock
import torch
from safetensors import SafetensorError
from safetensors import torch as safetensors
from torch import Tensor

from fullfield import files
from fullfield.errors import CannotWrite, ModelError, UsageError
from fullfield.model.weights import to_bytes

KEPT = 3
VERSION = 1
_INDEXES = ("index.json", "index.copy.json")


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """What was loaded: `tensors` by name, `fields` as plain values, and sentences on what was passed over."""

    tensors: dict[str, Tensor]
    fields: dict[str, Any]
    notices: tuple[str, ...] = ()


class Store:
    """The checkpoints of one run. A context manager: inside, no other process can use the same folder."""

    def __init__(self, run: Path) -> None:
        self.folder = run / "checkpoints"
        self._lock = filelock.FileLock(self.folder / "lock")
        self._entries: list[dict[str, Any]] = []

    def __enter__(self) -> Store:
        """Raises UsageError where another process trains in this folder, CannotWrite where none can be made."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=0)
        except filelock.Timeout as error:
            raise UsageError(
                "Cannot train in this folder.",
                detail="Another process is training in it.",
                hint="Wait for it or stop it, or choose another folder.",
            ) from error
        except OSError as error:
            raise files.cannot_write(error) from error
        files.sweep_parts(self.folder)
        return self

    def __exit__(self, *reason: object) -> None:
        self._lock.release()

    def save(self, step: int, tensors: Mapping[str, Tensor], fields: dict[str, Any], *, best: str = "") -> str:
        """Leave a checkpoint and forget the oldest beyond three; its SHA-256. `best`: the model file it needs.

        Raises ModelError for values that are not finite (nothing is written), CannotWrite (the others stay).
        """
        _require_finite(tensors)
        whole = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
        state = json.dumps({"version": VERSION, **fields}, allow_nan=False)
        content = to_bytes(whole, {"state": state})
        sha256 = hashlib.sha256(content).hexdigest()
        name = f"step-{step:09d}.safetensors"
        with keeping_the_last():
            files.write_bytes(self.folder / name, content)
            entries = [entry for entry in self._entries if entry["file"] != name]
            self._entries = [*entries, {"file": name, "sha256": sha256, "step": step, "best": best}][-KEPT:]
            self._write_index()
        self._forget()
        return sha256

    @property
    def step(self) -> int:
        """The optimizer step of the newest checkpoint; 0 where there is none. Raises ModelError, see `latest`."""
        entries = self._entries or self._read_index()[0]
        return int(entries[-1]["step"]) if entries else 0

    def latest(self) -> Checkpoint | None:
        """The newest checkpoint that is whole; None where none was ever saved.

        Raises ModelError where there were some and all are damaged.
        """
        entries, notices = self._read_index()
        self._entries = list(entries)
        while self._entries:
            entry = self._entries[-1]
            found = self._open(entry)
            if found is not None:
                self._forget()
                return Checkpoint(tensors=found.tensors, fields=found.fields, notices=tuple(notices))
            notices.append(f"The checkpoint of step {entry['step']} is damaged or missing; the one before it is used.")
            self._entries.pop()
        if entries:
            raise ModelError(
                "Cannot go on with this training.",
                detail="All of its checkpoints are damaged.",
                hint="Start it again in a new folder; a model that it has left can be given as its weights.",
            )
        if not self._listed() and any(self.folder.glob("*-*.safetensors")):
            raise ModelError(
                "Cannot go on with this training.",
                detail="The list of its checkpoints is gone, and the checkpoints are still there.",
                hint="Bring checkpoints/index.json back, or start again in a new folder.",
            )
        with keeping_the_last():
            self._write_index()  # from now on a file without a list is no first checkpoint that a kill cut short
        self._forget()
        return None

    def _listed(self) -> bool:
        return any((self.folder / name).exists() for name in _INDEXES)

    def _open(self, entry: dict[str, Any]) -> Checkpoint | None:
        try:
            content = (self.folder / entry["file"]).read_bytes()
            if hashlib.sha256(content).hexdigest() != entry["sha256"]:
                return None
            length = int.from_bytes(content[:8], "little")
            fields = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["state"])
            tensors = safetensors.load(content)
        except (OSError, ValueError, KeyError, TypeError, SafetensorError):
            return None
        return Checkpoint(tensors=tensors, fields=fields) if fields.pop("version", 0) == VERSION else None

    def _read_index(self) -> tuple[list[dict[str, Any]], list[str]]:
        notices: list[str] = []
        there = False
        for name in _INDEXES:
            try:
                values = json.loads((self.folder / name).read_text(encoding="utf-8"))
                entries = values["checkpoints"]
                if all({"file", "sha256", "step", "best"} <= entry.keys() for entry in entries):
                    return entries, notices
            except FileNotFoundError:
                continue
            except (OSError, ValueError, KeyError, TypeError, AttributeError):
                pass
            there = True
            notices.append("The list of checkpoints is damaged; its copy is used.")
        if there:
            raise ModelError(
                "Cannot go on with this training.",
                detail="The list of its checkpoints and its copy are damaged.",
                hint="Start it again in a new folder; a model that it has left can be given as its weights.",
            )
        return [], notices

    def _write_index(self) -> None:
        text = json.dumps({"version": VERSION, "checkpoints": self._entries}, indent=1)
        for name in reversed(_INDEXES):  # the copy first: one of the two is whole at any moment
            files.write_text(self.folder / name, text)

    def _forget(self) -> None:
        """Remove what no entry of the index names."""
        named = {entry["file"] for entry in self._entries} | {entry["best"] for entry in self._entries}
        for pattern in ("step-*.safetensors", "best-*.safetensors"):
            for path in self.folder.glob(pattern):
                if path.name not in named:
                    with contextlib.suppress(OSError):  # costs space alone; the next save tries again
                        path.unlink()


@contextlib.contextmanager
def keeping_the_last() -> Iterator[None]:
    """Say of a file that cannot be written what that means for a training."""
    try:
        yield
    except CannotWrite as error:
        raise CannotWrite(
            "Cannot save a checkpoint.",
            detail=error.detail,
            hint="The last good checkpoint is kept. Free some space, then go on with the training (--resume).",
        ) from error


def _require_finite(tensors: Mapping[str, Tensor]) -> None:
    broken = [name for name, value in tensors.items() if value.is_floating_point() and not torch.isfinite(value).all()]
    if broken:
        raise ModelError(
            "Cannot save a checkpoint.",
            detail=f"The training has diverged: {len(broken)} tensors hold values that are not finite.",
            hint="The last good checkpoint is kept. Start again with a smaller learning rate.",
        )
