"""What the window can look like: each page and dialog as a scene that is set, looked at, and cleared away again.

A new page or dialog is a function here and a line in `SCENES`: screenshots and the search for cut text take it up.
"""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QPushButton, QTabWidget, QWidget

from fullfield.errors import CannotWrite
from fullfield_app.gui import pages
from fullfield_app.gui.about import show_about, show_keys
from fullfield_app.gui.first_start import FirstStart
from fullfield_app.gui.help import show_help
from fullfield_app.gui.preferences.dialog import show_preferences
from gui import scenes_enhance, scenes_runs, scenes_train
from gui.stage import Set, Stage


def empty(stage: Stage) -> QWidget:
    """The first thing that one sees."""
    return stage.turn_to(pages.ENHANCE)


def trouble(stage: Stage) -> QWidget:
    """An error over a page."""
    stage.window.errors.show(
        CannotWrite(
            "Cannot write a file into the chosen folder.",
            hint="Free some space or choose a folder that you may write to, then try again: what is done is kept.",
        )
    )
    stage.wait(0.1)
    return stage.window


def first_start(stage: Stage) -> QWidget:
    """The notice."""
    dialog = FirstStart(stage.application, stage.store)
    dialog.setParent(stage.window, dialog.windowFlags())
    dialog.show()
    return dialog


def preferences(stage: Stage, place: int) -> QWidget:
    """A tab of the preferences."""
    dialog = show_preferences(stage.window, stage.store, stage.window._recent)
    tabs = dialog.findChild(QTabWidget)
    assert tabs is not None
    tabs.setCurrentIndex(place)
    return dialog


def keys(stage: Stage) -> QWidget:
    """Mouse and keys of the page that is shown."""
    window = stage.turn_to(pages.ENHANCE)
    return show_keys(window, pages.ENHANCE, window._page, stage.store.now.keys)


def diagnosis(stage: Stage) -> QWidget:
    """What a worker finds out about this computer."""
    stage.window._actions.by_key["diagnose"].trigger()
    dialog = next(dialog for dialog in stage.window.findChildren(QDialog) if dialog.isVisible())
    stage.wait(20 * stage.patience, lambda: all(button.isEnabled() for button in dialog.findChildren(QPushButton)))
    return dialog


SCENES: dict[str, Set] = {
    "enhance-empty": empty,
    **scenes_enhance.SCENES,
    "trouble": trouble,
    **scenes_train.SCENES,
    **scenes_runs.SCENES,
    "first-start": first_start,
    "preferences-general": lambda stage: preferences(stage, 0),
    "preferences-keys": lambda stage: preferences(stage, 1),
    "keys": keys,
    "help": lambda stage: show_help(stage.window),
    "about": lambda stage: show_about(stage.window),
    "diagnosis": diagnosis,
}
