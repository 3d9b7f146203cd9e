"""The list of all techniques, which scrolls; it shows a set and what each would change in it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from fullfield.protocol.setup_events import TechniquesJudged
from fullfield_app.gui.train.plan_facts import Facts
from fullfield_app.gui.train.technique_row import TechniqueRow
from fullfield_app.gui.train.techniques import Chosen, entries
from fullfield_app.gui.widgets.accessible import name


class TechniqueList(QScrollArea):
    """`changed`: the set as the user wants it now, a `Chosen`."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Techniques"))
        self._chosen = Chosen()
        self._refused: Mapping[str, str] = {}
        self._rows: dict[str, TechniqueRow] = {}
        self._build()

    def show_chosen(self, chosen: Chosen) -> None:
        """Show this set."""
        self._chosen = chosen
        obstacles = {**self._refused, **chosen.obstacles()}
        for key, row in self._rows.items():
            row.show_state(key in chosen.names, chosen.values(key), obstacles.get(key, ""))

    def show_unknown(self, refused: Mapping[str, str], *, awaited: bool) -> None:
        """Nobody knows what any would change, `awaited`: yet. `refused`: why some are impossible at the site."""
        self._refused = refused
        reported = {**refused, **self._chosen.obstacles()}.keys() | self._chosen.names
        for key, row in self._rows.items():
            row.show_unknown(awaited=awaited and key not in reported)
        self.show_chosen(self._chosen)

    def show_judged(self, judged: TechniquesJudged, facts: Facts | None) -> None:
        """What each would change by `facts`, and which are impossible at the site."""
        self.show_unknown(judged.refused, awaited=facts is not None)
        for key in judged.peaks.keys() & self._rows.keys() if facts is not None else ():
            assert facts is not None
            self._rows[key].show_change(judged.peaks[key] - facts.total, judged.times[key] / facts.time)

    def minimumSizeHint(self) -> QSize:
        """As wide as its widest row needs: it does not scroll sideways."""
        beside = self.verticalScrollBar().sizeHint().width() + 2 * self.frameWidth()
        return QSize(self._inside.minimumSizeHint().width() + beside, super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        """A row needs another width."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)

    def _build(self) -> None:
        self._inside = inside = QWidget()
        name(inside, self.tr("All techniques"))
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.setSpacing(0)
        for entry in entries():
            row = TechniqueRow(entry)
            row.switched.connect(lambda on, key=entry.name: self._change(self._chosen.switched(key, on)))
            row.option_changed.connect(
                lambda option, value, key=entry.name: self._change(self._chosen.with_option(key, option, value))
            )
            self._rows[entry.name] = row
            layout.addWidget(row)
        layout.addStretch(1)
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _change(self, chosen: Chosen) -> None:
        self.show_chosen(chosen)
        self.changed.emit(chosen)
