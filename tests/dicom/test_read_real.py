"""Real radiographs of every transfer syntax that clinics send, where they lie beside the project."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pydicom
import pytest
from numpy.typing import NDArray

from fullfield.dicom.read import Decoder
from fullfield.errors import InputRefused
from fullfield.image.image import HighValues, Image, InputKind
from sources import NATIVE, encoded
from support import shared

REFUSED = {
    "fodicom__RI6XDosiGap.dcm": "RTIMAGE",
    "orthancmirrors__Issue56-NoPixelData.dcm": "header without an image",
}
RG3_LOSSLESS = ["pydicomdata100__RG3_J2KR", "robyoung__RG3_JLSL", "robyoung__RG3_JPLL", "robyoung__RG3_RLE"]
RG3_LOSSY = {"pydicomdata100__RG3_J2KI": 12, "robyoung__RG3_JLSN": 4, "robyoung__RG3_JPLY": 50}
RG1_LOSSY = {"pydicomdata100__RG1_J2KI": 450, "robyoung__RG1_JLSN": 4}


@pytest.fixture(scope="module")
def folder() -> Path:
    return shared("data/dicom")


@pytest.fixture(scope="module")
def decoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Decoder]:
    with Decoder(tmp_path_factory.mktemp("cache")) as made:
        yield made


@pytest.fixture
def image_of(folder: Path, decoder: Decoder):  # type: ignore[no-untyped-def]  # a fixture that is a function
    def read(name: str) -> Image:
        return decoder.decode(folder / f"{name}.dcm").image

    return read


def expected(path: Path) -> NDArray[np.int64]:
    """Another library's pixels of an uncompressed file, turned where high means dark."""
    source = pydicom.dcmread(path)
    values = source.pixel_array.astype(np.int64)
    return (1 << source.BitsStored) - 1 - values if source.PhotometricInterpretation == "MONOCHROME1" else values


def test_that_every_radiograph_is_read_and_the_others_are_refused_by_name(folder: Path, decoder: Decoder) -> None:
    files = sorted(folder.glob("*.dcm"))
    refused = {}
    for path in files:
        try:
            image = decoder.decode(path).image
        except InputRefused as refusal:
            refused[path.name] = refusal.title
        else:
            assert image.kind is InputKind.PROCESSED and image.pixels.max() <= image.top
    assert len(files) == 26 and refused.keys() == REFUSED.keys()
    assert all(REFUSED[name] in title for name, title in refused.items())


@pytest.mark.parametrize(
    "name", ["pydicomdata100__RG1_UNCR", "pydicomdata100__RG3_UNCR", "amno__IMG0", "datasolver__test1", "pohcee__sc"]
)
def test_that_uncompressed_pixels_are_what_another_library_sees(folder: Path, decoder: Decoder, name: str) -> None:
    path = folder / f"{name}.dcm"
    assert np.array_equal(decoder.decode(path).image.pixels, expected(path))


@pytest.mark.parametrize("name", RG3_LOSSLESS)
def test_that_lossless_syntaxes_of_one_radiograph_are_equal(image_of, name: str) -> None:  # type: ignore[no-untyped-def]
    assert np.array_equal(image_of(name).pixels, image_of("pydicomdata100__RG3_UNCR").pixels)


def test_that_lossless_jpeg_2000_of_fifteen_bits_is_equal(image_of) -> None:  # type: ignore[no-untyped-def]
    assert np.array_equal(image_of("pydicomdata100__RG1_J2KR").pixels, image_of("pydicomdata100__RG1_UNCR").pixels)


@pytest.mark.parametrize(("name", "most"), [*RG3_LOSSY.items(), *RG1_LOSSY.items()])
def test_that_lossy_syntaxes_of_one_radiograph_are_near(image_of, name: str, most: int) -> None:  # type: ignore[no-untyped-def]
    original = image_of(f"pydicomdata100__{name.split('__')[1][:3]}_UNCR").pixels.astype(int)
    assert np.abs(image_of(name).pixels - original).max() <= most


@pytest.mark.parametrize("syntax", ["explicit big", "deflated", "implicit little"])
def test_that_syntaxes_that_are_missing_are_equal_when_transcoded(
    folder: Path, decoder: Decoder, tmp_path: Path, syntax: str
) -> None:
    source = folder / "pydicomdata100__RG3_UNCR.dcm"
    content = encoded(pydicom.dcmread(source), NATIVE[syntax])
    assert pydicom.dcmread(io.BytesIO(content)).file_meta.TransferSyntaxUID == NATIVE[syntax]
    (tmp_path / "IM").write_bytes(content)
    assert np.array_equal(decoder.decode(tmp_path / "IM").image.pixels, decoder.decode(source).image.pixels)


def test_that_the_false_monochrome1_is_the_negative_of_its_twin(image_of) -> None:  # type: ignore[no-untyped-def]
    true = image_of("mlmed__1.2.276.0.7230010.3.1.4.8323329.6904.1517875201.850819")
    false = image_of("mlmed__Fake_MONOHR1")
    assert false.high is HighValues.DARK and np.array_equal(false.pixels, 255 - true.pixels)


def test_that_a_spacing_of_zero_is_none(image_of) -> None:  # type: ignore[no-untyped-def]
    assert image_of("pydicomdata100__RG1_UNCR").spacing_mm is None
    assert image_of("amno__IMG0").spacing_mm == (0.144, 0.144)


def test_that_pictures_of_radiographs_are_read_as_grey(decoder: Decoder) -> None:
    pictures = sorted(shared("data/png").glob("*/*"))[::8]
    assert len(pictures) > 1
    for path in pictures:
        decoded = decoder.decode(path)
        assert decoded.image.kind is InputKind.PROCESSED and decoded.image.pixels.max() > 100
