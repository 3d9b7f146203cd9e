"""Look-up tables as makers write them (PS3.3 C.11.1.1.1, C.11.2.1.1)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from fullfield.dicom.tables import MAX_TABLES, Table, modality_table, voi_tables


def item(descriptor: Any, data: Any, name: str = "") -> Dataset:
    made = Dataset()
    made.add_new("LUTDescriptor", "US", descriptor)
    made.add_new("LUTData", "OW" if isinstance(data, bytes) else "US", data)
    if name:
        made.LUTExplanation = name
    return made


def found(*items: Dataset, signed: bool = False) -> tuple[list[Table], list[str]]:
    warnings: list[str] = []
    dataset = Dataset()
    dataset.VOILUTSequence = Sequence(items)
    return voi_tables(dataset, signed=signed, warn=warnings.append), warnings


@pytest.mark.parametrize(
    ("descriptor", "data", "signed", "first", "bits", "entries"),
    [
        ([3, 5, 12], [1, 2, 4095], False, 5, 12, [1, 2, 4095]),
        ([3, 65535, 12], [1, 2, 4095], True, -1, 12, [1, 2, 4095]),  # read without its sign
        ([3, 65535, 12], [1, 2, 4095], False, 65535, 12, [1, 2, 4095]),
        ([3, 32767, 12], [1, 2, 4095], True, 32767, 12, [1, 2, 4095]),
        ([3, 32768, 12], [1, 2, 4095], True, -32768, 12, [1, 2, 4095]),
        ([3, 0, 16], b"\1\0\2\0\xff\xff", False, 0, 16, [1, 2, 65535]),  # words
        ([4, 0, 8], b"\1\2\3\xff", False, 0, 8, [1, 2, 3, 255]),  # bytes
        ([3, 0, 8], b"\1\2\xff\0", False, 0, 8, [1, 2, 255]),  # padded
        ([4, 0, 8], [0x0201, 0xFF03], False, 0, 8, [1, 2, 3, 255]),  # two in a word
        ([3, 0, 8], [0x0201, 0x00FF], False, 0, 8, [1, 2, 255]),
        ([3, 0, 16], [1, 2, 16383], False, 0, 16, [1, 2, 16383]),  # two bits off are believed
        ([3, 0, 16], [1, 2, 16384], False, 0, 16, [1, 2, 16384]),
        ([3, 0, 16], [1, 2, 8191], False, 0, 13, [1, 2, 8191]),
        ([3, 0, 16], [0, 0, 0], False, 0, 8, [0, 0, 0]),
        ([3, 0, 8], [1, 2, 4095], False, 0, 12, [1, 2, 4095]),
    ],
)
def test_that_a_table_is_read_as_its_maker_meant_it(
    descriptor: list[int], data: Any, signed: bool, first: int, bits: int, entries: list[int]
) -> None:
    (table,), warnings = found(item(descriptor, data, "SOFT"), signed=signed)
    assert (table.first, table.bits, table.entries.tolist(), table.name) == (first, bits, entries, "SOFT")
    assert warnings == [] and table.entries.dtype == np.uint16


@pytest.mark.filterwarnings("ignore:Invalid value")
def test_that_no_entries_mean_as_many_as_there_can_be() -> None:
    every = list(range(65536))
    (table,), _ = found(item([0, 0, 16], every))
    assert table.entries.tolist() == every and table.name == ""
    (negative,), _ = found(item([40000 - 65536, 0, 16], every[:40000]))
    assert len(negative.entries) == 40000, "read with the sign of the pixels"


@pytest.mark.parametrize(
    ("descriptor", "data"),
    [
        ([3, 0], [1, 2, 3]),
        (3, [1, 2, 3]),
        ([3, 0, 7], [1, 2, 3]),
        ([3, 0, 17], [1, 2, 3]),
        ([3, 0, 12], [1, 2, 3, 4]),
        ([3, 0, 12], [1]),
        ([3, 0, 12], b"\1\2\3\4\5"),
        ([3, 0, 12], None),
    ],
    ids=str,
)
def test_that_a_malformed_table_is_left_aside_and_told_and_costs_no_other(descriptor: Any, data: Any) -> None:
    tables, warnings = found(item(descriptor, data), item([3, 0, 12], [1, 2, 4095]))
    assert len(tables) == 1 and len(warnings) == 1 and "malformed" in warnings[0]


@pytest.mark.parametrize("bits", [8, 16])
def test_that_as_few_and_as_many_bits_as_the_standard_allows_are_read(bits: int) -> None:
    assert found(item([2, 0, bits], [0, (1 << bits) - 1]))[0][0].bits == bits


def test_that_of_endless_tables_the_first_are_read() -> None:
    assert len(found(*[item([2, 0, 12], [0, 4095])] * (MAX_TABLES + 3))[0]) == MAX_TABLES


def test_that_values_beside_a_table_have_its_ends() -> None:
    table = Table(first=-2, bits=12, entries=np.array([10, 20, 30], np.uint16))
    assert table.at(np.array([-9.0, -2.4, -1.6, -1.4, 0.0, 9.0])).tolist() == [10, 10, 10, 20, 30, 30]
    stored = np.array([[0, 1, 2], [3, 7, 4]], np.uint16)
    assert table.over(stored, lowest=-4, bits=3).tolist() == [[10, 10, 10], [20, 30, 30]]


def test_that_the_first_modality_table_counts() -> None:
    dataset = Dataset()
    assert modality_table(dataset, signed=False, warn=print) is None
    dataset.ModalityLUTSequence = Sequence([item([2, 0, 12], [0, 4095], "one"), item([2, 0, 12], [0, 9], "two")])
    table = modality_table(dataset, signed=False, warn=print)
    assert table is not None and table.name == "one"
