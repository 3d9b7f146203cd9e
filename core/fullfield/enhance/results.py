"""What an output folder is known to hold, and where a result goes: a name belongs to the content of its input.

`.fullfield/results.jsonl` has one line per result that was written, of SHA-256 alone. `Results` only reads it;
`fullfield.enhance.ledger` writes. A result takes the place of the same input's result and of no other:
where the name that it should have is another input's, it gets the next free number ("a_enhanced-2.dcm"), and the next
time finds itself there.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePath
from typing import TypeVar

from fullfield import files
from fullfield.errors import OutputInvalid

FOLDER = ".fullfield"
FILE = "results.jsonl"
GAP = 64  # numbers in a row that are neither known nor there: behind them no result of an input is looked for
_NUMBER = re.compile(r"(?<=.)-([2-9]|[1-9]\d+)\Z")
_P = TypeVar("_P", bound=PurePath)


class Holds(Enum):
    """What lies under a name: nothing, the same input's result as it was written, another input's, or a file that we
    did not write or that was changed since."""

    NOTHING = "nothing"
    OWN = "own"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One finished item: SHA-256 of the input, of the settings, of the output's relative path and of its content."""

    input: str
    settings: str
    name: str
    output: str


@dataclass(frozen=True, kw_only=True)
class Place:
    """A name for a result, and what it `holds` now; `settings`: what its file was made with, where that is OWN."""

    path: Path
    holds: Holds
    settings: frozenset[str] = frozenset()


def numbered(path: _P, number: int) -> _P:
    """`path` with `number` at the end of its stem, in place of the one that it has; 1: without one."""
    tail = f"-{number}" if number > 1 else ""
    return path.with_name(f"{_NUMBER.sub('', path.stem)}{tail}{path.suffix}")


def number_of(path: PurePath) -> int:
    """The number at the end of a name's stem; 1 where there is none."""
    found = _NUMBER.search(path.stem)
    return int(found[1]) if found else 1


def _never(path: Path) -> bool:
    return False


class Results:
    """The results that were written below the folder `out`. Raises OutputInvalid where what is known of them is there
    and cannot be read."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._names: dict[str, frozenset[str]] = {}
        for entry in _read(out / FOLDER / FILE):
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Another one is written."""
        self._entries[entry.name] = (*self._entries.get(entry.name, ()), entry)
        self._names[entry.input] = self._names.get(entry.input, frozenset()) | {entry.name}

    def name(self, path: Path) -> str:
        """How `path` is called in the file: no name of a user's stands there."""
        relative = path.relative_to(self._out).as_posix()
        return hashlib.sha256(relative.encode("utf-8", "surrogateescape")).hexdigest()

    def find(self, target: Path, *, input: str, taken: Callable[[Path], bool] = _never, anew: bool = False) -> Place:
        """Where the result of the input with this SHA-256 goes that should be called `target`.

        Where it was before, under whatever number (not looked for where it is written `anew`); else `target`, unless
        that is `taken` or another input's: then under the next free number.
        """
        found = None if anew else self.own(target, input, taken)
        if found is None:
            found = self._at(target, input)
            if found.holds is Holds.OTHER or taken(target):
                return Place(path=self.free(target, taken), holds=Holds.NOTHING)
        return found

    def free(self, target: Path, taken: Callable[[Path], bool] = _never) -> Path:
        """`target` with the next number under which nothing lies."""
        later = (numbered(target, number) for number in itertools.count(number_of(target) + 1))
        return next(path for path in later if not os.path.lexists(path) and not taken(path))

    def own(self, target: Path, input: str, taken: Callable[[Path], bool] = _never) -> Place | None:
        """Where this input's result lies; else where it lay, or lies and was changed; None: it was never written."""
        spare = None
        for path in self._named(target, self._names.get(input, frozenset())):
            found = self._at(path, input)
            if taken(path) or found.holds is Holds.OTHER:
                continue
            if found.holds is Holds.OWN:
                return found
            spare = spare or found
        return spare

    def _named(self, target: Path, names: frozenset[str]) -> Iterator[Path]:
        """`target` under every number whose name is one of `names`, its own first."""
        left, apart = set(names), 0
        for number in itertools.chain((number_of(target),), itertools.count(1)):
            if not left or apart > GAP:
                return
            path = numbered(target, number)
            name = self.name(path)
            if name in left:
                left.discard(name)
                yield path
            apart = 0 if name in self._entries or os.path.lexists(path) else apart + 1

    def _at(self, path: Path, input: str) -> Place:
        known = self._entries.get(self.name(path), ())
        if not os.path.lexists(path):
            return Place(path=path, holds=Holds.NOTHING)
        if not known:
            return Place(path=path, holds=Holds.UNKNOWN)
        if all(entry.input != input for entry in known):
            return Place(path=path, holds=Holds.OTHER)
        content = _content(path)  # the lines may be of several inputs: an earlier version let one replace another
        mine = frozenset(entry.settings for entry in known if (entry.input, entry.output) == (input, content))
        if mine:
            return Place(path=path, holds=Holds.OWN, settings=mine)
        others = any(entry.output == content for entry in known)
        return Place(path=path, holds=Holds.OTHER if others else Holds.UNKNOWN)


def unknown(error: OSError) -> OutputInvalid:
    """The list of a folder's results cannot be read or written."""
    return OutputInvalid(
        "Cannot write into the output folder.",
        detail=f"What is known of its results cannot be read. The system says: {error.strerror}.",
        hint="Have somebody give you the right to read and write .fullfield/results.jsonl in it, or choose "
        "another folder.",
    )


def _content(path: Path) -> str:
    """The SHA-256 of a file; "" of what cannot be read."""
    try:
        return files.sha256(path)
    except OSError:
        return ""


def _read(path: Path) -> Iterator[Entry]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except (FileNotFoundError, NotADirectoryError):  # no folder, no results: writing into it raises the error
        return
    except OSError as error:
        raise unknown(error) from error
    for line in lines:
        try:
            yield Entry(**json.loads(line))
        except (ValueError, TypeError):  # the last line of a killed run may be cut
            continue
