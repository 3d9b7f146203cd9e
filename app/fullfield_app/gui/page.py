"""What a page of the window is: a widget that says what it does, and ends what it has started.

A new page is its class in a file of its own, and a line in `pages.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from fullfield_app.gui.actions import ActionSpec
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.widgets.question import Question


class Page(QWidget):
    """`noticed`: a sentence for the status bar; `said`: a Message, `withdrawn` by its title; `failed`: an exception;
    `went`: the key of another page to turn to, and what to show there (or None); `opened`: the files and folders that
    the user opened, for the list of recent ones.
    """

    noticed = Signal(str)
    said = Signal(object)
    withdrawn = Signal(str)
    failed = Signal(object)
    went = Signal(str, object)
    opened = Signal(object)

    specs: Sequence[ActionSpec] = ()
    shows_images: bool = False  # with what the mouse does to them
    takes_files: bool = False  # those that are dropped on it; without, they are opened on the page that enhances
    actions_by_key: dict[str, QAction]

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.actions_by_key = {}

    def settle(self, store: SettingsStore) -> None:
        """The user's settings, once, before the page is first shown: read `store.now`, follow `store.changed`, change
        with `store.change`."""

    def start(self) -> None:
        """Begin what could wait until the page is seen. Called once."""

    def take(self, paths: list[Path]) -> None:
        """Files and folders were dropped on the page."""

    def hover(self, above: bool) -> None:
        """Files are held above the page."""

    def turn_to(self, subject: object) -> None:
        """The page is turned to; `subject`: what to show, as another page asked with `went`, or None."""

    def question(self) -> Question | None:
        """What to ask before the window closes; None where nothing would be lost."""
        return None

    def close_down(self) -> None:
        """End what was started; more than once does no harm."""
