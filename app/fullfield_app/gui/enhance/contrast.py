"""The plot beside the queue, kept in step with what the two views show; no widget of its own."""

from __future__ import annotations

from PySide6.QtCore import QObject

from fullfield_app.gui.bridge.throttle import Throttle
from fullfield_app.gui.enhance.histogram import spread
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import CompareView
from fullfield_app.gui.view.tone import Shown
from fullfield_app.gui.widgets.histogram_plot import Curve, HistogramPlot

REDRAW_MILLISECONDS = 80  # a drag changes the window far more often than a curve can be read


class Contrast(QObject):
    """Draws the spread of the grey levels of both images, soon after they change."""

    def __init__(self, view: CompareView, plot: HistogramPlot, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view, self._plot = view, plot
        self._area: Area | None = None
        self._region = ""
        self._throttle = Throttle(REDRAW_MILLISECONDS, self)
        self._throttle.passed.connect(lambda _: self._draw())
        view.shown_changed.connect(lambda: self._throttle.offer(None))

    def limit(self, area: Area | None, region: str) -> None:
        """Draw those of the region of that number alone; None: of the whole image."""
        self._area, self._region = area, region
        self._throttle.offer(None)

    def _draw(self) -> None:
        curves = [_curve(self._view.shown(side), self._area) for side in Side]
        self._plot.show_curves(curves[0], curves[1], self._region)


def _curve(shown: Shown | None, area: Area | None) -> Curve | None:
    if shown is None:
        return None
    found = spread(shown, area)
    return Curve(places=found.centres, heights=found.shares, contrast=found.contrast)
