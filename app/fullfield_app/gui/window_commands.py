"""What the window can do whatever page it shows: its lines of the table of actions."""

from __future__ import annotations

from fullfield_app.gui.actions import FILE, GO, HELP, VIEW, ActionSpec
from fullfield_app.gui.pages import PAGES
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP

SCOPE = "window"
"""The window among the pages, in the settings of keys."""
GO_TO = "go_to_"
MENUS = frozenset({"recent", "palette", "file_windows"})
"""Entries that open a menu of their own: no key presses them."""

SPECS: tuple[ActionSpec, ...] = (
    ActionSpec(key="recent", menu=FILE, text=QT_TRANSLATE_NOOP("actions", "Recent files")),
    ActionSpec(
        key="preferences",
        menu=FILE,
        text=QT_TRANSLATE_NOOP("actions", "Preferences…"),
        keys=("Ctrl+,",),
        separated=True,
    ),
    ActionSpec(key="quit", menu=FILE, text=QT_TRANSLATE_NOOP("actions", "Quit"), keys=("Ctrl+Q",)),
    ActionSpec(key="palette", menu=VIEW, text=QT_TRANSLATE_NOOP("actions", "Colours of the window")),
    *(
        ActionSpec(key=f"{GO_TO}{page.key}", menu=GO, text=page.title, keys=(f"Alt+{number}",))
        for number, page in enumerate(PAGES, 1)
    ),
    ActionSpec(key="help", menu=HELP, text=QT_TRANSLATE_NOOP("actions", "Two-minute tour"), keys=("F1",)),
    ActionSpec(key="keys", menu=HELP, text=QT_TRANSLATE_NOOP("actions", "Mouse and keys"), keys=("?",)),
    ActionSpec(key="diagnose", menu=HELP, text=QT_TRANSLATE_NOOP("actions", "Diagnose…")),
    ActionSpec(key="about", menu=HELP, text=QT_TRANSLATE_NOOP("actions", "About Fullfield"), separated=True),
)
