"""What a file is, told from its first bytes and its name together. Imports nothing heavy: the parent asks too."""

from __future__ import annotations

import mmap
from enum import StrEnum
from pathlib import PurePath

from fullfield.dicom.refusals import ACCEPTED, refused
from fullfield.errors import InputUnreadable

HEAD_BYTES = 512
_PREAMBLE = 128
_MEDIA_CLASS, _DIRECTORY = b"\x02\0\x02\0UI\x14\0", b"1.2.840.10008.1.3.10"  # (0002,0002), and its value


class Format(StrEnum):
    """The formats that are read."""

    DICOM = "dicom"
    PNG = "png"
    TIFF = "tiff"
    JPEG = "jpeg"
    WEBP = "webp"

    @property
    def spoken(self) -> str:
        """As people write it."""
        return "WebP" if self is Format.WEBP else self.value.upper()


_PICTURES = {
    b"\x89PNG\r\n\x1a\n": Format.PNG,
    b"II*\0": Format.TIFF,
    b"MM\0*": Format.TIFF,
    b"II+\0": Format.TIFF,
    b"MM\0+": Format.TIFF,
    b"\xff\xd8\xff": Format.JPEG,
}
_PICTURE_SUFFIXES = frozenset((".png", ".tif", ".tiff", ".jpg", ".jpeg", ".jpe", ".webp"))

_OTHERS = {
    b"PK\x03\x04": "a ZIP archive or an Office document",
    b"\x1f\x8b": "a gzip archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"%PDF": "a PDF document",
    b"BM": "a BMP picture",
    b"GIF8": "a GIF picture",
    b"RIFF": "a sound or a film",
    b"\0\0\0\x0cjP  ": "a JPEG 2000 picture outside of DICOM",
    b"\xff\x4f\xff\x51": "a JPEG 2000 picture outside of DICOM",
    b"<": "a web page or an XML document",
    b"{": "a JSON document",
    b"#!": "a script",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    b"n+1\0": "a NIfTI image",
    b"NRRD": "an NRRD image",
    b"\x93NUMPY": "a NumPy array",
    b"SIMPLE": "a FITS image",
}


def picture(head: bytes) -> Format | None:
    """The format of a picture by its first bytes, whatever it is called; None where they are no picture's."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return Format.WEBP
    return next((form for magic, form in _PICTURES.items() if head.startswith(magic)), None)


def is_dicom(head: bytes) -> bool:
    """True for a file that says in its first bytes that it is DICOM (PS3.10 section 7.1)."""
    return head[_PREAMBLE : _PREAMBLE + 4] == b"DICM"


def is_index(head: bytes) -> bool:
    """True for a DICOMDIR, whatever it is called: the file meta information says which class the file is of."""
    at = head.find(_MEDIA_CLASS, _PREAMBLE)
    return is_dicom(head) and at >= 0 and head[at + len(_MEDIA_CLASS) :].startswith(_DIRECTORY)


def starts_like_a_data_set(data: bytes | mmap.mmap) -> bool:
    """No preamble: the file must begin with a low group that a data set begins with, in either byte order."""
    return len(data) >= 8 and data[:2] in (b"\x02\0", b"\x08\0", b"\0\x08")


def may_be_image(head: bytes) -> bool:
    """Whether the first bytes are those of DICOM, with a preamble or without, or of a picture."""
    return is_dicom(head) or picture(head) is not None or starts_like_a_data_set(head)


def tell(head: bytes, name: str) -> Format:
    """The format of a file by its first HEAD_BYTES and its name. Raises InputRefused, InputUnreadable.

    A DICOM file may have any name. A picture must be named like a picture: under the name of a DICOM file it is the
    work of a program that went wrong, or of somebody who hides something.
    """
    if not head:
        raise InputUnreadable("Cannot read this file.", detail="It is empty.", hint="Copy it again.")
    if is_dicom(head):
        return Format.DICOM
    form = picture(head)
    if form is not None:
        suffix = PurePath(name).suffix.lower()
        if suffix in _PICTURE_SUFFIXES:
            return form
        known = suffix if suffix in (".dcm", ".dicom", ".ima") else ""
        what = f"named {known} but is a {form.spoken}" if known else f"a {form.spoken} that is not named like one"
        raise refused(what, hint=f"Name it .{form.value} if you want it enhanced as a picture.")
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            raise refused(what, hint=ACCEPTED)
    return Format.DICOM  # without a preamble, or damaged: the walk will tell
