"""Gradings on disk: one JSON file each in this user's data folder, written after every answer; the CSV at the end."""

from __future__ import annotations

import contextlib
import io
import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from fullfield import change_lock, checked, csv_text, files
from fullfield.errors import CannotWrite, InputUnreadable
from fullfield.grading.statistics import SCORES, Outcome
from fullfield.grading.study import Study, scores
from fullfield.image.method import Method

VERSION = 1
COLUMNS = (
    "session",
    "image",
    "position",
    "reader",
    "criterion",
    "reference",
    "test",
    "score",
    "shown_as",
    "test_side",
    "clicked",
)


STATISTICS = (
    "criterion",
    "pairs",
    "mean",
    "mean_low",
    "mean_high",
    "median",
    "better",
    "equal",
    "worse",
    "share_better",
    "share_low",
    "share_high",
    "p",
    *(f"answers_{score:+d}" if score else "answers_0" for score in SCORES),
)


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A grading in the folder: where it lies, and what it is."""

    path: Path
    study: Study


def save(study: Study, path: Path, *, over: Study | None = None) -> None:
    """Write it, whole or not at all, for this user alone, over what the file was known to hold. Raises CannotWrite,
    also where another window has changed it since."""
    with change_lock.held(path.with_name("gradings")):
        if path.exists() and load(path) not in (over, study):
            raise CannotWrite(
                "Cannot keep the grading.",
                detail="Another window has changed it since it was opened here.",
                hint="Close it here, and resume it from the same menu.",
            )
        with files.in_own_folder("gradings"), files.atomic_write(path, private=True) as stream:
            stream.write(json.dumps({"version": VERSION, **asdict(study)}, indent=1).encode())


def load(path: Path) -> Study:
    """Raises InputUnreadable where the file is damaged or of a newer version."""
    try:
        return _from_table(checked.parse(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise InputUnreadable(
            "Cannot read a saved grading.",
            detail="Its file is damaged, or a newer version of the program wrote it.",
            hint="Begin a new grading.",
        ) from error


def kept() -> tuple[Kept, ...]:
    """All gradings that can be read, the latest first."""
    found = []
    for path in sorted(files.gradings_folder().glob("*.json"), reverse=True):
        with contextlib.suppress(InputUnreadable):
            found.append(Kept(path=path, study=load(path)))
    return tuple(found)


def free_path(started: str) -> Path:
    """A name for a new grading, from its date and time alone."""
    stem = "".join(sign if sign.isdigit() else "-" for sign in started)
    folder, count = files.gradings_folder(), 1
    while (path := folder / (f"{stem}.json" if count == 1 else f"{stem}-{count}.json")).exists():
        count += 1
    return path


def table(study: Study) -> str:
    """The answers as CSV, one line per pair, criterion and reader. `score`: + where the test image was better."""
    text = io.StringIO()
    writer = csv_text.Writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for score in scores(study):
        pair, reading = study.pairs[score.pair], study.readings[score.reader]
        writer.writerow(
            (
                study.started,
                pair.image,
                pair.position,
                reading.reader or score.reader + 1,
                study.criteria[score.criterion],
                score.answer.reference or _named(pair.reference),
                score.answer.test or _named(pair.test),
                score.score,
                score.place + 1,
                "left" if score.test_left else "right",
                score.clicked,
            )
        )
    return text.getvalue()


def statistics(outcomes: Iterable[Outcome]) -> str:
    """What came out as CSV, one line per criterion; a cell is empty where there are too few pairs to say.

    `low` and `high` are the ends of 95 % intervals; `share_better` is of the pairs that differ.
    """
    text = io.StringIO()
    writer = csv_text.Writer(text, lineterminator="\n")
    writer.writerow(STATISTICS)
    for one in outcomes:
        mean, share = one.mean_interval or (None, None), one.share_interval or (None, None)
        better = one.better / one.decided if one.decided else None
        numbers = (one.mean, *mean, one.median, one.better, one.equal, one.worse, better, *share, one.p, *one.counts)
        writer.writerow((one.criterion, one.n, *map(_cell, numbers)))
    return text.getvalue()


def _cell(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.6g}"


def _named(method: Method | None) -> str:
    """A method without the folder that a model or a preset lies in."""
    if method is None:
        return "original"
    return Path(method.choice).stem + (" (changed)" if method.changes else "")


def _from_table(values: object) -> Study:
    if checked.make(_Stored, values).version > VERSION:
        raise ValueError("a newer version")
    study = checked.make(Study, values)
    for reading in study.readings:
        if len(reading.answers) != len(study.pairs) or any(
            len(answer.clicked) != len(study.criteria) for answer in reading.answers
        ):
            raise ValueError("answers that fit no pair")
    if not (study.readings and study.pairs and study.criteria):
        raise ValueError("nothing to grade")
    return study


@dataclass(frozen=True, kw_only=True)
class _Choice:
    choice: str


@dataclass(frozen=True, kw_only=True)
class _Shown:
    reference: _Choice | None
    test: _Choice | None


@dataclass(frozen=True, kw_only=True)
class _Stored:
    """What a file says that is not taken as usual where it is missing."""

    version: int
    pairs: tuple[_Shown, ...]
