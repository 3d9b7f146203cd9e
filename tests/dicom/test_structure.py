"""What a file says of its pixels against the bytes that are there: every contradiction is refused in plain words."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydicom.encaps import encapsulate

from fullfield.dicom.structure import examine
from fullfield.errors import FullfieldError, InputRefused, InputUnreadable
from originals import bone
from sources import LOSSLESS, LOSSY, NATIVE, compressed, dataset, element, encoded, frame

SOUND = encoded(dataset())
PIXELS = SOUND.index(b"\xe0\x7f\x10\0OW")


def with_number(tag: int, value: bytes, vr: str = "US") -> bytes:
    """The sound file, with another value of a number of group 0028."""
    at = SOUND.index(struct.pack("<HH", tag >> 16, tag & 0xFFFF) + b"US")
    return SOUND[:at] + element(tag, vr, value) + SOUND[at + 10 :]


def number(value: int) -> bytes:
    return struct.pack("<H", value)


def test_that_a_sound_file_passes_with_all_that_decoding_needs() -> None:
    found = examine(SOUND)
    assert (found.rows, found.columns, found.stored, found.allocated, found.high_bit) == (48, 40, 12, 16, 11)
    assert bytes(found.frame) == bone().tobytes() and not found.signed and not found.parsed.warnings


@pytest.mark.parametrize(
    ("tag", "value", "vr"),
    [
        (0x00280010, number(0), "US"),
        (0x00280011, number(0), "US"),
        (0x00280010, number(49), "US"),
        (0x00280010, number(65535), "US"),
        (0x00280010, number(24), "US"),
        (0x00280010, struct.pack("<I", 48), "UL"),
        (0x00280010, struct.pack("<h", -5), "SS"),
        (0x00280010, number(48) * 2, "US"),
        (0x00280010, b"12a", "IS"),
        (0x00280100, number(0), "US"),
        (0x00280100, number(12), "US"),
        (0x00280100, number(32), "US"),
        (0x00280100, number(65535), "US"),
        (0x00280101, number(0), "US"),
        (0x00280101, number(5), "US"),
        (0x00280101, number(17), "US"),
        (0x00280102, number(16), "US"),
        (0x00280103, number(9), "US"),
        (0x00280002, number(0), "US"),
        (0x00280002, number(3), "US"),
    ],
)
def test_that_a_number_that_contradicts_the_pixels_is_refused(tag: int, value: bytes, vr: str) -> None:
    with pytest.raises(InputUnreadable):
        examine(with_number(tag, value, vr))


def test_that_a_matrix_of_billions_is_refused_before_anything_is_allocated() -> None:
    huge = with_number(0x00280010, number(65535)).replace(
        element(0x00280011, "US", number(40)), element(0x00280011, "US", number(65535))
    )
    with pytest.raises(InputUnreadable, match="no radiograph"):
        examine(huge)


@pytest.mark.parametrize("keyword", ["Rows", "Columns", "BitsAllocated", "BitsStored", "PhotometricInterpretation"])
def test_that_a_missing_description_is_refused_by_name(keyword: str) -> None:
    with pytest.raises(InputUnreadable, match="does not say"):
        examine(encoded(dataset(**{keyword: None})))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"PhotometricInterpretation": "PALETTE COLOR"}, "colour"),
        ({"NumberOfFrames": "2"}, "multi-frame"),
        ({"NumberOfFrames": "2147483647"}, "multi-frame"),
        ({"PixelData": None}, "header without an image"),
    ],
)
def test_that_a_sound_file_of_another_sort_is_refused_by_what_it_is(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputRefused, match=words):
        examine(encoded(dataset(**changes)))


@pytest.mark.parametrize("photometric", ["RGB", "YBR_FULL", "MONOCHROME3"])
def test_that_a_meaning_that_one_sample_cannot_have_is_refused(photometric: str) -> None:
    with pytest.raises(InputUnreadable):
        examine(encoded(dataset(PhotometricInterpretation=photometric)))


@pytest.mark.parametrize("frames", [b"-1", b"many", b"9" * 5000])
def test_that_a_number_of_frames_that_is_none_is_refused(frames: bytes) -> None:
    with pytest.raises(InputUnreadable):
        examine(SOUND[:PIXELS] + element(0x00280008, "IS", frames) + SOUND[PIXELS:])


@pytest.mark.parametrize("frames", ["0", "1"])
def test_that_no_frame_and_one_frame_are_one_image(frames: str) -> None:
    found = examine(encoded(dataset(NumberOfFrames=frames)))
    assert bool(found.parsed.warnings) == (frames == "0")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"SOPInstanceUID": None}, "no SOP Instance UID"),
        ({"SOPInstanceUID": "../../../tmp/x"}, "malformed"),
        ({"StudyInstanceUID": ".."}, "malformed"),
        ({"SeriesInstanceUID": "1." * 40}, "malformed"),
    ],
)
def test_that_a_uid_that_is_none_is_refused_and_not_repeated(changes: dict[str, Any], error: str) -> None:
    with pytest.raises(InputUnreadable, match=error) as refusal:
        examine(encoded(dataset(**changes)))
    assert "/tmp" not in str(refusal.value)


def test_that_pixels_cut_anywhere_are_refused() -> None:
    for end in (PIXELS, PIXELS + 6, PIXELS + 12, len(SOUND) // 2, len(SOUND) - 1):
        with pytest.raises((InputUnreadable, InputRefused)):
            examine(SOUND[:end])


@pytest.mark.parametrize(
    "tail",
    [
        element(0x7FE00010, "OW", b""),
        element(0x7FE00010, "OW", bone().tobytes()[:-2]),
        element(0x7FE00010, "OW", bone().tobytes() * 2),
        element(0x7FE00010, "OW", bone().tobytes(), length=0xFFFFFFFE),
        element(0x7FE00010, "OW", bone().tobytes(), length=0xFFFFFFFF),
        element(0x7FE00010, "SQ", bone().tobytes()),
        element(0x7FE00008, "OF", bytes(4 * 48 * 40)),
        element(0x7FE00008, "OF", bytes(4 * 48 * 40)) + element(0x7FE00010, "OW", bone().tobytes()),
    ],
    ids=["empty", "short", "twice", "4 GiB", "undefined", "SQ", "float", "both"],
)
def test_that_pixel_data_that_are_not_the_image_are_refused(tail: bytes) -> None:
    with pytest.raises(FullfieldError):
        examine(SOUND[:PIXELS] + tail)


def test_that_a_little_too_much_is_cut_and_told() -> None:
    found = examine(SOUND[:PIXELS] + element(0x7FE00010, "OW", bone().tobytes() + b"\0" * 10))
    assert len(found.frame) == 48 * 40 * 2 and "ignored" in found.parsed.warnings[0]


@pytest.mark.parametrize("rows", [1, 15])
def test_that_an_icon_is_refused(rows: int) -> None:
    with pytest.raises(InputRefused, match="too small"):
        examine(encoded(dataset(np.zeros((rows, 400), np.uint16))))


@pytest.mark.parametrize("syntax", [*LOSSLESS.values(), *LOSSY.values()])
def test_that_a_syntax_that_says_compressed_over_plain_pixels_is_refused(syntax: str) -> None:
    made = dataset()
    made["PixelData"].VR = "OB"
    data = encoded(made).replace(
        element(0x00020010, "UI", b"1.2.840.10008.1.2.1"), element(0x00020010, "UI", syntax.encode())
    )
    with pytest.raises(InputUnreadable, match="not compressed"):
        examine(data)


def lossless(folder: Path) -> bytes:
    return frame(dataset(), LOSSLESS["JPEG lossless SV1"], folder)


def test_that_a_compressed_image_of_another_size_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputUnreadable, match="its compressed image 48 by 40"):
        examine(compressed(dataset(bone(rows=64)), lossless(tmp_path), LOSSLESS["JPEG lossless SV1"]))


def test_that_a_compressed_image_of_another_family_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputUnreadable, match="says that its pixels are JPEG-LS"):
        examine(compressed(dataset(), lossless(tmp_path), LOSSLESS["JPEG-LS"]))


def test_that_a_compressed_image_without_an_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputUnreadable, match="no end"):
        examine(compressed(dataset(), lossless(tmp_path)[:-300], LOSSLESS["JPEG lossless SV1"]))


def test_that_a_compressed_image_larger_than_its_pixels_is_refused(tmp_path: Path) -> None:
    content = compressed(dataset(), lossless(tmp_path) + bytes(2 << 20), LOSSLESS["JPEG lossless SV1"])
    with pytest.raises(InputUnreadable, match="larger than its uncompressed"):
        examine(content)


@pytest.mark.parametrize("table", [struct.pack("<II", 0, 0xFFFFFFF0), b"\1\0"])
def test_that_a_table_of_images_that_are_not_there_is_refused(table: bytes, tmp_path: Path) -> None:
    made = dataset()
    packed = encapsulate([lossless(tmp_path)], has_bot=False)
    made.PixelData = struct.pack("<HHI", 0xFFFE, 0xE000, len(table)) + table + packed[8:]
    made["PixelData"].VR, made["PixelData"].is_undefined_length = "OB", True
    with pytest.raises(InputUnreadable):
        examine(encoded(made, LOSSLESS["JPEG lossless SV1"]))


def test_that_two_compressed_images_that_say_one_are_refused(tmp_path: Path) -> None:
    made, whole = dataset(), lossless(tmp_path)
    made.PixelData = encapsulate([whole, whole])
    made["PixelData"].VR, made["PixelData"].is_undefined_length = "OB", True
    with pytest.raises(InputUnreadable, match="more compressed images"):
        examine(encoded(made, LOSSLESS["JPEG lossless SV1"]))


def test_that_an_image_in_several_fragments_is_put_together(tmp_path: Path) -> None:
    made, whole = dataset(), lossless(tmp_path)
    made.PixelData = encapsulate([whole], fragments_per_frame=3)
    made["PixelData"].VR, made["PixelData"].is_undefined_length = "OB", True
    assert bytes(examine(encoded(made, LOSSLESS["JPEG lossless SV1"])).frame).rstrip(b"\0") == whole.rstrip(b"\0")


@settings(max_examples=300)
@given(data=st.data())
def test_that_any_damage_gives_a_frame_of_the_right_size_or_a_refusal(data: st.DataObject) -> None:
    content = bytearray(encoded(dataset(bone(rows=20, columns=20)), NATIVE["explicit little"]))
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(132, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = examine(bytes(content))
    except (InputRefused, InputUnreadable):
        return
    if found.stream is None:
        assert len(found.frame) == found.rows * found.columns * found.samples * found.allocated // 8


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pixels": bone(rows=16, columns=16)}, ""),
        ({"pixels": bone(rows=15, columns=40)}, "too small, 15 by 40"),
        ({"pixels": bone(rows=40, columns=15)}, "too small, 40 by 15"),
        ({"bits": 6}, ""),
        ({"bits": 16}, ""),
        ({"BitsStored": 5, "HighBit": 4}, "Bits Stored is 5 of 16"),
        ({"HighBit": 15}, ""),
        ({"HighBit": 16}, "High Bit is 16 of 16"),
        ({"PixelRepresentation": 1}, ""),
        ({"PixelRepresentation": 2}, "Pixel Representation is 2"),
        ({"NumberOfFrames": "+1"}, ""),
        ({"SOPInstanceUID": "1." + "2" * 62}, ""),
        ({"SOPInstanceUID": "1." + "2" * 63}, "malformed"),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:Invalid value", "ignore:The value length")
def test_that_a_description_is_believed_to_the_edge_of_what_a_radiograph_can_be(
    changes: dict[str, Any], words: str
) -> None:
    content = encoded(dataset(**changes))
    if words:
        with pytest.raises((InputUnreadable, InputRefused)) as refusal:
            examine(content)
        assert words in f"{refusal.value.title} {refusal.value.detail}"
    else:
        assert examine(content).parsed.warnings == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"HighBit": 10}, "High Bit contradicts"),
        ({"StudyInstanceUID": None}, "has no Study Instance UID"),
        ({"SeriesInstanceUID": None}, "has no Series Instance UID"),
        ({"NumberOfFrames": "0"}, "holds 0 images"),
    ],
    ids=str,
)
def test_that_a_slip_that_costs_nothing_is_told(changes: dict[str, Any], said: str) -> None:
    found = examine(encoded(dataset(**changes)))
    assert len(found.parsed.warnings) == 1 and said in found.parsed.warnings[0]
    assert found.high_bit == 11


@pytest.mark.parametrize(
    ("more", "words", "warned"),
    [(0, "", False), (2, "", True), (bone().nbytes - 2, "", True), (bone().nbytes, "more images than it says", False)],
)
def test_that_pixels_beyond_the_image_are_ignored_while_they_are_no_second_one(
    more: int, words: str, warned: bool
) -> None:
    given = bone().tobytes() + bytes(more)
    content = SOUND[:PIXELS] + element(0x7FE00010, "OW", given)
    if words:
        with pytest.raises(InputUnreadable, match=words):
            examine(content)
    else:
        found = examine(content)
        assert bytes(found.frame) == bone().tobytes() and bool(found.parsed.warnings) is warned


def test_that_the_pixels_of_a_number_without_a_sign_or_a_plane_are_as_files_usually_have_them() -> None:
    made = dataset(PixelRepresentation=None, HighBit=None, SamplesPerPixel=None)
    found = examine(encoded(made))
    assert (found.signed, found.high_bit, found.samples, found.planar, found.word) == (False, 11, 1, False, True)
    colour = dataset(np.repeat(bone(bits=8).astype(np.uint8)[..., None], 3, axis=2), bits=8, photometric="RGB")
    assert not examine(encoded(colour)).planar
    colour.PlanarConfiguration = 1
    assert examine(encoded(colour)).planar
