"""`dataset.dcm`: the source's attributes, clean, bounded and in unicode, and faithful in all else."""

from __future__ import annotations

import io
import re
import struct
from pathlib import Path
from typing import Any

import pydicom
import pytest
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from fullfield.dicom.remarks import IDENTITY_CHANGED, IN_ITS_LINE, OVERLAY
from originals import code
from sources import NATIVE, dataset, element, encoded, read

SOUND = encoded(dataset())
FIRST = SOUND.index(b"\x08\0\x05\0CS")


def kept(content: bytes, tmp_path: Path) -> Dataset:
    return pydicom.dcmread(read(content, tmp_path).dataset)


def with_element(tag: int, vr: str, value: bytes, **changes: Any) -> bytes:
    """A sound file with one more raw element at its place."""
    content = encoded(dataset(**changes))
    at = len(content) if tag > 0x7FE00010 else content.index(b"\xe0\x7f\x10\0OW")
    return content[:at] + element(tag, vr, value) + content[at:]


@pytest.mark.parametrize("syntax", NATIVE.values(), ids=NATIVE)
def test_that_what_the_source_says_is_kept_to_the_letter(syntax: str, tmp_path: Path) -> None:
    made = dataset(kind="DX", ExposureIndex="412.5", RelativeXRayExposure=-3, DetectorActiveOrigin=["1", "2"])
    source = pydicom.dcmread(io.BytesIO(encoded(made, syntax)), stop_before_pixels=True)
    found = kept(
        encoded(
            dataset(kind="DX", ExposureIndex="412.5", RelativeXRayExposure=-3, DetectorActiveOrigin=["1", "2"]), syntax
        ),
        tmp_path,
    )
    for item in source:
        assert found[item.tag].VR == item.VR and found[item.tag].value == item.value, item.keyword
    assert "PixelData" not in found


def test_that_the_copy_is_explicit_little_endian_in_unicode(tmp_path: Path) -> None:
    found = kept(encoded(dataset(), NATIVE["explicit big"]), tmp_path)
    assert found.file_meta.TransferSyntaxUID == NATIVE["explicit little"]
    assert found.SpecificCharacterSet == "ISO_IR 192"


def test_that_names_are_decoded_in_every_depth(tmp_path: Path) -> None:
    item = Dataset()
    item.RequestingPhysician = "Weiß^Änne"
    found = kept(
        encoded(
            dataset(SpecificCharacterSet="ISO_IR 100", PatientName="Müller^Jörg", RequestAttributesSequence=[item])
        ),
        tmp_path,
    )
    assert found.PatientName == "Müller^Jörg"
    assert found.RequestAttributesSequence[0].RequestingPhysician == "Weiß^Änne"


@pytest.mark.parametrize(
    ("tag", "vr", "value"),
    [
        (0x00091001, "LO", b"private"),
        (0x00091002, "OB", bytes(100_000)),
        (0x60003000, "OW", bytes(500)),
        (0x50000010, "US", b"\1\0"),
        (0x7FE10010, "OB", b"more"),
        (0xFFFCFFFC, "OB", bytes(64)),
        (0x00880200, "SQ", b""),
        (0x00280000, "UL", b"\4\0\0\0"),
        (0x00086666, "LO", b"of no dictionary"),
        (0x00282000, "OB", bytes(300 << 10)),
        (0x00181020, "UN", b"\1\2\3"),
        (0x00080020, "DA", b"not a day"),
        (0x00189073, "FD", struct.pack("<d", float("nan"))),
        (0x00186018, "UL", b"\1\0"),
    ],
)
def test_that_what_cannot_be_kept_is_left_out(tag: int, vr: str, value: bytes, tmp_path: Path) -> None:
    changes = {"StudyDate": None} if tag == 0x00080020 else {}
    found = kept(with_element(tag, vr, value, **changes), tmp_path)
    if tag == 0x00181020:  # of unknown type, but the dictionary knows it
        assert found[tag].VR == "LO"
    else:
        assert tag not in found


@pytest.mark.parametrize(
    ("tag", "value", "is_said"),
    [
        (0x60003000, b"\0\1", True),
        (0x601E3000, b"\x80\0", True),
        (0x60003000, bytes(500), False),
        (0x60000010, b"\1\0", False),
    ],
)
def test_that_overlay_graphics_that_are_left_out_are_told_in_the_image_s_line(
    tag: int, value: bytes, is_said: bool, tmp_path: Path
) -> None:
    decoded = read(with_element(tag, "US" if tag & 0xFF else "OW", value), tmp_path)
    assert (OVERLAY in decoded.header.warnings) is is_said and OVERLAY in IN_ITS_LINE


def test_that_private_elements_inside_sequences_are_left_out(tmp_path: Path) -> None:
    item = code("1", "99X", "Wrist")
    item.add_new(0x00091001, "LO", "private")
    found = kept(encoded(dataset(AnatomicRegionSequence=Sequence([item]))), tmp_path)
    assert list(found.AnatomicRegionSequence[0].keys()) == [0x00080100, 0x00080102, 0x00080104]


def test_that_an_overlong_name_is_shortened_and_told(tmp_path: Path) -> None:
    decoded = read(encoded(dataset(PatientName="A" * 65000)), tmp_path)
    assert len(decoded.header.patient.name) == 64
    assert "breaks DICOM's rules" in decoded.header.warnings[0]


NAMES = [b"Doe^John=", b"Doe^John==", b"Doe^John =Doe^J", b"Doe^John= Doe^J", b"=Doe^John ", b"Doe^John^^^"]


@pytest.mark.parametrize("raw", NAMES)
def test_that_a_name_with_an_empty_group_or_a_padded_one_breaks_no_rule(raw: bytes, tmp_path: Path) -> None:
    content = SOUND.replace(element(0x00100010, "PN", b"Muster^Eva"), element(0x00100010, "PN", raw))
    assert content != SOUND and IDENTITY_CHANGED not in read(content, tmp_path).header.warnings


@pytest.mark.parametrize("raw", [b"123\\456", b"12\x013", b"123" + b"x" * 62, b"12\xff3", b"123\t"])
def test_that_a_patient_id_that_must_be_changed_is_no_other_patient_s(raw: bytes, tmp_path: Path) -> None:
    content = SOUND.replace(element(0x00100020, "LO", b"4711"), element(0x00100020, "LO", raw))
    decoded = read(content, tmp_path)
    assert re.fullmatch("(123/456|123|123x{48}|12\ufffd3)~[0-9a-f]{12}", decoded.header.patient.id)
    assert IDENTITY_CHANGED in decoded.header.warnings


@pytest.mark.parametrize("raw", [b"20261128-CHEST-001", b"A1\\A2", b"A\x012", b"A\xff2"])
def test_that_an_accession_number_that_must_be_changed_is_left_empty_and_told(raw: bytes, tmp_path: Path) -> None:
    decoded = read(SOUND.replace(element(0x00080050, "SH", b"A1"), element(0x00080050, "SH", raw)), tmp_path)
    assert pydicom.dcmread(decoded.dataset).AccessionNumber == ""
    assert IDENTITY_CHANGED in decoded.header.warnings


@pytest.mark.parametrize(("term", "told"), [("ISO_IR 999", True), ("ISO_IR 203", False), ("", False)])
def test_that_a_character_set_that_is_not_known_is_told(term: str, told: bool, tmp_path: Path) -> None:
    content = SOUND.replace(element(0x00080005, "CS", b"ISO_IR 192"), element(0x00080005, "CS", term.encode()))
    assert ("names a character set" in " ".join(read(content, tmp_path).header.warnings)) == told


def test_that_control_characters_leave_a_name(tmp_path: Path) -> None:
    content = SOUND.replace(b"Muster^Eva", b"A\0B\x1b[3\r\nCD")
    name = str(kept(content, tmp_path).PatientName)
    assert all(sign.isprintable() for sign in name) and name.startswith("AB")


def test_that_a_value_under_the_wrong_type_is_read_by_the_dictionary_s(tmp_path: Path) -> None:
    content = SOUND.replace(element(0x00080020, "DA", b"20240229"), element(0x00080020, "LO", b"20240229"))
    found = kept(content, tmp_path)
    assert found["StudyDate"].VR == "DA" and found.StudyDate == "20240229"


def test_that_nesting_beyond_what_a_radiograph_has_is_left_out(tmp_path: Path) -> None:
    inner = code("1", "99X", "end")
    for _ in range(50):
        item = Dataset()
        item.ContentSequence = Sequence([inner])
        inner = item
    found = kept(encoded(dataset(ContentSequence=Sequence([inner]))), tmp_path)
    depth = 0
    while "ContentSequence" in found:
        found, depth = found.ContentSequence[0], depth + 1
    assert 1 < depth <= 16


def test_that_thousands_of_items_are_left_out(tmp_path: Path) -> None:
    assert "ContentSequence" not in kept(encoded(dataset(ContentSequence=[Dataset()] * 5000)), tmp_path)


def test_that_the_copy_is_small_whatever_the_source_holds(tmp_path: Path) -> None:
    content = SOUND
    for number in range(200):
        content = with_element(0x00204000, "UT", b"x" * 60_000) if number == 0 else content
    decoded = read(content, tmp_path)
    assert decoded.dataset.stat().st_size < 100_000


@pytest.mark.parametrize("syntax", NATIVE.values(), ids=NATIVE)
def test_that_each_tag_of_an_attribute_that_names_others_is_kept(syntax: str, tmp_path: Path) -> None:
    made = dataset(FrameIncrementPointer=[0x00181063, 0x00181065, 0x00200013])
    assert kept(encoded(made, syntax), tmp_path).FrameIncrementPointer == [0x00181063, 0x00181065, 0x00200013]
