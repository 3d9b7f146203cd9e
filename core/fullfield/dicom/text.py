"""Text of a DICOM file in any of its character sets, as clean unicode (PS3.5 §6.1).

Only character sets that the standard names are used: a file's own word is never given to a codec registry. What cannot
be decoded is replaced, never an error: a name with one bad byte is still a name.
"""

from __future__ import annotations

import re
import warnings

from pydicom import charset
from pydicom.charset import CODES_TO_ENCODINGS, convert_encodings, decode_bytes, python_encoding

from fullfield.dicom.values import UNSPLIT

MAX_BYTES = 1 << 16  # of one value; the longest text that a radiograph needs has about a thousand characters
MAX_TERMS = 8
_DELIMITERS = {0x09, 0x0A, 0x0C, 0x0D, 0x5C}
_NAME_DELIMITERS = {*_DELIMITERS, 0x5E, 0x3D}
_LATIN_9 = "iso8859_15"  # PS3.3 C.12.1.1.2, which pydicom does not know; registered there once, for all that it decodes
python_encoding.update({"ISO_IR 203": _LATIN_9, "ISO 2022 IR 203": _LATIN_9})
CODES_TO_ENCODINGS[b"\x1b-b"] = _LATIN_9
# The codecs that take an escape themselves. pydicom counts gb2312 (IR 58) among them, which leaves it in the text.
charset.handled_encodings = ("iso2022_jp", "iso2022_jp_2")  # type: ignore[assignment]
_DEFAULT_REPERTOIRE = frozenset(("AE", "AS", "CS", "DA", "DS", "DT", "IS", "TM", "UI", "UR"))


class CharacterSet:
    """How the text of one data set is encoded: the values of its Specific Character Set (0008,0005).

    `unknown`: one of them is none that the standard names.
    """

    def __init__(self, terms: str = "") -> None:
        spelled = [_spelled(term) for term in terms.split("\\")[:MAX_TERMS]] if terms.strip() else []
        known = [term for term in spelled if term in python_encoding]
        self.unknown = len(known) < len(spelled)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._encodings = convert_encodings(known) if known else []

    def decode(self, value: bytes, vr: str) -> list[str]:
        """The values of a text element; one that has no values of its own (LT, ST, UT, UR) comes as one."""
        text = self._text(value[:MAX_BYTES], vr)
        return [text] if vr in UNSPLIT else text.split("\\")

    def _text(self, value: bytes, vr: str) -> str:
        value = value.rstrip(b"\0 ")
        if value.isascii() and b"\x1b" not in value:
            return value.decode("ascii")
        if vr in _DEFAULT_REPERTOIRE or not self._encodings:
            return _undeclared(value)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return decode_bytes(value, self._encodings, _NAME_DELIMITERS if vr == "PN" else _DELIMITERS)
            except (UnicodeError, LookupError, ValueError):
                return _undeclared(value)


def _spelled(term: str) -> str:
    """A term as the standard writes it, where a maker wrote ISO_IR_100, ISO-IR 100 or iso_ir 100."""
    term = term.strip(" \0").upper()
    term = re.sub(r"^ISO[ _-]IR[ _-]?(\d+)$", r"ISO_IR \1", term)
    return re.sub(r"^ISO[ _-]?2022[ _-]IR[ _-]?(\d+)$", r"ISO 2022 IR \1", term)


def _undeclared(value: bytes) -> str:
    """Bytes outside ASCII of which the file does not say what they are: UTF-8 where they fit it, else Latin-1."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")
