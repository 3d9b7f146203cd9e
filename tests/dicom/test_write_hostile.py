"""What is written from sources that lie, overflow or attack: valid text within its limits, and never a wrong place."""

from __future__ import annotations

import struct
import unicodedata
from pathlib import Path

import pytest

from fullfield.dicom import values
from fullfield.image.cache import Decoded
from judges import assert_within_limits, dciodvfy_errors, is_accepted
from originals import attributes, decoded, written

NAMES = {
    "control characters": b"a\x00b\x1b[31mc\r\nItemDone",
    "bidirectional override": "Muster\u202egnp.exe^Eva".encode(),
    "65 kB": b"x" * 65_000,
    "invalid UTF-8": b"M\xfc\xff\xfeller^\xc3",
    "encoded surrogate": b"a\xed\xa0\x80b",
    "markup": b"<script>alert(1)</script>",
    "path": b"../../../../tmp/PWNED",
    "too many groups": b"=".join([b"a^b^c^d^e^f^g"] * 9),
    "backslashes": b"a\\b\\c",
}


def with_raw(folder: Path, replaced: dict[tuple[int, int], tuple[bytes, bytes]]) -> Decoded:
    """A CR whose `dataset.dcm` holds raw elements that no library would write: (group, element) -> (VR, value)."""
    given = attributes()
    for group, element in replaced:
        given.pop((group, element), None)
    source = decoded(folder, given)
    plain = source.dataset.read_bytes()
    for (group, element), (vr, value) in replaced.items():
        value += b" " * (len(value) % 2)
        long = vr in (b"OB", b"OW", b"UN", b"UT", b"UC", b"SQ", b"UR")
        length = struct.pack("<HI", 0, len(value)) if long else struct.pack("<H", len(value))
        plain += struct.pack("<HH", group, element) + vr + length + value
    source.dataset.write_bytes(plain)
    return source


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("tag", "vr"), [((0x0010, 0x0010), b"PN"), ((0x0010, 0x0020), b"LO"), ((0x0020, 0x4000), b"LT")]
)
def test_that_a_hostile_text_becomes_a_valid_one(tmp_path: Path, name: str, tag: tuple[int, int], vr: bytes) -> None:
    target = tmp_path / "out" / "result.dcm"
    output = written(with_raw(tmp_path / "cache", {tag: (vr, NAMES[name])}), target)
    assert_within_limits(target)
    allowed = "\r\n" if vr == b"LT" else ""
    text = "".join(character for character in str(output[tag].value) if character not in allowed)
    assert not any(unicodedata.category(character) == "Cc" or character == "\u202e" for character in text)
    assert list(tmp_path.rglob("*PWNED*")) == []
    assert [path.name for path in target.parent.iterdir()] == ["result.dcm"]


@pytest.mark.parametrize("name", NAMES)
def test_that_dciodvfy_finds_no_error_in_what_a_hostile_name_became(tmp_path: Path, name: str) -> None:
    target = tmp_path / "result.dcm"
    written(with_raw(tmp_path / "cache", {(0x0010, 0x0010): (b"PN", NAMES[name])}), target)
    assert dciodvfy_errors(target) == set()
    assert is_accepted(target)


def test_that_two_over_long_patient_ids_stay_two(tmp_path: Path) -> None:
    ids = []
    for end in (b"1", b"2"):
        raw = {(0x0010, 0x0020): (b"LO", b"x" * 200 + end)}
        ids.append(written(with_raw(tmp_path / end.decode(), raw), tmp_path / f"{end.decode()}.dcm").PatientID)
    assert ids[0] != ids[1]
    assert all(len(value) == 64 for value in ids)


@pytest.mark.parametrize("uid", [b"../../etc/passwd", b"", b"1." + b"9" * 200, b"1.02", b"$(touch x)"])
def test_that_a_uid_that_is_none_is_replaced_and_never_referenced(tmp_path: Path, uid: bytes) -> None:
    target = tmp_path / "result.dcm"
    raw = {(0x0008, 0x0018): (b"UI", uid), (0x0020, 0x000D): (b"UI", uid), (0x0020, 0x000E): (b"UI", uid)}
    output = written(with_raw(tmp_path / "cache", raw), target)
    assert values.is_uid(output.StudyInstanceUID)
    assert values.is_uid(output.SeriesInstanceUID)
    assert "SourceImageSequence" not in output
    assert dciodvfy_errors(target) == set()


def test_that_a_value_of_a_wrong_type_is_no_value(tmp_path: Path) -> None:
    target = tmp_path / "result.dcm"
    raw = {
        (0x0018, 0x0060): (b"US", b"\1\0"),
        (0x0018, 0x1150): (b"IS", b"12a"),
        (0x0018, 0x1152): (b"IS", b"9" * 40),
        (0x0018, 0x1405): (b"IS", b"1e9999"),
        (0x0028, 0x1041): (b"SS", b"\1\0\2"),
        (0x0010, 0x1010): (b"AS", b"old "),
        (0x0010, 0x0040): (b"CS", b"X"),
    }
    output = written(with_raw(tmp_path / "cache", raw), target)
    assert not {"KVP", "ExposureTime", "Exposure", "RelativeXRayExposure", "PatientAge"} & set(output.dir())
    assert output.PatientSex == ""
    assert dciodvfy_errors(target) == set()


def test_that_a_large_private_or_unknown_element_is_not_copied(tmp_path: Path) -> None:
    target = tmp_path / "result.dcm"
    raw = {(0x0009, 0x1001): (b"UN", b"p" * 4_000_000), (0x0018, 0xFFF0): (b"UN", b"u" * 1_000_000)}
    written(with_raw(tmp_path / "cache", raw), target)
    assert target.stat().st_size < 20_000
