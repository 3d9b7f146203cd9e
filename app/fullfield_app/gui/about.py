"""What the program is and is not, and its mouse and keys: two small dialogs of plain text."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from fullfield_app.gui import texts, window_commands
from fullfield_app.gui.actions import Keys, keys_of, native, say
from fullfield_app.gui.page import Page
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
    return _dialog(owner, translate("about", "About Fullfield"), inner, width=480, height=260)


def show_keys(owner: QWidget, scope: str, page: Page, changed: Keys) -> QDialog:
    """The keys of the page `scope`, of the window, and what the mouse does to images where the page has some."""
    inner = QWidget()
    layout = QGridLayout(inner)
    layout.setVerticalSpacing(4)
    layout.setHorizontalSpacing(14)
    layout.setColumnStretch(0, 2)
    layout.setColumnStretch(1, 3)
    lines = _mouse() if page.shows_images else []
    for where, specs in ((scope, page.specs), (window_commands.SCOPE, window_commands.SPECS)):
        lines += [
            (native(keys), say(spec.text).replace("&", "")) for spec in specs if (keys := keys_of(where, spec, changed))
        ]
    for number, (pressed, text) in enumerate(lines):
        caption, value = plain_label(pressed, object_name="quiet", wrap=True), plain_label(text, wrap=True)
        name(caption, translate("about", "Key {number}: {keys}").format(number=number + 1, keys=pressed))
        name(value, f"{pressed}: {text}")
        for column, label in enumerate((caption, value)):
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            layout.addWidget(label, number, column)
    layout.setRowStretch(len(lines), 1)
    return _dialog(owner, translate("about", "Mouse and keys"), inner, width=620, height=560)


def _mouse() -> list[tuple[str, str]]:
    return [
        (
            translate("about", "Left drag"),
            translate("about", "window (sideways) and level (up and down), or the chosen tool"),
        ),
        (translate("about", "Middle drag, or left with Space held"), translate("about", "pan")),
        (translate("about", "Right drag"), translate("about", "window of the values in the area that is drawn")),
        (translate("about", "Right click"), translate("about", "menu")),
        (translate("about", "Wheel"), translate("about", "zoom at the cursor")),
        (translate("about", "Double click"), translate("about", "reset")),
        (translate("about", "Arrows"), translate("about", "pan; with Shift: window and level; with Ctrl: the curtain")),
    ]


def _dialog(owner: QWidget, title: str, inner: QWidget, *, width: int, height: int) -> QDialog:
    dialog = QDialog(owner)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    name(dialog, title)
    name(inner, translate("about", "{title}: text").format(title=title))
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(inner)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.addWidget(area)
    layout.addWidget(buttons)
    dialog.resize(width, height)
    complete(dialog)
    dialog.open()
    return dialog
