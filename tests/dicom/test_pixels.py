"""From stored values to the canonical picture: bits, signs, look-up tables and polarity."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from fullfield.dicom import pixels as module
from fullfield.dicom.codecs import Samples
from fullfield.errors import InputRefused, InputUnreadable
from fullfield.image.cache import Decoded
from fullfield.image.image import HighValues
from fullfield.image.values import Window
from originals import bone
from sources import LOSSLESS, compressed, dataset, element, encoded, frame, lut, read

TOP = 4095


def found(tmp_path: Path, pixels: NDArray[Any] | None = None, **changes: Any) -> Decoded:
    return read(encoded(dataset(pixels, **changes)), tmp_path)


def test_that_high_is_bright_in_monochrome2(tmp_path: Path) -> None:
    image = found(tmp_path).image
    assert image.high is HighValues.BRIGHT and np.array_equal(image.pixels, bone())


def test_that_monochrome1_is_inverted_once(tmp_path: Path) -> None:
    image = found(tmp_path, photometric="MONOCHROME1").image
    assert image.high is HighValues.DARK and np.array_equal(image.pixels, TOP - bone())


@pytest.mark.parametrize("syntax", LOSSLESS.values(), ids=LOSSLESS)
def test_that_no_codec_inverts_monochrome1_behind_our_back(syntax: str, tmp_path: Path) -> None:
    made = dataset(photometric="MONOCHROME1")
    packed = compressed(made, frame(made, syntax, tmp_path), syntax)
    assert np.array_equal(read(packed, tmp_path).image.pixels, TOP - bone())


def test_that_a_negative_rescale_slope_turns_the_polarity(tmp_path: Path) -> None:
    image = found(tmp_path, RescaleSlope="-1", RescaleIntercept="4095").image
    assert image.high is HighValues.DARK and np.array_equal(image.pixels, TOP - bone())


def test_that_a_negative_slope_and_monochrome1_cancel_out(tmp_path: Path) -> None:
    image = found(tmp_path, photometric="MONOCHROME1", RescaleSlope="-1", RescaleIntercept="4095").image
    assert image.high is HighValues.BRIGHT and np.array_equal(image.pixels, bone())


def test_that_a_rescale_leaves_the_picture_and_moves_the_window(tmp_path: Path) -> None:
    image = found(tmp_path, RescaleSlope="2", RescaleIntercept="-100", WindowCenter="3900.5", WindowWidth="4001").image
    assert np.array_equal(image.pixels, bone())
    window = image.voi[0]
    assert isinstance(window, Window) and (window.low, window.high) == (1000.0, 3000.0)


@pytest.mark.parametrize("slope", ["NaN", "inf", "abc"])
def test_that_a_slope_that_is_no_number_is_refused(slope: str, tmp_path: Path) -> None:
    content = encoded(dataset())
    at = content.index(b"\xe0\x7f\x10\0OW")
    with pytest.raises(InputUnreadable, match="Rescale Slope"):
        read(content[:at] + element(0x00281053, "DS", slope.encode()) + content[at:], tmp_path)


def test_that_a_slope_of_zero_is_left_aside_and_told(tmp_path: Path) -> None:
    decoded = found(tmp_path, RescaleSlope="0", RescaleIntercept="0")
    assert np.array_equal(decoded.image.pixels, bone()) and "Slope is 0" in decoded.header.warnings[0]


def test_that_an_overlay_in_the_high_bits_is_masked_silently(tmp_path: Path) -> None:
    stored = bone() | np.uint16(0x8000)
    content = encoded(dataset(stored))
    at = content.index(b"\xe0\x7f\x10\0OW")
    overlay = element(0x60000100, "US", struct.pack("<H", 16)) + element(0x60000102, "US", struct.pack("<H", 15))
    decoded = read(content[:at] + overlay + content[at:], tmp_path)
    assert np.array_equal(decoded.image.pixels, bone()) and not decoded.header.warnings


def test_that_bits_above_the_stored_ones_are_masked_and_told(tmp_path: Path) -> None:
    decoded = found(tmp_path, bone() | np.uint16(0x4000))
    assert np.array_equal(decoded.image.pixels, bone()) and "Bits above" in decoded.header.warnings[0]


def test_that_left_aligned_bits_are_moved_down(tmp_path: Path) -> None:
    decoded = found(tmp_path, bone() << np.uint16(4), HighBit=15)
    assert np.array_equal(decoded.image.pixels, bone()) and not decoded.header.warnings


@pytest.mark.parametrize("high_bit", [15, 0])
def test_that_a_high_bit_that_the_pixels_contradict_is_not_believed(high_bit: int, tmp_path: Path) -> None:
    decoded = found(tmp_path, HighBit=high_bit)
    assert np.array_equal(decoded.image.pixels, bone()) and "High Bit" in decoded.header.warnings[0]


def test_that_signed_values_keep_their_order(tmp_path: Path) -> None:
    stored = (bone().astype(np.int32) - 2048).astype(np.int16)
    masked = (stored.view(np.uint16) & np.uint16(0x0FFF)).astype(np.uint16)  # sign in bit 11, as the standard allows
    for pixels in (stored, masked):
        assert np.array_equal(found(tmp_path, pixels, signed=True).image.pixels, bone())


def test_that_a_modality_table_is_applied_and_sets_the_bits(tmp_path: Path) -> None:
    curve = np.rint(65535 * np.sqrt(np.arange(4096) / 4095)).astype(np.uint16)
    image = found(tmp_path, ModalityLUTSequence=Sequence([lut(0, curve)])).image
    assert image.bits == 16 and np.array_equal(image.pixels, curve[bone()])


def test_that_a_modality_table_that_starts_late_repeats_its_ends(tmp_path: Path) -> None:
    curve = np.linspace(100, 1023, 1000).astype(np.uint16)
    image = found(tmp_path, ModalityLUTSequence=Sequence([lut(1000, curve, bits=10)])).image
    assert image.bits == 10
    assert np.array_equal(image.pixels, curve[np.clip(bone().astype(int) - 1000, 0, 999)])


def test_that_a_modality_table_over_signed_values_counts_from_the_lowest(tmp_path: Path) -> None:
    stored = (bone().astype(np.int32) - 2048).astype(np.int16)
    table = Dataset()
    table.add_new(0x00283002, "SS", [4096, -2048, 16])
    table.add_new(0x00283006, "OW", (np.arange(4096) * 16).astype("<u2").tobytes())
    image = found(tmp_path, stored, signed=True, ModalityLUTSequence=Sequence([table])).image
    assert np.array_equal(image.pixels, bone() * 16)


@pytest.mark.parametrize("bits", [15, 16])
def test_that_a_table_of_more_entries_than_a_signed_number_holds_is_read(bits: int, tmp_path: Path) -> None:
    """The count is one of 65,536 also where the table's other values are signed (PS3.3 C.11.1.1)."""
    stored, lowest = (bone().astype(np.int32) - 2048).astype(np.int16), -(1 << bits - 1)
    entries = np.arange(1 << bits).astype("<u2")
    table = Dataset()
    table.add_new(0x00283002, "SS", [len(entries) % 65536, lowest, 16])
    table.add_new(0x00283006, "OW", entries.tobytes())
    image = found(tmp_path, stored, signed=True, ModalityLUTSequence=Sequence([table])).image
    assert np.array_equal(image.pixels, bone().astype(int) - 2048 - lowest)


def test_that_a_malformed_modality_table_is_left_aside_and_told(tmp_path: Path) -> None:
    short = lut(0, np.arange(4))
    short[0x00283002].value = [0, 0, 16]
    decoded = found(tmp_path, ModalityLUTSequence=Sequence([short]))
    assert np.array_equal(decoded.image.pixels, bone()) and "look-up table" in decoded.header.warnings[0]


@pytest.mark.parametrize("value", [0, 1, 4095])
def test_that_an_image_of_one_value_is_read(value: int, tmp_path: Path) -> None:
    assert set(np.unique(found(tmp_path, np.full((48, 40), value, np.uint16)).image.pixels)) == {value}


@pytest.mark.parametrize(
    ("second", "third", "is_grey"),
    [
        (102, 98, True),  # red, green and blue
        (103, 100, False),
        (102, 104, False),  # by more than that from the first
        (100, 97, False),
        (128, 128, True),  # no colour
        (129, 127, True),
        (130, 128, False),
    ],
)
def test_that_three_components_are_grey_where_they_differ_by_what_a_codec_leaves(
    second: int, third: int, is_grey: bool
) -> None:
    array = np.stack([np.full((20, 16), value, np.uint8) for value in (100, second, third)], axis=2)
    samples = Samples(array=array, precision=8)
    if is_grey:
        assert (module._grey(samples) == 100).all()
    else:
        with pytest.raises(InputRefused, match="a colour image"):
            module._grey(samples)
