"""The window's look, from `resources/themes`: a palette of our own, and a small stylesheet that uses its colours."""

from __future__ import annotations

import tomllib
from string import Template

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from fullfield import files

DEFAULT = "reading-room"


def apply(application: QApplication, theme: str = DEFAULT) -> None:
    """Dress the application. Raises FullfieldError where the theme was not shipped."""
    colours: dict[str, str] = tomllib.loads(files.resource(f"themes/{theme}.toml").read_text(encoding="utf-8"))[
        "colours"
    ]
    application.setStyle("Fusion")
    application.setPalette(palette(colours))
    sheet = files.resource("themes/style.qss").read_text(encoding="utf-8")
    application.setStyleSheet(Template(sheet).substitute(colours))


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
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.Mid: "line",
    QPalette.ColorRole.Midlight: "line",
    QPalette.ColorRole.Dark: "base",
    QPalette.ColorRole.Shadow: "base",
    QPalette.ColorRole.Light: "line",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
}
