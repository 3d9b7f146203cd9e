"""`fullfield bench drop`: seconds from letting a radiograph go above the window to its pixels on the screen.

The worker is warm and has read a file before; each file's content is new to it. Its pixels are there when the first
paint of the view that shows them is done; what the enhanced one takes is told beside it.
"""

from __future__ import annotations

import json as jsons
import statistics
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QObject

from fullfield import standard_output
from fullfield.bench import radiographs
from fullfield_app.gui.bench.stage import ENDED, Stage, stage
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.viewer import Viewer

LONGER = 2140
LIMIT_SECONDS = 0.5
WAIT_SECONDS = 120.0


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Medians over `count` files of `columns` × `rows` pixels, and the slowest, in seconds."""

    count: int
    columns: int
    rows: int
    on_screen: float
    slowest_on_screen: float
    enhanced_on_screen: float


class _Paints(QObject):
    """Notices when a view that shows pixels has been painted."""

    def __init__(self, window: Stage) -> None:
        super().__init__()
        self._window = window
        self._begun = 0.0
        self.seconds: dict[Side, float] = {}
        for viewer in window.view.findChildren(Viewer):
            viewer.installEventFilter(self)

    def begin(self) -> None:
        """From now on."""
        self._begun, self.seconds = time.perf_counter(), {}

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the view paint, then look at what it shows."""
        if event.type() != QEvent.Type.Paint:
            return False
        watched.removeEventFilter(self)
        watched.event(event)
        watched.installEventFilter(self)
        for side in Side:
            if self._window.view.shown(side) is not None:
                self.seconds.setdefault(side, time.perf_counter() - self._begun)
        return True


def bench(*, json: bool, repeat: int = 5) -> int:
    """Measure and print. The exit code is 1 where the median passes the goal."""
    with stage() as window:
        paths = radiographs.make(window.folder / "in", repeat + 1, longer=LONGER, bodies=1)
        paints = _Paints(window)
        _drop(window, paints, paths[0])  # from here on the worker is warm
        shape = (0, 0)
        seconds = []
        for path in paths[1:]:
            seconds.append(_drop(window, paints, path))
            shown = window.view.shown(Side.BEFORE)
            shape = (shown.picture.columns, shown.picture.rows) if shown is not None else shape
    figures = Figures(
        count=repeat,
        columns=shape[0],
        rows=shape[1],
        on_screen=statistics.median(before for before, _ in seconds),
        slowest_on_screen=max(before for before, _ in seconds),
        enhanced_on_screen=statistics.median(after for _, after in seconds),
    )
    if json:
        standard_output.write(jsons.dumps(asdict(figures)) + "\n")
    else:
        standard_output.write("".join(f"{name:<20}{value:8.2f}\n" for name, value in asdict(figures).items()))
    return int(figures.on_screen > LIMIT_SECONDS)


def _drop(window: Stage, paints: _Paints, path: Path) -> tuple[float, float]:
    """Drop one file on an empty list; when it and its result are on the screen."""
    queue = window.panel.work.queue
    window.panel.work.remove([row.index for row in queue.rows()])
    window.run("emptied", lambda: window.view.shown(Side.BEFORE) is None, seconds=WAIT_SECONDS)
    paints.begin()
    window.drop([path])
    window.run(
        "dropped",
        lambda: len(paints.seconds) == len(Side) and all(state in ENDED for state in window.states()),
        seconds=WAIT_SECONDS,
    )
    return paints.seconds[Side.BEFORE], paints.seconds[Side.AFTER]
