"""What we write as TOML is what `tomllib` reads."""

from __future__ import annotations

import datetime
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullfield import toml_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = TEXTS | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False)
TABLES = st.recursive(
    st.dictionaries(TEXTS, PLAIN | st.lists(PLAIN), max_size=4),
    lambda inner: st.dictionaries(TEXTS, PLAIN | inner | st.lists(inner, max_size=2), max_size=4),
    max_leaves=8,
)


@given(TABLES)
def test_that_what_is_written_is_read_back(table: dict[str, object]) -> None:
    assert tomllib.loads(toml_text.write(table, heading="A heading.")) == table


def test_that_a_date_that_somebody_wrote_is_kept() -> None:
    table = tomllib.loads("a = 1979-05-27T07:32:00Z\nb = 1979-05-27\nc = 07:32:00")
    assert tomllib.loads(toml_text.write(table)) == table
    assert isinstance(table["b"], datetime.date)


def test_that_what_toml_cannot_say_is_refused() -> None:
    with pytest.raises(TypeError, match="NoneType"):
        toml_text.write({"a": None})
