"""Presets as TOML: `parse` tells every mistake of a file in one error, `to_toml` writes every parameter's meaning."""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Callable
from typing import Any

from fullfield.errors import UsageError
from fullfield.image.image import InputKind
from fullfield.image.preset import LISTS, PARAMETERS, TEXTS, Parameter, Preset, value_text
from fullfield.image.values import Value

LONGEST_TEXT = 1000
MOST_STRANGE = 40  # keys that are told of one file
_OPTIONAL = ("modalities", "body_parts", "species")
_LATER = ("detail.usual", "detail.usual_together")  # presets of users that were written before have none


def parse(text: str, *, origin: str) -> Preset:
    """The preset of a TOML text; `origin` names it in errors. Raises UsageError with every mistake in it."""
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits, and endless nesting
        reason = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "its values are beyond all measure"
        raise UsageError(
            f"Cannot read the preset {origin}.", detail=f"It is not TOML: {reason[:200]}.", hint="Correct the file."
        ) from error
    given = {key: value for key, value in content.items() if not isinstance(value, dict)}
    for section, values in content.items():
        if isinstance(values, dict):
            given |= {f"{section}.{key}": value for key, value in values.items()}
    fields: dict[str, Any] = {}
    strange = [key for key in given if key not in _READERS]
    faults = [_unknown(key) for key in strange[:MOST_STRANGE]]
    faults += [f"{len(strange) - MOST_STRANGE} more are none, either"] if len(strange) > MOST_STRANGE else []
    for key, read in _READERS.items():
        if key in given:
            try:
                fields[key.replace(".", "_")] = read(given[key])
            except (ValueError, OverflowError) as error:
                faults.append(str(error) if str(error).startswith(key) else f"{key}: {error}")
        elif key not in (*_OPTIONAL, *_LATER):
            faults.append(f"{key} is missing")
    if faults:
        raise UsageError(
            f"Cannot use the preset {origin}.",
            detail="; ".join(faults) + ".",
            hint="Correct these values; the shipped presets show every parameter with its unit and range.",
        )
    return Preset(**fields)


def to_toml(preset: Preset) -> str:
    """The preset as a file, every parameter with its meaning, unit, range and source; `parse` reads it back."""
    lines = [f"{key} = {json.dumps(getattr(preset, key), ensure_ascii=False)}" for key in TEXTS]
    lines += [f"{key} = {json.dumps(list(getattr(preset, key)), ensure_ascii=False)}" for key in LISTS]
    section = ""
    for item in PARAMETERS:
        head, _, name = item.key.partition(".")
        if head != section:
            lines += ["", f"[{head}]"]
            section = head
        lines += [f"# {item.meaning}; {item.unit}, {item.low:g} … {item.high:g}; source: {item.source}"]
        lines += [f"{name} = {value_text(preset.value(item))}"]
    return "\n".join(lines) + "\n"


def _unknown(key: str) -> str:
    near = difflib.get_close_matches(key[:40], _READERS, n=1, cutoff=0.4)
    return f"{key[:40]} is not a parameter" + (f", the nearest is {near[0]}" if near else "")


def _read_text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("wanted a text")
    return _short(value)


def _short(value: str) -> str:
    if len(value) > LONGEST_TEXT or not value.isprintable():
        raise ValueError(f"wanted a text of one line and at most {LONGEST_TEXT} characters")
    return value


def _read_texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("wanted a list of texts")
    return tuple(map(_short, value))


def _read_kinds(value: object) -> tuple[InputKind, ...]:
    names = _read_texts(value)
    known = [kind.value for kind in InputKind]
    if not names or not set(names) <= set(known):
        raise ValueError(f"wanted a list of {' and '.join(known)}")
    return tuple(InputKind(name) for name in names)


def _number_reader(parameter: Parameter) -> Callable[[object], Value]:
    def read(value: object) -> Value:
        items: list[Any] = value if isinstance(value, list) else [value]
        numeric = all(isinstance(item, int | float) and not isinstance(item, bool) for item in items)
        if isinstance(value, list) != bool(parameter.count) or not numeric:
            raise ValueError(f"wanted {f'{parameter.count} numbers' if parameter.count else 'a number'}")
        numbers = tuple(float(item) for item in items)
        result: Value = numbers if parameter.count else numbers[0]
        if faults := parameter.faults(result):
            raise ValueError("; ".join(faults))
        return result

    return read


_READERS: dict[str, Callable[[object], Any]] = {
    **dict.fromkeys(TEXTS, _read_text),
    "kinds": _read_kinds,
    **dict.fromkeys(_OPTIONAL, _read_texts),
    **{parameter.key: _number_reader(parameter) for parameter in PARAMETERS},
}

__all__ = ["parse", "to_toml"]
