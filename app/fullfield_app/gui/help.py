"""The tour of the program, from `resources/help`: chapters on the left, one to read on the right; never the web.

It stays open beside the window, so that it can be followed step by step.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QSplitter, QTextBrowser, QVBoxLayout, QWidget

from fullfield import files
from fullfield_app.gui import language
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.scrolled import on_screen

SIZE = (860, 600)
LIST_WIDTH = 230


def chapters(code: str) -> list[tuple[str, str]]:
    """Title and text, in Markdown, of each chapter; English where a language has none."""
    wanted = Path("help") / code
    folder = files.resource(str(wanted if (files.resource("help") / code).is_dir() else Path("help") / "en"))
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))]
    return [(text.splitlines()[0].lstrip("# ").strip(), text) for text in texts]


class Help(QDialog):
    """Shows the chapters."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Two-minute tour"))
        name(self, self.tr("Two-minute tour of Fullfield"))
        self._chapters = chapters(language.spoken().code)
        self._build()
        self._list.currentRowChanged.connect(self._turn)
        self._list.setCurrentRow(0)
        complete(self)

    def _build(self) -> None:
        self._list = QListWidget()
        self._list.setWordWrap(True)
        self._list.addItems([title for title, _ in self._chapters])
        name(self._list, self.tr("Chapters"))
        self._text = QTextBrowser()
        self._text.setOpenLinks(False)
        self._text.document().setDocumentMargin(18)
        name(self._text, self.tr("Text of the chapter"))
        both = QSplitter(Qt.Orientation.Horizontal)
        name(both, self.tr("Chapters and text"))
        both.setChildrenCollapsible(False)
        both.addWidget(self._list)
        both.addWidget(self._text)
        both.setSizes([LIST_WIDTH, SIZE[0] - LIST_WIDTH])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(both)
        layout.addWidget(buttons)
        self.resize(on_screen(self, QSize(*SIZE)))

    def _turn(self, place: int) -> None:
        title, text = self._chapters[place]
        self._text.setMarkdown(text)
        self._text.setAccessibleDescription(title)


def show_help(owner: QWidget) -> Help:
    """Open it, or bring the open one to the front."""
    help_window = owner.findChild(Help) or Help(owner)
    help_window.show()
    help_window.raise_()
    help_window.activateWindow()
    return help_window
