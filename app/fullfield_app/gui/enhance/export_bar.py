"""Where results are written, as what, and the buttons that write them; below it what will be in the files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fullfield.image.delivery import Appearance
from fullfield_app.gui.enhance import export_choices
from fullfield_app.gui.enhance.export_choices import KINDS, Order
from fullfield_app.gui.enhance.export_folder import ExportFolder
from fullfield_app.gui.enhance.export_options import ExportOptions
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import ElidedLabel, plain_label, tooltip
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.settings import ExportChoices

LEAST_KINDS = 104  # pixels, beside the sliders on a small screen: its list and its tooltip show the whole
LEAST_ABOUT = 130  # pixels: with less, what will be in the files has a line of its own


class ExportBar(QWidget):
    """`chosen` carries the fields of the choices that a click has changed, by name; `said` a Message."""

    chosen = Signal(object)
    said = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Export"))
        self._where = ExportFolder(self)
        self._choices = ExportChoices()
        self._options = ExportOptions(self)
        self._build()
        self._connect_signals()
        self._show_folder()
        self.show_choices(self._choices)
        self.show_count(0, 0)

    @property
    def folder(self) -> Path:
        """Where exports go now."""
        return self._where.now

    def settle(self, store: SettingsStore) -> None:
        """Start from the choices in `store`, follow them, and keep there what is chosen here."""
        store.changed.connect(lambda: self.show_choices(store.now.export))
        self.chosen.connect(
            lambda clicked: store.change(lambda now: replace(now, export=replace(now.export, **clicked)))
        )  # those alone: another window has chosen the others
        self.show_choices(store.now.export)

    def show_choices(self, choices: ExportChoices) -> None:
        """Export like this from now on; nothing is told."""
        self._choices = choices
        self._kinds.setCurrentIndex(KINDS.index(export_choices.kind_of(choices)))
        self._kinds.setToolTip(tooltip(self._kinds.currentText()))
        self._options.show_choices(choices)
        self._about.setText(export_choices.explain(choices))
        self._where.follow(choices.folder)

    def order(self, looks: Mapping[int, Appearance]) -> Order:
        """What to ask of the worker for these images; `looks`: how each of them is seen now."""
        return export_choices.order(self._choices, self.folder, looks)

    def set_folder(self, folder: Path) -> None:
        """Export into `folder` from now on, the next time too."""
        self._where.choose(str(folder))
        self._take(replace(self._choices, folder=str(folder)))

    def follow(self, selected: QAction, new: QAction) -> None:
        """The buttons do what these actions do, and can be pressed when those can be chosen."""
        for button, action in ((self._selected, selected), (self._new, new)):
            button.clicked.connect(action.trigger)
            action.enabledChanged.connect(button.setEnabled)
            button.setEnabled(action.isEnabled())

    def show_count(self, new: int, others: int) -> None:
        """How many images wait for an export, and how many `others` are exported."""
        one, many = self.tr("Export 1 new"), self.tr("Export {count} new").format(count=new)
        none = self.tr("Nothing new to export") if others else self.tr("Export new")
        hint = self.tr("Write the enhanced images that are not exported yet")
        if others and not new:
            hint = self.tr("These images are exported. To write them once more, choose “Export all again” in “File”.")
        self._new.setText({0: none, 1: one}.get(new, many))
        self._new.setToolTip(tooltip(hint))
        self._new.setAccessibleDescription(hint)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What will be in the files stands above the buttons where it has too little room beside them."""
        super().resizeEvent(event)
        beside = event.size().width() - self._buttons.sizeHint().width() - self._go.spacing() >= LEAST_ABOUT
        way = QBoxLayout.Direction
        self._go.setDirection(way.LeftToRight if beside else way.TopToBottom)

    def close_down(self) -> None:
        """End what runs in the background."""
        self._where.close()

    def _build(self) -> None:
        label = plain_label(self.tr("Export to"), object_name="quiet")
        name(label, self.tr("Export to, caption"))
        self._folder, self._about = ElidedLabel(), plain_label(object_name="quiet", wrap=True)
        name(self._folder, self.tr("Folder for exports"))
        name(self._about, self.tr("What will be in the files"))
        self._change = _button(self.tr("Change…"), self.tr("Change the folder for exports"))
        self._kinds = QComboBox()
        name(self._kinds, self.tr("Format of exports"))
        for kind in KINDS:
            self._kinds.addItem(kind.say())
        self._kinds.setMinimumWidth(LEAST_KINDS)
        self._more = _button(self.tr("Options…"), self.tr("Options of exports"))
        self._more.setToolTip(
            tooltip(self.tr("The mark, the image before beside the one after, and the window in DICOM"))
        )
        self._selected = _button(self.tr("Export selected"), self.tr("Export the selected images"))
        self._selected.setToolTip(tooltip(self.tr("Write the selected images that are enhanced")))
        self._new = _button("", self.tr("Export the new images"))
        self._new.setObjectName("primary")
        where, self._go, self._buttons = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()  # lines: there is little width
        for line, widgets in (
            (where, (label, self._folder, self._change, self._kinds, self._more)),
            (self._go, (self._about,)),
            (self._buttons, (self._selected, self._new)),
        ):
            line.setSpacing(8)
            for widget in widgets:
                line.addWidget(widget, int(widget in (self._folder, self._about)))
        self._buttons.insertStretch(0)
        self._go.addLayout(self._buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(where)
        layout.addLayout(self._go)

    def _connect_signals(self) -> None:
        self._where.changed.connect(self._show_folder)
        self._where.missed.connect(self._say_missed)
        self._change.clicked.connect(self._ask_folder)
        self._kinds.currentIndexChanged.connect(self._choose_kind)
        self._more.clicked.connect(lambda: self._options.open_over(self._more))
        self._options.changed.connect(self._take)

    def _choose_kind(self, place: int) -> None:
        kind = KINDS[place]
        if kind != export_choices.kind_of(self._choices):
            self._take(replace(self._choices, format=kind.format.value, displayed=kind.displayed))

    def _show_folder(self) -> None:
        self._folder.show_text(str(self.folder))

    def _say_missed(self, folder: Path) -> None:
        text = self.tr("{folder} cannot be found. Exports go to {other} until you choose another folder.")
        title = self.tr("The folder for exports is not there.")
        self.said.emit(Message(title=title, text=text.format(folder=folder, other=self.folder)))

    def _take(self, choices: ExportChoices) -> None:
        before, after = asdict(self._choices), asdict(choices)
        self.show_choices(choices)
        self.chosen.emit({name: value for name, value in after.items() if value != before[name]})

    def _ask_folder(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a folder for exports"), str(self._where.start))
        name(dialog, self.tr("Choose a folder for exports"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda path: self.set_folder(Path(path)))
        dialog.open()


def _button(text: str, whole: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tooltip(whole))
    name(button, whole)
    return button
