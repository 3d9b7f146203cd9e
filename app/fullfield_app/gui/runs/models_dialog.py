"""The user's models: a list, the card of the one that is chosen, and for which body parts it is taken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from fullfield.enhance.models import Model, Shelf
from fullfield_app.gui import theme
from fullfield_app.gui.runs import card_facts, words
from fullfield_app.gui.runs.fact_form import FactForm
from fullfield_app.gui.runs.keep_dialog import KeepDialog
from fullfield_app.gui.runs.model_work import ModelWork
from fullfield_app.gui.switching.wanted import Switch
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import clean, plain_label, tooltip
from fullfield_app.gui.widgets.question import Answer, Question, ask

SUFFIX, MAP = ".safetensors", "map"


class ModelsDialog(QDialog):
    """Shows models, and routes what is asked to `work`. `improve_asked`: with the user's own images, the model's file;
    None: from an untrained network. `switch_asked`: a Switch, which is done once its user has said so."""

    improve_asked = Signal(object)
    switch_asked = Signal(object)

    def __init__(self, work: ModelWork, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Models"))
        name(self, self.tr("Models"))
        self._work = work
        self._shelf: Shelf | None = None
        self._boxes: dict[str, QCheckBox] = {}
        self._backs: dict[str, tuple[QPushButton, QPushButton]] = {}
        self._build()
        work.listed.connect(self.show_shelf)
        self._list.currentRowChanged.connect(lambda _: self._show())
        self._show()

    def show_shelf(self, shelf: Shelf) -> None:
        """Show these models; the one that is chosen stays so."""
        chosen = self._chosen()
        self._shelf = shelf
        self._list.blockSignals(True)
        self._list.clear()
        for model in shelf.models:
            self._list.addItem(self._item(model))
        names = [model.name for model in shelf.models]
        row = names.index(chosen.name) if chosen is not None and chosen.name in names else 0
        self._list.setCurrentRow(row if names else -1)
        self._list.blockSignals(False)
        self._offer_parts(shelf)
        self._show()

    # Showing ----------------------------------------------------------------------------------------------------

    def _chosen(self) -> Model | None:
        row = self._list.currentRow()
        return self._shelf.models[row] if self._shelf and 0 <= row < len(self._shelf.models) else None

    def _show(self) -> None:
        model = self._chosen()
        self._none.setVisible(model is None)
        self._tabs.setVisible(model is not None)
        self._export.setEnabled(model is not None)
        self._remove.setEnabled(model is not None and not model.shipped)
        is_kept = self.tr("It is a part of the program and cannot be removed.")
        self._remove.setToolTip(tooltip(is_kept) if model is not None and model.shipped else "")
        is_several = model is not None and model.network == MAP and model.members > 0
        several = self.tr("It is an ensemble, and a training begins from one network: choose the model of a member.")
        self._improve.setEnabled(not is_several)
        self._improve.setToolTip(tooltip(several if is_several else self._improves))
        if model is None or self._shelf is None:
            return
        self._card.show_rows(card_facts.rows(model))
        for part, box in self._boxes.items():
            before = self._shelf.before.get(part)
            for button in self._backs[part]:
                button.setVisible(before is not None)
            to = words.model(before) if before else self.tr("the preset")
            self._backs[part][0].setText(self.tr("Back to {model}").format(model=to))
            other = self._shelf.defaults.get(part, "")
            box.setChecked(other == model.name)
            title = say_core(self._shelf.body_parts[part])
            box.setText(self._now(part, title, words.model(other) if other not in ("", model.name) else ""))
            box.setEnabled(not model.weakness or other == model.name)  # it can still cease to be one
            box.setToolTip(tooltip(say_core(model.weakness)))

    def _now(self, part: str, title: str, other: str) -> str:
        """A body part with what is taken for it now. `other`: a model than the one that is shown; "": that, or none."""
        if self._shelf is not None and part in self._shelf.changed:
            mine = self.tr("{part} (the model's file has been changed: a preset is used)").format(part=title)
            text = self.tr("{part} (the file of {model} has been changed: a preset is used)")
            return text.format(part=title, model=other) if other else mine
        return self.tr("{part} (now: {model})").format(part=title, model=other) if other else title

    def _item(self, model: Model) -> QListWidgetItem:
        title = words.model(model.name)
        item = QListWidgetItem(self.tr("{model} (not worth using)").format(model=title) if model.weakness else title)
        if model.weakness:
            item.setForeground(theme.colour("trouble"))
            item.setToolTip(tooltip(say_core(model.weakness)))
        return item

    def _offer_parts(self, shelf: Shelf) -> None:
        if self._boxes:
            return
        for place, (part, title) in enumerate(shelf.body_parts.items()):
            box = QCheckBox(say_core(title))
            name(box, self.tr("Take it for: {part}").format(part=box.text()))
            box.clicked.connect(lambda on, part=part: self._ask_default(part, on))
            self._parts.addWidget(box, place, 0)
            back = QPushButton()
            name(back, self.tr("Back to the one before: {part}").format(part=box.text()))
            back.clicked.connect(lambda _=False, part=part: self._work.go_back(part))
            compare = QPushButton(self.tr("Compare…"))
            compare.setToolTip(tooltip(self.tr("Look at both on your own images before you go back.")))
            name(compare, self.tr("Compare with the one before: {part}").format(part=box.text()))
            compare.clicked.connect(lambda _=False, part=part: self._ask_back(part))
            self._parts.addWidget(back, place, 1)
            self._parts.addWidget(compare, place, 2)
            self._boxes[part], self._backs[part] = box, (back, compare)
        self._parts.setRowStretch(len(self._boxes), 1)
        complete(self)

    # Asking -----------------------------------------------------------------------------------------------------

    def _ask_default(self, part: str, on: bool) -> None:
        """The box shows what is wanted until that is answered: `show_shelf` then shows what is."""
        model = self._chosen()
        if model is not None:
            name = model.name if on else ""
            self.switch_asked.emit(self._switch(part, name, lambda: self._work.set_default(part, name)))

    def _ask_back(self, part: str) -> None:
        if self._shelf is not None:
            self.switch_asked.emit(self._switch(part, self._shelf.before[part], lambda: self._work.go_back(part)))

    def _switch(self, part: str, to: str, use: Callable[[], object]) -> Switch:
        """`to`: a model's name; "": the preset."""
        assert self._shelf is not None
        now = self._shelf.used(part)
        model = next((model.path for model in self._shelf.models if model.name == to), None)
        return Switch(part=part, now=words.in_use(now), new=words.in_use(to), model=model, use=use)

    def _ask_to_improve(self) -> None:
        model = self._chosen()
        self.accept()
        self.improve_asked.emit(model.path if model is not None and model.network == MAP else None)

    def _ask_import(self) -> None:
        dialog = QFileDialog(self, self.tr("Import a model"))
        name(dialog, self.tr("Import a model, file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Models (*{suffix})").format(suffix=SUFFIX))
        dialog.fileSelected.connect(lambda path: self._work.inspect(Path(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _ask_export(self) -> None:
        model = self._chosen()
        if model is None:
            return
        dialog = QFileDialog(self, self.tr("Export the model"))
        name(dialog, self.tr("Export the model, file"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("Models (*{suffix})").format(suffix=SUFFIX))
        dialog.setDefaultSuffix(SUFFIX.lstrip("."))
        dialog.selectFile(f"{model.name}{SUFFIX}")
        dialog.fileSelected.connect(lambda path: self._work.export(model.name, Path(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _ask_remove(self) -> None:
        model = self._chosen()
        if model is None:
            return
        question = Question(
            title=self.tr("Remove the model?"),
            text=self.tr("“{model}” is deleted from your models. The run that made it stays as it is.").format(
                model=clean(model.name)
            ),
            answers=(Answer(text=self.tr("Remove the model"), act=lambda: self._work.remove(model.name)),),
            cancel=self.tr("Go back"),
        )
        ask(self, question)

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._list = QListWidget()
        name(self._list, self.tr("Your models"))
        self._none = plain_label(
            self.tr("No model yet. Import one, or keep the model of a run that has been trained."),
            object_name="quiet",
            wrap=True,
        )
        name(self._none, self.tr("Why nothing is listed"))
        self._card = FactForm(self.tr("Card of the model"), card_facts.titles(), trouble=card_facts.WEAKNESS)
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        name(self._tabs, self.tr("Card and body parts"))
        self._tabs.addTab(self._card, self.tr("Card"))
        self._tabs.addTab(self._make_parts(), self.tr("Take it for"))
        right = QWidget()
        name(right, self.tr("The chosen model"))
        beside = QVBoxLayout(right)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(self._none)
        beside.addWidget(self._tabs, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        name(splitter, self.tr("Models and card"))
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self._list)
        splitter.addWidget(right)
        splitter.setSizes([220, 500])
        self._improve = QPushButton(self.tr("Improve with our own images…"))
        self._improves = self.tr(
            "Train the chosen map network, or an untrained one where none is chosen, on your reviewed images "
            "in some ten minutes. It is offered for use only if it is better than before."
        )
        name(self._improve, self.tr("Improve a model with our own images"))
        self._improve.clicked.connect(self._ask_to_improve)
        self._import = self._button(self.tr("Import…"), self._ask_import)
        self._export = self._button(self.tr("Export…"), self._ask_export)
        self._remove = self._button(self.tr("Remove…"), self._ask_remove)
        line = QHBoxLayout()
        line.addWidget(self._improve)
        for button in (self._import, self._export, self._remove):
            line.addWidget(button)
        line.addStretch()
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        name(close, self.tr("Close the models"))
        close.rejected.connect(self.reject)
        line.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(splitter, 1)
        layout.addLayout(line)
        close.button(QDialogButtonBox.StandardButton.Close).setDefault(True)  # else Enter improves a model
        self.resize(760, 520)
        complete(self)

    def _make_parts(self) -> QWidget:
        whole = QWidget()
        name(whole, self.tr("Body parts of the model"))
        self._parts = QGridLayout()
        hint = plain_label(
            self.tr(
                "Where “Automatic” is chosen, this model enhances images of these body parts instead of a preset, if "
                "they are of its kind."
            ),
            object_name="quiet",
            wrap=True,
        )
        name(hint, self.tr("What a default does"))
        layout = QVBoxLayout(whole)
        layout.addWidget(hint)
        layout.addLayout(self._parts)
        layout.addStretch()
        return whole

    def _button(self, text: str, act: object) -> QPushButton:
        button = QPushButton(text)
        name(button, self.tr("{action} a model").format(action=text.rstrip("…")))
        button.clicked.connect(act)
        return button


def show_card(owner: QWidget, work: ModelWork, model: Model, suggested: str) -> KeepDialog:
    """Show the card of a model that is to be kept."""
    dialog = KeepDialog(model, suggested, owner)
    dialog.kept.connect(lambda chosen: work.keep(model.path, chosen))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog
