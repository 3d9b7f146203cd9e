"""Where the training runs: a row for each place, with a tick; below, what the planner makes of several."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from fullfield.protocol.places import which
from fullfield.protocol.setup_events import MachineProbed
from fullfield_app.gui.train import places
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.places import Place
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import ElidedLabel, plain_label, tooltip

SPACING = 2
MOST_ROWS = 4  # that are seen at once: a computer with more cards has a wheel


class PlaceRow(QWidget):
    """One place. `toggled`: ticked or not; `counted`: how many processes shall train there; `change_asked`: what is
    said of a machine that is listed is to be another."""

    toggled = Signal(bool)
    counted = Signal(int)
    change_asked = Signal()

    def __init__(self, place: Place, *, only: bool, parent: QWidget | None = None) -> None:
        """`only`: there is no other place, so there is nothing to tick."""
        super().__init__(parent)
        name(self, self.tr("Place {title}").format(title=place.title))
        self._box = QCheckBox(place.title)
        name(self._box, self.tr("Train on {title}").format(title=place.title))
        title = plain_label(place.title)
        name(title, self.tr("{title}, name").format(title=place.title))
        self._memory = ElidedLabel()
        self._memory.setObjectName("quiet")
        name(self._memory, self.tr("{title}, memory").format(title=place.title))
        self._caption, self._count = self._counter(place)
        self._change = QToolButton()
        self._change.setText("…")
        self._change.setObjectName("small")
        self._change.setToolTip(tooltip(self.tr("Test, change or remove this machine")))
        name(self._change, self.tr("Change {title}").format(title=place.title))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for widget in (self._box, title):
            layout.addWidget(widget)
        self._box.setHidden(only)
        title.setHidden(not only)
        layout.addWidget(self._memory, 1)
        layout.addWidget(self._caption)
        layout.addWidget(self._count)
        layout.addWidget(self._change)
        self._change.setHidden(not place.listed)
        self._change.clicked.connect(self.change_asked)
        self._box.toggled.connect(self.toggled)
        self._count.valueChanged.connect(self.counted)

    def show_place(self, place: Place) -> None:
        """Show this; tells nothing."""
        with QSignalBlocker(self._box), QSignalBlocker(self._count):
            self._box.setChecked(place.ticked)
            self._count.setMaximum(place.most)
            self._count.setValue(place.processes)
        self._box.setEnabled(place.usable)
        self._memory.show_text(" · ".join(text for text in (place.memory, place.reason) if text))
        for widget in (self._caption, self._count):
            widget.setVisible(place.most > 1 and place.ticked)

    def _counter(self, place: Place) -> tuple[QLabel, QSpinBox]:
        caption, count = plain_label(self.tr("Processes"), object_name="quiet"), QSpinBox()
        name(caption, self.tr("Processes on {title}, caption").format(title=place.title))
        name(count, self.tr("Processes on {title}").format(title=place.title))
        tip = self.tr("Several share the processor's cores, so they are seldom faster; each takes memory of its own.")
        count.setToolTip(tooltip(tip))
        count.setRange(1, max(1, place.most))
        caption.setBuddy(count)
        return caption, count


class WhereList(QWidget):
    """`chosen`: the form with other devices; `change_asked`: what is said of the listed machine of this name is to be
    another."""

    chosen = Signal(object)
    change_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Where it runs"))
        self._machine: MachineProbed | None = None
        self._choices = Choices()
        self._rows: dict[str, PlaceRow] = {}
        self._titles: list[tuple[str, str]] = []
        self._nodes: tuple[Place, ...] = ()
        self._caption = plain_label(self.tr("Where"), object_name="quiet")
        name(self._caption, self.tr("Where it runs, caption"))
        inner = QWidget()
        name(inner, self.tr("Where it runs, all places"))
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACING)
        self._area = QScrollArea()
        name(self._area, self.tr("Where it runs, below each other"))
        self._area.setObjectName("plain")
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(inner)
        self._sentence = plain_label(wrap=True)
        name(self._sentence, self.tr("What the planner makes of the devices"))
        self._sentence.hide()
        self._grid = layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(8)
        layout.setVerticalSpacing(4)
        layout.setColumnStretch(1, 1)
        layout.addWidget(self._caption, 0, 0)
        layout.addWidget(self._area, 0, 1)
        layout.addWidget(self._sentence, 1, 0, 1, 2)
        self.hide()

    def show_machine(self, machine: MachineProbed) -> None:
        """This computer's devices. A form that names others is changed."""
        self._machine = machine
        self._make_rows()
        possible = places.possible(machine, self._choices)
        if possible != self._choices:
            self.chosen.emit(possible)

    def show_choices(self, choices: Choices) -> None:
        """Tick what is chosen; tells nothing. A plan for a card that is not here has no place."""
        self._choices = choices
        self.setVisible(bool(self._rows) and not choices.gpu)
        for place in self._places() if self._rows else ():
            self._rows[place.key].show_place(place)
        heights = [row.sizeHint().height() + SPACING for row in self._rows.values()]
        self._area.setFixedHeight(max(0, sum(heights[-MOST_ROWS:]) - SPACING))

    def show_nodes(self, found: tuple[Place, ...]) -> None:
        """The machines of the user's list."""
        self._nodes = found
        self._make_rows()

    def show_sentence(self, text: str) -> None:
        """Say what the planner makes of several devices or machines; "": nothing yet."""
        self._sentence.setText(text)
        self._sentence.setVisible(bool(text))

    def _places(self) -> tuple[Place, ...]:
        return (*places.places(self._machine, self._choices), *self._nodes)

    def _make_rows(self) -> None:
        """Rows are kept where the places are the same: only what they show changes, with another worker."""
        found = self._places()
        titles = [(place.key, place.title) for place in found]
        if titles != self._titles:
            self._titles = titles
            for row in self._rows.values():
                self._column.removeWidget(row)
                row.setParent(None)  # at once: its names are needed anew
                row.deleteLater()
            self._rows = {place.key: PlaceRow(place, only=len(found) == 1) for place in found}
            for key, row in self._rows.items():
                self._column.addWidget(row)
                row.toggled.connect(lambda on, key=key: self._tick(key, on))
                row.counted.connect(lambda count, key=key: self._count(key, count))
                row.change_asked.connect(lambda key=key: self.change_asked.emit(which(key)))
            beside = Qt.AlignmentFlag.AlignTop if len(found) > 1 else Qt.AlignmentFlag.AlignVCenter
            self._grid.setAlignment(self._caption, beside)
            complete(self)
        self.show_choices(self._choices)

    def _tick(self, key: str, on: bool) -> None:
        new = places.toggled(self._machine, self._choices, key, on)
        self.show_choices(self._choices)  # the last tick stays
        self.chosen.emit(new)

    def _count(self, key: str, count: int) -> None:
        if self._machine is not None:
            self.chosen.emit(places.with_ticks(self._machine, self._choices, (key,), count))
