"""What a DICOMDIR, the index of a medium (PS3.3 Annex F), lists: names alone. In the decode child; opens none of them.

A name may only lead down from the index's own folder: one that would lead elsewhere makes the whole index damaged.
"""

from __future__ import annotations

import re

from fullfield.dicom.parse import Bytes, parse
from fullfield.dicom.refusals import damaged, refused

MAX_BYTES = 128 << 20  # with an icon of each image, of a medium of thousands, about 40 MiB
MAX_ELEMENTS = 2_000_000  # some 20 for each file
MAX_FILES = 100_000
MAX_NAME, MAX_PART = 1024, 255  # bytes: PS3.10 section 8.1 allows 8 parts of 8, and makers write more

_RECORDS, _FILE_ID = 0x00041220, 0x00041500
_COMPONENT = re.compile(r'(?![. ]+$)[^\x00-\x1f/:*?"<>|]+')


def listed(data: Bytes) -> list[tuple[str, ...]]:
    """The components of every Referenced File ID (0004,1500), each file once, in the order of the records.

    Raises InputUnreadable, InputRefused where `data` are no index, or one that lists no file.
    """
    if len(data) > MAX_BYTES:
        raise damaged(f"It is larger than {MAX_BYTES >> 20} MiB: no index of a medium is.")
    parsed = parse(data, most=MAX_ELEMENTS)
    records = parsed.elements.get(_RECORDS)
    if records is None or records.items is None:
        raise refused("no index of a medium", detail="It holds no Directory Record Sequence (0004,1220).")
    values = (
        parsed.data[part.start : part.start + part.length]
        for record in records.items
        for part in record
        if part.tag == _FILE_ID and part.length
    )
    found = list(dict.fromkeys(map(_components, values)))
    if not found:
        raise damaged("It lists no file.")
    if len(found) > MAX_FILES:
        raise damaged(f"It lists more than {MAX_FILES:,} files.")
    return found


def _components(value: bytes) -> tuple[str, ...]:
    raw = value.split(b"\\")
    fits = len(value) <= MAX_NAME and max(map(len, raw)) <= MAX_PART
    parts = tuple(part.decode("utf-8", "surrogateescape").strip(" \0") for part in raw)  # should be ASCII
    if not fits or not all(_COMPONENT.fullmatch(part) for part in parts):
        raise damaged("It lists a file whose name leads out of its folder, or is none.")
    return parts
