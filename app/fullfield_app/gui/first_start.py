"""What the program is and is not, told before the first window: accept it or leave. The language is chosen here too."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QHBoxLayout, QPushButton, QVBoxLayout

from fullfield.translation import LANGUAGES
from fullfield_app.gui import language, texts
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import plain_label
from fullfield_app.settings import Settings

NOTICE = 1
"""The version of the notice: a higher one is shown again to those who accepted an earlier."""
WIDTH = 600


def agreed(application: QApplication, store: SettingsStore) -> bool:
    """Whether the notice is accepted: it has been, or it is now."""
    if store.now.notice_accepted >= NOTICE:
        return True
    return FirstStart(application, store).exec() == QDialog.DialogCode.Accepted


class FirstStart(QDialog):
    """Says what to know in a few short paragraphs; Escape leaves, as the button does."""

    def __init__(self, application: QApplication, store: SettingsStore) -> None:
        super().__init__()
        self._application, self._store = application, store
        self._build()
        self._tell()
        self._language.activated.connect(self._speak)
        self._accept.clicked.connect(self._agree)
        self._leave.clicked.connect(self.reject)

    def changeEvent(self, event: QEvent) -> None:
        """Another language: say all anew."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._tell()

    def _build(self) -> None:
        self._title = plain_label(object_name="title")
        self._texts = [plain_label(wrap=True) for _ in range(4)]
        self._texts[2].setObjectName("message-title")
        self._language = QComboBox()
        for key, title in LANGUAGES.items():
            self._language.addItem(title, key)
        self._language.setCurrentIndex(self._language.findData(language.chosen(self._store.now.language)))
        self._leave, self._accept = QPushButton(), QPushButton()
        self._accept.setObjectName("primary")
        self._accept.setDefault(True)
        top = QHBoxLayout()
        top.addWidget(self._title, 1)
        top.addWidget(self._language)
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(self._leave)
        foot.addWidget(self._accept)
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 24, 28, 22)
        layout.setSpacing(14)
        layout.addLayout(top)
        for label in self._texts:
            layout.addWidget(label)
        layout.addStretch()
        layout.addLayout(foot)
        self.setFixedWidth(WIDTH)

    def _tell(self) -> None:
        self.setWindowTitle("Fullfield")
        name(self, self.tr("Before you start"))
        self._title.setText(self.tr("Welcome to Fullfield"))
        for label, text in zip(self._texts, self._paragraphs(), strict=True):
            label.setText(text)
            name(label, text)
        name(self._title, self._title.text())
        name(self._language, self.tr("Language"))
        self._leave.setText(self.tr("Leave"))
        self._accept.setText(self.tr("I understand"))
        for button in (self._leave, self._accept):
            name(button, button.text())
        complete(self)
        self.resize(WIDTH, self._layout.totalHeightForWidth(WIDTH))
        self._accept.setFocus()

    def _paragraphs(self) -> tuple[str, ...]:
        return (
            self.tr(
                "Fullfield improves the contrast of radiographs at their native resolution, and trains the network "
                "that does it on your own images. Everything stays on this computer unless you ask to send it."
            ),
            self.tr(
                "Your files are never changed: results are written as new files, and say what they are. An enhanced "
                "image can show what was hard to see, and it can also make noise look like structure."
            ),
            texts.not_a_medical_device(),
            self.tr("What a result is used for is your decision and your responsibility."),
        )

    def _speak(self) -> None:
        key = str(self._language.currentData())
        language.install(self._application, key)
        self._store.change(lambda now: replace(now, language=key))

    def _agree(self) -> None:
        self._store.change(_accepted)
        self.accept()


def _accepted(now: Settings) -> Settings:
    return replace(now, notice_accepted=NOTICE)
