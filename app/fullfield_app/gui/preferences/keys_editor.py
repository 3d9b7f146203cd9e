"""Other keys for the program's actions: a table, a place to press the new key, and why a key cannot be had."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from fullfield_app.gui.preferences import key_lines
from fullfield_app.gui.preferences.key_lines import Line
from fullfield_app.gui.preferences.keys_model import KeysModel
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import plain_label

PORTABLE = QKeySequence.SequenceFormat.PortableText


class KeysEditor(QWidget):
    """Changes the keys in the settings; whoever has actions follows the settings."""

    def __init__(self, store: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Keys"))
        self._store = store
        self._model = KeysModel(self)
        self._found = QSortFilterProxyModel(self)
        self._found.setSourceModel(self._model)
        self._found.setFilterKeyColumn(-1)
        self._found.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._build()
        self._connect_signals()
        self._on_current()

    def showEvent(self, event: QShowEvent) -> None:
        """The table is filled when it is first seen: the pages' actions come with the pages."""
        super().showEvent(event)
        if not self._model.lines:
            self._refresh()
            self._table.setCurrentIndex(self._found.index(0, 0))
            complete(self.window())

    def _build(self) -> None:
        self._search = QLineEdit()
        self._search.setPlaceholderText(self.tr("Find an action or a key"))
        self._search.setClearButtonEnabled(True)
        name(self._search, self.tr("Find an action or a key"))
        self._table = QTreeView()
        name(self._table, self.tr("Actions and their keys"))
        self._table.setModel(self._found)
        self._table.setRootIsDecorated(False)
        self._table.setUniformRowHeights(True)
        self._table.setAllColumnsShowFocus(True)
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        header = self._table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._caption = plain_label(self.tr("New key"), object_name="quiet")
        name(self._caption, self.tr("New key, caption"))
        self._press = QKeySequenceEdit()
        self._press.setMaximumSequenceLength(1)
        self._press.setClearButtonEnabled(True)
        name(self._press, self.tr("Press the new key here"))
        self._use, self._more = QPushButton(self.tr("Use it")), QPushButton(self.tr("Add it"))
        self._none, self._usual = QPushButton(self.tr("No key")), QPushButton(self.tr("As shipped"))
        self._all = QPushButton(self.tr("All as shipped"))
        self._said = plain_label(object_name="trouble", wrap=True)
        self._buttons = {
            self._use: self.tr("Use the new key in place of the others"),
            self._more: self.tr("Add the new key to the others"),
            self._none: self.tr("Take all keys of this action away"),
            self._usual: self.tr("Give this action its shipped keys"),
            self._all: self.tr("Give all actions their shipped keys"),
        }
        for button, text in self._buttons.items():
            button.setAutoDefault(False)
            button.setToolTip(text)
            name(button, text)
        self._lay_out()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self._caption)
        line.addWidget(self._press, 1)
        for button in (self._use, self._more, self._none, self._usual):
            line.addWidget(button)
        last = QHBoxLayout()
        last.addWidget(self._said, 1)
        last.addWidget(self._all)
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        layout.addWidget(self._search)
        layout.addWidget(self._table, 1)
        layout.addLayout(line)
        layout.addLayout(last)

    def _connect_signals(self) -> None:
        self._store.changed.connect(self._refresh)
        self._search.textChanged.connect(self._found.setFilterFixedString)
        self._table.selectionModel().currentChanged.connect(self._on_current)
        self._press.keySequenceChanged.connect(lambda _: self._say(""))
        self._use.clicked.connect(lambda: self._take(more=False))
        self._more.clicked.connect(lambda: self._take(more=True))
        self._none.clicked.connect(lambda: self._set(()))
        self._usual.clicked.connect(lambda: self._set(self._line().spec.keys))
        self._all.clicked.connect(lambda: self._store.change(key_lines.as_shipped))

    def _line(self) -> Line:
        place = self._found.mapToSource(self._table.currentIndex())
        return self._model.lines[place.row()]

    def _on_current(self, *_: QModelIndex) -> None:
        chosen = self._table.currentIndex().isValid()
        for widget in (self._press, self._use, self._more, self._none, self._usual):
            widget.setEnabled(chosen)
        self._press.clear()
        self._say("")

    def _take(self, *, more: bool) -> None:
        key, line = self._press.keySequence().toString(PORTABLE), self._line()
        reason = key_lines.refusal(self._model.lines, line, key)
        if reason:
            self._say(reason)
            return
        others = tuple(known for known in line.keys if known != key)
        self._set((*others, key) if more else (key,))

    def _set(self, keys: tuple[str, ...]) -> None:
        line = self._line()
        reasons = [reason for key in keys if (reason := key_lines.refusal(self._model.lines, line, key))]
        if reasons:  # a shipped key that another action has by now
            self._say(reasons[0])
            return
        self._store.change(lambda now: key_lines.with_keys(now, line, keys))
        self._press.clear()

    def _refresh(self) -> None:
        if self.isVisible() or self._model.lines:
            self._model.show_lines(key_lines.lines(self._store.now.keys))

    def _say(self, text: str) -> None:
        self._said.setText(text)
        name(self._said, self.tr("Why not: {reason}").format(reason=text or "–"))
