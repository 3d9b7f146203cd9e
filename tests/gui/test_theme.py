"""Three palettes of our own: all text can be read, all curves can be seen, and a change is seen at once."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from fullfield import files
from fullfield_app.gui import application, theme
from gui.hands import Hands

INKS = {
    "text": "window base raised hover notice_ground trouble_ground",
    "quiet": "window base raised notice_ground",
    "accent": "window base",
    "accent_ink": "accent after",
    "chosen_text": "chosen",
    "trouble": "window base raised trouble_ground",
    "caution": "window base raised",
    "fine": "window base raised",
    "before": "window base",
    "after": "window base",
}
PAIRS = [(ink, ground) for ink, grounds in INKS.items() for ground in grounds.split()]
ROLE = QPalette.ColorRole


def contrast(one: QColor, other: QColor) -> float:
    """WCAG 2.1, relative luminance."""

    def luminance(colour: QColor) -> float:
        parts = [colour.redF(), colour.greenF(), colour.blueF()]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", theme.PALETTES)
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_that_every_text_can_be_read_on_its_ground(name: str, ink: str, ground: str) -> None:
    colours = theme.read(name)
    assert contrast(QColor(colours[ink]), QColor(colours[ground])) >= 4.5


@pytest.mark.parametrize("name", theme.PALETTES)
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        (ROLE.WindowText, ROLE.Window),
        (ROLE.Text, ROLE.Base),
        (ROLE.ButtonText, ROLE.Button),
        (ROLE.HighlightedText, ROLE.Highlight),
        (ROLE.PlaceholderText, ROLE.Base),
        (ROLE.BrightText, ROLE.Base),
        (ROLE.Link, ROLE.Base),
        (ROLE.ToolTipText, ROLE.ToolTipBase),
    ],
)
def test_that_qt_s_own_roles_can_be_read_too(name: str, ink: ROLE, ground: ROLE) -> None:
    dress = theme.palette(theme.read(name))
    assert contrast(dress.color(ink), dress.color(ground)) >= 4.5


@pytest.mark.parametrize("name", theme.PALETTES)
def test_that_every_curve_can_be_seen_and_told_from_the_others(name: str) -> None:
    colours = theme.read(name)
    curves = [QColor(colours[f"curve_{place + 1}"]) for place in range(theme.CURVES)]
    assert all(contrast(curve, QColor(colours[ground])) >= 3 for curve in curves for ground in ("base", "window"))
    for one, other in combinations(curves, 2):
        assert sum(abs(a - b) for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True)) > 80


def test_that_every_palette_has_the_same_names_and_the_stylesheet_uses_no_other() -> None:
    keys = [set(theme.read(name)) for name in theme.PALETTES]
    used = set(re.findall(r"\$(\w+)", files.resource("themes/style.qss").read_text(encoding="utf-8")))
    assert keys[0] == keys[1] == keys[2] and used <= {*keys[0], "check", "up", "down"}


def test_that_images_lie_on_black_whatever_the_palette(qapp: QApplication) -> None:
    for name in theme.PALETTES:
        theme.apply(qapp, name)
        assert "Viewer { background: #000000; }" in qapp.styleSheet()


def test_that_another_palette_is_seen_at_once(qapp: QApplication) -> None:
    _, store = application.prepare()
    store.change(lambda now: replace(now, palette="light"))
    assert qapp.palette().color(ROLE.Window) == QColor(theme.read("light")["window"])
    assert theme.colour("before") == QColor(theme.read("light")["before"])
    store.change(lambda now: replace(now, palette="dark"))
    assert qapp.palette().color(ROLE.Window) == QColor(theme.read("dark")["window"])
    store.close()


def test_that_the_palette_can_be_chosen_in_the_menu(hands: Hands) -> None:
    menu = hands.window._actions.by_key["palette"].menu()
    light = next(action for action in menu.actions() if action.text() == "Light")
    light.trigger()
    assert hands.window._store.now.palette == "light" and light.isChecked()
