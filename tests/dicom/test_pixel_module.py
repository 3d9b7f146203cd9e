"""What a derived file says of its pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fullfield.dicom.cache import Decoded
from fullfield.image.image import Enhanced, HighValues, InputKind
from originals import RECIPE, attributes, decoded, enhanced, written


@pytest.mark.parametrize("bits", [8, 10, 12, 15, 16])
def test_that_the_bits_stored_are_the_enhanced_image_s(radiograph: Decoded, target: Path, bits: int) -> None:
    result = enhanced(radiograph, bits=bits)
    output = written(radiograph, target, result)
    assert (output.BitsStored, output.HighBit, output.PixelRepresentation) == (bits, bits - 1, 0)
    assert output.BitsAllocated == (8 if bits == 8 else 16)
    assert np.array_equal(output.pixel_array, result.pixels)


def test_that_an_image_of_an_odd_number_of_bytes_is_padded_to_an_even_one(tmp_path: Path, target: Path) -> None:
    source = decoded(tmp_path / "cache", attributes(), bits=8)
    odd = np.ascontiguousarray(source.image.pixels[:47, :39])
    small = Decoded(
        image=type(source.image)(pixels=odd, bits=8, high=HighValues.BRIGHT, kind=InputKind.PROCESSED),
        header=source.header,
        folder=source.folder,
    )
    output = written(small, target, Enhanced(pixels=odd, bits=8, recipe=RECIPE))
    assert len(output.PixelData) == 47 * 39 + 1
    assert np.array_equal(output.pixel_array, odd)


@pytest.mark.parametrize("high", list(HighValues))
def test_that_the_output_is_monochrome2_with_an_identity_lut_whatever_the_source_was(
    tmp_path: Path, target: Path, high: HighValues
) -> None:
    given = attributes(PhotometricInterpretation="MONOCHROME1", PresentationLUTShape="INVERSE")
    output = written(decoded(tmp_path / "cache", given, high=high), target)
    assert (output.PhotometricInterpretation, output.PresentationLUTShape) == ("MONOCHROME2", "IDENTITY")


@pytest.mark.parametrize(("high", "sign", "expected"), [("bright", -1, -1), ("dark", 1, -1), ("dark", -1, 1)])
def test_that_the_sign_of_the_intensity_is_turned_with_the_pixels(
    tmp_path: Path, target: Path, high: str, sign: int, expected: int
) -> None:
    given = attributes("DX", PixelIntensityRelationshipSign=sign)
    output = written(decoded(tmp_path / "cache", given, high=HighValues(high)), target)
    assert output.PixelIntensityRelationshipSign == expected


def test_that_window_and_extremes_are_those_of_the_new_pixels(radiograph: Decoded, target: Path) -> None:
    result = enhanced(radiograph)
    output = written(radiograph, target, result)
    low, high = int(result.pixels.min()), int(result.pixels.max())
    assert (output.SmallestImagePixelValue, output.LargestImagePixelValue) == (low, high)
    centre, width = float(output.WindowCenter), float(output.WindowWidth)
    assert (centre - 0.5 - (width - 1) / 2, centre - 0.5 + (width - 1) / 2) == (low, high)  # PS3.3 C.11.2.1.2.1


def test_that_a_constant_image_has_a_window_of_one_value(radiograph: Decoded, target: Path) -> None:
    flat = np.full(radiograph.image.pixels.shape, 7, np.uint16)
    assert written(radiograph, target, Enhanced(pixels=flat, bits=12, recipe=RECIPE)).WindowWidth == 1


LOSSY = [
    ({}, {"lossy": True, "transfer_syntax_uid": "1.2.840.10008.1.2.4.50"}, "01", "ISO_10918_1"),
    ({}, {"lossy": True, "transfer_syntax_uid": "1.2.840.10008.1.2.4.81"}, "01", "ISO_14495_1"),
    ({"LossyImageCompression": "01", "LossyImageCompressionMethod": "ISO_15444_1"}, {}, "01", "ISO_15444_1"),
    ({"LossyImageCompression": "00", "LossyImageCompressionRatio": "1"}, {}, "00", None),
    ({"LossyImageCompression": "00"}, {"lossy": True}, "01", None),
    ({}, {}, None, None),
]


@pytest.mark.parametrize(("given", "header", "lossy", "method"), LOSSY)
def test_that_what_was_once_lossy_stays_lossy(
    tmp_path: Path, target: Path, given: dict[str, Any], header: dict[str, Any], lossy: str | None, method: str | None
) -> None:
    output = written(decoded(tmp_path / "cache", attributes(**given), **header), target)
    assert output.get("LossyImageCompression") == lossy
    assert output.get("LossyImageCompressionMethod") == method
    assert "LossyImageCompressionRatio" not in output
