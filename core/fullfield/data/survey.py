"""What a data folder holds, in plain values that a window can show before anything is trained.

survey.json     the fields of `Survey`. It names files, for the screen: it lies in a run's private folder and goes
                with it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from fullfield import checked, files
from fullfield.data.index import Problem

SURVEY = "survey.json"


@dataclass(frozen=True, kw_only=True)
class Radiograph:
    """One image to train on. `patient`: a number without meaning, from 1. `own`: it has a reference of its own.

    `held`: it is of the validation part; `rejected`: an expert has said that it is not to be trained on.
    """

    key: str
    sha256: str
    relative: str
    patient: int
    rows: int
    columns: int
    kind: str
    own: bool
    held: bool
    rejected: bool = False


@dataclass(frozen=True, kw_only=True)
class Survey:
    """`origin`: where pairs come from. `problem`: why no split can be made, or empty. `problems`: of the data.

    `use_on`: what the model will be for, "raw", "processed" or "both"; empty where there is nothing to train on.
    """

    radiographs: tuple[Radiograph, ...]
    problems: tuple[Problem, ...]
    origin: str
    problem: str = ""
    use_on: str = ""

    @property
    def patients(self) -> int:
        """How many there are."""
        return len({one.patient for one in self.radiographs})

    @property
    def held(self) -> tuple[int, ...]:
        """The numbers of the patients that are held back for validation."""
        return tuple(sorted({one.patient for one in self.radiographs if one.held}))

    @property
    def training(self) -> int:
        """How many images are learnt from."""
        return sum(not one.held and not one.rejected for one in self.radiographs)


def save(survey: Survey, path: Path) -> None:
    """Leave it, for this user alone."""
    with files.atomic_write(path, private=True) as stream:
        stream.write(json.dumps(asdict(survey)).encode())


def load(path: Path) -> Survey:
    """Raises OSError, ValueError where it is not whole."""
    return checked.make(Survey, checked.parse(path.read_text(encoding="utf-8")))
