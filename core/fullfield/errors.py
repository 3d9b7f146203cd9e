"""The errors that people read.

Every error says what was being done and with what (`title`), what is wrong (`detail`) and what to do (`hint`).
Foreign exceptions are translated into these where they enter; one place per front end shows them.
The exit codes are the command line's contract.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """What the process tells its caller."""

    ALL_DONE = 0
    UNEXPECTED = 1
    USAGE = 2
    NO_RADIOGRAPHS = 3
    NO_INPUT_USABLE = 4
    INPUT_UNREADABLE = 5
    OUTPUT_INVALID = 6
    CANNOT_WRITE = 7
    SOME_FAILED = 8
    MODEL = 9
    OUT_OF_MEMORY = 10
    DEVICE = 11
    PART_MISSING = 12
    INTERRUPTED = 130


class FullfieldError(Exception):
    """An error with a text for people.

    `title`: what was being done, with what. `detail`: what is wrong. `hint`: what to do about it.
    None of the three ever carries a patient's value or an absolute path: they are shown, saved and logged.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.UNEXPECTED

    def __init__(self, title: str, *, detail: str = "", hint: str = "") -> None:
        self.title, self.detail, self.hint = title, detail, hint
        super().__init__(" ".join(part for part in (title, detail, hint) if part))

    def as_fields(self) -> dict[str, str]:
        """The `error` object of an `ItemFailed` event."""
        return {"title": self.title, "detail": self.detail, "hint": self.hint}


class UsageError(FullfieldError):
    """An option, a form or a setting is wrong."""

    exit_code = ExitCode.USAGE


class InputUnreadable(FullfieldError):
    """The input is missing, truncated, damaged or cannot be decoded."""

    exit_code = ExitCode.INPUT_UNREADABLE


class InputRefused(FullfieldError):
    """The input can be read, and is not something that this program enhances or trains on."""

    exit_code = ExitCode.NO_INPUT_USABLE


class NoRadiographs(FullfieldError):
    """Among what was named there is nothing to enhance."""

    exit_code = ExitCode.NO_RADIOGRAPHS


class OutputInvalid(FullfieldError):
    """The chosen output folder cannot be used."""

    exit_code = ExitCode.OUTPUT_INVALID


class CannotWrite(FullfieldError):
    """A file could not be written: disk full, read-only, no permission."""

    exit_code = ExitCode.CANNOT_WRITE


class ModelError(FullfieldError):
    """A model file is missing, mismatched or has been tampered with."""

    exit_code = ExitCode.MODEL


class ResultDoubtful(FullfieldError):
    """The result of a preset is doubtful, and such ones are not wanted (`--strict`): the image is of no use to it."""

    exit_code = ExitCode.NO_INPUT_USABLE


class OutOfMemory(FullfieldError):
    """Memory ran out, and no smaller way is left."""

    exit_code = ExitCode.OUT_OF_MEMORY


class DeviceUnavailable(FullfieldError):
    """The device that was asked for is not here, or its driver is too old."""

    exit_code = ExitCode.DEVICE


class MissingPart(FullfieldError):
    """What was asked for needs a part of the program that is not installed here; see `fullfield.parts`."""

    exit_code = ExitCode.PART_MISSING


class Interrupted(FullfieldError):
    """The user stopped the run; what was done is kept."""

    exit_code = ExitCode.INTERRUPTED


class WorkerDied(FullfieldError):
    """A worker or decoder process ended without an answer."""


class RankLost(FullfieldError):
    """Another process of the same run has ended, so this one cannot go on."""

    HINT: ClassVar[str] = (
        "Most often that is want of memory: go on (--resume) with fewer processes or --fit AMOUNT. A smaller --size or "
        "--batch needs a new folder."
    )


__all__ = [
    "CannotWrite",
    "DeviceUnavailable",
    "ExitCode",
    "FullfieldError",
    "InputRefused",
    "InputUnreadable",
    "Interrupted",
    "MissingPart",
    "ModelError",
    "OutOfMemory",
    "OutputInvalid",
    "RankLost",
    "ResultDoubtful",
    "UsageError",
    "WorkerDied",
]
