"""The left column of the page: what is to be used, the queue, how far it is, and facts about the image one looks at."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from fullfield_app.gui.enhance.choice_bar import ChoiceBar
from fullfield_app.gui.enhance.details import Details
from fullfield_app.gui.enhance.filter_bar import FilterBar
from fullfield_app.gui.enhance.queue_tree import QueueTree
from fullfield_app.gui.enhance.queue_view import QueueView
from fullfield_app.gui.enhance.where_bar import WhereBar
from fullfield_app.gui.measure.panel import MeasurePanel
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.histogram_plot import HistogramPlot
from fullfield_app.gui.widgets.progress_line import ProgressLine

PLOT_HEIGHT = 108
DETAILS_HEIGHT = 164
LEAST_DETAILS, LEAST_LIST = 64, 170  # in a low window: some facts, which scroll, and three images


class QueueSide(QWidget):
    """Holds its parts: `choice`, `where`, `filter`, `list`, `progress`, `details`, `plot`; the page connects them."""

    def __init__(self, tree: QueueTree, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Queue"))
        self.choice, self.list, self.progress = ChoiceBar(), QueueView(tree), ProgressLine()
        self.filter, self.details, self.plot = FilterBar(), Details(), HistogramPlot()
        self.measure, self.where = MeasurePanel(), WhereBar(self.choice.caption)
        self.plot.setFixedHeight(PLOT_HEIGHT)
        self.details.setMinimumHeight(LEAST_DETAILS)
        self.details.setMaximumHeight(DETAILS_HEIGHT)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.choice)
        layout.addWidget(self.where)
        layout.addWidget(self.filter)
        layout.addWidget(self.list, 2)  # of little room the list gets the most
        layout.addWidget(self.progress)
        layout.addWidget(self.details, 1)
        layout.addWidget(self.measure)
        layout.addWidget(self.plot)
        self.filter.left.connect(self.list.setFocus)
        self.list.all_asked.connect(self.filter.clear)
        self.show_measure(False)

    def show_measure(self, shown: bool, *, line: bool = False) -> None:
        """Numbers of regions and lines in place of what is known of the image, a profile in place of the plot."""
        self.measure.setVisible(shown)
        self.details.setVisible(not shown)
        self.list.setMinimumHeight(0 if shown else LEAST_LIST)
        self.plot.setVisible(not (shown and line))
