"""Look-up tables of a data set: the modality LUT and the VOI LUTs (PS3.3 C.11.1.1.1, C.11.2.1.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydicom.dataset import Dataset

from fullfield.image.image import Pixels

Warn = Callable[[str], None]
MAX_TABLES = 16


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """`entries`: output values, uint16. `first`: the input value of the first entry. `bits`: of an entry."""

    first: int
    bits: int
    entries: NDArray[np.uint16]
    name: str = ""

    def at(self, values: NDArray[np.float64]) -> NDArray[np.uint16]:
        """The entries for input values; below and above the table its ends."""
        index = np.clip(np.rint(values) - self.first, 0, len(self.entries) - 1).astype(np.int64)
        found: NDArray[np.uint16] = self.entries[index]
        return found

    def over(self, stored: Pixels, *, lowest: int, bits: int) -> Pixels:
        """The table applied to stored values in offset binary, whose 0 means `lowest`."""
        every = np.arange(1 << bits, dtype=np.float64) + lowest
        result: Pixels = self.at(every)[stored]
        return result


def modality_table(dataset: Dataset, *, signed: bool, warn: Warn) -> Table | None:
    """The Modality LUT Sequence (0028,3000), which stands in place of slope and intercept; None where there is none."""
    tables = _tables(dataset, "ModalityLUTSequence", signed=signed, warn=warn)
    return tables[0] if tables else None


def voi_tables(dataset: Dataset, *, signed: bool, warn: Warn) -> list[Table]:
    """The items of the VOI LUT Sequence (0028,3010) that can be used."""
    return _tables(dataset, "VOILUTSequence", signed=signed, warn=warn)


def _tables(dataset: Dataset, keyword: str, *, signed: bool, warn: Warn) -> list[Table]:
    found = []
    for item in list(dataset.get(keyword) or [])[:MAX_TABLES]:
        table = _table(item, signed=signed)
        if table is None:
            warn("A look-up table of the file is malformed; it was left aside.")
        else:
            found.append(table)
    return found


def _table(item: Dataset, *, signed: bool) -> Table | None:
    descriptor, data = item.get("LUTDescriptor"), item.get("LUTData")
    if not isinstance(descriptor, Sequence) or len(descriptor) != 3 or data is None:
        return None
    count, first, bits = (int(number) for number in descriptor)
    count = count % 65536 or 65536  # 0 means 65,536; a negative one was read with the sign of the pixels
    first = first - 65536 if signed and first > 32767 else first
    entries = _entries(data, count)
    if entries is None or not 8 <= bits <= 16:
        return None
    return Table(
        first=first, bits=_used_bits(entries, bits), entries=entries, name=str(item.get("LUTExplanation") or "")
    )


def _entries(data: object, count: int) -> NDArray[np.uint16] | None:
    """The entries, whether they came as words or as bytes, of which some makers pack two into a word."""
    if isinstance(data, bytes):
        raw = data
        if len(raw) // 2 == count:
            return np.frombuffer(raw[: 2 * count], "<u2").astype(np.uint16)
        if len(raw) in (count, count + 1):
            return np.frombuffer(raw[:count], np.uint8).astype(np.uint16)
        return None
    try:
        words = np.asarray(data, np.int64).reshape(-1) & 0xFFFF
    except (TypeError, ValueError):
        return None
    if len(words) == count:
        return words.astype(np.uint16)
    if len(words) == (count + 1) // 2:
        return words.astype("<u2").view(np.uint8)[:count].astype(np.uint16)
    return None


def _used_bits(entries: NDArray[np.uint16], bits: int) -> int:
    """The bits that entries use. Descriptors say 16 for tables of 12, 8 for tables of 16: two bits off are believed."""
    needed = max(1, int(entries.max()).bit_length())
    return bits if bits - 2 <= needed <= bits else max(8, needed)
