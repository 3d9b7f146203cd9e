"""A file's attributes as a clean pydicom data set: bounded, in unicode, without pixels: `dataset.dcm` of the cache.

Values are converted here, one element at a time, from what our own walk found; pydicom parses nothing. Left out are
private elements, overlays and curves, icons, whatever the dictionary does not know, and every value that its
representation does not allow. All else is as the source says it: what an output keeps of it, the writer decides.
"""

from __future__ import annotations

import math
import struct
from pathlib import Path

from pydicom import dcmwrite
from pydicom.config import IGNORE
from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.sequence import Sequence
from pydicom.uid import UID, ExplicitVRLittleEndian

from fullfield.dicom import values
from fullfield.dicom.elements import Element, known_vr
from fullfield.dicom.parse import Parsed
from fullfield.dicom.remarks import IDENTITY_CHANGED
from fullfield.dicom.text import CharacterSet

MAX_VALUE_BYTES = 256 << 10  # a look-up table of 65,536 entries has 128 KiB
MAX_TOTAL_BYTES = 8 << 20
MAX_ITEMS = 256
MAX_DEPTH = 16  # the deepest sequence of the standard's radiographs is 6 deep
MAX_VALUES = 256  # of a text element

_FORMATS = {"US": "H", "SS": "h", "UL": "I", "SL": "i", "UV": "Q", "SV": "q", "FL": "f", "FD": "d", "AT": "HH"}
_IDENTIFIERS = frozenset((0x00080050, 0x00100010, 0x00100020))  # by which an archive finds the patient and the study
_ACCESSION_NUMBER, _PATIENT_ID = 0x00080050, 0x00100020
_CHARACTER_SET, _ICON = 0x00080005, 0x00880200
_DESCRIPTORS = frozenset((0x00281101, 0x00281102, 0x00281103, 0x00283002))
"""Of look-up tables: their first value is a count, also among signed ones (PS3.3 C.11.1.1, C.7.6.3.1.5)."""


def build(parsed: Parsed, *, sop_class: str, signed: bool) -> Dataset:
    """The attributes of a file. `signed`: its pixels are, which decides the type of some attributes."""
    builder = _Builder(parsed, signed=signed)
    dataset = builder.dataset(tuple(parsed.elements.values()), CharacterSet(), depth=0)
    dataset.SOPClassUID = sop_class
    dataset.SpecificCharacterSet = "ISO_IR 192"
    if builder.changed:
        parsed.warn(IDENTITY_CHANGED)
    if builder.unknown_set:
        parsed.warn("The file names a character set that is not known here; letters with accents may be read wrongly.")
    return dataset


def save(dataset: Dataset, target: Path) -> None:
    """Write the attributes to a file that our own writer reads: Explicit VR Little Endian, UTF-8, no pixels."""
    meta = FileMetaDataset()
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    meta.MediaStorageSOPClassUID = dataset.SOPClassUID
    meta.MediaStorageSOPInstanceUID = UID(dataset.get("SOPInstanceUID") or "2.25.0")
    dataset.file_meta = meta
    dcmwrite(target, dataset, enforce_file_format=True)


class _Builder:
    def __init__(self, parsed: Parsed, *, signed: bool) -> None:
        self._data, self._little, self._signed = parsed.data, parsed.syntax.little, signed
        self._left = MAX_TOTAL_BYTES
        self.changed = self.unknown_set = False

    def dataset(self, elements: tuple[Element, ...], characters: CharacterSet, *, depth: int) -> Dataset:
        """The elements of the top level or of one item. An item's own character set counts inside it."""
        for element in elements:
            if element.tag == _CHARACTER_SET:
                terms = self._raw(element)[: values.LIMIT["LO"] * 4].decode("latin-1")
                characters = CharacterSet(terms)
                self.unknown_set |= characters.unknown
        dataset = Dataset()
        for element in sorted(elements, key=lambda element: element.tag):
            if not _left_out(element.tag) and element.tag not in dataset:
                made = self._element(element, characters, depth=depth)
                if made is not None:
                    dataset.add(made)
        return dataset

    def _element(self, element: Element, characters: CharacterSet, *, depth: int) -> DataElement | None:
        vr = self._vr(element)
        if vr == "SQ":
            return self._sequence(element, characters, depth=depth)
        if not vr or element.items is not None or element.fragments is not None:
            return None
        value = self._value(element, vr, characters)
        if element.tag in _IDENTIFIERS and depth == 0:
            found = characters.decode(self._raw(element), vr)
            kept = value if isinstance(value, list) else [value]
            self.changed |= [_unpadded(text, vr) for text in found] != kept
        if value is None:
            return None
        return DataElement(element.tag, vr, value, validation_mode=IGNORE)

    def _sequence(self, element: Element, characters: CharacterSet, *, depth: int) -> DataElement | None:
        if element.items is None or len(element.items) > MAX_ITEMS or depth >= MAX_DEPTH:
            return None
        items = [self.dataset(item, characters, depth=depth + 1) for item in element.items]
        return DataElement(element.tag, "SQ", Sequence(items), validation_mode=IGNORE)

    def _vr(self, element: Element) -> str:
        """The type under which a value is kept: the dictionary's, where the file's own is not among its choices."""
        known = known_vr(element.tag)
        choices = known.split(" or ")
        if element.vr in choices:
            return element.vr
        if choices == ["US", "SS"]:
            return "SS" if self._signed else "US"
        if element.vr == "UN" and not self._little:
            return ""  # its bytes are of unknown order
        return "OW" if "OW" in choices else known

    def _value(self, element: Element, vr: str, characters: CharacterSet) -> object | None:
        """The value as pydicom takes it; None where it cannot be kept."""
        raw = self._raw(element)
        self._left -= min(len(raw), MAX_VALUE_BYTES)
        if self._left < 0:
            return None
        if element.tag == _PATIENT_ID:
            text = "\\".join(characters.decode(raw, vr))
            return values.identifier(text, raw.decode("latin-1") if "\ufffd" in text else text)
        if element.tag == _ACCESSION_NUMBER:  # changed, it may be another order's: then none (type 2, PS3.3 C.7.2.1)
            text = "\\".join(characters.decode(raw, vr)).strip(" ")
            return text if values.clean("SH", text) == text and not {"\\", "\ufffd"} & set(text) else ""
        if vr in values.TEXT:
            return _text(characters.decode(raw, vr), vr)
        if len(raw) > MAX_VALUE_BYTES:
            return None
        if vr in _FORMATS:
            return self._numbers(raw, vr, counts=element.tag in _DESCRIPTORS)
        if vr == "OW" and len(raw) % 2 == 0:
            return raw if self._little else _swapped(raw)
        return raw if vr == "OB" else None

    def _numbers(self, raw: bytes, vr: str, *, counts: bool) -> object | None:
        form = _FORMATS[vr]
        size = struct.calcsize("<" + form)
        count, rest = divmod(len(raw), size)
        if rest:
            return None
        found = struct.unpack(("<" if self._little else ">") + form * count, raw)
        if vr == "AT":
            found = tuple(group << 16 | element for group, element in zip(found[::2], found[1::2]))
        if vr in ("FL", "FD") and not all(math.isfinite(number) for number in found):
            return None
        if counts and len(found) > 1:
            found = (found[0] % 65536, *found[1:])
        return found[0] if len(found) == 1 else list(found)

    def _raw(self, element: Element) -> bytes:
        return self._data[element.start : element.start + element.length]


def _left_out(tag: int) -> bool:
    group, element = tag >> 16, tag & 0xFFFF
    return (
        bool(group & 1)
        or group < 0x0008
        or element == 0
        or 0x5000 <= group <= 0x60FF
        or group >= 0x7FE0
        or tag in (_CHARACTER_SET, _ICON)
    )


def _unpadded(text: str, vr: str) -> str:
    """Without the blanks that pad it; of a name those of each group, and empty groups at its end (PS3.5 6.2.1)."""
    return "=".join(group.strip() for group in text.split("=")).rstrip("=") if vr == "PN" else text.strip()


def _text(found: list[str], vr: str) -> object | None:
    if len(found) > MAX_VALUES:
        return None
    clean = [values.clean(vr, value) for value in found]
    kept = [value for value in clean if value is not None]
    if len(kept) < len(clean) or sum(map(len, kept)) > MAX_VALUE_BYTES // 8:
        return None
    return kept[0] if len(kept) == 1 else kept


def _swapped(raw: bytes) -> bytes:
    return struct.pack(f"<{len(raw) // 2}H", *struct.unpack(f">{len(raw) // 2}H", raw))
