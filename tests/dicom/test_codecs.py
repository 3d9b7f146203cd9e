"""Every transfer syntax gives the pixels that went in: exactly where it is lossless, nearly where it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import openjpeg
import pytest
from numpy.typing import NDArray
from pydicom.encaps import encapsulate

from fullfield.errors import InputRefused, InputUnreadable
from originals import bone
from sources import HTJ2K_LOSSLESS, LOSSLESS, LOSSY, NATIVE, compressed, dataset, encoded, frame, read

HERE = Path(__file__).parent


def picture(bits: int, *, signed: bool = False) -> NDArray[Any]:
    values = bone(bits=bits)
    if signed:
        return (values.astype(np.int32) - (1 << (bits - 1))).astype(np.int16)
    return values.astype(np.uint8) if bits == 8 else values


@pytest.mark.parametrize(
    ("bits", "signed"), [(8, False), *[(bits, signed) for bits in (10, 12, 14, 15, 16) for signed in (False, True)]]
)
@pytest.mark.parametrize("syntax", NATIVE.values(), ids=NATIVE)
def test_that_uncompressed_pixels_come_back(syntax: str, bits: int, signed: bool, tmp_path: Path) -> None:
    made = dataset(picture(bits, signed=signed), bits=bits, signed=signed)
    image = read(encoded(made, syntax), tmp_path).image
    assert image.bits == bits and np.array_equal(image.pixels, bone(bits=bits))


@pytest.mark.parametrize(
    ("bits", "signed"), [(8, False), (10, False), (12, False), (15, False), (16, False), (16, True)]
)
@pytest.mark.parametrize("syntax", LOSSLESS.values(), ids=LOSSLESS)
def test_that_lossless_compression_loses_nothing(syntax: str, bits: int, signed: bool, tmp_path: Path) -> None:
    made = dataset(picture(bits, signed=signed), bits=bits, signed=signed)
    packed = compressed(made, frame(made, syntax, tmp_path), syntax)
    assert np.array_equal(read(packed, tmp_path).image.pixels, bone(bits=bits))


@pytest.mark.parametrize("syntax", LOSSLESS.values(), ids=LOSSLESS)
def test_that_negative_values_of_twelve_bits_come_back(syntax: str, tmp_path: Path) -> None:
    """They are coded as the bits that they are stored in, of which a codec knows no sign."""
    bits_of_them = (picture(12, signed=True).view(np.uint16) & np.uint16(0x0FFF)).astype(np.uint16)
    packed = frame(dataset(bits_of_them), syntax, tmp_path)
    found = read(compressed(dataset(bits_of_them, signed=True), packed, syntax), tmp_path)
    assert np.array_equal(found.image.pixels, bone())


@pytest.mark.parametrize(
    ("syntax", "bits"),
    [
        ("JPEG baseline", 8),
        ("JPEG extended", 8),
        ("JPEG-LS near-lossless", 12),
        ("JPEG 2000 lossy", 12),
        ("JPEG 2000 lossy", 16),
    ],
)
def test_that_lossy_compression_stays_near(syntax: str, bits: int, tmp_path: Path) -> None:
    made = dataset(picture(bits), bits=bits)
    found = read(
        compressed(made, frame(made, LOSSY[syntax], tmp_path), LOSSY[syntax], LossyImageCompression="01"), tmp_path
    )
    assert np.abs(found.image.pixels.astype(int) - bone(bits=bits)).max() <= 0.02 * (1 << bits)
    assert found.header.lossy


def test_that_jpeg_extended_of_twelve_bits_stays_near(tmp_path: Path) -> None:
    """The stream is `originals.bone()`, encoded by libjpeg-turbo: GDCM decodes twelve bits, but encodes them badly."""
    packed = (HERE / "bone_extended.jpg").read_bytes()
    found = read(compressed(dataset(), packed, LOSSY["JPEG extended"]), tmp_path)
    assert np.abs(found.image.pixels.astype(int) - bone()).max() <= 4


def test_that_irreversible_jpeg_2000_stays_near(tmp_path: Path) -> None:
    made = dataset()
    packed = openjpeg.encode(bone(), bits_stored=12, compression_ratios=[4])
    found = read(compressed(made, packed, LOSSY["JPEG 2000 lossy"]), tmp_path)
    assert np.abs(found.image.pixels.astype(int) - bone()).mean() < 40


@pytest.mark.parametrize(
    ("stream", "syntax", "near"),
    [
        ("bone_reversible", HTJ2K_LOSSLESS, 0),
        ("bone_reversible", "1.2.840.10008.1.2.4.202", 0),
        ("bone_reversible", "1.2.840.10008.1.2.4.203", 0),
        ("bone_irreversible", "1.2.840.10008.1.2.4.203", 40),
    ],
)
def test_that_htj2k_is_decoded(stream: str, syntax: str, near: int, tmp_path: Path) -> None:
    """The streams are `originals.bone()`, encoded by OpenJPH: no library at hand encodes HTJ2K."""
    packed = (HERE / f"{stream}.jhc").read_bytes()
    found = read(compressed(dataset(), packed, syntax), tmp_path)
    assert np.abs(found.image.pixels.astype(int) - bone()).max() <= near


def test_that_signed_jpeg_2000_of_twelve_bits_comes_back(tmp_path: Path) -> None:
    values = picture(12, signed=True)
    packed = openjpeg.encode(values, bits_stored=12)
    made = dataset(values, signed=True)
    assert np.array_equal(read(compressed(made, packed, LOSSLESS["JPEG 2000"]), tmp_path).image.pixels, bone())


def test_that_a_lossy_overshoot_becomes_white_and_not_black(tmp_path: Path) -> None:
    """JPEG extended has twelve bits; in an image of ten, values past white came out as black."""
    edges = np.zeros((64, 64), np.uint16)
    edges[8:56:3, 8:56] = 1023
    packed = frame(dataset(edges, bits=12), LOSSY["JPEG extended"], tmp_path)
    found = read(compressed(dataset(edges, bits=10), packed, LOSSY["JPEG extended"]), tmp_path).image
    assert found.pixels.max() == 1023
    assert found.pixels[8:56:3, 8:56].min() > 700


@pytest.mark.parametrize("planar", [0, 1])
@pytest.mark.parametrize("photometric", ["RGB", "YBR_FULL"])
def test_that_three_equal_components_are_read_as_grey(planar: int, photometric: str, tmp_path: Path) -> None:
    grey = bone(bits=8).astype(np.uint8)
    rest = np.full_like(grey, 128) if photometric == "YBR_FULL" else grey
    colour = np.stack([grey, rest, rest], axis=-1)
    if photometric == "RGB":
        colour[..., 2] -= (colour[..., 2] > 10).astype(np.uint8) * 2  # two counts are no colour
    stored = np.moveaxis(colour, -1, 0) if planar else colour
    made = dataset(colour, kind="SC", bits=8, photometric=photometric, PlanarConfiguration=planar)
    made.PixelData = np.ascontiguousarray(stored).tobytes()
    image = read(encoded(made), tmp_path).image
    assert np.array_equal(image.pixels, bone(bits=8)) and image.bits == 8


@pytest.mark.parametrize("syntax", ["RLE", "JPEG lossless SV1", "JPEG-LS", "JPEG 2000"])
def test_that_compressed_grey_in_three_components_is_read(syntax: str, tmp_path: Path) -> None:
    colour = np.repeat(bone(bits=8).astype(np.uint8)[..., None], 3, axis=-1)
    made = dataset(colour, kind="SC", bits=8, photometric="RGB")
    packed = compressed(made, frame(made, LOSSLESS[syntax], tmp_path), LOSSLESS[syntax])
    assert np.array_equal(read(packed, tmp_path).image.pixels, bone(bits=8))


@pytest.mark.parametrize("photometric", ["YBR_FULL_422", "YBR_FULL", "RGB"])
def test_that_grey_in_a_colour_jpeg_is_read_whatever_its_header_calls_it(photometric: str, tmp_path: Path) -> None:
    import io

    from PIL import Image

    grey = bone(bits=8).astype(np.uint8)
    stream = io.BytesIO()
    Image.fromarray(np.repeat(grey[..., None], 3, axis=-1)).save(stream, "JPEG", quality=95)
    made = dataset(np.repeat(grey[..., None], 3, axis=-1), kind="SC", bits=8, photometric=photometric)
    found = read(compressed(made, stream.getvalue(), LOSSY["JPEG baseline"]), tmp_path).image
    assert np.abs(found.pixels.astype(int) - grey).max() <= 4


def test_that_true_colour_is_refused_by_name(tmp_path: Path) -> None:
    colour = np.repeat(bone(bits=8).astype(np.uint8)[..., None], 3, axis=-1)
    colour[3, 4] = (200, 40, 40)
    with pytest.raises(InputRefused, match="colour"):
        read(encoded(dataset(colour, kind="SC", bits=8, photometric="RGB")), tmp_path)


@pytest.mark.parametrize("syntax", LOSSLESS.values(), ids=LOSSLESS)
def test_that_a_stream_of_noise_is_refused_or_read_and_never_breaks_out(syntax: str, tmp_path: Path) -> None:
    made = dataset()
    packed = bytearray(frame(made, syntax, tmp_path))
    packed[80:400] = np.random.default_rng(3).integers(0, 255, 320, np.uint8).tobytes()
    made.PixelData = encapsulate([bytes(packed)])
    made["PixelData"].VR, made["PixelData"].is_undefined_length = "OB", True
    try:
        image = read(encoded(made, syntax), tmp_path).image
    except InputUnreadable as refusal:
        assert refusal.detail
    else:
        assert image.pixels.shape == (48, 40) and image.pixels.max() <= image.top


def test_that_a_jpeg_that_names_two_sizes_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    """The first is its header's; the second would be decoded."""
    made = dataset(picture(8), bits=8)
    packed = frame(made, LOSSY["JPEG baseline"], tmp_path)
    first = packed.index(b"\xff\xc0")
    size = int.from_bytes(packed[first + 2 : first + 4], "big") + 2
    second = packed[first : first + 5] + (960).to_bytes(2, "big") + (800).to_bytes(2, "big")
    second += packed[first + 9 : first + size]
    with pytest.raises(InputUnreadable) as refused:
        read(
            compressed(made, packed[: first + size] + second + packed[first + size :], LOSSY["JPEG baseline"]), tmp_path
        )
    assert "not of the size that its header says" in refused.value.detail


@pytest.mark.parametrize("syntax", [*NATIVE.values(), *LOSSLESS.values()], ids=[*NATIVE, *LOSSLESS])
def test_that_what_lost_nothing_is_not_called_lossy(syntax: str, tmp_path: Path) -> None:
    made = dataset(bone())
    content = (
        encoded(made, syntax) if syntax in NATIVE.values() else compressed(made, frame(made, syntax, tmp_path), syntax)
    )
    assert not read(content, tmp_path).header.lossy
