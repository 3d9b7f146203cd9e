"""PNG, TIFF, JPEG and WebP pictures: grey, 8 to 16 bits; what is no grey picture is refused by what it is."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray
from PIL import Image, ImageOps

from fullfield.dicom.remarks import FAINT_COLOUR, TURNED
from fullfield.errors import FullfieldError, InputRefused, InputUnreadable
from fullfield.image.cache import Decoded
from fullfield.image.image import HighValues, InputKind
from originals import bone
from sources import read

GREY8 = bone(bits=8).astype(np.uint8)
GREY16 = bone(bits=16)


def saved(pixels: NDArray[Any] | Image.Image, form: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    picture = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
    picture.save(stream, form, **options)
    return stream.getvalue()


def tiff(pixels: NDArray[Any], **options: Any) -> bytes:
    stream = io.BytesIO()
    tifffile.imwrite(stream, pixels, **options)
    return stream.getvalue()


def png(pixels: NDArray[Any], colour: int, exif: Image.Exif | None = None) -> bytes:
    """A PNG of 16 bits and several components, which Pillow cannot write."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows, columns = pixels.shape[:2]
    lines = b"".join(b"\0" + row.astype(">u2").tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", columns, rows, 16, colour, 0, 0, 0)
    more = chunk(b"eXIf", exif.tobytes()[6:]) if exif else b""
    data = chunk(b"IDAT", zlib.compress(lines))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + data + chunk(b"IEND", b"")


def found(content: bytes, name: str, tmp_path: Path) -> Decoded:
    return read(content, tmp_path, name)


def test_that_an_eight_bit_png_is_read_as_it_is(tmp_path: Path) -> None:
    decoded = found(saved(GREY8, "PNG"), "a.png", tmp_path)
    assert np.array_equal(decoded.image.pixels, GREY8) and decoded.image.bits == 8
    assert (decoded.header.source_format, decoded.header.lossy) == ("png", False)
    assert decoded.image.kind is InputKind.PROCESSED and decoded.image.spacing_mm is None
    assert not decoded.dataset.exists()


@pytest.mark.parametrize(("top", "bits"), [(65535, 16), (4095, 12), (200, 8)])
def test_that_a_sixteen_bit_png_uses_the_bits_that_it_needs(top: int, bits: int, tmp_path: Path) -> None:
    pixels = np.rint(bone().astype(float) / 4095 * top).astype(np.uint16)
    image = found(saved(pixels, "PNG"), "a.png", tmp_path).image
    assert np.array_equal(image.pixels, pixels) and image.bits == bits


@pytest.mark.parametrize(
    "picture",
    [
        Image.fromarray(GREY8).convert("RGB"),
        Image.fromarray(GREY8).convert("RGBA"),
        Image.fromarray(GREY8).convert("LA"),
        Image.fromarray(GREY8).convert("P"),
    ],
    ids=["RGB", "RGBA", "LA", "P"],
)
def test_that_grey_in_colour_s_clothes_is_read(picture: Image.Image, tmp_path: Path) -> None:
    assert np.array_equal(found(saved(picture, "PNG"), "a.png", tmp_path).image.pixels, GREY8)


@pytest.mark.parametrize(("count", "colour"), [(3, 2), (4, 6)])
def test_that_sixteen_bits_survive_several_components(count: int, colour: int, tmp_path: Path) -> None:
    pixels = np.repeat(GREY16[..., None], count, axis=-1)
    if count != 3:
        pixels[..., -1] = 65535
    assert np.array_equal(found(png(pixels, colour), "a.png", tmp_path).image.pixels, GREY16)


def test_that_sixteen_bits_with_transparency_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="transparency"):
        found(png(np.repeat(GREY16[..., None], 2, axis=-1), 4), "a.png", tmp_path)


@pytest.mark.parametrize("count", [3, 4])
@pytest.mark.parametrize(
    "options",
    [{}, {"compression": "zlib", "predictor": 2}, {"tile": (16, 16)}, {"byteorder": ">"}],
    ids=["plain", "deflate", "tiles", "big"],
)
@pytest.mark.parametrize("planes", ["contig", "separate"])
def test_that_a_sixteen_bit_colour_tiff_of_grey_is_read(
    planes: str, count: int, options: dict[str, Any], tmp_path: Path
) -> None:
    pixels = np.repeat(GREY16[..., None], count, axis=-1)
    if count != 3:
        pixels[..., -1] = 65535
    pixels = pixels if planes == "contig" else np.moveaxis(pixels, -1, 0)
    content = tiff(pixels, photometric="rgb", planarconfig=planes, **options)
    assert np.array_equal(found(content, "a.tif", tmp_path).image.pixels, GREY16)


def test_that_an_eight_bit_tiff_with_a_sign_is_read_and_one_of_negative_numbers_is_refused(tmp_path: Path) -> None:
    pixels = (GREY8 >> 1).astype(np.int8)
    image = found(tiff(pixels, photometric="minisblack"), "a.tif", tmp_path / "1").image
    assert np.array_equal(image.pixels, pixels)
    with pytest.raises(InputRefused, match="no grey values of 16 bits"):
        found(tiff(pixels - np.int8(9), photometric="minisblack"), "a.tif", tmp_path / "2")


@pytest.mark.parametrize("bits", [10, 12, 14])
def test_that_a_sound_tiff_that_is_not_read_is_refused_by_what_it_is(bits: int, tmp_path: Path) -> None:
    content = tiff(GREY16, photometric="minisblack", byteorder=">")
    whole, packed = (struct.pack(">HHIHH", 258, 3, 1, depth, 0) for depth in (16, bits))  # Bits per Sample
    with pytest.raises(InputRefused, match=f"a TIFF of {bits} bits"):
        found(content.replace(whole, packed), "a.tif", tmp_path / "packed")
    clear = tiff(np.dstack([GREY16] * 2), photometric="minisblack", extrasamples=["unassalpha"], planarconfig="contig")
    with pytest.raises(InputRefused, match="transparency"):
        found(clear, "a.tif", tmp_path / "clear")


@pytest.mark.parametrize("form", ["PNG", "TIFF"])
def test_that_a_cut_picture_of_sixteen_bit_colour_is_unreadable(form: str, tmp_path: Path) -> None:
    pixels = np.repeat(GREY16[..., None], 3, axis=-1)
    content = png(pixels, 2) if form == "PNG" else tiff(pixels, photometric="rgb")
    with pytest.raises(InputUnreadable):
        found(content[: len(content) * 9 // 10], f"a.{form.lower()}", tmp_path)


@pytest.mark.parametrize("pixels", [GREY8, GREY16], ids=["8", "16"])
@pytest.mark.parametrize("options", [{}, {"byteorder": ">"}, {"bigtiff": True}], ids=["little", "big", "BigTIFF"])
def test_that_a_tiff_is_read(pixels: NDArray[Any], options: dict[str, Any], tmp_path: Path) -> None:
    decoded = found(tiff(pixels, photometric="minisblack", **options), "a.tiff", tmp_path)
    assert np.array_equal(decoded.image.pixels, pixels) and decoded.image.high is HighValues.BRIGHT


@pytest.mark.parametrize("compression", ["tiff_lzw", "tiff_adobe_deflate", "packbits"])
def test_that_a_compressed_tiff_is_read(compression: str, tmp_path: Path) -> None:
    content = saved(GREY16, "TIFF", compression=compression)
    assert np.array_equal(found(content, "a.tif", tmp_path).image.pixels, GREY16)


@pytest.mark.parametrize("pixels", [GREY8, GREY16], ids=["8", "16"])
def test_that_a_tiff_whose_white_is_zero_is_turned_once(pixels: NDArray[Any], tmp_path: Path) -> None:
    decoded = found(tiff(pixels, photometric="miniswhite"), "a.tif", tmp_path)
    assert np.array_equal(decoded.image.pixels, np.iinfo(pixels.dtype).max - pixels)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("kind", ["u1", "u2", "i2", "u4", "i4"])
@pytest.mark.parametrize("photometric", ["minisblack", "miniswhite"])
def test_that_a_grey_tiff_is_read_whatever_its_order_sign_and_width(
    order: str, kind: str, photometric: str, tmp_path: Path
) -> None:
    pixels = (GREY8 if kind == "u1" else GREY16 >> 1).astype(kind)
    content = tiff(pixels, photometric=photometric, byteorder=order, compression="zlib")
    top = 255 if kind == "u1" else 32767
    image = found(content, "a.tif", tmp_path).image
    assert np.array_equal(image.pixels, pixels if photometric == "minisblack" else top - pixels.astype(int))


def test_that_a_tiff_that_only_tifffile_reads_is_turned_and_checked_like_others(tmp_path: Path) -> None:
    strange = {"photometric": "miniswhite", "byteorder": ">"}
    turned = found(tiff(GREY16, extratags=[(0x0112, "H", 1, 6, True)], **strange), "a.tif", tmp_path / "1")
    assert np.array_equal(turned.image.pixels, 65535 - np.rot90(GREY16, -1)) and TURNED in turned.header.warnings
    with pytest.raises(InputRefused, match="no grey values of 16 bits"):
        found(tiff(GREY16.astype(np.int32) - 9, **strange), "a.tif", tmp_path / "2")
    with pytest.raises(InputRefused, match="several pictures"):
        found(tiff(np.stack([GREY16, GREY16]), **strange), "a.tif", tmp_path / "3")
    with pytest.raises(InputUnreadable):
        found(tiff(GREY16, **strange)[:900], "a.tif", tmp_path / "4")
    plain, packed = (struct.pack(">HHIHH", 259, 3, 1, form, 0) for form in (1, 5))  # Compression: none, LZW
    content = tiff(GREY16.astype(np.int16), byteorder=">").replace(plain, packed)
    with pytest.raises(InputRefused, match="compressed in a way that is not read"):
        found(content, "a.tif", tmp_path / "5")


def test_that_a_jpeg_is_read_and_lossy(tmp_path: Path) -> None:
    decoded = found(saved(GREY8, "JPEG", quality=98), "a.jpg", tmp_path)
    assert np.abs(decoded.image.pixels.astype(int) - GREY8).max() <= 3 and decoded.header.lossy


@pytest.mark.parametrize("options", [{"progressive": True}, {"subsampling": 2}])
def test_that_a_grey_colour_jpeg_is_read(options: dict[str, Any], tmp_path: Path) -> None:
    content = saved(Image.fromarray(GREY8).convert("RGB"), "JPEG", quality=98, **options)
    assert np.abs(found(content, "a.jpg", tmp_path).image.pixels.astype(int) - GREY8).max() <= 4


def test_that_a_camera_s_profile_and_resolution_and_a_broken_exif_do_nothing(tmp_path: Path) -> None:
    content = saved(GREY8, "JPEG", quality=98, exif=b"Exif\0\0MM\0\xff\xff", icc_profile=b"nonsense", dpi=(72, 72))
    decoded = found(content, "a.jpg", tmp_path)
    assert decoded.image.pixels.shape == GREY8.shape and decoded.image.spacing_mm is None
    assert TURNED not in decoded.header.warnings


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF", "PNG of colour", "TIFF of colour"])
def test_that_a_picture_is_turned_as_every_viewer_shows_it_and_that_is_told(
    form: str, orientation: int, tmp_path: Path
) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    colour = np.repeat(GREY16[..., None], 3, axis=-1)
    tag = [(0x0112, "H", 1, orientation, True)]
    match form:
        case "JPEG":
            content, plain = saved(GREY8, form, quality=98, exif=exif), saved(GREY8, form, quality=98)
        case "WEBP":
            content, plain = saved(GREY8, form, lossless=True, exif=exif), saved(GREY8, form, lossless=True)
        case "PNG" | "TIFF":
            content, plain = saved(GREY16, form, exif=exif), saved(GREY16, form)
        case "PNG of colour":
            content, plain = png(colour, 2, exif=exif), saved(GREY16, "PNG")
        case _:
            content, plain = tiff(colour, photometric="rgb", extratags=tag), saved(GREY16, "PNG")
    with Image.open(io.BytesIO(plain)) as picture:
        picture.load()
        picture.getexif()[0x0112] = orientation
        wanted = np.asarray(ImageOps.exif_transpose(picture))
    decoded = found(content, f"a.{form.split()[0].lower()}", tmp_path)
    assert np.array_equal(decoded.image.pixels, wanted[..., 0] if wanted.ndim == 3 else wanted)
    assert (TURNED in decoded.header.warnings) == (orientation != 1)


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (Image.merge("RGB", [Image.fromarray(GREY8)] * 2 + [Image.fromarray(255 - GREY8)]), "colour"),
        (Image.merge("LA", [Image.fromarray(GREY8)] * 2), "transparent"),
        (Image.fromarray(GREY8).convert("1"), "without grey"),
        (Image.fromarray(GREY8[:8]), "too small"),
    ],
    ids=["colour", "transparent", "black and white", "small"],
)
def test_that_what_is_no_grey_picture_is_refused(picture: Image.Image, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match=words):
        found(saved(picture, "PNG"), "a.png", tmp_path)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (tiff(np.stack([GREY8, GREY8]), photometric="minisblack"), "a.tif"),
        (tiff(GREY16.astype(np.float32), photometric="minisblack"), "a.tif"),
        (saved(Image.fromarray(GREY8).convert("CMYK"), "JPEG"), "a.jpg"),
    ],
    ids=["pages", "float", "CMYK"],
)
def test_that_other_pictures_are_refused(content: bytes, name: str, tmp_path: Path) -> None:
    with pytest.raises(InputRefused):
        found(content, name, tmp_path)


def test_that_a_png_bomb_is_refused_by_its_header(tmp_path: Path) -> None:
    content = saved(GREY8, "PNG")
    bomb = bytearray(content)
    bomb[16:24] = struct.pack(">II", 200_000, 200_000)
    bomb[29:33] = struct.pack(">I", zlib.crc32(bytes(bomb[12:29])))
    with pytest.raises(InputUnreadable):
        found(bytes(bomb), "a.png", tmp_path)


def test_that_a_jpeg_bomb_is_refused_by_its_header(tmp_path: Path) -> None:
    content = bytearray(saved(GREY8, "JPEG"))
    at = content.index(b"\xff\xc0")
    content[at + 5 : at + 9] = b"\xff\xff\xff\xff"
    with pytest.raises(InputUnreadable, match="matrix"):
        found(bytes(content), "a.jpg", tmp_path)


@pytest.mark.parametrize(("form", "name"), [("PNG", "a.png"), ("TIFF", "a.tif"), ("JPEG", "a.jpg"), ("WEBP", "a.webp")])
def test_that_a_cut_picture_is_unreadable(form: str, name: str, tmp_path: Path) -> None:
    content = saved(GREY8, form)
    for part in (0.2, 0.5, 0.9):
        with pytest.raises(FullfieldError):
            found(content[: int(part * len(content))], name, tmp_path)


@pytest.mark.parametrize(("form", "name"), [("PNG", "a.png"), ("TIFF", "a.tif"), ("JPEG", "a.jpg"), ("WEBP", "a.webp")])
def test_that_a_damaged_picture_is_read_or_refused(form: str, name: str, tmp_path: Path) -> None:
    content, chance = saved(GREY8, form), np.random.default_rng(1)
    for _ in range(40):
        damaged = bytearray(content)
        for place in chance.integers(0, len(damaged), 4):
            damaged[place] = chance.integers(0, 256)
        try:
            image = found(bytes(damaged), name, tmp_path).image
        except FullfieldError as refusal:
            assert refusal.title
        else:
            assert image.pixels.max() <= image.top


def tinted(chroma: int, *, share: float = 1.0) -> Image.Image:
    """The grey picture with blue further from green than red is: the widest gap is `chroma`, in so much of it."""
    tint = (np.arange(GREY8.size) < round(share * GREY8.size)).reshape(GREY8.shape)
    rgb = np.repeat(np.clip(GREY8, 16, 200)[..., None], 3, axis=-1)
    rgb[..., 2] += (tint * chroma).astype(np.uint8)
    return Image.fromarray(rgb)


@pytest.mark.parametrize(("form", "name"), [("JPEG", "a.jpg"), ("WEBP", "a.webp"), ("WEBP", "a.jpg")])
def test_that_the_brightness_of_a_grey_picture_with_faint_colour_is_read_and_that_is_told(
    form: str, name: str, tmp_path: Path
) -> None:
    options = {"quality": 100, "subsampling": 0} if form == "JPEG" else {"lossless": True}
    decoded = found(saved(tinted(6), form, **options), name, tmp_path)
    wanted = np.asarray(tinted(6).convert("L")).astype(int)
    assert np.abs(decoded.image.pixels.astype(int) - wanted).max() <= 2
    assert decoded.header.warnings == (FAINT_COLOUR,)


def test_that_hardly_any_pixel_may_have_more_colour_than_a_compression_leaves(tmp_path: Path) -> None:
    few, many = tinted(40, share=0.0006), tinted(40, share=0.002)
    assert found(saved(few, "WEBP", lossless=True), "a.webp", tmp_path / "few").header.warnings == (FAINT_COLOUR,)
    with pytest.raises(InputRefused, match="a colour picture"):
        found(saved(many, "WEBP", lossless=True), "a.webp", tmp_path / "many")


@pytest.mark.parametrize(("form", "name"), [("JPEG", "a.jpg"), ("WEBP", "a.webp"), ("PNG", "a.png")])
def test_that_a_picture_that_is_tinted_throughout_is_refused_in_words(form: str, name: str, tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="not only shades of grey"):
        found(saved(tinted(40), form), name, tmp_path)


def test_that_a_picture_of_nothing_lost_must_be_grey(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="a colour picture"):
        found(saved(tinted(6), "PNG"), "a.png", tmp_path)
