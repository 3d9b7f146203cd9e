"""The texts in the corners."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QGuiApplication

from fullfield.image.header import Header, Patient
from fullfield.image.values import Window
from fullfield_app.gui.view.overlay import FOOT, HEAD, Corners, _stamps, corners
from fullfield_app.gui.view.picture import Picture

PICTURE = Picture(levels=(np.zeros((20, 30), np.uint16),), bits=12, lowest=0, highest=1, voi=Window(low=0, high=1))
HEADER = Header(
    source_format="dicom",
    sha256="0" * 64,
    rows=20,
    columns=30,
    bits_stored=12,
    photometric="MONOCHROME2",
    modality="DX",
    body_part="CHEST",
    laterality="L",
    view_position="PA",
    kvp=70.0,
    exposure_mas=2.5,
    exposure_index=350.0,
    target_exposure_index=250.0,
    institution="Clinic",
    study_date="20250102",
    patient=Patient(name="DOE^JANE", id="4711", birth_date="19700131", sex="F"),
)


def test_that_each_corner_says_its_part() -> None:
    found = corners(HEADER, PICTURE, (0.1, 0.2))
    assert found.upper_left == ("DOE JANE", "4711", "1970-01-31 (F)")
    assert found.upper_right == ("Clinic", "2025-01-02")
    assert found.lower_left == ("DX CHEST", "left PA")
    assert found.lower_right == ("70 kV 2.5 mAs", "EI 350 DI +1.5", "30 × 20", "0.2 × 0.1 mm")


def test_that_what_a_file_does_not_say_takes_no_line() -> None:
    bare = Header(source_format="png", sha256="", rows=20, columns=30, bits_stored=8, photometric="MONOCHROME2")
    assert corners(bare, PICTURE, None).lines() == ("30 × 20",)


def test_that_signs_that_reorder_a_text_are_not_shown_and_long_ones_end() -> None:
    patient = Patient(name="A\u202eB" + "x" * 500)
    line = corners(Header(**{**vars(HEADER), "patient": patient}), PICTURE, None).upper_left[0]
    assert "\u202e" not in line and len(line) <= 64


def test_that_corners_say_nothing_of_a_patient_where_they_are_logged() -> None:
    assert repr(corners(HEADER, PICTURE, None)) == "Corners()" == repr(Corners())


def test_that_the_right_corners_keep_free_only_what_is_taken_there(qapp: QGuiApplication) -> None:
    texts = corners(HEADER, PICTURE, None)
    area = QRectF(0, 0, 400, 300)
    upper_left, upper_right, _, lower_right = _stamps(QFont(), area, texts, 1.0, 10, FOOT)
    assert upper_right[0].y() == 10 and upper_left[0].y() == HEAD
    assert lower_right[0].y() + lower_right[1].height() == 300 - FOOT
