"""The window's look, from `resources/themes`: palettes of our own, and a small stylesheet that uses their colours.

What is painted by hand takes its colours from the widget's palette, or by name from `colour`; Qt sends every widget
`QEvent.Type.PaletteChange` when another palette is chosen. Images lie on black in all of them.
"""

from __future__ import annotations

import tomllib
from string import Template

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from fullfield import files
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP

DEFAULT = "reading-room"
PALETTES = {
    "reading-room": QT_TRANSLATE_NOOP("theme", "Reading room"),
    "dark": QT_TRANSLATE_NOOP("theme", "Dark"),
    "light": QT_TRANSLATE_NOOP("theme", "Light"),
}
CURVES = 6

_shown: dict[str, str] = {}  # one look for the whole process, as Qt's own
_WORN = "fullfield theme"  # a property of the application


def say(theme: str) -> str:
    """A palette's name in the user's language."""
    return QCoreApplication.translate("theme", PALETTES[theme])


def apply(application: QApplication, theme: str = DEFAULT) -> None:
    """Dress the application, at any time. Raises FullfieldError where the theme was not shipped."""
    colours = read(theme)
    application.setProperty(_WORN, theme)
    _shown.clear()
    _shown.update(colours)
    if application.style().name() != "fusion":
        application.setStyle("Fusion")
    application.setPalette(palette(colours))
    sheet = files.resource("themes/style.qss").read_text(encoding="utf-8")
    marks = {"check": f"check-{theme}", "up": "up", "down": "down"}
    paths = {key: files.resource(f"themes/{mark}.svg").as_posix() for key, mark in marks.items()}
    application.setStyleSheet(Template(sheet).substitute(colours, **paths))


def worn(application: QApplication) -> str:
    """The theme that is worn; nothing before the first."""
    return str(application.property(_WORN) or "")


def read(theme: str) -> dict[str, str]:
    """The colours of a theme, by our names."""
    text = files.resource(f"themes/{theme}.toml").read_text(encoding="utf-8")
    colours: dict[str, str] = tomllib.loads(text)["colours"]
    return colours


def colour(name: str) -> QColor:
    """A colour of the theme that is shown: `accent`, `quiet`, `trouble`, `caution`, `fine`, `before`, `after`…"""
    if not _shown:
        _shown.update(read(DEFAULT))
    return QColor(_shown[name])


def curve(place: int) -> QColor:
    """The colour of curve `place`, from 0, on `base`; after six they begin anew, in another style of line."""
    return colour(f"curve_{place % CURVES + 1}")


def palette(colours: dict[str, str]) -> QPalette:
    """Qt's roles from our names of colours."""
    dress = QPalette()
    for role, key in _ROLES.items():
        dress.setColor(role, QColor(colours[key]))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
        dress.setColor(QPalette.ColorGroup.Disabled, role, QColor(colours["disabled"]))
    return dress


_ROLES = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "base",
    QPalette.ColorRole.AlternateBase: "raised",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "trouble",
    QPalette.ColorRole.PlaceholderText: "quiet",
    QPalette.ColorRole.Highlight: "chosen",
    QPalette.ColorRole.HighlightedText: "chosen_text",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.Mid: "line",
    QPalette.ColorRole.Midlight: "line",
    QPalette.ColorRole.Dark: "base",
    QPalette.ColorRole.Shadow: "base",
    QPalette.ColorRole.Light: "line",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
}
