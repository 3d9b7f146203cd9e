"""The window: pages and their tabs, menus, the message bar and the status line. It routes, and ends what runs."""

from __future__ import annotations

import gc
import os
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote_to_bytes

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from fullfield_app.gui import actions, texts
from fullfield_app.gui.bridge.garbage import Garbage
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.errors import ErrorDesk
from fullfield_app.gui.menus import Menus
from fullfield_app.gui.page import Page
from fullfield_app.gui.pages import ENHANCE, PAGES, RUNS
from fullfield_app.gui.recent import RecentFiles
from fullfield_app.gui.runs_at_start import RunsAtStart
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import ElidedLabel, plain_label, tooltip
from fullfield_app.gui.widgets.message_bar import Message, MessageBar
from fullfield_app.gui.widgets.question import Answer, Question, ask
from fullfield_app.gui.widgets.scrolled import Scrolled, on_screen
from fullfield_app.gui.window_actions import WindowActions
from fullfield_app.gui.window_commands import SPECS
from fullfield_app.settings import WindowPlace

SIZE = (1280, 720)
AHEAD_MILLISECONDS = 1500  # after the first paint: the worker starts first


class MainWindow(QMainWindow):
    """Fullfield's window; `workers` starts what computes for it, `store` holds the user's settings."""

    def __init__(self, workers: Workers, store: SettingsStore | None = None) -> None:
        super().__init__()
        self._garbage = Garbage(self)
        self._store = store or SettingsStore(self)
        self._recent = RecentFiles(self._store, self)
        self.setWindowTitle("Fullfield")
        name(self, "Fullfield")
        self.setAcceptDrops(True)
        self._workers = workers
        self._pages: dict[str, Page] = {}
        self._areas: dict[str, Scrolled] = {}  # that the pages lie in
        self._begun: set[str] = set()
        self._agreed: set[str] = set()  # pages whose question at this closing has been answered
        self._at_start = RunsAtStart(lambda run: self._turn_to(RUNS, run), self)
        self._shown = ""
        self._painted = False
        self._ahead = Tasks(self)
        self._build()
        self._connect_signals()
        self._turn_to(ENHANCE)
        self._take_place()

    def open(self, paths: list[Path]) -> None:
        """Open files and folders on the page that is shown, or on the one that enhances."""
        if paths:
            if not self._page.takes_files:
                self._turn_to(ENHANCE)
            self._page.take(paths)

    def shut_down(self) -> None:
        """End the workers and all that runs in the background; more than once does no harm."""
        for page in self._pages.values():
            page.close_down()
        self._at_start.close()
        self._ahead.close()
        self._recent.close()
        self._store.close()
        self._garbage.end()
        self.errors.uninstall()

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._messages = MessageBar()
        self.errors = ErrorDesk(self._messages, self)
        self._tabs = QTabBar()
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        name(self._tabs, self.tr("Pages"))
        for spec in PAGES:
            self._tabs.addTab(spec.say())
        self._stack = QStackedWidget()
        name(self._stack, self.tr("Page"))
        whole = QWidget()
        name(whole, self.tr("Window"))
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(10, 4, 10, 6)
        layout.setSpacing(8)
        layout.addWidget(self._tabs)
        layout.addWidget(self._messages)
        layout.addWidget(self._stack, 1)
        self.setCentralWidget(whole)
        self._actions = WindowActions(self, self._workers, self._store, self._recent, lambda: self._page)
        self._menus = Menus(self.menuBar(), SPECS, self._actions.by_key)
        self._build_status()

    def _build_status(self) -> None:
        bar = self.statusBar()
        name(bar, self.tr("Status"))
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(10, 0, 10, 2)
        self._notice = ElidedLabel()
        name(self._notice, self.tr("What the worker says"))
        disclaimer = plain_label(texts.not_a_medical_device_in_short(), object_name="disclaimer")
        disclaimer.setToolTip(tooltip(texts.not_a_medical_device()))
        name(disclaimer, self.tr("What this program is not"))
        bar.addWidget(self._notice, 1)
        bar.addPermanentWidget(disclaimer)

    def _connect_signals(self) -> None:
        self._tabs.currentChanged.connect(lambda place: self._turn_to(PAGES[place].key))
        self._actions.page_asked.connect(self._turn_to)
        self._actions.open_asked.connect(self._open_again)
        self._at_start.said.connect(self._messages.add)
        self._at_start.withdrawn.connect(self._messages.withdraw)
        self._store.failed.connect(self.errors.show)
        self._recent.failed.connect(self.errors.show)
        self._store.changed.connect(self._follow)

    # Pages ------------------------------------------------------------------------------------------------------

    @property
    def _page(self) -> Page:
        return self._pages[self._shown]

    def _turn_to(self, key: str, subject: object = None) -> None:
        place = next(number for number, spec in enumerate(PAGES) if spec.key == key)
        if key not in self._pages:
            self._pages[key] = self._make(place)
        page = self._pages[key]
        if self._shown != key:
            self._shown = key
            self._stack.setCurrentWidget(self._areas[key])
            self._menus.show(page.specs, page.actions_by_key)
        with QSignalBlocker(self._tabs):
            self._tabs.setCurrentIndex(place)
        if self._painted:
            self._begin(key)
            complete(self)
        if key == RUNS:
            self._at_start.forget()
        page.turn_to(subject)

    def _make(self, place: int) -> Page:
        page = PAGES[place].make(self._workers)
        page.noticed.connect(self._notice.show_text)
        page.said.connect(self._messages.add)
        page.withdrawn.connect(self._messages.withdraw)
        page.failed.connect(self.errors.show)
        page.went.connect(self._turn_to)
        page.opened.connect(self._recent.add)
        actions.rekey(PAGES[place].key, page.specs, page.actions_by_key, self._store.now.keys)
        page.settle(self._store)
        area = Scrolled(page, across=True)
        name(area, self.tr("Page {title}, scrolled").format(title=PAGES[place].say()))
        self._areas[PAGES[place].key] = area
        self._stack.addWidget(area)
        return page

    def _begin_all(self) -> None:
        self._begin(ENHANCE)
        self._begin(self._shown)  # which may have been turned to before
        self._at_start.look()
        QTimer.singleShot(AHEAD_MILLISECONDS, self._import_pages)

    def _import_pages(self) -> None:
        """In the background: what the other pages import takes the window's thread half a second.

        What is imported stays: the garbage collector, which stops the window for some 30 ms, need not look at it again.
        """
        for spec in PAGES:
            self._ahead.start(spec.kind, lambda _: gc.freeze())

    def _begin(self, key: str) -> None:
        if key not in self._begun:
            self._begun.add(key)
            self._pages[key].start()

    # Settings ---------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        for key, page in self._pages.items():
            actions.rekey(key, page.specs, page.actions_by_key, self._store.now.keys)

    def _open_again(self, path: Path) -> None:
        self._turn_to(ENHANCE)
        self.open([path])

    def _take_place(self) -> None:
        """Where the window was last, as far as a screen is still there."""
        place = self._store.now.window
        self.resize(on_screen(self, QSize(*SIZE)))
        rectangle = QRect(place.left, place.top, place.width, place.height)
        if place.width and any(screen.availableGeometry().intersects(rectangle) for screen in QApplication.screens()):
            self.setGeometry(rectangle)
            room = QApplication.primaryScreen().availableVirtualGeometry()  # of all screens: it may lie across several
            if self.width() > room.width() or self.height() > room.height():
                self.move(room.topLeft())
                self.resize(on_screen(self, self.size()))
        if place.maximized:
            self.setWindowState(Qt.WindowState.WindowMaximized)

    def _keep_place(self) -> None:
        where = self.normalGeometry()
        place = WindowPlace(
            left=where.left(),
            top=where.top(),
            width=where.width(),
            height=where.height(),
            maximized=self.isMaximized(),
        )
        self._store.change(lambda now: replace(now, window=place))

    # Events of Qt -----------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Give every part its name before anyone asks for it."""
        super().showEvent(event)
        complete(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The first paint starts what can wait for it: worker and presets."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self._notice.show_text(self.tr("Starting the worker…"))
            QTimer.singleShot(0, self._begin_all)
            for notice in self._store.notices():
                self._messages.add(Message(title=notice, trouble=False))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self._page.hover(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """They were taken elsewhere."""
        self._page.hover(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        self._page.hover(False)
        paths = [_path(url) for url in event.mimeData().urls() if url.isLocalFile()]
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.open(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask, page by page, where something would be lost, and of trainings that are at work; then end the workers."""
        questions = {key: page.question for key, page in self._pages.items()}
        questions[RUNS] = lambda: self._at_start.question(self._workers.attach)  # its page may never have been opened
        for key, find in questions.items():
            question = None if key in self._agreed else find()
            if question is not None:
                event.ignore()
                ask(self, self._closing(key, question)).rejected.connect(self._agreed.clear)
                return
        self._keep_place()
        self.hide()
        self.shut_down()
        event.accept()

    def _closing(self, key: str, question: Question) -> Question:
        """The question whose answers close the window, too."""

        def then_close(act: Answer) -> Answer:
            def both() -> None:
                act.act()
                self._agreed.add(key)
                self.close()

            return Answer(text=act.text, act=both, default=act.default)

        answers = tuple(map(then_close, question.answers))
        return Question(title=question.title, text=question.text, answers=answers, cancel=question.cancel)


def _path(url: QUrl) -> Path:
    """Where a dropped file lies; Qt itself loses a name that is not UTF-8."""
    local = url.toLocalFile()
    if "\ufffd" in local:
        local = os.fsdecode(unquote_to_bytes(url.path(QUrl.ComponentFormattingOption.FullyEncoded)))
    return Path(local)
