"""The processes of a training below each other: a row each, and in a sentence who waits for whom."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from fullfield.runs.rank_curves import RankSnapshot
from fullfield_app.gui.runs import rank_strip, rank_words
from fullfield_app.gui.runs.legend import Legend
from fullfield_app.gui.runs.rank_strip import RankStrip
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import ElidedLabel, plain_label


class RankRow(QWidget):
    """One process: its name and memory, the picture of it, what it does."""

    def __init__(self, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = self.tr("Row of process {number}").format(number=number)
        name(self, row)
        self._title, self._memory, self._doing = ElidedLabel(), plain_label(), ElidedLabel()
        self._title.setObjectName("message-title")
        self._doing.setObjectName("quiet")
        name(self._title, self.tr("{row}, title").format(row=row))
        name(self._memory, self.tr("{row}, memory").format(row=row))
        name(self._doing, self.tr("{row}, what it does").format(row=row))
        self._strip = RankStrip(self.tr("{row}, drawn").format(row=row))
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._memory)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addWidget(self._strip)
        layout.addWidget(self._doing)

    def show_rank(self, rank: RankSnapshot, *, highest: float, live: bool) -> None:
        """Show this; `highest`: see `RankStrip`."""
        title, memory, doing = rank_words.title(rank), rank_words.memory(rank), rank_words.doing(rank, live=live)
        self._title.show_text(title)
        self._memory.setText(memory)
        self._doing.show_text(doing)
        look = "trouble" if rank.lost else "quiet"
        if self._doing.objectName() != look:
            self._doing.setObjectName(look)
            self._doing.style().unpolish(self._doing)
            self._doing.style().polish(self._doing)
        self._strip.show_rank(rank, highest=highest, waits=live, says=f"{title}: {memory}")


class RankList(QWidget):
    """Shows the processes of a run."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Processes of the run"))
        self._rows: list[RankRow] = []
        self._sentence = plain_label(wrap=True)
        name(self._sentence, self.tr("Who waits for whom"))
        self._legend = Legend(self.tr("Processes of the run, legend"))
        inner = QWidget()
        name(inner, self.tr("Processes of the run, all"))
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(6, 4, 6, 4)
        self._column.setSpacing(10)
        self._column.addStretch(1)
        area = QScrollArea()
        name(area, self.tr("Processes of the run, below each other"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 0)
        layout.setSpacing(4)
        layout.addWidget(self._sentence)
        layout.addWidget(self._legend)
        layout.addWidget(area, 1)

    def show_ranks(self, ranks: Sequence[RankSnapshot], *, live: bool) -> None:
        """Show these. `live`: they are at work."""
        text = rank_words.of_all(ranks, live=live)
        self._sentence.setText(text)
        self._sentence.setVisible(bool(text))
        titles = (self.tr("held"), self.tr("predicted peak"), self.tr("budget"), self.tr("waits for others"))
        known = rank_strip.entries(
            titles,
            predicted=any(rank.predicted_bytes for rank in ranks),
            budget=any(rank.budget_bytes for rank in ranks),
            waits=live and any(rank.waiting is not None for rank in ranks),
        )
        self._legend.show_entries(known)
        self._make_rows(len(ranks))
        highest = rank_strip.highest(ranks)
        for row, rank in zip(self._rows, ranks, strict=True):
            row.show_rank(rank, highest=highest, live=live)

    def _make_rows(self, count: int) -> None:
        """Rows are kept: only their number changes, with another run."""
        while len(self._rows) > count:
            row = self._rows.pop()
            self._column.removeWidget(row)
            row.deleteLater()
        if len(self._rows) < count:
            while len(self._rows) < count:
                row = RankRow(len(self._rows) + 1)
                self._column.insertWidget(len(self._rows), row)
                self._rows.append(row)
            complete(self)
