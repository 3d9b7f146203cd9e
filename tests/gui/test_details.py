"""The facts about an image."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image, InputKind
from fullfield.inputs.files import InputFile
from fullfield_app.gui.enhance.details import Details
from fullfield_app.gui.enhance.row_texts import took
from fullfield_app.gui.queue.row import Row, Trouble
from fullfield_app.gui.view.picture import Source, of_image

LONG = "Fullfield works on single-frame grey radiographs, and on pictures of them that another program has made. "


def exposed(target: float | None) -> Source:
    pixels = np.zeros((20, 30), np.uint16)
    image = Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)
    header = Header(
        source_format="dicom",
        sha256="",
        rows=20,
        columns=30,
        bits_stored=12,
        photometric="MONOCHROME2",
        exposure_index=500.0,
        target_exposure_index=target,
    )
    return Source(picture=of_image(image), header=header, kind=image.kind, kind_reason="", image=image)


def row(name: str, words: int = 0) -> Row:
    trouble = Trouble(title=LONG * words, detail="", hint=LONG) if words else None
    notes = (LONG,) if words % 2 else ()
    return Row(index=0, item=InputFile(source=f"/in/{name}", relative=name), trouble=trouble, source_notes=notes)


def test_that_no_fact_is_cut_off_however_low_the_window_and_whatever_was_shown_before(qtbot: QtBot) -> None:
    details = Details()
    qtbot.addWidget(details)
    details.resize(350, 121)
    details.show()
    for one in (row("a.dcm"), row("b.dcm", 1), row("c.dcm"), row("d.dcm", 2), row("e" * 60, 1), row("f.dcm", 3)):
        details.show_row(one, None)
        qtbot.wait(30)
        for label in details.findChildren(QLabel):
            if label.isVisible():
                assert label.height() >= label.heightForWidth(label.width()), label.text()


def test_that_damage_is_told_apart_from_notes(qtbot: QtBot) -> None:
    details = Details()
    qtbot.addWidget(details)
    details.show_row(replace(row("a.dcm", 0), damage="This file is damaged."), None)
    (label,) = (label for label in details.findChildren(QLabel) if label.text() == "This file is damaged.")
    assert label.objectName() == "trouble" and not label.isHidden()
    details.show_row(row("b.dcm"), None)
    assert label.isHidden()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (None, "Exposure Index 500"),
        (250.0, "Exposure Index 500; target 250; Deviation Index +3.0, above the target"),
        (1000.0, "Exposure Index 500; target 1000; Deviation Index −3.0, below the target"),
        (500.0, "Exposure Index 500; target 500; Deviation Index 0.0"),
    ],
)
def test_that_the_exposure_is_told_beside_its_target(qtbot: QtBot, target: float | None, said: str) -> None:
    details = Details()
    qtbot.addWidget(details)
    details.show_row(row("a.dcm"), exposed(target))
    assert said in [label.accessibleDescription() for label in details.findChildren(QLabel) if not label.isHidden()]


@pytest.mark.parametrize(
    ("spacing_mm", "said"),
    [(None, "30 × 20 px, 12 bit"), ((0.2, 0.2), "px, 0.2 mm, "), ((0.2, 0.25), "px, 0.25 × 0.2 mm, ")],
)
def test_that_pixels_that_are_not_square_have_two_sizes_as_over_the_image(
    qtbot: QtBot, spacing_mm: tuple[float, float] | None, said: str
) -> None:
    details = Details()
    qtbot.addWidget(details)
    source = exposed(None)
    details.show_row(row("a.dcm"), replace(source, image=replace(source.image, spacing_mm=spacing_mm)))
    (label,) = (label for label in details.findChildren(QLabel) if label.accessibleName() == "Size of this image")
    assert said in label.accessibleDescription()


@pytest.mark.parametrize(
    ("size", "pixel", "said"),
    [
        ({"spacing_mm": (0.2, 0.1)}, (1, 2), True),
        ({"aspect": (2, 3)}, (1.5, 1), True),
        ({"spacing_mm": (0.1, 0.1001)}, (1, 1), False),
        ({}, (1, 1), False),
    ],
)
def test_that_an_image_of_pixels_that_are_not_square_is_shown_in_its_true_proportions_and_said_so(
    qtbot: QtBot, size: dict[str, Any], pixel: tuple[float, float], *, said: bool
) -> None:
    details = Details()
    qtbot.addWidget(details)
    source = exposed(None)
    image = replace(source.image, **size)
    assert of_image(image).pixel == pixel
    details.show_row(row("a.dcm"), replace(source, image=image, picture=of_image(image)))
    (label,) = (label for label in details.findChildren(QLabel) if label.accessibleName() == "Size of this image")
    assert ("true proportions" in label.text()) == said


def test_that_an_image_takes_no_time_less_than_is_told() -> None:
    assert [took(seconds) for seconds in (0.0, 0.04, 0.1, 2.34)] == ["less than 0.1 s"] * 2 + ["0.1 s", "2.3 s"]
