"""How many frames a second a window drag gives: 200 mouse events on two 4288×4288 images, each followed by its paint.

`python -m fullfield_app.gui.drag_rate` tells it for the images fitted to 1920×1080 and at 1:1.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from fullfield_app.gui.view.compare_view import CompareView, Mode
from fullfield_app.gui.view.picture import Picture, open_result
from fullfield_app.gui.view.viewer import Side, Viewer

PIXELS = 4288
VIEWPORT = (1920, 1080)
EVENTS = 200


@dataclass(frozen=True, kw_only=True)
class Rate:
    """Frames a second of one drag: `median`, and `slow`, which 95 of 100 frames are faster than.

    By the wall's clock, and in `…_cpu` by the thread's own, which a busy machine does not slow.
    """

    mode: str
    zoom: str
    median: float
    slow: float
    median_cpu: float
    slow_cpu: float


def measure() -> list[Rate]:
    """Both modes, fitted and at 1:1. Needs a QApplication."""
    rates = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        pictures = [_picture(Path(folder) / f"{side}.npy", seed) for seed, side in enumerate(Side)]
        view = CompareView()
        view.resize(*VIEWPORT)
        view.show()
        for side, picture in zip(Side, pictures, strict=True):
            view.show_side(side, picture)
        for mode in Mode:
            view.set_mode(mode)
            for zoom, look in (("fit", view.fit), ("1:1", view.one_to_one)):
                look()
                QApplication.processEvents()
                viewer = next(item for item in view.findChildren(Viewer) if item.isVisible())
                wall, cpu = zip(*_drag(viewer), strict=True)
                rates.append(
                    Rate(
                        mode=mode.value,
                        zoom=zoom,
                        median=_rate(wall, 50),
                        slow=_rate(wall, 95),
                        median_cpu=_rate(cpu, 50),
                        slow_cpu=_rate(cpu, 95),
                    )
                )
        view.close()
    return rates


def _rate(seconds: tuple[float, ...], percent: float) -> float:
    return round(1 / float(np.percentile(seconds, percent)), 1)


def _drag(viewer: Viewer) -> list[tuple[float, float]]:
    start = QPointF(viewer.width() / 3, viewer.height() / 3)
    _send(viewer, QEvent.Type.MouseButtonPress, start)
    seconds = []
    for step in range(EVENTS):
        wall, cpu = time.perf_counter(), time.thread_time()
        _send(viewer, QEvent.Type.MouseMove, start + QPointF(step % 160 - 80, (step * 3) % 120 - 60))
        QApplication.processEvents()  # the paint that the move asked for
        seconds.append((time.perf_counter() - wall, time.thread_time() - cpu))
    _send(viewer, QEvent.Type.MouseButtonRelease, start)
    return seconds


def _send(viewer: Viewer, kind: QEvent.Type, place: QPointF) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    button = none if kind == QEvent.Type.MouseMove else left
    held = none if kind == QEvent.Type.MouseButtonRelease else left
    where = QPointF(viewer.mapToGlobal(place.toPoint()))
    event = QMouseEvent(kind, place, where, button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(viewer, event)


def _picture(path: Path, seed: int) -> Picture:
    noise = np.random.default_rng(seed)
    pixels = noise.integers(0, 16384, (PIXELS, PIXELS), dtype=np.uint16)
    pixels += (np.arange(PIXELS) * 8).astype(np.uint16)
    np.save(path, pixels)
    return open_result(path, 16)


def main() -> None:
    """Tell the rates, one JSON object per line."""
    application = QApplication(sys.argv[:1])
    for rate in measure():
        sys.stdout.write(json.dumps(asdict(rate)) + "\n")
    application.quit()


if __name__ == "__main__":
    main()
