"""Running the real command, as a script of the IT department would."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "fullfield_app"]
VERDICTS = ("ItemDone", "ItemSkipped", "ItemFailed")


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a caller sees of a finished command."""

    code: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    def of(self, *kinds: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["kind"] in kinds]


def fullfield(*arguments: object, **environment: str) -> Result:
    """Run `fullfield` to its end."""
    return _run(COMMAND, arguments, environment)


def python(*arguments: object, **environment: str) -> Result:
    """Run Python itself to its end."""
    return _run(COMMAND[:1], arguments, environment)


def _run(command: list[str], arguments: Iterable[object], environment: Mapping[str, str]) -> Result:
    done = subprocess.run(
        [*command, *map(str, arguments)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
        timeout=300,
    )
    return Result(code=done.returncode, out=done.stdout, err=done.stderr)


def batch(source: Path, out: Path, *options: object, **environment: str) -> Result:
    """Run `fullfield --batch source -o out --json`."""
    return fullfield("--batch", source, "-o", out, "--json", *options, **environment)


def contents(folder: Path) -> dict[str, str]:
    """Every file that a user sees below `folder`, with the hash of its content."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".fullfield" not in path.parts
    }
