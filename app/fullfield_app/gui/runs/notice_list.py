"""What a run has said, with the time and each new day, the newest at the foot."""

from __future__ import annotations

from PySide6.QtCore import QDate, QDateTime, QLocale, Qt
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
        self._day: QDate | None = None  # of the last that is shown

    def show_notices(self, notices: tuple[Notice, ...]) -> None:
        """Show these; what is there already stays."""
        if notices == self._shown:
            return
        if notices[: len(self._shown)] != self._shown:
            self.clear()
            self._shown = ()
            self._day = None
        for notice in notices[len(self._shown) :]:
            said = self._when(notice.time) if notice.time else ""
            item = QListWidgetItem(f"{said}   {clean(notice.text)}".strip())
            if notice.level != "info":
                item.setText(f"{said}   ⚠ {clean(notice.text)}".strip())
                item.setForeground(theme.colour("caution"))
            self.addItem(item)
        self._shown = notices
        self.scrollToBottom()

    def _when(self, seconds: float) -> str:
        """The time, after the date where the day is another than that of the notice before."""
        moment, before = QDateTime.fromSecsSinceEpoch(int(seconds)), self._day
        self._day = moment.date()
        shown = moment.time() if before in (None, self._day) else moment
        return QLocale().toString(shown, QLocale.FormatType.ShortFormat)
