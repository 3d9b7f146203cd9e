"""The options of a technique as a form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QComboBox, QDoubleSpinBox, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from fullfield.techniques import registry
from fullfield_app.gui import language
from fullfield_app.gui.train.options_form import MOST, OptionsForm


@pytest.fixture
def spanish(qapp: QApplication) -> Iterator[None]:
    language.install(qapp, "es")
    yield
    language.install(qapp, "en")
    QLocale.setDefault(QLocale.c())


def form(qtbot: QtBot, technique: str) -> OptionsForm:
    made = OptionsForm("Puntos", tuple(fields(registry.all_techniques()[technique].Options)))
    qtbot.addWidget(made)
    return made


@pytest.mark.usefixtures("spanish")
def test_that_choices_are_words_of_the_users_language_and_their_values_are_not(qtbot: QtBot) -> None:
    shown = form(qtbot, "checkpointing")
    [combo] = shown.findChildren(QComboBox)
    assert combo.itemText(2) == "todo" and "bloque" in [combo.itemText(place) for place in range(combo.count())]
    given = list[tuple[str, object]]()
    shown.changed.connect(lambda key, value: given.append((key, value)))
    combo.setCurrentIndex(1)
    assert given == [("by", "block")]


@pytest.mark.usefixtures("spanish")
@pytest.mark.parametrize("technique", ["checkpointing", "hybrid_bands", "full_bands"])
def test_that_every_part_is_named_in_the_users_language(qtbot: QtBot, technique: str) -> None:
    shown = form(qtbot, technique)
    names = [widget.accessibleName() for widget in shown.findChildren(QWidget) if widget.accessibleName()]
    keys = [item.name for item in fields(registry.all_techniques()[technique].Options)]
    assert len(names) == len(set(names))
    assert not [one for one in names if any(one.endswith((f": {key}", f": {key}, part")) for key in keys)]


def test_that_a_number_that_no_field_of_qt_takes_is_shown_as_the_most_of_it(qtbot: QtBot) -> None:
    shown = form(qtbot, "accumulate")
    shown.show_values({"images": 3_000_000_000})
    assert shown.findChildren(QSpinBox)[0].value() == MOST


@pytest.mark.parametrize("technique", ["ema", "lars", "lamb", "gradient_clipping", "rate_scaling"])
def test_that_a_number_is_shown_with_all_of_its_digits(qtbot: QtBot, technique: str) -> None:
    shown = form(qtbot, technique)
    given = list[tuple[str, object]]()
    shown.changed.connect(lambda key, value: given.append((key, value)))
    items = [item for item in fields(registry.all_techniques()[technique].Options) if isinstance(item.default, float)]
    spins = shown.findChildren(QDoubleSpinBox)
    assert [spin.value() for spin in spins] == [item.default for item in items]
    least = {item.name: item.metadata["least"] for item in items}
    for spin in spins:
        spin.setValue(spin.minimum())
    assert dict(given) == least
