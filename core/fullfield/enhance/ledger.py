"""What an output folder already holds: `.fullfield/results.jsonl`, one durable line per finished item.

"Done before" means: the same input content, the same settings and model, and the output that was written then is still
there as it was. No file name stands in the ledger, only hashes.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from dataclasses import asdict, dataclass
from pathlib import Path

import filelock

from fullfield import files
from fullfield.errors import OutputInvalid

FOLDER = ".fullfield"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One finished item: SHA-256 of the input, of the settings, of the output's relative path and of its content."""

    input: str
    settings: str
    name: str
    output: str


class Ledger:
    """The ledger of one output folder, locked against a second run of ours into the same folder.

    Raises OutputInvalid when another run holds the lock, or when the folder cannot be written.
    """

    def __init__(self, out: Path) -> None:
        self._out, self._folder = out, out / FOLDER
        self.parts = self._folder / "parts"
        try:
            self.parts.mkdir(parents=True, exist_ok=True)
            self._run = filelock.FileLock(self._folder / "run.lock")
            self._run.acquire(timeout=0)
        except filelock.Timeout as error:
            raise OutputInvalid(
                "Cannot write into the output folder.",
                detail="Another run of Fullfield is writing into it.",
                hint="Wait for it, or choose another folder.",
            ) from error
        except OSError as error:
            raise OutputInvalid(
                "Cannot write into the output folder.",
                detail=f"The system says: {error.strerror}.",
                hint="Choose a folder that you may write to.",
            ) from error
        self._empty_parts()
        self._lock = threading.Lock()
        self._entries: dict[str, list[Entry]] = {}
        for entry in self._read():
            self._entries.setdefault(entry.name, []).append(entry)

    def close(self) -> None:
        """Let the folder go, and leave nothing but the ledger."""
        self._empty_parts()
        with contextlib.suppress(OSError):
            self.parts.rmdir()
        with contextlib.suppress(OSError):  # while it is held: filelock sees through an unlinked file. Not on Windows
            Path(self._run.lock_file).unlink()
        self._run.release()

    def done_before(self, target: Path, *, input: str, settings: str) -> bool:
        """True when `target` is the whole, unchanged result of the same input and settings."""
        entries = [e for e in self._known(target) if (e.input, e.settings) == (input, settings)]
        return bool(entries) and target.is_file() and files.sha256(target) in {e.output for e in entries}

    def may_replace(self, target: Path) -> bool:
        """True when nothing is at `target`, or a result of ours that nobody has changed since."""
        if not target.exists():
            return True
        return target.is_file() and files.sha256(target) in {entry.output for entry in self._known(target)}

    def publish(self, staged: Path, target: Path, *, input: str, settings: str) -> None:
        """Move the finished file `staged` (in `parts`) to `target`.

        The ledger's line is durable before the file appears, so that a run killed between the two finds, when it is
        started again, either a file that it knows or none.
        """
        entry = Entry(input=input, settings=settings, name=self._name(target), output=files.sha256(staged))
        try:
            with self._lock:
                files.append_line(self._folder / "results.jsonl", json.dumps(asdict(entry)), durable=True)
                self._entries.setdefault(entry.name, []).append(entry)
            files.move(staged, target)
        except OSError as error:
            raise files.cannot_write(error) from error

    def _known(self, target: Path) -> list[Entry]:
        return self._entries.get(self._name(target), [])

    def _empty_parts(self) -> None:
        for part in self.parts.iterdir():  # only a killed run leaves any, and the lock is ours
            with contextlib.suppress(OSError):
                part.unlink()

    def _name(self, target: Path) -> str:
        relative = target.relative_to(self._out).as_posix()
        return hashlib.sha256(relative.encode("utf-8", "surrogateescape")).hexdigest()

    def _read(self) -> list[Entry]:
        try:
            lines = (self._folder / "results.jsonl").read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []
        entries = []
        for line in lines:
            try:
                entries.append(Entry(**json.loads(line)))
            except (ValueError, TypeError):  # the last line of a killed run may be cut
                continue
        return entries
