"""The parameters of the preset as live sliders: the main ones, or all of them; saved as a preset of one's own."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from fullfield.image.preset import PARAMETERS, Preset
from fullfield.image.values import Changes, Value
from fullfield_app.gui.enhance.moves import Moves
from fullfield_app.gui.enhance.parameter_slider import ParameterSlider
from fullfield_app.gui.enhance.parameter_texts import SECTIONS, TEXTS, translate
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label

WIDTH = 268


class AdjustPanel(QWidget):
    """`moved`: a slider moves; `rested`: it was let go; `save_asked`: keep the values as a preset."""

    moved = Signal(str)
    rested = Signal()
    save_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Adjust the preset"))
        self._preset: Preset | None = None
        self._sliders: list[ParameterSlider] = []
        self._moved: list[ParameterSlider] = []
        self._build()

    @property
    def held(self) -> bool:
        """A slider is being dragged."""
        return any(slider.down for slider in self._sliders)

    def show_preset(self, preset: Preset | None, now: Preset | None, why_not: str) -> None:
        """Show the values `now`, beside those of `preset`; None: nothing can be adjusted, for the reason `why_not`."""
        self._preset = preset
        self._moved = []
        self._all_sliders.setEnabled(preset is not None)
        self._save.setEnabled(preset is not None)
        self._title.setText(say_core(preset.title) if preset is not None else why_not)
        if preset is not None and now is not None:
            for slider in self._sliders:
                value, own = (_number(one.value(slider.parameter), slider.place) for one in (now, preset))
                slider.show_value(value, own)
        self._reset.setEnabled(bool(self.changes()))

    def changes(self) -> Changes:
        """The values that are not the preset's own."""
        if self._preset is None:
            return ()
        found: dict[str, Value] = {}
        for slider in self._sliders:
            key, own = slider.parameter.key, self._preset.value(slider.parameter)
            if not slider.changed:
                continue
            if slider.place is None:
                found[key] = slider.value
            else:
                numbers = found.get(key, own)
                assert isinstance(numbers, tuple)
                found[key] = (*numbers[: slider.place], slider.value, *numbers[slider.place + 1 :])
        return tuple(found.items())

    def take_typed(self) -> None:
        """What is typed into a number and not entered yet counts from now on."""
        if self.isVisible():
            for slider in self._sliders:
                slider.take_typed()

    def take_moves(self) -> Moves:
        """What was moved since this was asked last, or since another preset was shown."""
        moved, self._moved = self._moved, []
        return {(one.parameter.key, one.place): one.value if one.changed else None for one in moved}

    # Within -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._title = plain_label(object_name="heading", wrap=True)
        name(self._title, self.tr("Preset that is adjusted"))
        self._every = QCheckBox(self.tr("All parameters"))
        name(self._every, self.tr("Show all parameters"))
        self._every.toggled.connect(self._show_some)
        self._all_sliders = QWidget()
        name(self._all_sliders, self.tr("Parameters of the preset"))
        self._rows = QVBoxLayout(self._all_sliders)
        self._rows.setContentsMargins(8, 6, 8, 6)
        self._rows.setSpacing(4)
        self._sections: dict[str, QWidget] = {}
        for section, title in SECTIONS.items():
            self._add_section(section, translate("parameters", title))
        self._rows.addStretch()
        area = QScrollArea()
        name(area, self.tr("Parameters, scrolled"))
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._all_sliders)
        self._reset = QPushButton(self.tr("Reset all"))
        name(self._reset, self.tr("Reset all parameters to those of the preset"))
        self._reset.clicked.connect(self._go_back)
        self._save = QPushButton(self.tr("Save as a preset…"))
        name(self._save, self.tr("Save these values as a preset of your own"))
        self._save.clicked.connect(self.save_asked)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._reset)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(area, 1)
        layout.addWidget(self._every)
        layout.addWidget(self._save)
        self.setMinimumWidth(WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._show_some(False)

    def _add_section(self, section: str, title: str) -> None:
        caption = plain_label(title, object_name="quiet")
        name(caption, self.tr("Parameters: {title}").format(title=title))
        self._sections[section] = caption
        self._rows.addWidget(caption)
        for parameter in PARAMETERS:
            if parameter.key.partition(".")[0] == section:
                for place in range(parameter.count) if parameter.count else (None,):
                    slider = ParameterSlider(parameter, place)
                    slider.moved.connect(lambda slider=slider: self._move(slider))
                    slider.rested.connect(self.rested)
                    self._sliders.append(slider)
                    self._rows.addWidget(slider)

    def _show_some(self, every: bool) -> None:
        seen = set()
        for slider in self._sliders:
            shown = every or TEXTS[slider.parameter.key].main
            slider.setVisible(shown)
            if shown:
                seen.add(slider.parameter.key.partition(".")[0])
        for section, caption in self._sections.items():
            caption.setVisible(section in seen)

    def _move(self, slider: ParameterSlider) -> None:
        self._moved.append(slider)
        self._reset.setEnabled(bool(self.changes()))
        self.moved.emit(slider.title)

    def _go_back(self) -> None:
        self.take_typed()
        self.show_preset(self._preset, self._preset, "")
        self._moved = list(self._sliders)
        self.moved.emit(self._reset.text())
        self.rested.emit()


def _number(value: Value, place: int | None) -> float:
    if isinstance(value, tuple):
        assert place is not None
        return value[place]
    return value
