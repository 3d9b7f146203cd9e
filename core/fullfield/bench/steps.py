"""Steps of the three scenarios: asked of processes of their own (`fullfield.bench.step`), each measured once.

The scenarios are those of Liu et al. 2023, An Evaluation of Memory Optimization Methods for Training Neural Networks
(arXiv 2303.14633): larger inputs at a least throughput, larger throughput in the same memory, cost beside latency.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fullfield import files, system
from fullfield.bench import machine as machines
from fullfield.bench import report
from fullfield.bench.machine import Machine
from fullfield.bench.report import Cell, Column
from fullfield.bench.rows import Rows
from fullfield.bench.sets import Choice
from fullfield.checked import Fields
from fullfield.errors import FullfieldError
from fullfield.memory.account import Shape
from fullfield.units import format_bytes, parse_bytes

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SOURCE = (
    "After Liu et al. 2023, An Evaluation of Memory Optimization Methods for Training Neural Networks "
    "(arXiv 2303.14633). A step is a whole optimizer step on noise, in a process of its own; the median counts."
)
MIB = 2**20
LONG_SECONDS = 20.0  # a step that takes longer is timed once
_T = TypeVar("_T", bound="DataclassInstance")
_MODULE = "fullfield.bench.step"
_MOST_SECONDS = 3600.0


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What all steps of a scenario share. `budget`: an amount of memory in words; "" for what is free."""

    encoder: str = "resnet34"
    device: str = "auto"
    threads: int = 0
    budget: str = ""
    repeat: int = 5
    only: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of `batch` images: see `fullfield.bench.step.Answer`. `refused`: impossible at this batch and size."""

    batch: int
    fits: bool
    reason: str
    seconds: float | None
    predicted: int | None
    peak: int | None
    techniques: tuple[str, ...]
    refused: bool

    @property
    def images_per_second(self) -> float:
        """0 where it did not run."""
        return self.batch / self.seconds if self.seconds else 0.0


class Steps:
    """Measures steps on this machine, and remembers them in a folder."""

    def __init__(self, setting: Setting, folder: Path) -> None:
        """Raises UsageError for a budget that cannot be read, FullfieldError where the device is not here."""
        self.setting, self.folder = setting, folder
        self._budget = parse_bytes(setting.budget) if setting.budget else 0
        self.machine: Machine = machines.look(setting.device, setting.threads)
        self._free = self.machine.card.free_bytes >> 30 << 30  # whole GiB: so much is free again another time
        self._rows = Rows(folder, {"bench": "step", **self.machine.key(), "encoder": setting.encoder})

    def take(self, choice: Choice, *, size: int, batch: int) -> Step:
        """The step of a set at `size`×`size` pixels."""
        key: Fields = {
            "techniques": None if choice.planner else list(choice.techniques),
            "height": size,
            "width": size,
            "batch": batch,
            "budget": self._budget or self._free,
            "repeat": self.setting.repeat,
        }
        name = f"{choice.name} {size} {batch}"
        try:
            row = self._rows.found(name, key) or self._ask(key)
        except FullfieldError as error:  # costs this step alone, not all that were measured for its row
            return _died(batch, f"{error.title} {error.detail}".strip())
        if "died" in row:  # not kept, for nobody knows whether it would again
            return _died(batch, row["died"])
        self._rows.keep(name, key, row)
        return Step(batch=batch, **{**row, "techniques": tuple(row["techniques"])})

    def shape(self, size: int, batch: int = 1) -> Shape:
        """Of a step, for who asks techniques whether they are possible."""
        return Shape(height=size, width=size, batch=batch, encoder=self.setting.encoder)

    def facts(self) -> dict[str, Cell]:
        """What all steps share, in words."""
        budget = self._budget or self._free
        return {
            "network": self.setting.encoder,
            **self.machine.facts(),
            "memory": f"{format_bytes(budget)} at most{'' if self._budget else ' (what was free)'}",
            "steps": f"median of {self.setting.repeat}; of those longer than {LONG_SECONDS:.0f} s, one",
        }

    def _ask(self, key: Mapping[str, Any]) -> Fields:
        machine = self.machine
        here = {"encoder": self.setting.encoder, "device": machine.device, "threads": machine.threads}
        question = {**key, **here}
        command = [*system.python_command(_MODULE), json.dumps(question)]
        return machines.last_line(command, seconds=_MOST_SECONDS)


def _died(batch: int, why: str) -> Step:
    nothing: Fields = {"seconds": None, "predicted": None, "peak": None, "techniques": (), "refused": False}
    return Step(batch=batch, fits=False, reason=why, **nothing)


def split(given: Mapping[str, Any], setting: Setting, own: _T) -> tuple[Setting, _T]:
    """The settings that all scenarios share, and those of one, with what options give by name."""
    shared = {item.name for item in fields(setting)}
    rest = {name: value for name, value in given.items() if name not in shared}
    return replace(setting, **{name: value for name, value in given.items() if name in shared}), replace(own, **rest)


def folder_of(bench: str, out: Path | None, *, quick: bool) -> Path:
    """Where the results of benches lie: one folder for all, and another one for quick ones. Raises OutputInvalid where
    the report of `bench` would replace files of others."""
    folder = files.private_folder(out or files.runs_folder() / ("bench-quick" if quick else "bench"))
    report.refuse_other(folder, bench)
    return folder


def cells(step: Step) -> dict[str, Cell]:
    """What every table says of a step, see `COLUMNS`."""
    return {
        "images_per_second": step.images_per_second or None,
        "seconds": step.seconds,
        "predicted": None if step.predicted is None else step.predicted / MIB,
        "peak": None if step.peak is None else step.peak / MIB,
    }


COLUMNS = (
    Column(name="images_per_second", title="images/s", digits=3),
    Column(name="seconds", title="s per step", digits=2),
    Column(name="predicted", title="predicted MiB", meaning="what torch is reckoned to give out for the whole step."),
    Column(
        name="peak",
        title="measured MiB",
        meaning="what torch gave out: weights, optimizer, gradients, maps, workspace.",
    ),
)
