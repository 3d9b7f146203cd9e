"""What scrolls where the screen is too small for it, and looks as without a scroll area where it is not."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

TITLE = 40  # pixels that a window's title and frame take


class Scrolled(QScrollArea):
    """Shows `content` as large as the area is, but never smaller than its own minimum: what is beyond is scrolled to.

    `across`: it scrolls sideways as well; without, the area is as wide as its content needs. Qt's `widgetResizable`
    makes content with wrapped texts as tall as it would like to be, which scrolls where it need not.
    """

    def __init__(self, content: QWidget, *, across: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content, self._across = content, across
        self.setObjectName("plain")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if across else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        self.setWidget(content)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def sizeHint(self) -> QSize:
        """That of its content."""
        return self._content.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Little, but for the width of what does not scroll sideways."""
        least = super().minimumSizeHint()
        return least if self._across else QSize(self._least().width() + self._bars()[0], least.height())

    def event(self, event: QEvent) -> bool:
        """Its content needs another size."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The content follows."""
        self._fit()
        super().resizeEvent(event)

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        """What the keyboard has come to is seen, also from outside; under a pressed mouse nothing moves."""
        if now is not None and self._content.isAncestorOf(now) and not QApplication.mouseButtons():
            self.ensureWidgetVisible(now)

    def _fit(self) -> None:
        beside, below = self._bars()
        room = self.maximumViewportSize() - QSize(beside, below)
        self._content.resize(self._least(room.width()).expandedTo(room))
        self.updateGeometry()

    def _bars(self) -> tuple[int, int]:
        """How wide the bar beside the content is, and how tall the one below it; 0 of one that is not needed."""
        room = self.maximumViewportSize()
        least = self._least(room.width())
        wide, tall = self.verticalScrollBar().sizeHint().width(), self.horizontalScrollBar().sizeHint().height()
        below = tall if self._across and least.width() > room.width() else 0
        beside = wide if least.height() > room.height() - below else 0
        if beside and self._across and least.width() > room.width() - beside:
            below = tall
        return beside, below

    def _least(self, width: int = 0) -> QSize:
        """What its content needs at least, where it is so wide; a page's other pages would like more, and need not."""
        content, layout = self._content, self._content.layout()
        least = content.minimumSizeHint().expandedTo(content.minimumSize())
        if not self._across and layout is not None and layout.hasHeightForWidth():
            least = least.expandedTo(QSize(0, layout.totalMinimumHeightForWidth(max(width, least.width()))))
        return least


def on_screen(widget: QWidget, size: QSize) -> QSize:
    """`size`, or as much of it as the screen of `widget` has room for below a title."""
    return size.boundedTo(widget.screen().availableSize() - QSize(0, TITLE))
