"""WebP pictures: still, opaque, whole and grey ones are read."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from fullfield.dicom import damage, webp
from fullfield.dicom.read import Decoder
from fullfield.errors import InputRefused, InputUnreadable
from fullfield.image.cache import Decoded
from originals import bone
from sources import read

GREY8 = bone(bits=8).astype(np.uint8)


def saved(picture: Image.Image, form: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, form, **options)
    return stream.getvalue()


def found(content: bytes, name: str, tmp_path: Path) -> Decoded:
    return read(content, tmp_path, name)


@pytest.mark.parametrize("name", ["a.webp", "a.jpg"])
@pytest.mark.parametrize("lossless", [False, True])
def test_that_a_grey_webp_is_read_in_the_decoder_s_child(name: str, lossless: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(saved(Image.fromarray(GREY8), "WEBP", lossless=lossless, quality=95))
    with Decoder(tmp_path / "cache") as decoder:
        decoded = decoder.decode(tmp_path / name)
    assert np.abs(decoded.image.pixels.astype(int) - GREY8).max() <= (0 if lossless else 12)
    assert decoded.header.source_format == "webp" and decoded.header.lossy is not lossless
    assert decoded.header.warnings == () and decoded.image.damage == ""


def test_that_the_transparency_of_a_webp_must_be_none(tmp_path: Path) -> None:
    opaque, clear = Image.fromarray(GREY8).convert("RGBA"), Image.fromarray(GREY8).convert("RGBA")
    clear.putalpha(Image.fromarray(GREY8))
    assert np.array_equal(found(saved(opaque, "WEBP", lossless=True), "a.webp", tmp_path).image.pixels, GREY8)
    with pytest.raises(InputRefused, match="transparent"):
        found(saved(clear, "WEBP", lossless=True), "a.webp", tmp_path)


@pytest.mark.parametrize("others", [[], [Image.fromarray(255 - GREY8)]], ids=["one picture", "two"])
def test_that_a_moving_webp_is_refused(others: list[Image.Image], tmp_path: Path) -> None:
    content = saved(Image.fromarray(GREY8), "WEBP", save_all=True, append_images=others)
    if not others:  # Pillow writes a single picture as a still one
        still = content[12:]
        frame = bytes(6) + struct.pack("<I", 39)[:3] + struct.pack("<I", 47)[:3] + bytes(4) + still
        head = b"VP8X" + struct.pack("<II", 10, 2) + struct.pack("<I", 39)[:3] + struct.pack("<I", 47)[:3]
        body = b"WEBP" + head + b"ANIM" + struct.pack("<IIH", 6, 0, 0) + b"ANMF" + struct.pack("<I", len(frame)) + frame
        content = b"RIFF" + struct.pack("<I", len(body)) + body
    with pytest.raises(InputRefused, match="a moving picture"):
        found(content, "a.webp", tmp_path)


def test_that_a_webp_bomb_is_refused_by_its_header(tmp_path: Path) -> None:
    for lossless in (False, True):
        content = bytearray(saved(Image.fromarray(GREY8), "WEBP", lossless=lossless))
        at = 21 if lossless else 26
        content[at : at + 4] = b"\xff\x3f\xff\x3f" if not lossless else b"\xff\xff\xff\x0f"
        with pytest.raises(InputUnreadable, match="matrix"):
            found(bytes(content), "a.webp", tmp_path)


def test_that_a_webp_whose_end_is_missing_is_refused_or_said_to_be_damaged(tmp_path: Path) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (160, 160)).astype(np.uint8)
    whole = saved(Image.fromarray(noise), "WEBP", quality=95)
    half = len(whole) // 2 // 2 * 2
    mended = whole[:4] + struct.pack("<I", half - 8) + whole[8:16] + struct.pack("<I", half - 20) + whole[20:half]
    for content in (whole[:half], mended):
        with pytest.raises(InputUnreadable):
            found(content, "a.webp", tmp_path)
    assert found(whole[:half] + bytes(len(whole) - half), "a.webp", tmp_path).image.damage == damage.FOUND


def riff(*chunks: tuple[bytes, bytes], size: int | None = None) -> bytes:
    """A WebP file of these parts."""
    body = b"".join(name + struct.pack("<I", len(part)) + part + b"\0" * (len(part) % 2) for name, part in chunks)
    return b"RIFF" + struct.pack("<I", len(body) + 4 if size is None else size) + b"WEBP" + body


def lossy(columns: int, rows: int, *, tail: bytes = b"") -> tuple[bytes, bytes]:
    return b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", columns, rows) + tail


def lossless(columns: int, rows: int) -> tuple[bytes, bytes]:
    return b"VP8L", b"\x2f" + struct.pack("<I", (columns - 1) | (rows - 1) << 14)


def canvas(columns: int, rows: int, flags: int = 0) -> tuple[bytes, bytes]:
    sides = (struct.pack("<I", side - 1)[:3] for side in (columns, rows))
    return b"VP8X", bytes([flags, 0, 0, 0]) + b"".join(sides)


@pytest.mark.parametrize(
    ("chunks", "rows", "columns", "is_lossy"),
    [
        ([lossy(40, 48)], 48, 40, True),
        ([lossy(40 | 1 << 14, 48 | 2 << 14)], 48, 40, True),  # how it is to be enlarged
        ([lossy(16383, 16383)], 16383, 16383, True),
        ([lossless(40, 48)], 48, 40, False),
        ([lossless(16384, 16384)], 16384, 16384, False),
        ([lossless(1, 1)], 1, 1, False),
        ([(b"ICCP", b"odd"), lossy(40, 48)], 48, 40, True),  # made even
        ([canvas(40, 48), lossy(40, 48)], 48, 40, True),
        ([canvas(70_000, 3), lossless(5, 5)], 0, 0, False),
        ([canvas(40, 48), lossy(48, 40)], 0, 0, True),
    ],
)
def test_that_a_webp_tells_its_size_and_how_it_is_coded(
    chunks: list[tuple[bytes, bytes]], rows: int, columns: int, is_lossy: bool
) -> None:
    if not rows:
        with pytest.raises(InputUnreadable, match="contradict"):
            webp.examine(riff(*chunks))
        return
    found = webp.examine(riff(*chunks))
    assert (found.rows, found.columns, found.lossy, found.blank_tail) == (rows, columns, is_lossy, False)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (riff(), "holds no picture"),
        (riff((b"EXIF", b"1234")), "holds no picture"),
        (riff(lossy(40, 48), size=1000), "cut short"),
        (riff(lossy(40, 48))[:-1], "cut short"),
        (riff((b"VP8 ", b"\0\0\0\x9d\x01\x2b" + bytes(4))), "makes no sense"),
        (riff((b"VP8 ", lossy(4, 4)[1][:9])), "makes no sense"),
        (riff((b"VP8L", b"\x2e" + bytes(4))), "makes no sense"),
        (riff((b"VP8L", lossless(4, 4)[1][:4])), "makes no sense"),
        (riff(*[(b"EXIF", b"")] * webp.MOST_CHUNKS, lossy(40, 48)), "holds no picture"),
        (b"RIFF\x14\0\0\0WEBPVP8 \x40\0\0\0" + bytes(8), "cut short"),
    ],
)
def test_that_a_webp_that_makes_no_sense_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(InputUnreadable) as refused:
        webp.examine(content)
    assert words in refused.value.detail


@pytest.mark.parametrize("chunk", [canvas(40, 48, flags=2), (b"ANIM", bytes(6)), (b"ANMF", bytes(16))])
def test_that_a_webp_that_moves_is_refused_by_any_of_its_marks(chunk: tuple[bytes, bytes]) -> None:
    with pytest.raises(InputRefused, match="moving"):
        webp.examine(riff(chunk, lossy(40, 48)))
    assert webp.examine(riff(canvas(40, 48, flags=0x3D), lossy(40, 48))).rows == 48


@pytest.mark.parametrize(
    ("chunk", "is_blank"),
    [
        (lossy(40, 48, tail=b"\1" + bytes(1024)), True),
        (lossy(40, 48, tail=b"\1" + bytes(1023)), False),
        (lossy(40, 48, tail=bytes(1024) + b"\1"), False),
        ((b"VP8L", lossless(40, 48)[1] + bytes(2000)), False),
    ],
)
def test_that_a_lossy_one_whose_end_is_all_zeros_is_suspect(chunk: tuple[bytes, bytes], is_blank: bool) -> None:
    assert webp.examine(riff(chunk)).blank_tail is is_blank
