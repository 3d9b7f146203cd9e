"""Checkpoints that survive a kill, a full disk and a flipped bit.

    checkpoints/step-000000120.safetensors   all tensors; the other state as JSON in its metadata
    checkpoints/best-000000096.safetensors   a model file that a kept checkpoint names as its best
    checkpoints/index.json, index.copy.json  the last three, each with the SHA-256 of its file
    checkpoints/lock                         one process at a time

A checkpoint is there whole or not at all: temporary → fsync → rename → fsync of the folder; only then the index names
it, and only then is the oldest removed. A step that is saved again has a file of its own, with one more zero in its
name. Neither safetensors nor torch notices a flipped bit, so the hash is checked before anything is used; a checkpoint
that fails gives way to the one before it, and that is said.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import filelock
import torch
from torch import Tensor

from fullfield import checked, files
from fullfield.checked import Fields
from fullfield.errors import CannotWrite, ModelError, UsageError
from fullfield.model import tensor_file
from fullfield.model.tensor_file import Content
from fullfield.train.checkpoint_file import VERSION, Checkpoint, Entry, cannot_go_on, is_entry, parsed, unreadable

KEPT = 3
_INDEXES = ("index.json", "index.copy.json")
_STEPS, _BESTS = "step-*.safetensors", "best-*.safetensors"
_ADOPTED = "The list of checkpoints is empty; those that lie there are whole and are used."
_LIST_GONE = "The list of its checkpoints is gone, and the checkpoints are still there."
_START_AGAIN = "Start it again in a new folder; a model that it has left can be given as its weights."


class Store:
    """The checkpoints of one run. A context manager: inside, no other process can use the same folder.

    `writes`: False for the ranks that only read what another one saves.
    """

    def __init__(self, run: Path, *, writes: bool = True) -> None:
        self.folder = run / "checkpoints"
        self._writes = writes
        self._lock = filelock.FileLock(self.folder / "lock")
        self._entries: list[Entry] = []
        self._spared: frozenset[str] = frozenset()

    def __enter__(self) -> Store:
        """Raises UsageError where another process trains in this folder, CannotWrite where none can be made."""
        if not self._writes:
            return self
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
        _sweep_results(self.folder.parent)
        return self

    def __exit__(self, *reason: object) -> None:
        if self._writes:
            _sweep_results(self.folder.parent)  # what was too new when this training was resumed at once
        self._lock.release()

    def save(self, step: int, tensors: Mapping[str, Tensor], fields: Fields, *, best: str = "") -> str:
        """Leave a checkpoint and forget the oldest beyond three; its SHA-256. `best`: the model file it needs.

        Raises ModelError for values that are not finite (nothing is written), CannotWrite (the others stay). Of a store
        that does not write, "".
        """
        if not self._writes:
            return ""
        _require_finite(tensors, self)
        state = json.dumps({"version": VERSION, **fields}, allow_nan=False)
        listed = [entry["file"] for entry in self._entries]
        names = (f"step-{step:0{digits}d}.safetensors" for digits in itertools.count(9))
        name = next(name for name in names if name not in listed)  # the list's hash is of what it names
        with keeping_the_last(self):
            sha256 = tensor_file.write(self.folder / name, Content(tensors, {"state": state}))
            entries = [entry for entry in self._entries if entry["step"] != step]
            entries.append({"file": name, "sha256": sha256, "step": step, "best": best})
            self._entries = entries[-KEPT:]
            self._write_index()
        self._forget()
        return sha256

    @property
    def step(self) -> int:
        """The optimizer step of the newest checkpoint; 0 where there is none. Raises ModelError, see `latest`."""
        entries = self._entries or self._read_index()[0]
        return int(entries[-1]["step"]) if entries else 0

    def hint(self, do: str) -> str:
        """What to `do`, and what is kept."""
        return " ".join(("The last good checkpoint is kept.", do)) if self.step else do

    def begun(self) -> Fields | None:
        """The fields of the newest checkpoint whose header can be read: by which settings, on which images. Quick, and
        nothing is written; whether the file is whole is `latest`'s to say. None where there is none."""
        for entry in reversed(self._entries or self._read_index()[0]):
            try:
                with (self.folder / entry["file"]).open("rb") as stream:
                    header = checked.parse(stream.read(int.from_bytes(stream.read(8), "little")))
                fields = checked.parse(header["__metadata__"]["state"])
            except (OSError, ValueError, KeyError, TypeError, OverflowError, MemoryError):
                continue
            if isinstance(fields, dict) and {"spec", "data"} <= fields.keys():
                return fields
        return None

    @property
    def newest(self) -> Entry | None:
        """What the list says of the checkpoint that `latest` has found; None where there is none."""
        return self._entries[-1] if self._entries else None

    @property
    def has_steps(self) -> bool:
        """A checkpoint lies there, whole or not, or did: the list names it. Raises ModelError, see `latest`."""
        return any(self.folder.glob(_STEPS)) or bool(self._entries or self._read_index()[0])

    def latest(self) -> Checkpoint | None:
        """The newest checkpoint that is whole; None where none was ever saved.

        Raises ModelError where there were some and all are damaged, and where one cannot be read now: nothing is then
        removed.
        """
        if any(path.is_dir() for path in self._files()):
            raise cannot_go_on(
                "A folder has the name of a checkpoint.", "Move it out of the folder checkpoints of this run."
            )
        entries, notices = self._read_index()
        if not entries and any(self.folder.glob(_STEPS)):
            entries, notices = self._adopted(), [*notices, _ADOPTED]
        self._entries = list(entries)
        while self._entries:
            entry = self._entries[-1]
            found = self._open(entry)
            if found is not None:
                if self._writes:
                    self._forget()
                return Checkpoint(tensors=found.tensors, fields=found.fields, notices=tuple(notices))
            notices.append(f"The checkpoint of step {entry['step']} is damaged or missing; the one before it is used.")
            self._entries.pop()
        if entries:
            raise cannot_go_on("All of its checkpoints are damaged.", _START_AGAIN)
        if not self._listed() and any(self._files()):
            raise cannot_go_on(_LIST_GONE, "Bring checkpoints/index.json back, or start again in a new folder.")
        self._spared = frozenset(path.name for path in self._files())
        if self._writes:
            with keeping_the_last(self):
                self._write_index()  # from now on a file without a list is no first checkpoint that a kill cut short
        return None

    def _files(self) -> Iterator[Path]:
        """What lies where checkpoints and best models do, listed or not."""
        for pattern in (_STEPS, _BESTS):
            yield from self.folder.glob(pattern)

    def _listed(self) -> bool:
        return any((self.folder / name).exists() for name in _INDEXES)

    def _adopted(self) -> list[Entry]:
        """Entries for the checkpoints that no list names, though there are lists: a kill came between the first file
        and its list, or the lists were emptied. Raises ModelError where no file is a whole checkpoint."""
        if not self._listed():
            raise cannot_go_on(_LIST_GONE, "Bring checkpoints/index.json back, or start again in a new folder.")
        entries: list[Entry] = []
        for path in sorted(self.folder.glob(_STEPS)):
            whole = self._whole(path.name)
            step = path.stem.removeprefix("step-")
            if whole is not None and step.isdecimal():
                sha256, found = whole
                best = (found.fields.get("progress") or {}).get("best") or {}
                entries.append({"file": path.name, "sha256": sha256, "step": int(step), "best": best.get("file", "")})
        if not entries:
            raise cannot_go_on(
                "The list of its checkpoints is empty, and the checkpoints that are still there are damaged.",
                _START_AGAIN,
            )
        return sorted(entries, key=lambda entry: entry["step"])[-KEPT:]

    def _open(self, entry: Entry) -> Checkpoint | None:
        """The checkpoint of an entry; None where it is damaged or missing. Raises ModelError where it cannot be read
        now: a disk or a share may give it again."""
        whole = self._whole(entry["file"], sha256=entry["sha256"])
        return whole[1] if whole is not None else None

    def _whole(self, name: str, *, sha256: str = "") -> tuple[str, Checkpoint] | None:
        """The SHA-256 of a file, and the checkpoint in it; None where it is missing, none, or has not this `sha256`."""
        path = self.folder / name
        try:
            digest = files.sha256(path)
            found = parsed(path) if sha256 in ("", digest) else None
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unreadable("One of its checkpoints cannot be read now.", error) from error
        return (digest, found) if found is not None else None

    def _read_index(self) -> tuple[list[Entry], list[str]]:
        notices: list[str] = []
        refused: OSError | None = None
        there = False
        for name in _INDEXES:
            try:
                values = json.loads((self.folder / name).read_text(encoding="utf-8"))
                entries = values["checkpoints"]
                if isinstance(entries, list) and all(map(is_entry, entries)):
                    return entries, notices
            except FileNotFoundError:
                continue
            except OSError as error:
                refused = error
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                pass
            there = True
            notices.append("The list of checkpoints is damaged; its copy is used.")
        if refused is not None:
            raise unreadable("The list of its checkpoints cannot be read now.", refused) from refused
        if there:
            raise cannot_go_on("The list of its checkpoints and its copy are damaged.", _START_AGAIN)
        return [], notices

    def _write_index(self) -> None:
        text = json.dumps({"version": VERSION, "checkpoints": self._entries}, indent=1)
        for name in reversed(_INDEXES):  # the copy first: one of the two is whole at any moment
            files.write_text(self.folder / name, text)

    def _forget(self) -> None:
        """Remove what no entry of the index names, but for what was there before any did."""
        named = {entry["file"] for entry in self._entries} | {entry["best"] for entry in self._entries}
        for path in self._files():
            if path.name not in named | self._spared:
                with contextlib.suppress(OSError):  # costs space alone; the next save tries again
                    path.unlink()


def _sweep_results(run: Path) -> None:
    """Remove the models and samples that a killed training left half written, but for what others may be writing there
    now: the window a run's name, for instance."""
    for folder in (run, *run.glob("samples/*")):
        files.sweep_parts(folder, idle=files.IDLE_SECONDS)


@contextlib.contextmanager
def keeping_the_last(store: Store) -> Iterator[None]:
    """Say of a file that cannot be written what that means for a training."""
    try:
        yield
    except CannotWrite as error:
        hint, number = error.hint, getattr(error.__cause__, "errno", None)
        if number == errno.EFBIG:
            hint = store.hint("Have that limit raised, then go on with the training (--resume).")
        elif number is None or number in files.NO_ROOM:  # who has written less than wanted may not say why
            hint = store.hint("Free some space, then go on with the training (--resume).")
        elif not files.is_gone(error.__cause__):
            hint = store.hint(
                "Check the disk, the network and your permissions, then go on with the training (--resume): "
                "nothing was removed."
            )
        raise CannotWrite("Cannot save a checkpoint.", detail=error.detail, hint=hint) from error


def _require_finite(tensors: Mapping[str, Tensor], store: Store) -> None:
    broken = [name for name, value in tensors.items() if value.is_floating_point() and not torch.isfinite(value).all()]
    if broken:
        raise ModelError(
            "Cannot save a checkpoint.",
            detail=f"The training has diverged: {len(broken)} tensors hold values that are not finite.",
            hint=store.hint("Start again with a smaller learning rate."),
        )
