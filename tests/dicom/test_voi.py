"""Windows, VOI LUTs and padding, in units of the canonical pixels; those that lie are left aside and told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from fullfield.image.cache import Decoded
from fullfield.image.image import VoiTable
from fullfield.image.values import Window
from originals import bone
from sources import dataset, encoded, lut, read

TOP = 4095


def found(tmp_path: Path, *, photometric: str = "MONOCHROME2", **changes: Any) -> Decoded:
    return read(encoded(dataset(photometric=photometric, **changes)), tmp_path)


def ends(decoded: Decoded) -> list[tuple[float, float]]:
    return [(voi.low, voi.high) for voi in decoded.image.voi if isinstance(voi, Window)]


@pytest.mark.parametrize(
    ("function", "low", "high"), [(None, 1000.0, 2999.0), ("LINEAR", 1000.0, 2999.0), ("LINEAR_EXACT", 1000.0, 3000.0)]
)
def test_that_a_linear_window_has_the_ends_of_its_function(
    function: str | None, low: float, high: float, tmp_path: Path
) -> None:
    decoded = found(tmp_path, WindowCenter="2000", WindowWidth="2000", VOILUTFunction=function)
    assert ends(decoded) == [(low, high)]
    assert [voi.exact for voi in decoded.image.voi if isinstance(voi, Window)] == [function == "LINEAR_EXACT"]


def test_that_a_sigmoid_is_kept_as_one(tmp_path: Path) -> None:
    (voi,) = found(tmp_path, WindowCenter="2000", WindowWidth="2000", VOILUTFunction="SIGMOID").image.voi
    assert voi == Window(low=1000.0, high=3000.0, sigmoid=True)


def test_that_the_window_of_monochrome1_is_turned_with_the_pixels(tmp_path: Path) -> None:
    decoded = found(tmp_path, photometric="MONOCHROME1", WindowCenter="2000", WindowWidth="2000")
    assert ends(decoded) == [(TOP - 2999.0, TOP - 1000.0)]


def test_that_several_windows_keep_their_order_and_names(tmp_path: Path) -> None:
    decoded = found(
        tmp_path,
        WindowCenter=["2000", "1500", "2500"],
        WindowWidth=["2000", "1000", "3000"],
        WindowCenterWidthExplanation=["NORMAL", "HARDER", "SOFTER"],
    )
    assert [voi.name for voi in decoded.image.voi] == ["NORMAL", "HARDER", "SOFTER"]
    assert ends(decoded)[1] == (1000.0, 1999.0)


def test_that_more_centers_than_widths_give_as_many_windows_as_pairs(tmp_path: Path) -> None:
    assert len(found(tmp_path, WindowCenter=["2000", "1500"], WindowWidth="2000").image.voi) == 1


@pytest.mark.parametrize(("center", "width"), [("-600", "1600"), ("-40", "40"), ("9000", "4000"), ("20000", "40000")])
def test_that_a_window_that_leaves_the_data_is_dropped_and_told(center: str, width: str, tmp_path: Path) -> None:
    """The first one is that of a CT, met on a chest radiograph."""
    decoded = found(tmp_path, WindowCenter=center, WindowWidth=width)
    assert decoded.image.voi == () and "does not fit" in decoded.header.warnings[0]


@pytest.mark.parametrize(("center", "width"), [("2048", "4096"), ("2047", "4095"), ("1500", "4096")])
def test_that_the_usual_full_window_is_kept(center: str, width: str, tmp_path: Path) -> None:
    decoded = found(tmp_path, WindowCenter=center, WindowWidth=width)
    assert len(decoded.image.voi) == 1 and not decoded.header.warnings


@pytest.mark.parametrize(("center", "width"), [("2000", "0"), ("2000", "-10"), ("2000", "1")])
def test_that_a_window_without_width_is_dropped_and_told(center: str, width: str, tmp_path: Path) -> None:
    decoded = found(tmp_path, WindowCenter=center, WindowWidth=width)
    assert decoded.image.voi == () and "malformed" in decoded.header.warnings[0]


def test_that_a_voi_table_becomes_one_over_pixel_values(tmp_path: Path) -> None:
    curve = np.rint(4095 / (1 + np.exp(-(np.arange(3000) - 1500) / 300))).astype(np.uint16)
    (voi,) = found(tmp_path, VOILUTSequence=Sequence([lut(500, curve, bits=12)])).image.voi
    assert isinstance(voi, VoiTable)
    shown = voi.table[np.clip(2000 - voi.first, 0, len(voi.table) - 1)]
    assert shown == pytest.approx(curve[1500] / 4095, abs=1e-6)


def test_that_a_voi_table_of_monochrome1_is_turned(tmp_path: Path) -> None:
    curve = np.arange(4096, dtype=np.uint16)
    decoded = found(tmp_path, photometric="MONOCHROME1", VOILUTSequence=Sequence([lut(0, curve, bits=12)]))
    (voi,) = decoded.image.voi
    assert isinstance(voi, VoiTable) and voi.table[0] < voi.table[-1]
    assert voi.table[1000 - voi.first] == pytest.approx(1000 / 4095, abs=1e-6)


def test_that_tables_come_before_windows_and_several_are_kept(tmp_path: Path) -> None:
    curve = np.arange(4096, dtype=np.uint16)
    tables = Sequence([lut(0, curve, bits=12), lut(100, curve // 2, bits=11)])
    decoded = found(tmp_path, VOILUTSequence=tables, WindowCenter="2000", WindowWidth="2000")
    assert [type(voi) for voi in decoded.image.voi] == [VoiTable, VoiTable, Window]


def test_that_a_table_of_twelve_bits_that_says_sixteen_reaches_white(tmp_path: Path) -> None:
    (voi,) = found(tmp_path, VOILUTSequence=Sequence([lut(0, np.arange(4096), bits=16)])).image.voi
    assert isinstance(voi, VoiTable) and voi.table.max() == 1


def test_that_a_table_packed_into_bytes_is_read(tmp_path: Path) -> None:
    item = Dataset()
    item.add_new(0x00283002, "US", [4096, 0, 8])
    item.add_new(0x00283006, "OW", (np.arange(4096) // 16).astype(np.uint8).tobytes())
    (voi,) = found(tmp_path, VOILUTSequence=Sequence([item])).image.voi
    assert isinstance(voi, VoiTable) and voi.table.max() == 1


@pytest.mark.parametrize("photometric", ["MONOCHROME2", "MONOCHROME1"])
@pytest.mark.parametrize("slope", ["1", "-1"])
@pytest.mark.parametrize("falling", [False, True])
def test_that_an_image_is_as_its_first_table_shows_it(
    photometric: str, slope: str, falling: bool, tmp_path: Path
) -> None:
    """VOI LUT of modality values (PS3.3 C.11.2), then the photometric interpretation (C.7.6.3.1.2)."""
    intercept = TOP if slope == "-1" else 0
    curve = np.arange(4096)[::-1] if falling else np.arange(4096)
    decoded = found(
        tmp_path,
        photometric=photometric,
        RescaleSlope=slope,
        RescaleIntercept=str(intercept),
        VOILUTSequence=Sequence([lut(0, curve, bits=12)]),
    )
    shown = curve[bone().astype(int) * int(slope) + intercept]
    shown = shown if photometric == "MONOCHROME2" else TOP - shown
    assert np.array_equal(decoded.image.pixels, shown)
    (voi,) = decoded.image.voi
    assert isinstance(voi, VoiTable) and voi.table[0] < voi.table[-1]


def test_that_padding_and_windows_are_turned_with_an_image_whose_table_falls(tmp_path: Path) -> None:
    tables = Sequence([lut(0, curve, bits=12) for curve in (np.arange(4096)[::-1], np.arange(4096))])
    made = dataset(VOILUTSequence=tables, WindowCenter="2000", WindowWidth="2000")
    made.add_new(0x00280120, "US", 0)
    decoded = read(encoded(made), tmp_path)
    assert decoded.image.padding == (TOP, TOP) and ends(decoded) == [(TOP - 2999.0, TOP - 1000.0)]
    assert len(decoded.image.voi) == 2 and "does not fit" in " ".join(decoded.header.warnings)  # the rising one


def test_that_a_falling_table_turns_an_image_also_where_it_is_far_wider_than_the_data(tmp_path: Path) -> None:
    pixels = bone() // 4 + 1500
    table = lut(0, np.arange(4096)[::-1], bits=12)
    decoded = read(encoded(dataset(pixels, VOILUTSequence=Sequence([table]))), tmp_path)
    assert np.array_equal(decoded.image.pixels, TOP - pixels) and decoded.image.voi == ()


def test_that_a_falling_table_that_shows_nothing_of_the_data_turns_nothing(tmp_path: Path) -> None:
    decoded = found(tmp_path, VOILUTSequence=Sequence([lut(5000, np.arange(4096)[::-1], bits=12)]))
    assert np.array_equal(decoded.image.pixels, bone()) and decoded.image.voi == ()


def test_that_a_table_shorter_than_it_says_is_dropped(tmp_path: Path) -> None:
    item = lut(0, np.arange(4))
    item[0x00283002].value = [0, 0, 16]
    decoded = found(tmp_path, VOILUTSequence=Sequence([item]))
    assert decoded.image.voi == () and "malformed" in decoded.header.warnings[0]


def test_that_padding_is_given_in_pixel_values(tmp_path: Path) -> None:
    made = dataset()
    made.add_new(0x00280120, "US", 0)
    made.add_new(0x00280121, "US", 3)
    assert read(encoded(made), tmp_path).image.padding == (0, 3)


def test_that_the_padding_of_monochrome1_is_turned(tmp_path: Path) -> None:
    made = dataset(photometric="MONOCHROME1")
    made.add_new(0x00280120, "US", 0)
    assert read(encoded(made), tmp_path).image.padding == (TOP, TOP)


def test_that_the_padding_of_signed_pixels_may_be_negative(tmp_path: Path) -> None:
    made = dataset((bone().astype(np.int32) - 2048).astype(np.int16), signed=True)
    made.add_new(0x00280120, "SS", -2048)
    assert read(encoded(made), tmp_path).image.padding == (0, 0)


@pytest.mark.parametrize("value", [5000, 65535])
def test_that_a_padding_that_no_pixel_can_have_is_left_aside(value: int, tmp_path: Path) -> None:
    made = dataset()
    made.add_new(0x00280120, "US", value)
    assert read(encoded(made), tmp_path).image.padding is None


@pytest.mark.parametrize("curve", [np.arange(4096), np.arange(4096)[::-1], np.minimum(np.arange(4096), 4000)])
@pytest.mark.parametrize("value", [0, 4095])
def test_that_padding_goes_through_a_modality_table_or_is_told(value: int, curve: np.ndarray, tmp_path: Path) -> None:
    pixels = np.clip(bone(), 1, TOP - 1)
    pixels[:8] = value
    made = dataset(pixels, ModalityLUTSequence=Sequence([lut(0, curve, bits=12)]))
    made.add_new(0x00280120, "US", value)
    decoded = read(encoded(made), tmp_path)
    alone = np.count_nonzero(curve == curve[value]) == 1
    assert decoded.image.padding == ((curve[value], curve[value]) if alone else None)
    assert ("padding" in " ".join(decoded.header.warnings)) is not alone


def test_that_padding_of_the_whole_image_is_left_aside(tmp_path: Path) -> None:
    made = dataset(np.zeros((48, 40), np.uint16))
    made.add_new(0x00280120, "US", 0)
    assert read(encoded(made), tmp_path).image.padding is None


def test_that_padding_does_not_count_when_a_window_is_judged(tmp_path: Path) -> None:
    pixels = bone() // 2 + 2000
    pixels[:8] = 0
    made = dataset(pixels, WindowCenter="900", WindowWidth="1000")
    made.add_new(0x00280120, "US", 0)
    assert read(encoded(made), tmp_path).image.voi == ()
