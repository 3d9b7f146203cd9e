"""With what the selected images are enhanced, and what kind of input they are: chosen here, for them or for all.

A network that is not meant for the image that one looks at is grey in the list, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QGridLayout, QPushButton, QWidget

from fullfield.enhance.methods import Offer
from fullfield.image.image import InputKind
from fullfield.image.method import AUTO, MODEL_SUFFIX, Method
from fullfield_app.gui import theme
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean, plain_label, tooltip

_FROM_FILE = ""
LEAST_COMBO = 96  # pixels, beside the sliders on a small screen: its list shows the whole of each choice


class ChoiceBar(QWidget):
    """`chosen`, `kind_chosen`: for the images that are selected; `all_asked`: the choice for all of them.

    `adjust_toggled`: the sliders are to be shown, or no longer; `file_asked`: a model is to be chosen from a file;
    `doubted`: the file of a model that is not worth using was chosen, which is to be confirmed.
    """

    chosen = Signal(str)
    kind_chosen = Signal(str)
    all_asked = Signal()
    adjust_toggled = Signal(bool)
    file_asked = Signal()
    doubted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Enhance with"))
        self._last, self._shown = AUTO, Method()
        self._offers: dict[str, Offer] = {}
        self._found: tuple[InputKind, str] | None = None  # kind and modality of the image that one looks at
        self._build()
        self._connect_signals()

    @property
    def choice(self) -> str:
        """What was chosen last and not undone: `auto`, a preset's name, or a model's file."""
        return self._last

    @choice.setter
    def choice(self, choice: str) -> None:
        self._last = choice

    @property
    def shown(self) -> Method:
        """What the image that one looks at is enhanced with."""
        return self._shown

    def offer(self, offers: Sequence[Offer]) -> None:
        """The presets and models there are: of others only the one that the image one looks at has is listed."""
        self._offers = {offer.key: offer for offer in offers}
        self._combo.clear()
        self._combo.addItem(self.tr("Automatic"), AUTO)
        for offer in offers:
            self._combo.addItem(self._title(offer), offer.key)
            if offer.weakness:
                last = self._combo.count() - 1
                self._combo.setItemData(last, theme.colour("trouble"), Qt.ItemDataRole.ForegroundRole)
                self._combo.setItemData(last, tooltip(say_core(offer.weakness)), Qt.ItemDataRole.ToolTipRole)
        self._combo.addItem(self.tr("Model from a file…"), _FROM_FILE)
        self.show_method(self._shown)

    def show_method(self, method: Method) -> None:
        """Show what the image that one looks at is enhanced with."""
        self._shown = method
        if self._combo.findData(method.choice) < 0:
            self._add_file(method.choice)
        self._combo.setCurrentIndex(self._combo.findData(method.choice))
        self._kind.setCurrentIndex(self._kind.findData(method.kind))
        self._show_reasons()

    def show_kind(self, kind: InputKind | None, reason: str, modality: str = "") -> None:
        """What the reader took the image for, and why; None while that is not known. `modality`: its header's."""
        found = self.tr("As found") if kind is None else self.tr("Found: {kind}").format(kind=self.say_kind(kind))
        self._kind.setItemText(0, found)
        hint = self.tr("Raw as the detector gave it, or processed for display. The logarithm is for raw input only.")
        self._kind.setToolTip(tooltip(f"{hint} {clean(reason)}".strip()))
        self._found = None if kind is None else (kind, modality)
        self._show_reasons()

    def say(self, choice: str) -> str:
        """A choice in words."""
        place = self._combo.findData(choice)
        return self._combo.itemText(place) if place >= 0 else self._model_title(choice)

    def say_kind(self, kind: str) -> str:
        """A kind of input in words."""
        return self.tr("raw") if kind == InputKind.RAW else self.tr("processed")

    def take_model(self, path: str) -> None:
        """Use the model in the file `path`, which is offered."""
        self._combo.setCurrentIndex(self._combo.findData(path))
        self._take(path)

    def toggle_adjust(self) -> None:
        """Press the button for the sliders."""
        self._adjust.toggle()

    # Within -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.caption = plain_label(self.tr("Enhance with"), object_name="quiet")
        name(self.caption, self.tr("Enhance with, caption"))
        self._combo = self._make_combo(self.tr("Preset or model"))
        self._combo.setToolTip(
            tooltip(self.tr("Automatic chooses the preset by body part, species and kind of input of each image."))
        )
        self._combo.addItem(self.tr("Automatic"), AUTO)
        self._combo.addItem(self.tr("Model from a file…"), _FROM_FILE)
        self._all = QPushButton(self.tr("Apply to all"))
        name(self._all, self.tr("Enhance all images with this choice"))
        self._all.setToolTip(tooltip(self.tr("Enhance every image in the list with this choice")))
        input_label = plain_label(self.tr("Input"), object_name="quiet")
        name(input_label, self.tr("Kind of input, caption"))
        self._kind = self._make_combo(self.tr("Kind of input"))
        self._kind.addItem(self.tr("As found"), AUTO)
        self._kind.addItem(self.tr("Raw"), InputKind.RAW.value)
        self._kind.addItem(self.tr("Processed for display"), InputKind.PROCESSED.value)
        self._adjust = QPushButton(self.tr("Adjust…"))
        self._adjust.setCheckable(True)
        name(self._adjust, self.tr("Adjust the preset with sliders"))
        self._adjust.setToolTip(tooltip(self.tr("Show the parameters of the preset as sliders")))
        self._adjust.toggled.connect(self.adjust_toggled)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(8)
        layout.setVerticalSpacing(6)
        for column, part in enumerate((self.caption, self._combo, self._all)):
            layout.addWidget(part, 0, column)
        layout.addWidget(input_label, 1, 0)
        layout.addWidget(self._kind, 1, 1)
        layout.addWidget(self._adjust, 1, 2)
        layout.setColumnStretch(1, 1)

    def _show_reasons(self) -> None:
        """Which networks cannot enhance the image that one looks at, and why."""
        listed = self._combo.model()
        assert isinstance(listed, QStandardItemModel)
        for place in range(self._combo.count()):
            offer = self._offers.get(str(self._combo.itemData(place)))
            if offer is None or not offer.model:
                continue
            why = self._why_not(offer)
            item, title = listed.item(place), self._title(offer)
            item.setEnabled(not why)
            item.setText(self._narrowed(title, offer) if why else title)
            item.setToolTip(tooltip(why) if why else "")
            item.setData(why, Qt.ItemDataRole.AccessibleDescriptionRole)

    def _why_not(self, offer: Offer) -> str:
        if self._found is None:
            return ""
        kind, modality = self._found
        return say_core(offer.why_not(self._shown.kind_of(kind), modality=modality))

    def _narrowed(self, title: str, offer: Offer) -> str:
        """The title of a network that cannot be chosen, with what it is for."""
        if self._found is None or offer.served is None:
            return title
        match offer.served.input_kind:
            case InputKind.RAW if self._shown.kind_of(self._found[0]) is not InputKind.RAW:
                return self.tr("{title} (for raw images only)").format(title=title)
            case InputKind.PROCESSED if self._shown.kind_of(self._found[0]) is not InputKind.PROCESSED:
                return self.tr("{title} (for processed images only)").format(title=title)
        return self.tr("{title} (not for mammograms)").format(title=title)

    def _make_combo(self, title: str) -> QComboBox:
        combo = QComboBox()
        name(combo, title)
        combo.setMinimumContentsLength(12)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumWidth(LEAST_COMBO)
        return combo

    def _connect_signals(self) -> None:
        self._combo.activated.connect(self._choose)
        self._kind.activated.connect(lambda place: self.kind_chosen.emit(str(self._kind.itemData(place))))
        self._all.clicked.connect(self._apply_to_all)

    def _choose(self, place: int) -> None:
        choice = str(self._combo.itemData(place))
        if choice == _FROM_FILE:
            self._combo.setCurrentIndex(self._combo.findData(self._shown.choice))
            self.file_asked.emit()
        elif self._is_weak(choice) and choice != self._shown.choice:
            self._combo.setCurrentIndex(self._combo.findData(self._shown.choice))
            self.doubted.emit(choice)
        else:
            self._take(choice)

    def _is_weak(self, choice: str) -> bool:
        offer = self._offers.get(choice)
        return offer is not None and bool(offer.weakness)

    def _apply_to_all(self) -> None:
        self.all_asked.emit()
        self._last = self._shown.choice

    def _take(self, choice: str) -> None:
        self.chosen.emit(choice)
        self._last = choice

    def _add_file(self, path: str) -> None:
        place = self._combo.findData(_FROM_FILE)
        self._combo.insertItem(place if place >= 0 else self._combo.count(), self._model_title(path), path)

    def _model_title(self, path: str) -> str:
        if not path.endswith(MODEL_SUFFIX):
            return clean(path)
        gone = self._offers and path not in self._offers
        text = self.tr("Model: {name} (no longer there)") if gone else self.tr("Model: {name}")
        return text.format(name=clean(Path(path).stem))

    def _title(self, offer: Offer) -> str:
        title = clean(offer.title)
        if offer.weakness:
            return self.tr("Model: {name} (not worth using)").format(name=title)
        if offer.model and not offer.shipped:
            return self.tr("Model: {name}").format(name=title)
        return self.tr("{title} (your own)").format(title=title) if offer.own else title
