"""A picture that is cut and has its end mark put back is never read as if it were whole."""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openjpeg
import pytest
import tifffile
from PIL import Image

from fullfield.dicom import damage
from fullfield.errors import InputUnreadable
from originals import bone
from sources import HTJ2K_LOSSLESS, LOSSLESS, LOSSY, NATIVE, compressed, dataset, encoded, frame, read

HERE = Path(__file__).parent
END = b"\xff\xd9"
GREY8 = bone(rows=160, columns=120, bits=8).astype(np.uint8)
SHARES = (0.1, 0.5, 0.9)


def jpeg(**options: object) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(GREY8).save(stream, "JPEG", quality=95, **options)
    return stream.getvalue()


def scan(stream: bytes) -> int:
    """Where the coded samples of a JPEG, JPEG-LS or JPEG 2000 stream begin."""
    if stream.startswith(b"\xff\x4f"):
        return stream.index(b"\xff\x93") + 2
    at = stream.index(b"\xff\xda")
    return at + 2 + int.from_bytes(stream[at + 2 : at + 4], "big")


def cut(stream: bytes, share: float) -> bytes:
    """The first `share` of the coded samples, and the end mark."""
    start, stream = scan(stream), stream.rstrip(b"\0").removesuffix(END)
    kept = stream[: start + int((len(stream) - start) * share)].rstrip(b"\xff") + END
    return kept + b"\0" * (len(kept) % 2)


def dicom(syntax: str, stream: bytes, *, bits: int = 12) -> bytes:
    pixels = GREY8 if bits == 8 else bone()
    return compressed(dataset(pixels, bits=bits), stream, syntax)


def found(content: bytes, tmp_path: Path, name: str = "IM0001") -> str:
    return read(content, tmp_path, name).image.damage


BASELINE, EXTENDED = LOSSY["JPEG baseline"], LOSSY["JPEG extended"]
Make = Callable[[Path], tuple[bytes, str, int]]
NOTICED: dict[str, Make] = {  # stream, syntax, bits
    "baseline": lambda tmp: (jpeg(), BASELINE, 8),
    "baseline with restarts": lambda tmp: (jpeg(restart_marker_blocks=4), BASELINE, 8),
    "extended, 12 bits": lambda tmp: ((HERE / "bone_extended.jpg").read_bytes(), EXTENDED, 12),
    "lossless": lambda tmp: (frame(dataset(), LOSSLESS["JPEG lossless"], tmp), LOSSLESS["JPEG lossless"], 12),
    "lossless SV1": lambda tmp: (
        frame(dataset(), LOSSLESS["JPEG lossless SV1"], tmp),
        LOSSLESS["JPEG lossless SV1"],
        12,
    ),
}
REFUSED: dict[str, Make] = {
    "JPEG-LS": lambda tmp: (frame(dataset(), LOSSLESS["JPEG-LS"], tmp), LOSSLESS["JPEG-LS"], 12),
    "JPEG 2000": lambda tmp: (openjpeg.encode(bone(), bits_stored=12), LOSSLESS["JPEG 2000"], 12),
    "HTJ2K": lambda tmp: ((HERE / "bone_reversible.jhc").read_bytes(), HTJ2K_LOSSLESS, 12),
}


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("make", NOTICED.values(), ids=NOTICED)
def test_that_a_cut_jpeg_is_read_and_called_damaged(make: Make, share: float, tmp_path: Path) -> None:
    stream, syntax, bits = make(tmp_path)
    assert found(dicom(syntax, stream, bits=bits), tmp_path) == ""
    assert "damaged" in found(dicom(syntax, cut(stream, share), bits=bits), tmp_path)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_that_other_cut_streams_are_refused(make: Make, share: float, tmp_path: Path) -> None:
    stream, syntax, bits = make(tmp_path)
    assert found(dicom(syntax, stream, bits=bits), tmp_path) == ""
    with pytest.raises(InputUnreadable):
        found(dicom(syntax, cut(stream, share), bits=bits), tmp_path)


def test_that_a_cut_deflated_file_is_refused_also_with_its_end_put_back(tmp_path: Path) -> None:
    whole = encoded(dataset(), NATIVE["deflated"])
    start = whole.index(NATIVE["deflated"].encode())
    at = next(at for at in range(start, start + 400) if _inflates(whole[at:]))
    head, inside = whole[:at], zlib.decompress(whole[at:], -zlib.MAX_WBITS)
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    with pytest.raises(InputUnreadable):
        found(head + packer.compress(inside[: len(inside) - 900]) + packer.flush(), tmp_path)


def _inflates(data: bytes) -> bool:
    try:
        return len(zlib.decompress(data, -zlib.MAX_WBITS)) > bone().nbytes
    except zlib.error:
        return False


@pytest.mark.parametrize("share", SHARES)
def test_that_a_cut_jpg_is_read_and_called_damaged(share: float, tmp_path: Path) -> None:
    assert found(jpeg(), tmp_path, "a.jpg") == ""
    assert "damaged" in found(cut(jpeg(), share), tmp_path, "a.jpg")


def test_that_a_progressive_jpg_cut_within_a_scan_is_called_damaged(tmp_path: Path) -> None:
    whole = jpeg(progressive=True)
    assert found(whole, tmp_path, "a.jpg") == ""
    first = scan(whole)
    assert "damaged" in found(whole[: first + 9].rstrip(b"\xff") + END, tmp_path, "a.jpg")
    last = scan(whole[whole.rindex(b"\xff\xda") :]) + whole.rindex(b"\xff\xda")
    assert "damaged" in found(whole[: last + 9].rstrip(b"\xff") + END, tmp_path, "a.jpg")


@pytest.mark.parametrize("share", SHARES)
def test_that_a_cut_jpeg_within_a_tiff_is_called_damaged(share: float, tmp_path: Path) -> None:
    stream = io.BytesIO()
    Image.fromarray(GREY8).save(stream, "TIFF", compression="jpeg")
    whole = stream.getvalue()
    assert found(whole, tmp_path, "a.tif") == ""
    page = tifffile.TiffFile(io.BytesIO(whole)).pages[0]
    first, length = page.dataoffsets[0], page.databytecounts[0]
    strip = cut(whole[first : first + length], share).rstrip(b"\0")
    broken = whole[:first] + strip + b"\0" * (length - len(strip)) + whole[first + length :]
    assert "damaged" in found(broken, tmp_path, "a.tif")


def test_that_a_harmless_oddity_of_the_header_neither_is_damage_nor_hides_it(tmp_path: Path) -> None:
    """libjpeg tells its first warning alone: of an unknown version of JFIF, or of odd limits of a sequential scan."""
    whole = bytearray(jpeg())
    whole[whole.index(b"JFIF\0") + 5] = 9
    whole[scan(bytes(whole)) - 2] = 0
    assert found(bytes(whole), tmp_path, "a.jpg") == ""
    assert "damaged" in found(cut(bytes(whole), 0.5), tmp_path, "a.jpg")


def test_that_zeros_before_the_end_mark_are_padding_and_other_bytes_are_damage(tmp_path: Path) -> None:
    body = jpeg().removesuffix(END)
    assert found(body + bytes(40) + END, tmp_path, "a.jpg") == ""
    assert "damaged" in found(body + b"\x31\x41\x59\x26\x53" * 8 + END, tmp_path, "a.jpg")


def test_that_flipped_bits_are_damage_where_libjpeg_notices_them(tmp_path: Path) -> None:
    """Most of them change the picture alone and no decoder can know; of these forty, libjpeg meets many."""
    noticed, start = 0, scan(jpeg())
    for at in np.random.default_rng(4).integers(start, len(jpeg()) - 4, 40):
        flipped = bytearray(jpeg())
        flipped[at] ^= 1 << (at % 8)
        noticed += damage.in_jpeg(bytes(flipped))
    assert noticed >= 8


@pytest.mark.parametrize(
    ("said", "data", "is_damage"),
    [
        (b"", b"", False),
        (b"Corrupt JPEG data: bad Huffman code", b"", True),
        (b"Premature end of JPEG file", b"", True),
        (b"Inconsistent progression sequence", b"", True),
        (b"libpng warning: iCCP", b"", False),
        (b"Corrupt JPEG data: 3 extraneous bytes before marker 0xd9\n", b"\1\0\0\0\xff\xd9", False),
        (b"Corrupt JPEG data: 4 extraneous bytes before marker 0xd9\n", b"\1\0\0\0\xff\xd9", True),
        (b"Corrupt JPEG data: 9 extraneous bytes before marker 0xd9", b"\0\0\xff\xd9", False),
        (b"Corrupt JPEG data: 3 extraneous bytes before marker 0xda", b"\0\0\0\xff\xd9", True),
        (b"Corrupt JPEG data: 2 extraneous bytes before marker 0xd9", b"\0\0\xff\xd9\1\xff\xd9", True),
    ],
)
def test_that_what_a_library_says_is_damage_but_for_zeros_before_the_end(
    said: bytes, data: bytes, is_damage: bool
) -> None:
    assert damage.reported(said, data) is is_damage


def segment(marker: int, content: bytes) -> bytes:
    return bytes([0xFF, marker]) + (len(content) + 2).to_bytes(2, "big") + content


@pytest.mark.parametrize(("frame", "limits"), [(0xC0, b"\0\x3f\0"), (0xC1, b"\0\x3f\0"), (0xC2, b"\1\2\3")])
def test_that_a_stream_is_laid_bare_of_what_is_warned_of_without_harm(frame: int, limits: bytes) -> None:
    head = segment(frame, b"frame")
    kept = segment(0xDB, b"table") + segment(0xF0, b"kept") + segment(0xDF, b"kept too")
    noise = segment(0xE0, b"JFIF") + segment(0xEF, b"maker") + segment(0xFE, b"comment")
    scan = segment(0xDA, b"components" + b"\1\2\3")
    stream = b"\xff\xd8" + noise + b"\xff" + kept + head + scan + b"data\xff\xd9"
    assert damage._bare(stream) == b"\xff\xd8" + kept + head + scan[:-3] + limits + b"data\xff\xd9"
    assert damage._bare(stream[:20]) == stream[:20], "without a scan it is as it was"


def test_that_what_libraries_say_is_heard_and_standard_error_is_as_it_was() -> None:
    before = os.fstat(2)
    with damage.overheard() as said:
        os.write(2, b"libjpeg speaks")
    assert bytes(said) == b"libjpeg speaks" and os.fstat(2).st_ino == before.st_ino
    with pytest.raises(ValueError, match="inside"), damage.overheard() as said:
        os.write(2, b"again")
        raise ValueError("inside")
    assert bytes(said) == b"again"
