"""The dialog before a switch: it offers to look, shows what would change on images of the user's own, and is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QStackedWidget, QVBoxLayout, QWidget

from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.grading.takes import Takes
from fullfield_app.gui.switching.finder import Finder
from fullfield_app.gui.switching.looking_page import LookingPage
from fullfield_app.gui.switching.offer_page import OfferPage
from fullfield_app.gui.switching.wanted import Images, Switch
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.scrolled import on_screen

LEAST, SMALL = QSize(960, 600), QSize(640, 340)


class SwitchDialog(QDialog):
    """Accepted: the switch is wanted. `failed`: an exception. Once it has finished, `end` it, then delete it."""

    failed = Signal(object)

    def __init__(self, owner: QWidget, workers: Workers, switch: Switch) -> None:
        super().__init__(owner)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("Before it comes into use"))
        name(self, self.tr("Before a model comes into use"))
        self._owner, self._workers, self._switch = owner, workers, switch
        self._takes: Takes | None = None
        self._finders: list[Finder] = []
        self._offer = OfferPage(switch)
        self._pages = QStackedWidget()
        name(self._pages, self.tr("Steps of the comparison"))
        self._pages.addWidget(self._offer)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
        self.resize(SMALL)
        self._offer.used.connect(self.accept)
        self._offer.kept.connect(self.reject)
        self._offer.asked.connect(self._look)
        self._offer.folder_chosen.connect(self._look_in)
        self._list(switch.images, self._count)
        complete(self)

    def end(self) -> None:
        """End all that is at work; takes seconds at times, so it is a background task's."""
        for finder in self._finders:
            finder.close()
        if self._takes is not None:
            self._takes.close()

    # Looking ----------------------------------------------------------------------------------------------------

    def _list(self, images: Images, then: Callable[[], object]) -> None:
        """List these, then go on, unless others are wanted by then."""
        self._offer.show_count(None)
        finder = Finder(self._workers.session, self._switch.part, self)
        finder.failed.connect(self.failed)
        finder.listed.connect(lambda: then() if finder is self._finders[-1] else None)
        finder.list(images)
        self._finders.append(finder)

    def _count(self) -> None:
        self._offer.show_count(self._finders[-1].total)

    def _look_in(self, folder: Path) -> None:
        self._list(lambda: [folder], self._look)

    def _look(self) -> None:
        """Compare on what was listed last."""
        if self._takes is None:
            self._takes = Takes(self._workers.session, (), self)
        page = LookingPage(self._switch, self._takes, self._finders[-1])
        page.used.connect(self.accept)
        page.kept.connect(self.reject)
        page.others_asked.connect(lambda: self._leave(page))
        self._grow()
        self._pages.addWidget(page)
        self._pages.setCurrentWidget(page)
        complete(self)
        page.setFocus()
        self._finders[-1].look()

    def _grow(self) -> None:
        """As large as the window below, and over it."""
        room = self._owner.geometry()
        middle = room.center()
        room.setSize(room.size().expandedTo(on_screen(self, LEAST)))
        room.moveCenter(middle)
        self.setGeometry(room)

    def _leave(self, page: LookingPage) -> None:
        """Back to the offer: other images are wanted."""
        self._finders[-1].end()
        self._list(self._switch.images, self._count)
        self._pages.setCurrentWidget(self._offer)
        self._pages.removeWidget(page)
        page.setParent(None)  # at once, or its parts would still have the names of the next page's
        page.deleteLater()
