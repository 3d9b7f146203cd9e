"""The headers of compressed pictures: sizes that lie and streams that are bombs are refused before any codec."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullfield.dicom import codestream
from fullfield.dicom.codestream import Process
from fullfield.errors import InputUnreadable


def jpeg(marker: int, *, precision: int = 12, rows: int = 48, columns: int = 40, components: int = 1) -> bytes:
    header = struct.pack(">BHHB", precision, rows, columns, components) + b"\1\x11\0" * components
    comment = b"\xff\xfe\0\4hi"
    return b"\xff\xd8" + comment + bytes([0xFF, marker]) + struct.pack(">H", len(header) + 2) + header + b"\xff\xd9"


def siz(
    *,
    width: int = 40,
    height: int = 48,
    tile: tuple[int, int] = (40, 48),
    components: int = 1,
    sample: int = 11,
    at: int = 0,
) -> bytes:
    """`at`: where the image and its first tile begin on the reference grid (ISO/IEC 15444-1 B.2, B.3)."""
    fields = struct.pack(">HHIIIIIIIIH", 41, 0, at + width, at + height, at, at, *tile, at, at, components)
    return b"\xff\x4f\xff\x51" + fields + bytes([sample, 1, 1]) * components + b"\xff\xd9"


@pytest.mark.parametrize(
    ("marker", "process"),
    [
        (0xC0, Process.JPEG_DCT),
        (0xC1, Process.JPEG_DCT),
        (0xC3, Process.JPEG_LOSSLESS),
        (0xF7, Process.JPEG_LS),
    ],
)
def test_that_a_jpeg_tells_its_process_and_size(marker: int, process: Process) -> None:
    found = codestream.jpeg(jpeg(marker))
    assert (found.process, found.rows, found.columns, found.components, found.precision) == (process, 48, 40, 1, 12)


def test_that_a_progressive_jpeg_is_none_of_dicom_s_but_a_picture() -> None:
    with pytest.raises(InputUnreadable):
        codestream.jpeg(jpeg(0xC2))
    assert codestream.jpeg(jpeg(0xC2), progressive=True).rows == 48


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xd8", b"\xff\xd8\xff\xd9", b"\xff\xd8\xff\xc0\0\x02", b"\xff\xd8" + b"\xff" * 9000, jpeg(0xC9)]
)
def test_that_a_jpeg_without_a_usable_header_is_refused(data: bytes) -> None:
    with pytest.raises(InputUnreadable):
        codestream.jpeg(data)


def test_that_a_jpeg_2000_tells_its_size_depth_and_sign() -> None:
    found = codestream.jpeg_2000(siz(sample=0x80 | 15))
    assert (found.rows, found.columns, found.precision, found.signed) == (48, 40, 16, True)


def test_that_an_image_far_out_on_its_grid_has_no_more_tiles_for_it() -> None:
    found = codestream.jpeg_2000(siz(tile=(8, 8), at=1 << 24))
    assert (found.rows, found.columns) == (48, 40)


def test_that_a_jp2_wrapper_is_passed() -> None:
    assert codestream.jpeg_2000(b"\0\0\0\x0cjP  \r\n\x87\n" + siz()).start == 12


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (siz(width=0x7FFFFFFF, height=0x7FFFFFFF, tile=(1, 1)), "tiles"),
        (siz(width=0), "makes no sense"),
        (siz(tile=(0, 0)), "makes no sense"),
        (siz(components=2), "grey"),
        (siz(components=3)[:45], "grey"),
        (b"\0" * 64, "no JPEG 2000"),
        (siz()[:20], "no JPEG 2000"),
    ],
)
def test_that_a_jpeg_2000_bomb_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(InputUnreadable) as refusal:
        codestream.jpeg_2000(data)
    assert words in refusal.value.detail


def test_that_the_header_of_htj2k_is_read_like_that_of_jpeg_2000() -> None:
    found = codestream.jpeg_2000((Path(__file__).parent / "bone_reversible.jhc").read_bytes())
    assert (found.rows, found.columns, found.components) == (48, 40, 1)


@pytest.mark.parametrize(
    "header", [(2, 64, 2000), (1, 64), (2, 64, 64), (2, 60, 70), (15, *[0xFFFFFFFF] * 15), (0,)], ids=str
)
def test_that_rle_segments_outside_the_frame_are_refused(header: tuple[int, ...]) -> None:
    data = struct.pack("<16I", *header, *[0] * (16 - len(header))) + b"\0" * 100
    with pytest.raises(InputUnreadable):
        codestream.check_rle(data, segments=2)


def test_that_sound_rle_segments_pass() -> None:
    codestream.check_rle(struct.pack("<16I", 2, 64, 70, *[0] * 13) + b"\0" * 100, segments=2)


@settings(max_examples=300)
@given(data=st.binary(max_size=120), start=st.sampled_from([b"", b"\xff\xd8", b"\xff\x4f\xff\x51"]))
def test_that_any_bytes_are_a_header_or_refused(data: bytes, start: bytes) -> None:
    for read in (codestream.jpeg, codestream.jpeg_2000):
        try:
            found = read(start + data)
        except InputUnreadable:
            continue
        assert found.rows >= 0 and found.columns >= 0


@pytest.mark.parametrize("begin", [b"\0\0", b"\xff\xd9", b"\xff\x4f"])
def test_that_a_stream_that_does_not_begin_as_a_jpeg_is_none_whatever_follows(begin: bytes) -> None:
    with pytest.raises(InputUnreadable) as refused:
        codestream.jpeg(begin + jpeg(0xC0)[2:])
    assert "no JPEG" in refused.value.detail


@pytest.mark.parametrize(
    ("between", "is_read"),
    [
        (b"\xff\xff\xff", True),  # fill bytes
        (b"\xff\x01\xff\xd0\xff\xd7", True),  # marks without a length
        (b"\xff\xe0\0\2", True),
        (b"\xff\xe0\0\1", False),
        (b"\xff\xda\0\2", False),  # a scan before the frame
        (b"\xff\xd9\0\2", False),
        (b"\0", False),
    ],
)
def test_that_a_frame_is_found_behind_what_may_stand_before_it(between: bytes, is_read: bool) -> None:
    stream = b"\xff\xd8" + between + jpeg(0xC0)[2:]
    if is_read:
        assert codestream.jpeg(stream).columns == 40
    else:
        with pytest.raises(InputUnreadable, match="no frame header"):
            codestream.jpeg(stream)


def test_that_a_frame_of_another_process_is_named_and_one_cut_short_is_told() -> None:
    with pytest.raises(InputUnreadable, match=r"SOF9\)"):
        codestream.jpeg(jpeg(0xC9))
    with pytest.raises(InputUnreadable, match="cut short"):
        codestream.jpeg(b"\xff\xd8\xff\xc0\0\7" + bytes(5))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (siz(width=0x10000, height=1, tile=(1, 1)), "65,536 tiles"),
        (siz(width=0xFFFF, height=1, tile=(1, 1)), ""),
        (siz(components=3), ""),
        (siz(components=3)[:-5] + bytes([12]) + siz(components=3)[-4:], "grey"),  # of another depth
        (siz()[:-4] + b"\2\1\xff\xd9", "subsampled"),
        (siz()[:-4] + b"\1\2\xff\xd9", "subsampled"),
        (b"\0\0\0\x0cjPX \r\n\x87\n" + siz(), "no JPEG 2000"),
    ],
)
def test_that_a_jpeg_2000_is_read_to_the_edge_of_what_is_allowed(data: bytes, words: str) -> None:
    if words:
        with pytest.raises(InputUnreadable) as refusal:
            codestream.jpeg_2000(data)
        assert words in refusal.value.detail
    else:
        assert codestream.jpeg_2000(data).precision == 12


@pytest.mark.parametrize(
    ("header", "length", "is_sound"),
    [
        ((1, 64), 65, True),
        ((1, 64), 64, False),
        ((1, 65), 80, False),
        ((2, 64, 65), 66, True),
        ((2, 64, 65), 65, False),
    ],
)
def test_that_rle_segments_hold_a_byte_at_least(header: tuple[int, ...], length: int, is_sound: bool) -> None:
    data = struct.pack("<16I", *header, *[0] * (16 - len(header))) + bytes(length - 64)
    if is_sound:
        codestream.check_rle(data, segments=header[0])
    else:
        with pytest.raises(InputUnreadable):
            codestream.check_rle(data, segments=header[0])
    with pytest.raises(InputUnreadable, match="cut short"):
        codestream.check_rle(data[:63], segments=header[0])
