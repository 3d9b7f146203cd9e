"""What is read from JSON has the types that were promised, or is refused in one place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullfield import checked
from fullfield.checked import Count, Seconds


class Keys(TypedDict, total=False):
    count: int


@dataclass(frozen=True, kw_only=True)
class Inner:
    name: str


@dataclass(frozen=True, kw_only=True)
class Outer:
    text: str
    count: Count = 0
    time: Seconds = 0.0
    loss: float = 0.0
    best: float | None = None
    yes: bool = False
    size: int | Literal["native"] = 512
    names: tuple[str, ...] = ()
    pair: tuple[int, str | float] = (1, "")
    table: dict[str, int] | None = None
    fields: Annotated[dict[str, Any], Keys] | None = None
    inner: Inner | None = None


RIGHT: list[tuple[dict[str, Any], str, object]] = [
    ({"count": 3}, "count", 3),
    ({"time": 3}, "time", 3.0),
    ({"best": None}, "best", None),
    ({"size": "native"}, "size", "native"),
    ({"names": ["a"]}, "names", ("a",)),
    ({"pair": [1, 2.5]}, "pair", (1, 2.5)),
    ({"fields": {"count": 1, "newer": []}}, "fields", {"count": 1, "newer": []}),
    ({"inner": {"name": "n"}}, "inner", Inner(name="n")),
    ({"newer": [1]}, "text", "t"),
]
WRONG: list[dict[str, Any]] = [
    {"text": 3},
    {"text": None},
    {"count": -1},
    {"count": True},
    {"count": 1.0},
    {"count": 2**60},
    {"time": None},
    {"time": -1.0},
    {"time": 1e12},
    {"loss": "3"},
    {"loss": 10**400},
    {"yes": 1},
    {"size": "large"},
    {"names": "abc"},
    {"names": [1]},
    {"pair": [1]},
    {"pair": [1, "a", "b"]},
    {"table": {"a": "b"}},
    {"fields": {"count": "1"}},
    {"fields": [1]},
    {"inner": {}},
    {"inner": []},
]


@pytest.mark.parametrize(("given", "name", "value"), RIGHT, ids=str)
def test_that_a_value_of_its_type_is_taken(given: dict[str, Any], name: str, value: object) -> None:
    assert getattr(checked.make(Outer, {"text": "t", **given}), name) == value


@pytest.mark.parametrize("given", WRONG, ids=lambda given: str(given)[:40])
def test_that_a_value_of_another_type_or_out_of_its_range_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        checked.make(Outer, {"text": "t", **given})


@pytest.mark.parametrize("values", [None, [], "x", 3, {}])
def test_that_what_is_no_object_or_lacks_a_field_is_refused(values: object) -> None:
    with pytest.raises(ValueError):
        checked.make(Outer, values)


def test_that_null_is_a_number_that_is_not_finite_where_it_is_nothing_else() -> None:
    assert math.isnan(checked.make(Outer, {"text": "", "loss": None}).loss)


@pytest.mark.parametrize(
    "text", ["[" * 10_000 + "]" * 10_000, '{"a":' * 10_000, "1e400", "NaN", "-Infinity", "", "7" * 5000]
)
def test_that_a_text_that_no_json_program_would_write_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        checked.parse(text)


@given(st.binary())
def test_that_no_bytes_raise_anything_else(content: bytes) -> None:
    try:
        checked.make(Outer, checked.parse(content))
    except ValueError:
        return
