"""What a derived file says of its pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fullfield.image.cache import Decoded
from fullfield.image.delivery import Appearance, Delivery
from fullfield.image.image import Enhanced, HighValues, InputKind
from fullfield.image.values import Window
from judges import dciodvfy_errors
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


def test_that_the_window_as_it_was_displayed_comes_first_where_it_is_asked_for(
    radiograph: Decoded, target: Path
) -> None:
    plain = written(radiograph, target)
    seen = Delivery(window=True, look=Appearance(after=Window(low=1000, high=2000)))
    output = written(radiograph, target, delivery=seen)
    assert [float(value) for value in output.WindowCenter] == [1500.5, float(plain.WindowCenter)]
    assert [float(value) for value in output.WindowWidth] == [1001, float(plain.WindowWidth)]
    assert list(output.WindowCenterWidthExplanation) == ["Fullfield, as displayed", "Fullfield"]
    assert np.array_equal(output.pixel_array, plain.pixel_array)
    assert output.SOPInstanceUID != plain.SOPInstanceUID
    assert output.SeriesInstanceUID == plain.SeriesInstanceUID


def test_that_a_sigmoid_window_stands_alone_for_its_function_holds_for_all(radiograph: Decoded, target: Path) -> None:
    seen = Delivery(window=True, look=Appearance(after=Window(low=1000, high=2000, sigmoid=True)))
    output = written(radiograph, target, delivery=seen)
    assert (output.VOILUTFunction, output.WindowCenter, output.WindowWidth) == ("SIGMOID", 1500, 1000)


@pytest.mark.parametrize("delivery", [Delivery(window=True), Delivery(look=Appearance(after=Window(low=1, high=9)))])
def test_that_the_window_over_all_of_the_data_stays_unless_another_was_both_set_and_asked_for(
    radiograph: Decoded, target: Path, delivery: Delivery
) -> None:
    plain, output = written(radiograph, target), written(radiograph, target, delivery=delivery)
    assert (output.WindowCenter, output.SOPInstanceUID) == (plain.WindowCenter, plain.SOPInstanceUID)


@pytest.mark.parametrize("sigmoid", [False, True])
def test_that_a_file_with_the_displayed_window_has_no_error_of_its_own(
    radiograph: Decoded, target: Path, sigmoid: bool
) -> None:
    written(radiograph, target)
    plain = dciodvfy_errors(target)
    written(
        radiograph,
        target,
        delivery=Delivery(window=True, look=Appearance(after=Window(low=10.25, high=2000.5, sigmoid=sigmoid))),
    )
    assert dciodvfy_errors(target) <= plain


def test_that_a_picture_as_displayed_or_a_mark_never_reaches_a_dicom_file(radiograph: Decoded, target: Path) -> None:
    plain, output = (
        written(radiograph, target),
        written(radiograph, target, delivery=Delivery(displayed=True, mark="no")),
    )
    assert np.array_equal(output.pixel_array, plain.pixel_array)
    assert "not for primary diagnosis" in output.ImageComments


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
