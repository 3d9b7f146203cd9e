"""Bytes and seconds as people write and read them."""

from __future__ import annotations

import pytest

from fullfield.errors import UsageError
from fullfield.units import format_bytes, format_seconds, parse_bytes


@pytest.mark.parametrize(
    ("text", "count"), [("4GiB", 4 << 30), ("8GB", 8 * 10**9), ("1.5 MiB", 1572864), ("7", 7), ("1TiB", 1 << 40)]
)
def test_that_an_amount_of_memory_is_read_as_written(text: str, count: int) -> None:
    assert parse_bytes(text) == count


@pytest.mark.parametrize("text", ["", "many", "4 XB", "-1GiB", "4GiB!", "9" * 400])
def test_that_what_is_no_amount_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match="4GiB"):
        parse_bytes(text)


def test_that_amounts_are_written_short() -> None:
    assert [format_bytes(n) for n in (12, 1536, 3 << 30)] == ["12 B", "1.5 KiB", "3.0 GiB"]
    assert [format_seconds(s) for s in (1.24, 59.6, 75.2, 7260)] == ["1.2 s", "1 min 0 s", "1 min 15 s", "2 h 1 min"]
