"""What a run has said, with the time, the newest at the foot."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from fullfield.protocol.events import Notice
from fullfield_app.gui import theme
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean


class NoticeList(QListWidget):
    """Shows notices."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("What the run has said"))
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSpacing(2)
        self._shown: tuple[Notice, ...] = ()

    def show_notices(self, notices: tuple[Notice, ...]) -> None:
        """Show these; what is there already stays."""
        if notices == self._shown:
            return
        if notices[: len(self._shown)] != self._shown:
            self.clear()
            self._shown = ()
        for notice in notices[len(self._shown) :]:
            moment = QDateTime.fromSecsSinceEpoch(int(notice.time)).time()
            said = QLocale().toString(moment, QLocale.FormatType.ShortFormat) if notice.time else ""
            item = QListWidgetItem(f"{said}   {clean(notice.text)}".strip())
            if notice.level != "info":
                item.setText(f"{said}   ⚠ {clean(notice.text)}".strip())
                item.setForeground(theme.colour("caution"))
            self.addItem(item)
        self._shown = notices
        self.scrollToBottom()
