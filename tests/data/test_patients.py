"""Whose image a file is, from its name."""

from __future__ import annotations

import pytest

from fullfield.data.patients import of_name


@pytest.mark.parametrize(
    ("relative", "group"),
    [
        ("nih_nofinding/00001300_000.png", "00001300"),
        ("abnormal/00001300_002.png", "00001300"),
        ("nyu_birads_mammo8/L-CC.png", "nyu_birads_mammo8"),
        ("nyu_birads_mammo8/R-MLO.png", "nyu_birads_mammo8"),
        ("nyu_mammo16/1_L_CC.png", "1"),
        ("ceph_isbi/006.jpg", "006"),
        ("train/patient00042/study1/view1_frontal.jpg", "patient00042"),
        ("patient12/IMG_0001.png", "patient12"),
        ("hand_left.png", "hand"),
        ("raw/17.png", "17"),
        ("reference/17.png", "17"),
        ("rex_2024_01.dcm", "rex_2024"),
        ("4711082/1.png", "4711082"),
        ("raw/4711082/study1/IMG_0002.png", "4711082"),
        ("4711082/00001300_002.png", "00001300"),
        ("2048/17.png", "17"),  # a size
    ],
)
def test_that_a_name_gives_the_patient(relative: str, group: str) -> None:
    assert of_name(relative) == group
