"""Finds text that has less room than it needs: in labels, buttons, tabs, boxes, fields, headers, and beyond an edge.

What ends in an ellipsis on purpose, with the whole in its tooltip, is no fault; nor is what a scroll area scrolls to.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QWidget,
)

from fullfield_app.gui.widgets.label import ElidedLabel

SETTLING = 4  # turns of the loop: a new text asks its layout, that the next one, and so on
SLACK = 1  # a pixel of rounding, at scales like 125 %


def clipped(window: QWidget) -> list[str]:
    """Each visible text of `window` and its parts that is cut, with what it needs and has; empty where all is whole."""
    application = QApplication.instance()
    assert application is not None
    for _ in range(SETTLING):
        application.processEvents()
    faults = []
    for widget in (window, *window.findChildren(QWidget)):
        if widget.isVisible() and widget.window() is window.window():
            faults += [f"{type(widget).__name__} {widget.accessibleName()!r}: {fault}" for fault in _faults(widget)]
    return faults


def _faults(widget: QWidget) -> Iterator[str]:
    match widget:
        case ElidedLabel():
            return
        case QLabel() if widget.text():
            yield from _label(widget)
        case QAbstractButton() if widget.text() or not widget.icon().isNull():
            yield from _smaller(widget, widget.minimumSizeHint().expandedTo(_least(widget)), widget.text())
        case QTabBar():
            yield from _tabs(widget)
        case QComboBox():
            yield from _combo(widget)
        case QAbstractSpinBox():
            yield from _number(widget)
        case QGroupBox() if widget.title():
            yield from _smaller(widget, QSize(widget.minimumSizeHint().width(), 0), widget.title())
        case QHeaderView():
            yield from _header(widget)
            return
        case _:
            return
    yield from _beyond_an_edge(widget)


def _smaller(widget: QWidget, need: QSize, text: str) -> Iterator[str]:
    if widget.width() + SLACK < need.width() or widget.height() + SLACK < need.height():
        has, wants = f"{widget.width()}×{widget.height()}", f"{need.width()}×{need.height()}"
        yield f"{text[:60]!r} needs {wants} and has {has}"


def _least(button: QAbstractButton) -> QSize:
    """Its size hint, unless it says itself that it may be smaller."""
    hint = button.sizeHint()
    return QSize(min(hint.width(), button.maximumWidth()), min(hint.height(), button.maximumHeight()))


def _label(label: QLabel) -> Iterator[str]:
    if label.wordWrap():
        need = QSize(_longest_word(label), label.heightForWidth(label.width()))
        yield from _smaller(label, need, label.text())
    else:
        yield from _smaller(label, label.minimumSizeHint(), label.text())


def _longest_word(label: QLabel) -> int:
    return max(label.fontMetrics().horizontalAdvance(word) for word in label.text().split() or [""])


def _tabs(bar: QTabBar) -> Iterator[str]:
    for place in range(bar.count()):
        box, text = bar.tabRect(place), bar.tabText(place)
        if bar.isTabVisible(place) and box.width() + SLACK < bar.fontMetrics().horizontalAdvance(text.replace("&", "")):
            yield f"tab {text!r} is cut"
        if bar.isTabVisible(place) and not bar.rect().adjusted(0, 0, SLACK, SLACK).contains(box):
            yield f"tab {text!r} lies beyond the bar"


def _combo(combo: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    combo.initStyleOption(option)
    field = combo.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, combo
    )
    need = combo.fontMetrics().horizontalAdvance(combo.currentText())
    if not combo.isEditable() and field.width() + SLACK < need and not combo.toolTip():
        yield f"{combo.currentText()!r} needs {need} and has {field.width()}"


def _number(spin: QAbstractSpinBox) -> Iterator[str]:
    field = spin.findChild(QLineEdit)
    need = spin.fontMetrics().horizontalAdvance(spin.text())
    if field is not None and field.contentsRect().width() + SLACK < need:
        yield f"{spin.text()!r} needs {need} and has {field.contentsRect().width()}"


def _header(header: QHeaderView) -> Iterator[str]:
    model = header.model()
    if header.orientation() is not Qt.Orientation.Horizontal or model is None:
        return
    for place in range(header.count()):
        text = str(model.headerData(place, header.orientation()) or "")
        if header.isSectionHidden(place):
            continue
        need = max(map(header.fontMetrics().horizontalAdvance, text.splitlines() or [""]))
        if header.sectionSize(place) < need:
            yield f"column {text!r} needs {need} and has {header.sectionSize(place)}"


def _beyond_an_edge(widget: QWidget) -> Iterator[str]:
    """A part of it lies outside of a parent, where nothing scrolls to it."""
    box, parent = QRect(QPoint(0, 0), widget.size()), widget
    while not parent.isWindow():
        above = parent.parentWidget()
        box.translate(parent.pos())
        if above is None or isinstance(above.parentWidget(), QScrollArea):
            return
        if not above.rect().adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(box):
            yield f"lies beyond the edge of {above.accessibleName()!r}"
            return
        parent = above
