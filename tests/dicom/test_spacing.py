"""The size of a pixel, where a file says it and can be believed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydicom.dataset import Dataset

from fullfield.dicom.spacing import aspect, believable
from fullfield.image.cache import Decoded, load
from sources import dataset, element, encoded, read


def found(tmp_path: Path, **changes: Any) -> Decoded:
    return read(encoded(dataset(**({"PixelSpacing": None} | changes))), tmp_path)


@pytest.mark.parametrize(
    ("changes", "spacing"),
    [
        ({"PixelSpacing": ["0.1", "0.2"]}, (0.1, 0.2)),
        ({"PixelSpacing": ["0.1", "0.4"]}, (0.1, 0.4)),  # as unequal as is believed
        ({"ImagerPixelSpacing": ["0.15", "0.15"]}, (0.15, 0.15)),
        (
            {"ImagerPixelSpacing": ["0.15", "0.15"], "EstimatedRadiographicMagnificationFactor": "1.5"},
            (pytest.approx(0.1), pytest.approx(0.1)),
        ),
        (
            {"ImagerPixelSpacing": ["0.15", "0.15"], "EstimatedRadiographicMagnificationFactor": "0"},
            (0.15, 0.15),
        ),
        (
            {
                "PixelSpacing": ["0.15", "0.15"],
                "ImagerPixelSpacing": ["0.15", "0.15"],
                "EstimatedRadiographicMagnificationFactor": "1.5",
            },
            (pytest.approx(0.1), pytest.approx(0.1)),
        ),
        (
            {"PixelSpacing": ["0.1", "0.1"], "EstimatedRadiographicMagnificationFactor": "1.5"},
            (0.1, 0.1),
        ),
        ({"NominalScannedPixelSpacing": ["0.17", "0.17"]}, (0.17, 0.17)),
        ({"PixelSpacing": ["0.1", "0.1"], "ImagerPixelSpacing": ["0.15", "0.15"]}, (0.1, 0.1)),
        ({"PixelSpacing": ["0", "0"], "ImagerPixelSpacing": ["0.15", "0.15"]}, (0.15, 0.15)),
        ({}, None),
    ],
)
def test_that_the_best_word_on_spacing_counts(changes: dict[str, Any], spacing: object, tmp_path: Path) -> None:
    assert found(tmp_path, **changes).image.spacing_mm == spacing


@pytest.mark.parametrize("value", [b"0\\0", b"-1\\1e-300", b"0.1", b"100\\100", b"0.1\\9", b"1\\2\\3"])
def test_that_a_spacing_that_makes_no_sense_is_none_and_told(value: bytes, tmp_path: Path) -> None:
    content = encoded(dataset(PixelSpacing=None))
    at = content.index(b"\x28\0\x00\x01US")
    decoded = read(content[:at] + element(0x00280030, "DS", value) + content[at:], tmp_path)
    assert decoded.image.spacing_mm is None and "spacing" in decoded.header.warnings[0]


@pytest.mark.parametrize(
    ("changes", "keyword"),
    [
        ({"PixelSpacing": ["0.1", "0.1"]}, "PixelSpacing"),
        ({"ImagerPixelSpacing": ["0.1", "0.1"]}, "ImagerPixelSpacing"),
        ({"PixelSpacing": ["0.1", "0.1"], "ImagerPixelSpacing": ["0.1", "0.1"]}, "ImagerPixelSpacing"),
        (
            {
                "PixelSpacing": ["0.1", "0.1"],
                "ImagerPixelSpacing": ["0.1", "0.1"],
                "PixelSpacingCalibrationType": "FIDUCIAL",
            },
            "PixelSpacing",
        ),
        (
            {"ImagerPixelSpacing": ["0.15", "0.15"], "EstimatedRadiographicMagnificationFactor": "1.5"},
            "EstimatedRadiographicMagnificationFactor",
        ),
        (
            {
                "PixelSpacing": ["0.15", "0.15"],
                "ImagerPixelSpacing": ["0.15", "0.15"],
                "EstimatedRadiographicMagnificationFactor": "1.5",
            },
            "EstimatedRadiographicMagnificationFactor",
        ),
        (
            {"ImagerPixelSpacing": ["0.15", "0.15"], "EstimatedRadiographicMagnificationFactor": "1"},
            "EstimatedRadiographicMagnificationFactor",
        ),
        ({}, ""),
    ],
)
def test_that_the_header_says_where_the_spacing_is_from(changes: dict[str, Any], keyword: str, tmp_path: Path) -> None:
    assert found(tmp_path, **changes).header.spacing_from == keyword


@pytest.mark.parametrize(
    ("changes", "aspect"),
    [
        ({"PixelAspectRatio": ["2", "1"]}, (2, 1)),
        ({"PixelAspectRatio": ["3", "4"]}, (3, 4)),
        ({"PixelAspectRatio": ["1", "1"]}, None),
        ({"PixelAspectRatio": ["0", "1"]}, None),
        ({"PixelAspectRatio": ["1", "2000000000"]}, None),
        ({"PixelAspectRatio": ["2", "1"], "PixelSpacing": ["0.2", "0.1"]}, None),  # which says more
        ({}, None),
    ],
)
def test_that_unequal_sides_of_pixels_of_unknown_size_are_known(
    changes: dict[str, Any], aspect: object, tmp_path: Path
) -> None:
    decoded = found(tmp_path, **changes)
    assert decoded.image.aspect == load(decoded.folder).image.aspect == aspect


@pytest.mark.parametrize(
    ("spacing", "is_believed"),
    [
        ((0.001, 0.001), True),
        ((0.0009, 0.001), False),
        ((10.0, 10.0), True),
        ((10.0, 10.1), False),
        ((0.1, 0.4), True),
        ((0.4, 0.1), True),
        ((0.1, 0.41), False),
        ((0.1,), False),
        ((0.1, 0.1, 0.1), False),
        ((), False),
    ],
)
def test_that_spacings_of_detectors_and_films_are_believed(spacing: tuple[float, ...], is_believed: bool) -> None:
    assert believable(spacing) is is_believed


@pytest.mark.filterwarnings("ignore:Value")
@pytest.mark.parametrize(
    ("ratio", "found"),
    [
        (["4", "1"], (4, 1)),
        (["1", "5"], None),
        (["5", "2"], (5, 2)),
        (["1", "1.5"], None),
        (["0", "3"], None),
        (["2147483647", "2147483646"], (2147483647, 2147483646)),
        (["2147483648", "2147483647"], None),
        (["2"], None),
    ],
    ids=str,
)
def test_that_a_ratio_of_sides_is_believed_that_a_picture_can_hold(
    ratio: list[str], found: tuple[int, int] | None
) -> None:
    given = Dataset()
    given.PixelAspectRatio = [float(side) for side in ratio] if "1.5" in ratio else ratio  # IS takes no half
    assert aspect(given) == found


@pytest.mark.parametrize(
    ("factor", "wanted"), [("1", 0.2), ("0.9", 0.2), ("10", 0.02), ("10.5", 0.2), ("2", 0.1)], ids=str
)
def test_that_a_magnification_is_believed_from_one_to_ten(factor: str, wanted: float, tmp_path: Path) -> None:
    said = {"ImagerPixelSpacing": ["0.2", "0.2"], "EstimatedRadiographicMagnificationFactor": factor}
    assert found(tmp_path, **said).image.spacing_mm == (pytest.approx(wanted), pytest.approx(wanted))
