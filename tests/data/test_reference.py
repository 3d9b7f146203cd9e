"""Where a single image's reference comes from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fullfield.data.reference import Reference
from fullfield.dicom.read import Decoder
from fullfield.errors import InputRefused, UsageError
from fullfield.files import resource
from fullfield.image import resample
from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image, InputKind
from fullfield.model.phantom import phantom


@pytest.fixture
def image() -> Image:
    pixels = np.rint(phantom(240, 200, seed=1) * 4095).astype(np.uint16)
    return Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)


@pytest.fixture
def header() -> Header:
    return Header(
        source_format="dicom", sha256="", rows=240, columns=200, bits_stored=12, photometric="", body_part="CHEST"
    )


def test_that_auto_takes_the_preset_that_fits_the_header(image: Image, header: Header) -> None:
    plane, made_by = Reference("auto").make(image, header)
    assert "preset chest " in made_by
    assert plane.shape == (240, 200)
    assert 0 <= plane.min() < plane.max() <= 1


def test_that_a_named_preset_serves_every_image_of_its_kind_and_no_other(image: Image, header: Header) -> None:
    assert "preset general " in Reference("general").make(image, header)[1]
    with pytest.raises(InputRefused):
        Reference("general-raw").make(image, header)


def test_that_the_image_itself_is_taken_as_it_is(image: Image, header: Header) -> None:
    plane, made_by = Reference("image").make(image, header)
    assert np.allclose(plane, image.pixels / 4095)
    assert made_by == "the images themselves"


def test_that_an_image_of_12_bits_in_16_is_taken_over_its_whole_range(image: Image, header: Header) -> None:
    plane = Reference("image").make(replace(image, bits=16), header)[0]
    assert np.allclose(plane, image.pixels / 4095, atol=1e-3)


def test_that_a_negative_is_turned_so_that_bone_is_bright(image: Image, header: Header) -> None:
    negative = replace(image, pixels=(4095 - image.pixels).astype(np.uint16), beam=HighValues.BRIGHT)
    assert np.allclose(Reference("image").make(negative, header)[0], image.pixels / 4095, atol=1e-6)
    one, other = Reference("auto").make(image, header)[0], Reference("auto").make(negative, header)[0]
    assert np.corrcoef(one.ravel(), other.ravel())[0, 1] > 0.95


def test_that_what_the_references_depend_on_changes_with_the_choice() -> None:
    assert len({Reference(name).identity for name in ("auto", "image", "general", "chest")}) == 4
    with pytest.raises(UsageError, match="nearest is chest"):
        Reference("chests")


@pytest.mark.parametrize("name", ["chest-raw-dx.dcm", "dog-carpus-raw-dx.dcm"])
def test_that_the_reference_of_a_raw_image_at_a_smaller_size_is_that_of_its_own_size(name: str) -> None:
    with Decoder() as reader:
        decoded = reader.decode(resource("phantoms") / name)
    assert decoded.image.zero == decoded.image.top == 16383, "turned, so that bone is bright"
    own, _ = Reference("auto").make(decoded.image, decoded.header)
    smaller, _ = Reference("auto").make(resample.at_size(decoded.image, 512), decoded.header)
    same = resample.resample(own, (smaller.shape[0], smaller.shape[1]))
    assert np.corrcoef(same.ravel(), smaller.ravel())[0, 1] > 0.95
