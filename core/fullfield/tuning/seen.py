"""Whether signals are seen with a new model as well as before: `bench detect`, in less than a minute.

36 signals (discs, fracture lines, nodules, edges of a pneumothorax) in a hand and a chest of the kind of input that the
model is for, one dose, 2,048 pixels: the scenes of one seed, so that every model is asked the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from fullfield.bench import detect, displayed
from fullfield.bench.detect import Setting
from fullfield.bench.detect_table import ENOUGH, Cell, Table
from fullfield.bench.displayed import SOURCE, Way
from fullfield.data.scenes.detector import DOSES
from fullfield.image.image import Image, InputKind
from fullfield.image.phantoms.shapes import Plane
from fullfield.image.presets import AUTO
from fullfield.protocol.comparison import PRESET, Seen

SEED, LONGER = 20, 2048


def over(models: Mapping[str, Path], *, kind: str, each: Callable[[], None] = lambda: None) -> tuple[Seen, ...]:
    """The first of the models over each other one, and over the preset. `kind`: of the first one's input; `each` is
    called before each picture and may raise to stop."""

    def asking(show: Callable[[Image, str], Plane]) -> Callable[[Image, str], Plane]:
        def shown(image: Image, part: str) -> Plane:
            each()
            return show(image, part)

        return shown

    ways = [
        Way(name=SOURCE, show=asking(lambda image, part: displayed.source(image))),
        Way(name=PRESET, show=asking(lambda image, part: displayed.preset(image, part, AUTO))),
        *(Way(name=name, show=asking(displayed.of_model(path))) for name, path in models.items()),
    ]
    table = detect.run(tuple(ways), settings(kind), seed=SEED, doses=DOSES[1:2], longer=LONGER)
    new, *others = models
    return tuple(found for name in (*others, PRESET) if (found := _seen(table, new, name)) is not None)


def settings(kind: str) -> tuple[Setting, ...]:
    """The scenes: raw or processed, or one of each for a model of both."""
    scenes = detect.settings(quick=True)
    return scenes if kind == "any" else tuple(replace(one, kind=InputKind(kind)) for one in scenes)


def _seen(table: Table, new: str, other: str) -> Seen | None:
    cells = [cell for cell in table.cells if cell.ratio(new, other) is not None]  # of which both were asked
    line = table.line(new, other, cells)
    if line is None:
        return None
    return Seen(
        over=other,
        signals=line.cells,
        median=line.median,
        lost=_lost(cells, new),
        lost_there=_lost(cells, other),
        inverted=line.inverted,
        inverted_there=sum(cell.inverted(other) for cell in cells),
    )


def _lost(cells: Iterable[Cell], method: str) -> int:
    ratios = [cell.ratio(method, SOURCE) for cell in cells]
    return sum(ratio is not None and ratio < ENOUGH for ratio in ratios)


__all__ = ["over", "settings"]
