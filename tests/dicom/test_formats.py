"""What a file is, by its content and its name together."""

from __future__ import annotations

import pytest

from fullfield.dicom import formats
from fullfield.dicom.formats import Format, tell
from fullfield.errors import InputRefused, InputUnreadable

PNG, TIFF, JPEG = b"\x89PNG\r\n\x1a\n" + bytes(64), b"II*\0" + bytes(64), b"\xff\xd8\xff\xe0" + bytes(64)
WEBP = b"RIFF\x10\0\0\0WEBPVP8 " + bytes(64)
DICOM = bytes(128) + b"DICM" + bytes(64)


@pytest.mark.parametrize(
    ("head", "name", "form"),
    [
        (DICOM, "IM0001", Format.DICOM),
        (DICOM, "a.dcm", Format.DICOM),
        (DICOM, "a.png", Format.DICOM),
        (DICOM, "a.strange", Format.DICOM),
        (b"II*\0" + DICOM[4:], "a.dcm", Format.DICOM),
        (b"MZ" + DICOM[2:], "a.dcm", Format.DICOM),
        (b"\x08\0\x05\0CS", "no preamble", Format.DICOM),
        (PNG, "a.png", Format.PNG),
        (PNG, "A.PNG", Format.PNG),
        (PNG, "a.jpg", Format.PNG),
        (TIFF, "a.tif", Format.TIFF),
        (b"MM\0*" + bytes(64), "a.tiff", Format.TIFF),
        (JPEG, "a.jpeg", Format.JPEG),
        (WEBP, "a.webp", Format.WEBP),
        (WEBP, "a.jpg", Format.WEBP),
    ],
)
def test_that_content_and_name_tell_the_format(head: bytes, name: str, form: Format) -> None:
    assert tell(head, name) is form


@pytest.mark.parametrize(
    ("head", "name", "words"),
    [
        (PNG, "a.dcm", "named .dcm but is a PNG"),
        (TIFF, "a.DICOM", "named .dicom but is a TIFF"),
        (JPEG, "IM0001", "a JPEG that is not named like one"),
        (b"%PDF-1.7", "a.dcm", "a PDF document"),
        (b"PK\3\4" + bytes(64), "a.dcm", "ZIP"),
        (b"\x1f\x8b\x08", "a.dcm", "gzip"),
        (b"<html>", "a.dcm", "web page"),
        (b"#!/bin/sh", "a.dcm", "script"),
        (b"GIF89a", "a.png", "GIF"),
        (WEBP, "a.dcm", "named .dcm but is a WebP"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "a.jpg", "a sound or a film"),
    ],
)
def test_that_something_else_is_refused_by_what_it_is(head: bytes, name: str, words: str) -> None:
    with pytest.raises(InputRefused) as refusal:
        tell(head, name)
    assert words in refusal.value.title


def test_that_an_empty_file_is_unreadable() -> None:
    with pytest.raises(InputUnreadable, match="empty"):
        tell(b"", "a.dcm")


@pytest.mark.parametrize(
    ("head", "form"),
    [
        (PNG, Format.PNG),
        (TIFF, Format.TIFF),
        (b"MM\0*", Format.TIFF),
        (b"II+\0", Format.TIFF),
        (b"MM\0+", Format.TIFF),
        (JPEG, Format.JPEG),
        (WEBP, Format.WEBP),
        (b"RIFF\x10\0\0\0WAVE", None),
        (b"XXXX\x10\0\0\0WEBP", None),
        (DICOM, None),
        (b"", None),
    ],
)
def test_that_a_picture_is_known_by_its_first_bytes(head: bytes, form: Format | None) -> None:
    assert formats.picture(head) is form
    assert formats.may_be_image(head) is (form is not None or head == DICOM)


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"\x28\xb5\x2f\xfd", "Zstandard"),
        (b"7z\xbc\xaf", "7-Zip"),
        (b"Rar!", "RAR"),
        (b"BM", "a BMP picture"),
        (b"\0\0\0\x0cjP  ", "JPEG 2000"),
        (b"\xff\x4f\xff\x51", "JPEG 2000"),
        (b"{", "JSON"),
        (b"\x7fELF", "a program"),
        (b"MZ", "a program"),
        (b"n+1\0", "NIfTI"),
        (b"NRRD", "NRRD"),
        (b"\x93NUMPY", "NumPy"),
        (b"SIMPLE", "FITS"),
    ],
)
def test_that_files_of_other_trades_are_named(head: bytes, words: str) -> None:
    with pytest.raises(InputRefused) as refusal:
        tell(head + bytes(64), "a.dcm")
    assert words in refusal.value.title and "single-frame" in refusal.value.hint


def test_that_a_picture_that_is_named_as_dicom_is_refused_with_the_name_that_it_should_have() -> None:
    with pytest.raises(InputRefused) as refusal:
        tell(PNG, "a.ima")
    assert "named .ima but is a PNG" in refusal.value.title and "Name it .png" in refusal.value.hint


@pytest.mark.parametrize(
    ("data", "begins"),
    [
        (b"\x08\0" + bytes(6), True),
        (b"\x02\0" + bytes(6), True),
        (b"\0\x08" + bytes(6), True),
        (b"\x08\0" + bytes(5), False),
        (b"\x09\0" + bytes(6), False),
    ],
)
def test_that_a_data_set_without_a_preamble_begins_with_a_low_group(data: bytes, begins: bool) -> None:
    assert formats.starts_like_a_data_set(data) is begins is formats.may_be_image(data)


MEDIA = b"\x02\0\x02\0UI\x14\0"


@pytest.mark.parametrize(
    ("head", "is_index"),
    [
        (DICOM + MEDIA + b"1.2.840.10008.1.3.10", True),
        (DICOM + MEDIA + b"1.2.840.10008.5.1.4.", False),
        (bytes(140) + MEDIA + b"1.2.840.10008.1.3.10", False),
        (MEDIA + b"1.2.840.10008.1.3.10" + DICOM[28:], False),  # in the preamble
        (DICOM, False),
    ],
)
def test_that_an_index_is_known_by_the_class_that_its_meta_information_names(head: bytes, is_index: bool) -> None:
    assert formats.is_index(head) is is_index
