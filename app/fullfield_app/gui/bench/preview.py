"""`fullfield bench preview`: milliseconds from moving a slider to the painted preview of what is in sight.

The window shows a radiograph of 2140×1760 and one of 4288×4288 on a viewport of a laptop, at fit and at 1:1; one
slider is moved step by step, each as soon as the one before has been painted and the window has come to rest.
"""

from __future__ import annotations

import json as jsons
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from PySide6.QtWidgets import QSlider

from fullfield import standard_output
from fullfield.bench import radiographs
from fullfield_app.gui.bench.stage import ENDED, Stage, stage
from fullfield_app.gui.enhance.adjusting import Adjusting
from fullfield_app.gui.enhance.parameter_slider import ParameterSlider
from fullfield_app.gui.view.viewer import Viewer

LONGER = (2140, 4288)
STEPS = 30
LIMIT_MILLISECONDS = 100.0
WAIT_SECONDS = 120.0
REST_SECONDS = 0.06  # between two moves: a hand, and what the paint before has left to do


@dataclass(frozen=True, kw_only=True)
class Figures:
    """One size, one zoom: the first preview (the whole image is measured), then the median and the 95th percentile."""

    columns: int
    rows: int
    zoom: str
    first_milliseconds: float
    median_milliseconds: float
    most_milliseconds: float


def bench(*, json: bool, repeat: int = STEPS) -> int:
    """Measure and print. The exit code is 1 where a median passes the goal."""
    figures: list[Figures] = []
    for longer in LONGER:
        with stage() as window:
            paths = radiographs.make(window.folder / "in", 1, longer=longer, bodies=1)
            window.drop(paths)
            window.run("enhance", lambda: window.states() == [ENDED[0]], seconds=WAIT_SECONDS)
            window.run("settle", _after(2 * REST_SECONDS), seconds=WAIT_SECONDS)
            window.do("adjust")
            figures += [_measure(window, zoom, max(repeat, 3)) for zoom in ("fit", "one_to_one")]
    if json:
        standard_output.write(jsons.dumps({"kind": "preview", "figures": [asdict(one) for one in figures]}) + "\n")
    else:
        standard_output.write(_table(figures))
    return int(any(one.median_milliseconds > LIMIT_MILLISECONDS for one in figures))


def _measure(window: Stage, zoom: str, steps: int) -> Figures:
    window.do(zoom)
    window.run("look", _after(REST_SECONDS), seconds=WAIT_SECONDS)
    rows = window.panel.findChildren(ParameterSlider)
    slider = next(row.findChild(QSlider) for row in rows if row.parameter.key == "detail.gain")
    assert isinstance(slider, QSlider)
    adjusting = window.panel.findChild(Adjusting)
    assert isinstance(adjusting, Adjusting)
    painted: list[float] = []

    def paint() -> None:
        for viewer in window.view.findChildren(Viewer):
            if viewer.isVisible():
                viewer.repaint()
        painted.append(time.perf_counter())

    adjusting.painted.connect(paint)
    taken = []
    slider.setSliderDown(True)  # held: nothing is enhanced in full meanwhile, and the hand never rests for long
    for step in range(steps + 1):
        count, begun = len(painted), time.perf_counter()
        slider.setValue(slider.maximum() * (step + 1) // (steps + 2))
        window.run("preview", lambda: len(painted) > count, seconds=WAIT_SECONDS)  # noqa: B023
        taken.append(1000 * (painted[count] - begun))
        window.run("rest", _after(REST_SECONDS), seconds=WAIT_SECONDS)
    adjusting.painted.disconnect(paint)
    slider.setSliderDown(False)
    window.run("enhance", lambda: window.states() == [ENDED[0]], seconds=WAIT_SECONDS)
    assert adjusting.source is not None
    picture = adjusting.source.picture
    first, *others = taken
    return Figures(
        columns=picture.columns,
        rows=picture.rows,
        zoom="1:1" if zoom == "one_to_one" else zoom,
        first_milliseconds=round(first, 1),
        median_milliseconds=round(statistics.median(others), 1),
        most_milliseconds=round(sorted(others)[int(0.95 * (len(others) - 1))], 1),
    )


def _after(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def _table(figures: list[Figures]) -> str:
    lines = ["From the slider to the painted preview, milliseconds; the goal is a median of at most 100"]
    lines += [f"{'image':>12}{'zoom':>6}{'first':>9}{'median':>9}{'95 %':>9}"]
    for one in figures:
        size = f"{one.columns}×{one.rows}"
        lines.append(
            f"{size:>12}{one.zoom:>6}{one.first_milliseconds:>9.0f}{one.median_milliseconds:>9.0f}"
            f"{one.most_milliseconds:>9.0f}"
        )
    return "\n".join(lines) + "\n"
