"""The trend file: one line for each measurement, appended to a CSV file of the user's, and what leaves its own history.

A figure's history is what the file holds of the same object, equipment, size of pixels, kind of input and method,
whatever the method's version was: that a new version shows an edge otherwise is what a physicist wants to be told.
Equipment is its maker and model, so that each unit wants a file of its own. A model is its file, by its SHA-256 and not
by its name, which is that of others too: another file begins a history of its own. An edge whose MTF is vertical is
another object; noise, and what follows from it, is held against what was exposed alike. A figure leaves its history
where it is farther from the median than three times the SD that the median absolute deviation stands for, and than 2 %.
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from fullfield import change_lock, csv_text, files, replacing
from fullfield.errors import UsageError
from fullfield.qa.figures import FIGURES
from fullfield.qa.measures import Row

KEY = ("object", "equipment", "kind", "method", "scale")
COLUMNS = ("date", *KEY, "spacing_mm", "exposure_index", "version", "sha256", *FIGURES)

ENOUGH = 5
"""Earlier measurements, from which on there is a history."""

_SDS, _LEAST = 3.0, 0.02
_NO_HISTORY = frozenset({"angle", "mean", "step", "clipped"})  # of how the plate lay, and of the dose
_OF_DOSE = frozenset(
    {"noise", "discs", "contrast", "cnr", *(name for name in FIGURES if name.startswith("nps_"))}
)  # held against those of the same exposure: noise's power goes as one over it


@dataclass(frozen=True, kw_only=True)
class Left:
    """A figure that has left its history: what it is, what it was, and of how many measurements that is the median."""

    row: Row
    figure: str
    value: float
    median: float
    within: float
    count: int

    def text(self) -> str:
        """One sentence."""
        row = self.row
        return (
            f"{row.method} on {row.shows}, {row.kind}: {self.figure} is {self.value:.4g}, and was {self.median:.4g} "
            f"± {self.within:.2g} in {self.count} measurements."
        )


def append(
    path: Path, rows: Iterable[Row], now: datetime, tell: Callable[[tuple[Left, ...]], None] = lambda left: None
) -> tuple[Left, ...]:
    """Append the measured rows to a trend file, which is made where it is not there, and say what has left its history.
    `tell`: is told that before a line is appended; where it fails, none is.

    Columns that are none of ours are left as they are. Raises UsageError where the file is none of ours, CannotWrite.
    """
    measured = [row for row in rows if row.figures]
    with change_lock.held(path, seconds=change_lock.FOREVER):
        text, columns, earlier = _read(path)
        left = tuple(one for row in measured for one in _left(row, earlier))
        tell(left)
        new = io.StringIO()
        writer = csv_text.Writer(new, lineterminator="\n")
        if not text:
            writer.writerow(columns)
        elif not text.endswith("\n"):
            new.write("\n")
        for row in measured:
            line = _line(row, now)
            writer.writerow(line.get(column, "") for column in columns)
        try:
            _add(path, new.getvalue().encode(), anew=not text)
        except OSError as error:
            raise files.cannot_write(error) from error
    return left


def read(path: Path) -> list[dict[str, str]]:
    """The lines of a trend file; none where it is not there. Raises UsageError where it is none of ours, or its folder
    is not there."""
    replacing.refuse_no_folder(path, _none_of_ours(""))  # before the lock, which would make it
    with change_lock.held(path, seconds=change_lock.FOREVER):
        return _read(path)[2]


def _read(path: Path) -> tuple[str, Sequence[str], list[dict[str, str]]]:
    """Its text, "" where there is none, its columns and lines. Raises UsageError where it is none of ours."""
    try:
        text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        if not text.strip():
            return "", COLUMNS, []
        table = csv.DictReader(io.StringIO(text), strict=True)
        columns, lines = table.fieldnames or (), list(table)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise _none_of_ours("It cannot be read as text.") from error
    missing = [column for column in COLUMNS if column not in columns]
    if missing or any(None in line or None in map(line.get, COLUMNS) for line in lines):
        raise _none_of_ours(f"It has no column {missing[0]}." if missing else "One of its lines has not all columns.")
    return text, columns, lines


def _add(path: Path, content: bytes, *, anew: bool) -> None:
    """Where the file is, whole or not at all: links, its mode and its owner stay. Raises OSError."""
    with path.open("wb" if anew else "ab", buffering=0) as stream:
        before = stream.tell()
        try:
            while content:  # after a short write the next one says why
                content = content[stream.write(content) :]
            os.fsync(stream.fileno())
        except OSError:
            stream.truncate(before)
            raise


def _none_of_ours(detail: str) -> UsageError:
    return UsageError(
        "Cannot append to the trend file.",
        detail=detail,
        hint="Name a new file, or one that `fullfield qa --trend` has written.",
    )


def _line(row: Row, now: datetime) -> dict[str, str]:
    values = {
        "date": now.isoformat(timespec="seconds"),
        **_key(row),
        "spacing_mm": _spacing(row),
        "exposure_index": "" if row.exposure_index is None else f"{row.exposure_index:g}",
        "version": row.version,
        "sha256": row.sha256,
    }
    return {**values, **{name: f"{row.figures[name]:.6g}" if name in row.figures else "" for name in FIGURES}}


def _key(row: Row) -> dict[str, str]:
    equipment = str(csv_text.neutral(row.equipment))
    method = str(csv_text.neutral(row.method))
    return {"object": row.shows, "equipment": equipment, "kind": row.kind, "method": method, "scale": row.scale}


def _spacing(row: Row) -> str:
    return "" if row.spacing_mm is None else f"{row.spacing_mm:g}"


def _left(row: Row, earlier: list[dict[str, str]]) -> Iterable[Left]:
    key = {**_key(row), "spacing_mm": _spacing(row)}
    if row.of_model:
        key["sha256"] = row.sha256
        del key["method"]
    own = [line for line in earlier if all(line[name] == value for name, value in key.items())]
    alike = [line for line in own if _exposed_alike(row.exposure_index, _number(line["exposure_index"]))]
    for figure, value in row.figures.items():
        if figure in _NO_HISTORY:
            continue
        history = np.array([_number(line[figure]) for line in (alike if figure in _OF_DOSE else own)])
        history = history[np.isfinite(history)]
        if history.size < ENOUGH:
            continue
        median = float(np.median(history))
        spread = 1.4826 * float(np.median(np.abs(history - median)))
        within = max(_SDS * spread, _LEAST * abs(median))
        if abs(value - median) > within:
            yield Left(row=row, figure=figure, value=value, median=median, within=within, count=history.size)


def _exposed_alike(one: float | None, other: float) -> bool:
    """By the Exposure Index; without one in either nobody knows better."""
    return math.isnan(other) if one is None else abs(other - one) <= _LEAST * one


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


__all__ = ["COLUMNS", "ENOUGH", "Left", "append", "read"]
