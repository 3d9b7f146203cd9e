"""What the program is and is not, and its mouse and keys: two small dialogs of plain text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QScrollArea, QVBoxLayout, QWidget

from fullfield_app.gui import texts
from fullfield_app.gui.actions import ActionSpec, say
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import plain_label

translate = QCoreApplication.translate


def show_about(owner: QWidget) -> QDialog:
    """What the program is, and what it is not."""
    inner = QWidget()
    layout = QVBoxLayout(inner)
    layout.setSpacing(12)
    layout.addWidget(plain_label("Fullfield", object_name="title"))
    layout.addWidget(plain_label(texts.about(), wrap=True))
    layout.addWidget(plain_label(texts.not_a_medical_device(), wrap=True))
    layout.addStretch()
    return _dialog(owner, translate("about", "About Fullfield"), inner, height=260)


def show_keys(owner: QWidget, specs: Sequence[ActionSpec]) -> QDialog:
    """What the mouse does, and every key."""
    inner = QWidget()
    layout = QFormLayout(inner)
    layout.setVerticalSpacing(4)
    lines = [
        (
            translate("about", "Left drag"),
            translate("about", "window (sideways) and level (up and down), or the chosen tool"),
        ),
        (translate("about", "Middle drag"), translate("about", "pan")),
        (translate("about", "Wheel"), translate("about", "zoom at the cursor")),
        (translate("about", "Double click"), translate("about", "reset")),
        (translate("about", "Arrows"), translate("about", "pan; with Shift: window and level; with Ctrl: the curtain")),
    ]
    lines += [(_keys(spec), say(spec.text).replace("&", "")) for spec in specs if spec.keys]
    for number, (keys, text) in enumerate(lines):
        caption, value = plain_label(keys, object_name="quiet"), plain_label(text, wrap=True)
        name(caption, f"{translate('about', 'Key')} {number + 1}: {keys}")
        name(value, f"{keys}: {text}")
        layout.addRow(caption, value)
    return _dialog(owner, translate("about", "Mouse and keys"), inner, height=520)


def _keys(spec: ActionSpec) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(QKeySequence(key).toString(native) for key in spec.keys)


def _dialog(owner: QWidget, title: str, inner: QWidget, *, height: int) -> QDialog:
    dialog = QDialog(owner)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    name(dialog, title)
    name(inner, f"{title}: {translate('about', 'text')}")
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(inner)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.addWidget(area)
    layout.addWidget(buttons)
    dialog.resize(480, height)
    complete(dialog)
    dialog.open()
    return dialog
