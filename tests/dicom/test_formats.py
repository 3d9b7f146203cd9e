"""What a file is, by its content and its name together."""

from __future__ import annotations

import pytest

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
