"""The dialog that keeps the sliders' values as a preset of one's own: its name, and for which body part it is taken."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from fullfield.errors import FullfieldError
from fullfield.image import header_words, own_presets, presets
from fullfield.image.preset import ADJUSTED, Preset
from fullfield_app.gui.translation import say_error
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import clean, plain_label

WIDTH = 420


class SavePreset(QDialog):
    """`saved`: the Preset that has been written."""

    saved = Signal(object)

    def __init__(self, values: Preset, *, body_part: str, species: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Save as a preset"))
        self.setWindowTitle(self.tr("Save as a preset"))
        self._values, self._species = values, species
        self._build(body_part)
        complete(self)

    def _build(self, body_part: str) -> None:
        text = plain_label(
            self.tr(
                "The values of the sliders become a preset of your own. It is offered beside the others, here and on "
                "the command line. Saving under a name of your own again makes its next version."
            ),
            wrap=True,
        )
        name(text, self.tr("What saving a preset does"))
        self._title = QLineEdit()
        self._title.setMaxLength(60)
        name(self._title, self.tr("Name of the preset"))
        self._part = QComboBox()
        name(self._part, self.tr("Body part of the preset"))
        self._part.addItem(self.tr("None: only when it is chosen"), "")
        is_own = self._values.name.removesuffix(ADJUSTED) in own_presets.paths()
        self._kept = ", ".join(self._values.body_parts) if is_own else ""
        for part in dict.fromkeys((self._kept, body_part.upper().strip(), *_parts())):
            if part:
                self._part.addItem(clean(part), part)
        if is_own:
            self._title.setText(clean(self._values.title))
            self._part.setCurrentIndex(1 if self._kept else 0)
        self._trouble = plain_label(object_name="trouble", wrap=True)
        name(self._trouble, self.tr("What is wrong with the preset"))
        self._trouble.hide()
        form = QFormLayout()
        for caption, field in ((self.tr("Name"), self._title), (self.tr("Automatic takes it for"), self._part)):
            label = plain_label(caption)
            name(label, self.tr("{title}, caption").format(title=caption))
            form.addRow(label, field)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        name(buttons, self.tr("Save or cancel"))
        self._save = buttons.button(QDialogButtonBox.StandardButton.Save)
        name(self._save, self.tr("Save the preset"))
        cancel = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        name(cancel, self.tr("Do not save the preset"))
        for button, text_of in ((self._save, self.tr("Save")), (cancel, self.tr("Cancel"))):
            button.setText(text_of)
        buttons.accepted.connect(self._write)
        buttons.rejected.connect(self.reject)
        self._title.textChanged.connect(lambda title: self._save.setEnabled(bool(title.strip())))
        self._save.setEnabled(bool(self._title.text()))
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(text)
        layout.addLayout(form)
        layout.addWidget(self._trouble)
        layout.addWidget(buttons)
        self.setFixedWidth(WIDTH)

    def _write(self) -> None:
        part = str(self._part.currentData())
        parts: tuple[str, ...] = (part,) if part else ()
        species: tuple[str, ...] = (header_words.kept_species(self._species),)
        if part and part == self._kept:
            parts, species = self._values.body_parts, self._values.species
        try:
            saved = own_presets.save(
                self._values,
                title=self._title.text(),
                body_parts=parts,
                species=species,
                taken=frozenset(presets.names()),
            )
        except FullfieldError as error:
            self._trouble.setText(say_error(error))
            self._trouble.show()
            return
        self.saved.emit(saved)
        self.accept()


def save_preset(
    owner: QWidget, values: Preset, *, body_part: str, species: str, saved: Callable[[Preset], None]
) -> SavePreset:
    """Ask for a name, and save."""
    dialog = SavePreset(values, body_part=body_part, species=species, parent=owner)
    dialog.saved.connect(saved)
    dialog.open()
    return dialog


def _parts() -> list[str]:
    """The body parts that the shipped presets know."""
    return sorted({part for key in presets.names() for part in presets.load(key).body_parts})
