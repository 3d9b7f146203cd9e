"""What the form asks: the settings of a training as the user has them now, and what is wrong with each. No widget."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from fullfield.data.survey import Survey
from fullfield.errors import UsageError
from fullfield.plan import spec as specs
from fullfield.plan.spec import TrainSpec
from fullfield_app.gui.train.techniques import Chosen, chosen
from fullfield_app.gui.translation import say_core

NATIVE = specs.NATIVE
SIZES: tuple[int | str, ...] = (512, 1024, 2048, NATIVE)
GRID = 32
NETWORK = "network"
DATA = "data"  # stands for a folder where only the other settings are checked


@dataclass(frozen=True, kw_only=True)
class Choices:
    """`values`: fields of `TrainSpec` that differ from its defaults, but `data` and `techniques`. `chosen`: techniques.

    `gpu`: the card that is planned for: "" for this computer, a name, or an amount of memory. `processes`: how many
    train together, on the setting `device`. `members`: of an ensemble, each trained so; 1: it is none.
    `least`: with how many of several machines that train one network together it goes on; 0: nobody has said.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    chosen: Chosen = field(default_factory=lambda: chosen(specs.USUAL_TECHNIQUES))
    gpu: str = ""
    processes: int = 1
    members: int = 1
    least: int = 0

    def value(self, name: str) -> Any:
        """A setting, as it is or by default."""
        return self.values.get(name, USUAL[name])

    def with_value(self, name: str, value: Any) -> Choices:
        """With another setting."""
        values = {**self.values, name: value}
        if name == NETWORK:  # the defaults of the kind before go with it
            before, after = (specs.own_defaults(str(kind)) for kind in (self.value(NETWORK), value))
            kept = {key: one for key, one in values.items() if key not in before or one != before[key]}
            values = {**after, **kept}
        return replace(self, values={key: one for key, one in values.items() if one != USUAL[key]})

    def spec(self, data: str) -> TrainSpec:
        """The training. Raises UsageError with all mistakes."""
        return TrainSpec(data=data, techniques=self.chosen.texts, **self.values)

    def mistakes(self) -> dict[str, str]:
        """What is wrong, by field; each by itself, so that it can be told where it is typed."""
        found = {}
        for name, value in self.values.items():
            try:
                TrainSpec(data=DATA, **{NETWORK: self.value(NETWORK), name: value})
            except UsageError as error:
                found[name] = _without_name(name, say_core(error.detail))
        conflicts = self.chosen.conflicts()
        return {**found, **({"techniques": conflicts} if conflicts else {})}


USUAL = {item.name: item.default for item in fields(TrainSpec) if item.name != "data"}


def nearest(size: int) -> tuple[int, int]:
    """The multiples of 32 below and above a size that is none: the network pads to the one above."""
    return max(size // GRID * GRID, specs.SMALLEST), -(-size // GRID) * GRID


def shape(choices: Choices, survey: Survey | None) -> tuple[int, int] | None:
    """Height and width of what a step computes on; None where it is native and no data are known.

    Without data the image is taken for square, which is the most that it can be.
    """
    size = choices.value("size")
    if survey is None or not survey.radiographs:
        return None if size == NATIVE else (size, size)
    fitted = [_fitted(one.rows, one.columns, size) for one in survey.radiographs]
    rows, columns = max(one[0] for one in fitted), max(one[1] for one in fitted)
    return max(rows, specs.SMALLEST), max(columns, specs.SMALLEST)


def lowest(choices: Choices, survey: Survey | None) -> int:
    """Rows of the lowest image that is trained on or held back; 0 where none is known."""
    taken = () if survey is None else [one for one in survey.radiographs if not one.rejected]
    return min((_fitted(one.rows, one.columns, choices.value("size"))[0] for one in taken), default=0)


def steps(choices: Choices, survey: Survey) -> int:
    """Optimizer steps of the whole training."""
    return math.ceil(survey.training / int(choices.value("batch"))) * int(choices.value("epochs"))


def _fitted(rows: int, columns: int, size: int | str) -> tuple[int, int]:
    if isinstance(size, str):
        return rows, columns
    scale = size / max(rows, columns)
    return max(1, round(rows * scale)), max(1, round(columns * scale))


def _without_name(name: str, text: str) -> str:
    """`"size 100: MS-SSIM needs …"` → `"MS-SSIM needs …"`: the field stands beside it."""
    head, sign, rest = text.partition(": ")
    plain = rest if sign and head.startswith(name) else text
    return plain[:1].upper() + plain[1:]
