"""The left column of the page: what is to be used, the queue, how far it is, and facts about the image one looks at."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from fullfield_app.gui.enhance.choice_bar import ChoiceBar
from fullfield_app.gui.enhance.details import Details
from fullfield_app.gui.enhance.queue_table import QueueTable
from fullfield_app.gui.enhance.queue_view import QueueView
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.histogram_plot import HistogramPlot
from fullfield_app.gui.widgets.progress_line import ProgressLine

PLOT_HEIGHT = 132
DETAILS_HEIGHT = 164


class QueueSide(QWidget):
    """Holds its parts: `choice`, `list`, `progress`, `details`, `plot`; the page connects them."""

    def __init__(self, table: QueueTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Queue"))
        self.choice, self.list, self.progress = ChoiceBar(), QueueView(table), ProgressLine()
        self.details, self.plot = Details(), HistogramPlot()
        self.plot.setFixedHeight(PLOT_HEIGHT)
        self.details.setFixedHeight(DETAILS_HEIGHT)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.choice)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.progress)
        layout.addWidget(self.details)
        layout.addWidget(self.plot)
