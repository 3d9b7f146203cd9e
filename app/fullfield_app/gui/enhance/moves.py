"""What sliders were moved by hand, and what becomes of an image's own values by it. No widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fullfield.image.preset import PARAMETERS, Preset
from fullfield.image.values import Changes, Value

Moves = Mapping[tuple[str, int | None], float | None]
"""By a parameter's key, and the place in its series of numbers: the value it was given; None: the preset's own."""
_PARAMETERS = {parameter.key: parameter for parameter in PARAMETERS}


def merged(changes: Changes, moves: Moves, preset: Callable[[], Preset]) -> Changes:
    """The `changes` of an image with what was moved; `preset`: the image's, looked for where a series needs it."""
    found = dict(changes)
    for (key, place), value in moves.items():
        if place is None and value is not None:
            found[key] = value
        elif place is None:
            found.pop(key, None)
        elif value is not None or key in found:
            own = preset().value(_PARAMETERS[key])
            found[key] = _at(place, found.get(key, own), own, value)
            if found[key] == own:
                del found[key]
    return tuple((key, found[key]) for key in _PARAMETERS if key in found)


def _at(place: int, now: Value, own: Value, value: float | None) -> Value:
    assert isinstance(now, tuple) and isinstance(own, tuple)
    return (*now[:place], own[place] if value is None else value, *now[place + 1 :])
