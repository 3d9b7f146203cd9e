"""Two spreads of grey levels over each other, before and after. pyqtgraph comes in after the window is there."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label

BEFORE, AFTER = "#e69f00", "#56b4e9"  # told apart by the colour-blind too (Okabe & Ito 2008), and by the line's style
Curve = tuple[Any, Any, float]


def load() -> None:
    """Import pyqtgraph; half a second of work, for a background task."""
    import pyqtgraph  # noqa: F401 - into the process, for `HistogramPlot.attach`


class HistogramPlot(QWidget):
    """Draws what it is given; before `attach` it keeps it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Contrast before and after"))
        self._curves: tuple[Any, Any] | None = None
        self._given: tuple[Curve | None, Curve | None] = (None, None)
        self._build()

    def attach(self) -> None:
        """Build the plot; `load` has been done."""
        import pyqtgraph

        plot = pyqtgraph.PlotWidget(background=None)
        name(plot, self.tr("Plot of grey levels before and after"))
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.setMenuEnabled(False)
        plot.setMouseEnabled(False, False)
        plot.hideButtons()
        plot.setXRange(0, 100, padding=0)
        plot.getAxis("left").hide()
        plot.getAxis("bottom").setTicks([[(0, self.tr("black")), (50, "50 %"), (100, self.tr("white"))]])
        plot.getAxis("bottom").setTextPen(self.palette().placeholderText().color())
        plot.getAxis("bottom").setPen(self.palette().mid().color())
        before = pyqtgraph.mkPen(BEFORE, width=1.5, style=Qt.PenStyle.DashLine)
        self._curves = (plot.plot(pen=before), plot.plot(pen=pyqtgraph.mkPen(AFTER, width=1.8)))
        self.layout().addWidget(plot)  # type: ignore[union-attr]  # set in _build
        self.show_curves(*self._given)

    def show_curves(self, before: Curve | None, after: Curve | None) -> None:
        """Grey levels, shares in percent and contrast in percent of each."""
        self._given = (before, after)
        for label, text, curve in (
            (self._before, self.tr("Before"), before),
            (self._after, self.tr("After"), after),
        ):
            label.setText(self.tr("{side} {contrast} %").format(side=text, contrast=f"{curve[2]:.1f}") if curve else "")
            label.setAccessibleDescription(label.text())
        if self._curves is not None:
            for item, curve in zip(self._curves, (before, after), strict=True):
                # The root keeps a large dark background from flattening the rest.
                item.setData(curve[0], curve[1] ** 0.5) if curve else item.setData([], [])

    def _build(self) -> None:
        title = plain_label(self.tr("RMS contrast"), object_name="quiet")
        name(title, self.tr("RMS contrast, caption"))
        self._before, self._after = plain_label(object_name="before"), plain_label(object_name="after")
        name(self._before, self.tr("Contrast before"))
        name(self._after, self.tr("Contrast after"))
        row = QWidget()
        name(row, self.tr("Contrast in numbers"))
        line = QHBoxLayout(row)
        line.setContentsMargins(8, 4, 8, 0)
        line.addWidget(title)
        line.addStretch()
        line.addWidget(self._before)
        line.addSpacing(8)
        line.addWidget(self._after)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(row)
