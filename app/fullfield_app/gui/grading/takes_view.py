"""Two versions of an image side by side, as `Takes` gets them; those that come next are made ready meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from fullfield_app.gui.grading.takes import Key, Take, Takes
from fullfield_app.gui.queue.row import Trouble
from fullfield_app.gui.translation import in_lines, say_core
from fullfield_app.gui.view.linked_pair import LinkedPair
from fullfield_app.gui.view.picture import Picture

ZOOM_STEP = 1.25
Keys = tuple[Key, Key]
Version = Take | Trouble | None


class TakesView(LinkedPair):
    """`shown`: another pair is to be seen, or more of it. `versions`: what there is of it, left and right. Without
    titles nothing tells which is which, not even which of them comes later or not at all."""

    shown = Signal()

    def __init__(self, takes: Takes, titles: tuple[str, str] | None = None, parent: QWidget | None = None) -> None:
        super().__init__(titles, parent)
        self._takes, self._blind = takes, titles is None
        self._wanted: Keys | None = None
        self._ahead: Keys | None = None
        self.versions: tuple[Version, Version] = (None, None)
        takes.ready.connect(self._refresh)

    def show_versions(self, wanted: Keys, ahead: Keys | None) -> None:
        """Show these, left and right, as they come. `ahead`: what will be asked for next."""
        self._wanted, self._ahead = wanted, ahead
        self._show(self._get(wanted))

    def prepare(self, ahead: Keys) -> None:
        """These will be asked for next."""
        self._ahead = ahead
        if self.complete:
            self._get(ahead)

    def take_keys(self, page: QWidget) -> None:
        """Let the keys that look at images do so anywhere in `page`."""
        keys: dict[str, Callable[[], object]] = {
            "F": self.fit,
            "=": self.fit,
            "Ctrl+1": self.one_to_one,
            "+": lambda: self.zoom(ZOOM_STEP),
            "-": lambda: self.zoom(1 / ZOOM_STEP),
            "I": self.invert,
            "R": self.reset,
        }
        for key, act in keys.items():
            QShortcut(QKeySequence(key), page).activated.connect(lambda act=act: act())

    # Within -----------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        if self._wanted is not None and (versions := self._get(self._wanted)) != self.versions:
            self._show(versions)

    def _show(self, versions: tuple[Version, Version]) -> None:
        self.versions = versions
        self.show_pair(*(self._alike(versions) if self._blind else map(self._picture, versions)))
        self.shown.emit()
        if self.complete and self._ahead is not None:  # a worker that was refused is not started again unasked
            self._get(self._ahead)

    def _get(self, keys: Keys) -> tuple[Version, Version]:
        left, right = keys
        return self._takes.get(*left), self._takes.get(*right)

    def _alike(self, versions: tuple[Version, Version]) -> Iterable[Picture | str]:
        """Both, or the same of both; what the trouble is, is said on the left, whichever has it."""
        troubles = sorted({str(self._picture(one)) for one in versions if isinstance(one, Trouble)})
        if troubles:
            lead = self.tr("This pair cannot be shown.")
            return in_lines(lead, *troubles), lead
        return map(self._picture, (None, None) if None in versions else versions)

    def _picture(self, version: Version) -> Picture | str:
        if isinstance(version, Take):
            return version.picture
        if version is None:
            return self.tr("Getting the image ready…")
        return in_lines(*map(say_core, (version.title, version.detail, version.hint)))
