"""Any value of a type that crosses the border, by its annotations."""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from fullfield.checked import Between

T = TypeVar("T")
_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=8),
    bool: st.booleans(),
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
    type(None): st.none(),
    Any: st.text(max_size=8),
}


def values(kind: type[T]) -> st.SearchStrategy[T]:
    """Any value of this dataclass."""
    hints = get_type_hints(kind, include_extras=True)
    return st.builds(kind, **{item.name: _of(hints[item.name]) for item in fields(kind)})  # type: ignore[arg-type]


def _of(hint: Any) -> st.SearchStrategy[Any]:
    origin, inner = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if origin is Annotated:
        bounds = next(one for one in inner if isinstance(one, Between))
        whole = inner[0] is int
        return st.integers(int(bounds.least), int(bounds.most)) if whole else st.floats(bounds.least, bounds.most)
    if origin in (Union, types.UnionType):
        return st.one_of(*map(_of, inner))
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is list:
        return st.lists(_of(inner[0]), max_size=3)
    if origin is tuple and inner[-1] is ...:
        return st.lists(_of(inner[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(_of, inner))
    if origin is dict:
        return st.dictionaries(_of(inner[0]), _of(inner[1]), max_size=3)
    assert is_dataclass(hint), hint
    return values(hint)  # type: ignore[arg-type]
