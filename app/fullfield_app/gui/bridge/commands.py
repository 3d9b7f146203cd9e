"""What the window asks of its session worker, as frozen values: they cross a thread and, as plain fields, a process."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Open:
    """Decode item `index`: the file `source`, or the member `source` of the ZIP `archive`."""

    index: int
    source: str
    archive: str = ""


@dataclass(frozen=True, kw_only=True)
class Enhance:
    """Enhance the opened item `index` with `choice`: "auto", a preset's name, or a model's file."""

    index: int
    choice: str


@dataclass(frozen=True, kw_only=True)
class Export:
    """Write the enhanced item `index` to `target` in `format`; an existing file stays unless `overwrite`."""

    index: int
    target: str
    format: str
    overwrite: bool = False


@dataclass(frozen=True, kw_only=True)
class Cancel:
    """Leave out what has been asked for `indexes` and has not begun."""

    indexes: tuple[int, ...]


Command = Open | Enhance | Export | Cancel


def to_fields(command: Command) -> dict[str, Any]:
    """The command as the worker reads it."""
    values = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(command).items()}
    return {"command": type(command).__name__.lower(), **values}
