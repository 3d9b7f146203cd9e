"""Language, colours, and the list of recent files. A change is made at once."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fullfield.translation import LANGUAGES
from fullfield_app.gui import language, theme
from fullfield_app.gui.recent import RecentFiles
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label


class GeneralPage(QWidget):
    """Shows the settings and changes them."""

    def __init__(self, store: SettingsStore, recent: RecentFiles, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("General"))
        self._store, self._recent = store, recent
        self._build()
        self._connect_signals()
        self._refresh()

    def _build(self) -> None:
        self._language, self._palette = QComboBox(), QComboBox()
        name(self._language, self.tr("Language"))
        name(self._palette, self.tr("Colours of the window, choice"))
        automatic = self.tr("As this computer ({language})")
        own = LANGUAGES[language.chosen(language.AUTOMATIC)]
        self._language.addItem(automatic.format(language=own), language.AUTOMATIC)
        for key, title in LANGUAGES.items():
            self._language.addItem(title, key)
        for key in theme.PALETTES:
            self._palette.addItem(theme.say(key), key)
        self._later = plain_label(
            self.tr("The language changes when Fullfield is opened again."), object_name="quiet", wrap=True
        )
        self._keep = QCheckBox(self.tr("Keep a list of recent files"))
        name(self._keep, self._keep.text())
        self._why = plain_label(
            self.tr(
                "File names may name patients. The list lies in your own cache, which only you can read; it is not "
                "shown while the tags over images are hidden, and is deleted when you switch it off."
            ),
            object_name="quiet",
            wrap=True,
        )
        self._clear = QPushButton(self.tr("Clear the list"))
        self._clear.setAutoDefault(False)
        name(self._clear, self.tr("Clear the list of recent files"))
        self._lay_out()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setVerticalSpacing(10)
        for text, field in (
            (self.tr("Language"), self._language),
            (self.tr("Colours of the window"), self._palette),
        ):
            caption = plain_label(text)
            name(caption, self.tr("{setting}, caption").format(setting=text))
            caption.setBuddy(field)
            form.addRow(caption, field)
            if field is self._language:
                form.addRow("", self._later)
        line = QHBoxLayout()
        line.addWidget(self._keep)
        line.addStretch()
        line.addWidget(self._clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(8)
        layout.addLayout(form)
        layout.addSpacing(14)
        layout.addLayout(line)
        layout.addWidget(self._why)
        layout.addStretch()

    def _connect_signals(self) -> None:
        self._recent.changed.connect(self._refresh)
        self._language.activated.connect(self._speak)
        self._palette.activated.connect(self._dress)
        self._keep.clicked.connect(lambda on: self._store.change(lambda now: replace(now, keep_recent=on)))
        self._clear.clicked.connect(self._recent.clear)

    def _refresh(self) -> None:
        now = self._store.now
        self._language.setCurrentIndex(self._language.findData(now.language))
        self._palette.setCurrentIndex(self._palette.findData(now.palette))
        self._later.setVisible(language.chosen(now.language) != language.spoken().code)
        self._keep.setChecked(now.keep_recent)
        self._clear.setEnabled(bool(self._recent.paths))

    def _speak(self) -> None:
        key = str(self._language.currentData())
        self._store.change(lambda now: replace(now, language=key))

    def _dress(self) -> None:
        key = str(self._palette.currentData())
        self._store.change(lambda now: replace(now, palette=key))
