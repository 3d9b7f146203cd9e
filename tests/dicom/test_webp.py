"""WebP pictures: still, opaque, whole and grey ones are read."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from fullfield.dicom import damage
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
