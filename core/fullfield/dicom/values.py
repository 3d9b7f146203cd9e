"""What one value may look like, by Value Representation (PS3.5 section 6.2).

A value that breaks its VR's rule is mended where its meaning is beyond doubt (case, padding, length, a stray control
character) and given up where it is not. Nothing here knows what an attribute means.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections.abc import Callable
from datetime import date

from pydicom.valuerep import format_number_as_ds

LIMIT = {"AE": 16, "CS": 16, "SH": 16, "LO": 64, "PN": 64, "ST": 1024, "LT": 10240, "UC": 10240, "UT": 65536}
"""Characters per value (per component group for PN); UC and UT know no small limit, this program sets one."""

UNSPLIT = frozenset({"ST", "LT", "UT", "UR"})
"""VRs in which a backslash is a character and not the border between two values."""

TEXT = frozenset(LIMIT) | {"AS", "DA", "DS", "DT", "IS", "TM", "UI", "UR"}
BINARY_NUMBERS = frozenset({"US", "SS", "UL", "SL", "UV", "SV", "FL", "FD", "AT"})

_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UID = re.compile(r"(0|[1-9]\d*)(\.(0|[1-9]\d*))+")
_DS = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_TM = re.compile(r"([01]\d|2[0-3])([0-5]\d(([0-5]\d|60)(\.\d{1,6})?)?)?")
_AS = re.compile(r"(\d{1,3})([DWMY])")
_DT = re.compile(r"(\d{4}(?:\d{2}(?:\d{2})?)?)(\d{2,6}(?:\.\d{1,6})?)?([+-](?:0\d|1[0-4])[0-5]\d)?")


def clean(vr: str, value: str) -> str | None:
    """`value` as its VR allows it; "" where it is empty; None where nothing of it can be kept."""
    rule = _RULES.get(vr)
    text = plain(value, lines=vr in ("ST", "LT", "UT"))
    if not text or rule is None:
        return text[: LIMIT.get(vr, 0)].rstrip()
    return rule(text)


def plain(value: str, *, lines: bool = False) -> str:
    """`value` without control and bidirectional-override characters and outer blanks; always encodable as UTF-8.

    `lines`: line ends, tabs and form feeds are text (ST, LT and UT). A lone surrogate becomes U+FFFD.
    """
    kept = "\t\n\f\r" if lines else ""
    blank = "" if lines else "\t\n\r"  # "A\nB" must not become "AB"
    text = "".join(
        " " if character in blank else "\ufffd" if unicodedata.category(character) == "Cs" else character
        for character in value
        if character in kept
        or character in blank
        or (unicodedata.category(character) != "Cc" and character not in _BIDI and character != "\ufeff")
    )
    return text.strip(" ")


def is_uid(value: str) -> bool:
    """True for a UID as PS3.5 section 9.1 writes it: at most 64 characters, no component with a leading zero."""
    return len(value) <= 64 and _UID.fullmatch(value) is not None


def identifier(text: str, was: str = "") -> str:
    """A Patient ID (LO, PS3.5 section 6.2) that stays another one than every other.

    Where it must be changed or cut, the hash of what it was ends it. `was`: that, where not all of it is in `text`.
    """
    was = (was or text).rstrip("\0 ").lstrip(" ")
    kept = plain(text.replace("\\", "/"))
    if kept == was and len(kept) <= LIMIT["LO"]:
        return kept
    return f"{kept[:51]}~{hashlib.sha256(was.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def number(value: float) -> str:
    """A DS of at most 16 characters."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else format_number_as_ds(float(value))


def _code(text: str) -> str | None:
    return re.sub(r"[^A-Z0-9 _]", "_", text.upper())[:16].rstrip()


def _title(text: str) -> str | None:
    return text[:16].rstrip() if text.isascii() else None


def _name(text: str) -> str | None:
    """PN: three component groups of five components and 64 characters (PS3.5 section 6.2.1)."""
    groups = ["^".join(group.strip().split("^")[:5])[:64].rstrip() for group in text.split("=")[:3]]
    return "=".join(groups).rstrip("=")


def _uid(text: str) -> str | None:
    return text if is_uid(text) else None


def _decimal(text: str) -> str | None:
    if not _DS.fullmatch(text) or not math.isfinite(float(text)):
        return None
    return text if len(text) <= 16 else number(float(text))


def _integer(text: str) -> str | None:
    if not _DS.fullmatch(text) or not math.isfinite(float(text)) or not float(text).is_integer():
        return None
    return str(int(float(text))) if abs(float(text)) < 2**31 else None


def _date(text: str) -> str | None:
    digits = re.sub(r"^(\d{4})[.-](\d{2})[.-](\d{2})$", r"\1\2\3", text)  # 2004.08.26: ACR-NEMA 2.0
    return digits if _is_date(digits) else None


def _is_date(digits: str) -> bool:
    if not re.fullmatch(r"\d{8}", digits):
        return False
    try:
        date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return False
    return True


def _time(text: str) -> str | None:
    digits = re.sub(r"^(\d{2}):(\d{2}):(\d{2})", r"\1\2\3", text)
    return digits if _TM.fullmatch(digits) else None


def _datetime(text: str) -> str | None:
    match = _DT.fullmatch(text)
    if match is None:
        return None
    day, time = match[1], match[2] or ""
    whole = day + "0101"[len(day) - 4 :]
    return text if _is_date(whole) and (not time or (len(day) == 8 and _TM.fullmatch(time))) else None


def _age(text: str) -> str | None:
    match = _AS.fullmatch(text.upper())
    return f"{int(match[1]):03d}{match[2]}" if match else None


def _link(text: str) -> str | None:
    return text if text.isascii() and " " not in text and len(text) <= 2048 else None


_RULES: dict[str, Callable[[str], str | None]] = {
    "AE": _title,
    "AS": _age,
    "CS": _code,
    "DA": _date,
    "DS": _decimal,
    "DT": _datetime,
    "IS": _integer,
    "PN": _name,
    "TM": _time,
    "UI": _uid,
    "UR": _link,
}
