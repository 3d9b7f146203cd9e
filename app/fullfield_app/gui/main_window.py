"""The window: pages, menus, the message bar and the status line. It routes, and ends what it has started."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QPaintEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QMainWindow, QMenu, QVBoxLayout, QWidget

from fullfield_app.gui import texts
from fullfield_app.gui.about import show_about, show_keys
from fullfield_app.gui.bridge.job_bridge import Start
from fullfield_app.gui.enhance.commands_table import FILE, IMAGE, SPECS, VIEW
from fullfield_app.gui.enhance.panel import EnhancePanel
from fullfield_app.gui.errors import ErrorDesk
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import ElidedLabel, plain_label
from fullfield_app.gui.widgets.message_bar import MessageBar
from fullfield_app.gui.widgets.question import Answer, ask


class MainWindow(QMainWindow):
    """Fullfield's window; `start` starts its worker."""

    def __init__(self, start: Start) -> None:
        super().__init__()
        self.setWindowTitle("Fullfield")
        name(self, "Fullfield")
        self.setAcceptDrops(True)
        self._started = self._agreed = False
        self._build(start)
        self._connect_signals()
        self.resize(1280, 720)

    def open(self, paths: list[Path]) -> None:
        """Open files and folders."""
        self._enhance.open(paths)

    def shut_down(self) -> None:
        """End the worker and all that runs in the background; more than once does no harm."""
        self._agreed = True
        self._enhance.close_down()
        self.errors.uninstall()

    def _build(self, start: Start) -> None:
        self._messages = MessageBar()
        self._enhance = EnhancePanel(start)
        self.errors = ErrorDesk(self._messages, self)
        page = QWidget()
        name(page, self.tr("Page"))
        layout = QVBoxLayout(page)
        layout.setContentsMargins(10, 8, 10, 6)
        layout.setSpacing(8)
        layout.addWidget(self._messages)
        layout.addWidget(self._enhance, 1)
        self.setCentralWidget(page)
        self._build_menus()
        self._build_status()

    def _build_menus(self) -> None:
        name(self.menuBar(), self.tr("Menus"))
        self._menus = {
            FILE: self.menuBar().addMenu(self.tr("&File")),
            IMAGE: self.menuBar().addMenu(self.tr("&Image")),
            VIEW: self.menuBar().addMenu(self.tr("&View")),
        }
        for spec in SPECS:
            if spec.separated:
                self._menus[spec.menu].addSeparator()
            self._menus[spec.menu].addAction(self._enhance.actions_by_key[spec.key])
        self._menus[FILE].addSeparator()
        self._quit = self._add(self._menus[FILE], self.tr("Quit"), "Ctrl+Q")
        helping = self.menuBar().addMenu(self.tr("&Help"))
        self._keys = self._add(helping, self.tr("Mouse and keys"), "?")
        self._about = self._add(helping, self.tr("About Fullfield"), "")

    def _add(self, menu: QMenu, text: str, keys: str) -> QAction:
        action = QAction(text, self)
        if keys:
            action.setShortcut(keys)
        menu.addAction(action)
        return action

    def _build_status(self) -> None:
        bar = self.statusBar()
        name(bar, self.tr("Status"))
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(10, 0, 10, 2)
        self._notice = ElidedLabel()
        name(self._notice, self.tr("What the worker says"))
        disclaimer = plain_label(texts.not_a_medical_device(), object_name="disclaimer")
        name(disclaimer, self.tr("What this program is not"))
        bar.addWidget(self._notice, 1)
        bar.addPermanentWidget(disclaimer)

    def _connect_signals(self) -> None:
        self._enhance.noticed.connect(self._notice.show_text)
        self._enhance.said.connect(self._messages.add)
        self._enhance.withdrawn.connect(self._messages.withdraw)
        self._enhance.failed.connect(self.errors.show)
        self._quit.triggered.connect(self.close)
        self._keys.triggered.connect(lambda: show_keys(self, SPECS))
        self._about.triggered.connect(lambda: show_about(self))

    # Events of Qt -----------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Give every part its name before anyone asks for it."""
        super().showEvent(event)
        complete(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The first paint starts what can wait for it: worker and presets."""
        super().paintEvent(event)
        if not self._started:
            self._started = True
            self._notice.show_text(self.tr("Starting the worker…"))
            QTimer.singleShot(0, self._enhance.start)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self._enhance.hover(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """They were taken elsewhere."""
        self._enhance.hover(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        self._enhance.hover(False)
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.open(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask when results would be lost; then end the worker."""
        count = self._enhance.unsaved()
        if count and not self._agreed:
            event.ignore()
            self._ask_to_close(count)
            return
        self.hide()
        self.shut_down()
        event.accept()

    def _ask_to_close(self, count: int) -> None:
        one = self.tr("One enhanced image has not been exported.")
        many = self.tr("{count} enhanced images have not been exported.").format(count=count)
        ask(
            self,
            title=self.tr("Close without exporting?"),
            text=one if count == 1 else many,
            answers=(Answer(text=self.tr("Close"), act=self._close_now),),
            cancel=self.tr("Go back"),
        )

    def _close_now(self) -> None:
        self._agreed = True
        self.close()
