"""The arrays of one pair."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fullfield.data import planes
from fullfield.data.planes import Way
from fullfield.data.reference import Reference
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image, InputKind
from fullfield.model.phantom import phantom

RIM = 44  # columns that are no image

SUBJECT = Header(
    source_format="dicom", sha256="", rows=240, columns=200, bits_stored=16, photometric="", body_part="CHEST"
)
RAW = Way(kinds=(InputKind.RAW,), size=200, seed=0, key="0123456789abcdef")


@pytest.fixture
def plain() -> Image:
    pixels = np.rint(20_000 + phantom(240, 200, seed=3) * 40_000).astype(np.uint16)
    return Image(pixels=pixels, bits=16, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)


@pytest.fixture(params=[0, 65535])
def padded(plain: Image, request: pytest.FixtureRequest) -> Image:
    pixels = plain.pixels.copy()
    pixels[:, :RIM] = request.param
    return replace(plain, pixels=pixels, padding=(request.param, request.param))


@pytest.mark.parametrize("beam", list(HighValues))
def test_that_padding_of_a_reference_is_black_and_takes_no_range_from_the_image(
    padded: Image, beam: HighValues
) -> None:
    plane = planes.stretched(replace(padded, beam=beam))
    assert not plane[:, :RIM].any()
    assert (plane[:, RIM:].min(), plane[:, RIM:].max()) == (0.0, 1.0)


def test_that_an_image_that_is_padding_throughout_is_a_black_reference(plain: Image) -> None:
    assert not planes.stretched(replace(plain, padding=(0, 65535))).any()


@pytest.mark.parametrize("beam", list(HighValues))
def test_that_an_input_simulated_beside_padding_is_as_one_beside_the_open_beam(
    plain: Image, padded: Image, beam: HighValues
) -> None:
    shown = plain.pixels if beam is HighValues.DARK else 65_000 - plain.pixels
    beside, outside = shown.copy(), shown.copy()
    beside[:, :RIM] = padded.pixels[0, 0]
    outside[:, :RIM] = shown[:, RIM:].min() if beam is HighValues.DARK else shown[:, RIM:].max()
    images = replace(padded, pixels=beside, beam=beam), replace(plain, pixels=outside, beam=beam)
    x, wanted = (RAW.inputs(image, np.empty(0, np.float32))[InputKind.RAW] for image in images)
    assert np.abs(x - wanted).mean() < 0.02
    assert x[:, RIM:].std() > 0.1


def test_that_a_reference_that_is_made_is_black_at_padding_as_its_input_is(padded: Image) -> None:
    decoded = Decoded(image=padded, header=SUBJECT, folder=Path())
    way = replace(RAW, kinds=(InputKind.RAW, InputKind.PROCESSED))
    found = planes.from_single(decoded, lambda image: Reference("auto").make(image, SUBJECT), way, processes=True)
    assert not found.problems
    for plane in (found.reference, *found.inputs.values()):
        assert plane[:, : RIM // 2].max() < 0.05 < plane[:, RIM:].std()
