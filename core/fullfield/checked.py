"""Values read from JSON, held against the annotations of the dataclass that they shall fill.

What lies in a file may be cut, damaged or somebody else's. It is looked at here, once: what passes can be used without
another look. Numbers are finite, and whole ones have at most 64 bits, as every program that reads JSON can hold them.
"""

from __future__ import annotations

import functools
import json
import math
import sys
import types
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Annotated, Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

T = TypeVar("T")
_Check = Callable[[Any], Any]
Fields = dict[str, Any]
"""A JSON object as it was read or will be written: for the border alone. What is behind it has a type of its own."""


@dataclass(frozen=True)
class Between:
    """An annotation: a number from `least` to `most`."""

    least: float
    most: float


Count = Annotated[int, Between(0, 2**53)]
"""How many there are of something, such as bytes, steps or pixels."""
_Drawn = Annotated[float, Between(1.0, sys.float_info.max)]
PixelSize = tuple[_Drawn, _Drawn]
"""A pixel's width and height as it is drawn, the smaller of them 1."""
Seconds = Annotated[float, Between(0.0, 1e11)]
"""A duration, or a moment since the epoch (of the years to 5138)."""


def parse(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError where it is none, also for one that is nested too deep."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def make(kind: type[T], values: object) -> T:
    """A value of the dataclass `kind` with these fields; what it does not know (a newer version's) is passed over.

    Raises ValueError where a field has a value of another type, or one without a default is missing.
    """
    given = known(kind, values)
    missing = [
        item.name
        for item in fields(kind)  # type: ignore[arg-type]
        if item.name not in given and item.default is MISSING and item.default_factory is MISSING
    ]
    if missing:
        raise ValueError(f"{missing[0]} is missing")
    return kind(**given)


def known(kind: type[Any], values: object) -> Fields:
    """Those of `values` that the dataclass or TypedDict `kind` knows, each of its type. Raises ValueError."""
    if not isinstance(values, dict):
        raise ValueError("no object")
    checks = _checks(kind)  # type: ignore[arg-type]  # mypy takes no class for hashable
    return {name: checks[name](value) for name, value in values.items() if name in checks}


@functools.cache
def _checks(kind: type[Any]) -> dict[str, _Check]:
    return {name: _check(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}


def _check(hint: Any) -> _Check:
    """The function that returns a value of this annotation, or raises ValueError."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda value: value
    if hint in _PLAIN:
        return _PLAIN[hint]
    if origin is Annotated:
        return _all_of([_check(inner[0]), *map(_extra, inner[1:])])
    if origin in (Union, types.UnionType):
        return _one_of(list(map(_check, inner)))
    if origin is Literal:
        return functools.partial(_literal, inner)
    if origin is list:
        return functools.partial(_list, _check(inner[0]))
    if origin is tuple and inner[-1] is ...:
        items = functools.partial(_list, _check(inner[0]))
        return lambda value: tuple(items(value))
    if origin is tuple:
        return functools.partial(_tuple, tuple(map(_check, inner)))
    if origin is dict:
        return functools.partial(_dict, _check(inner[1]))
    if isinstance(hint, type) and is_dataclass(hint):
        return lambda value: make(hint, value)
    raise TypeError(f"a field cannot be checked: {hint}")


def _extra(mark: Any) -> _Check:
    if isinstance(mark, Between):
        return functools.partial(_between, mark)
    if is_typeddict(mark):  # the keys that it knows are checked, the others stay
        return lambda value: {**value, **known(mark, value)}
    raise TypeError(f"a field cannot be checked: {mark}")


def _all_of(checks: list[_Check]) -> _Check:
    return lambda value: functools.reduce(lambda found, check: check(found), checks, value)


def _one_of(checks: list[_Check]) -> _Check:
    checks = sorted(checks, key=lambda check: check is not _none)  # null is a number too, where it is nothing else

    def check(value: Any) -> Any:
        for one in checks:
            try:
                return one(value)
            except ValueError:
                continue
        raise ValueError("of no type that it may have")

    return check


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _refuse(value)


def _truth(value: Any) -> bool:
    return value if isinstance(value, bool) else _refuse(value)


def _none(value: Any) -> None:
    if value is not None:
        _refuse(value)


def _whole(value: Any) -> int:
    ours = isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63
    return int(value) if ours else _refuse(value)


def _number(value: Any) -> float:
    """JSON has no number that is not finite: null stands for one."""
    if value is None:
        return math.nan
    ours = isinstance(value, int | float) and not isinstance(value, bool)
    return float(_whole(value) if isinstance(value, int) else value) if ours else _refuse(value)


def _between(mark: Between, value: Any) -> Any:
    return value if mark.least <= value <= mark.most else _refuse(value)


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(number)


def _literal(choices: tuple[Any, ...], value: Any) -> Any:
    return value if any(value == one and type(value) is type(one) for one in choices) else _refuse(value)


def _list(check: _Check, value: Any) -> list[Any]:
    return [check(item) for item in value] if isinstance(value, list) else _refuse(value)


def _tuple(checks: tuple[_Check, ...], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list) or len(value) != len(checks):
        _refuse(value)
    return tuple(check(item) for check, item in zip(checks, value, strict=True))


def _dict(check: _Check, value: Any) -> Fields:
    return {name: check(item) for name, item in value.items()} if isinstance(value, dict) else _refuse(value)


def _refuse(value: Any) -> NoReturn:
    raise ValueError("of another type, or out of its range")


_PLAIN: dict[Any, _Check] = {str: _text, bool: _truth, int: _whole, float: _number, type(None): _none}
