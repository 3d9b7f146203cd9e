"""Names for those who cannot see the window, and for tests that use it as they do: one per widget, each only once.

Qt builds inner parts of its own (scroll bars, viewports, pop-ups); `complete` names those after the widget that
they belong to.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSlider,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollBar,
    QSplitterHandle,
    QWidget,
)

from fullfield_app.gui.widgets import wheel
from fullfield_app.gui.widgets.label import describe

translate = QCoreApplication.translate


def name(widget: QWidget, text: str) -> None:
    """Give a widget the name that it is known by; what all of ours have in common is seen to here as well."""
    widget.setAccessibleName(text)
    if isinstance(widget, QLabel):
        describe(widget)
    wheel.spare(widget)


def complete(window: QWidget) -> None:
    """Name every part of `window` that has none after the nearest one that has, and tell equal names apart."""
    taken: set[str] = set()
    for widget in (window, *window.findChildren(QWidget)):  # each before those in it
        text = widget.accessibleName() or _derived(widget)
        count, unique = 1, text
        while unique in taken:
            count += 1
            unique = f"{text} {count}"
        taken.add(unique)
        if widget.accessibleName() != unique:
            widget.setAccessibleName(unique)


def _derived(widget: QWidget) -> str:
    parent = widget.parentWidget()
    whose = parent.accessibleName() if parent is not None else ""
    return f"{whose}: {_part(widget)}" if whose else _part(widget)


def _part(widget: QWidget) -> str:
    parent = widget.parentWidget()
    match widget:
        case QScrollBar():
            upright = widget.orientation() is not None and widget.orientation().name == "Vertical"
            return (
                translate("accessible", "vertical scroll bar")
                if upright
                else translate("accessible", "horizontal scroll bar")
            )
        case QMenu():
            return widget.title().replace("&", "") or translate("accessible", "menu")
        case QLineEdit():
            return translate("accessible", "text")
        case QSplitterHandle():
            return translate("accessible", "divider")
        case QAbstractSlider():
            return translate("accessible", "slider")
        case QAbstractScrollArea():
            return translate("accessible", "list")
        case QComboBox():
            return translate("accessible", "choice")
    if isinstance(parent, QAbstractScrollArea) and parent.viewport() is widget:
        return translate("accessible", "content")
    return translate("accessible", "part")
