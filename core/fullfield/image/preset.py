"""What a preset is: the parameters of the conventional processor, each with its unit, its range and its source.

`preset_file` reads and writes them as TOML; which of the shipped ones suits an image is decided in `presets`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fullfield.errors import UsageError
from fullfield.image.image import InputKind
from fullfield.image.values import Value

ADJUSTED = " (adjusted)"
"""After the name of a preset of which some values were changed."""


@dataclass(frozen=True)
class Parameter:
    """One number, or `count` numbers, of a preset: `low` … `high` in `unit`. `source`: where its value comes from."""

    key: str
    unit: str
    low: float
    high: float
    source: str
    meaning: str
    count: int = 0

    @property
    def attribute(self) -> str:
        """The field of `Preset` that holds it."""
        return self.key.replace(".", "_")

    def faults(self, value: Value) -> list[str]:
        """What is wrong with a value, as texts for people."""
        values = value if isinstance(value, tuple) else (value,)
        if self.count and len(values) != self.count:
            return [f"{self.key}: {len(values)} values, wanted {self.count}"]
        return [
            f"{self.key}: {item:g} is not within {self.low:g} … {self.high:g} ({self.unit})"
            for item in values
            if not self.low <= item <= self.high
        ]


_TRIAL = "trial on 89 radiographs, then by eye"
_EYE = "by eye on real radiographs"
_HELD = "`fullfield bench quality` on 152 real radiographs, then by eye"
_MEASURED = "measured on 146 real radiographs, and on their own results"
_PARTED = "measured on 152 real radiographs, and on what four processings made of them"
_TOE = "Vuylsteke & Schoeters 1994: the linear toe"

UNBOUNDED = 4.0
"""`detail.usual`, `detail.usual_together`: no source has so much, and none is changed less."""

PARAMETERS: tuple[Parameter, ...] = (
    Parameter("range.low", "% of the field's pixels", 0, 5, _EYE, "the percentile that becomes 0"),
    Parameter("range.high", "% of the field's pixels", 90, 100, _EYE, "the percentile that becomes 1"),
    Parameter("detail.gain", "ratio", 0, 4, _TRIAL, "G of y = x + G·x·(1−|x|/M)^p, on every level"),
    Parameter("detail.power", "exponent", 0.5, 6, _TRIAL, "p: how fast the gain falls towards strong edges"),
    Parameter("detail.limit", "97th percentiles of the level", 1, 20, _TRIAL, "M: beyond it nothing is amplified"),
    Parameter("detail.limit_least", "fraction of the range", 0, 0.5, _TRIAL, "the smallest M, for levels with little"),
    Parameter("detail.toe", "fraction of M", 0, 0.1, _TOE, "below it the gain is constant"),
    Parameter(
        "detail.usual",
        "ratio",
        0.05,
        UNBOUNDED,
        _MEASURED,
        "97th percentiles of middle levels over the coarsest; a source with more, and with texture, is changed less",
    ),
    Parameter(
        "detail.usual_together",
        "ratio",
        0.05,
        UNBOUNDED,
        _PARTED,
        "that ratio times the middle levels' medians over 1/256 of the range; a source with more is changed less",
    ),
    Parameter("edges.gains", "ratio, finest level first", 0, 3, _TRIAL, "added to G on the finest levels", 3),
    Parameter(
        "latitude.gains", "ratio, coarsest level first", 0.1, 1.5, _TRIAL, "factor of the coarsest levels; < 1 evens", 4
    ),
    Parameter("latitude.residual", "ratio", 0.1, 1.5, _TRIAL, "factor of what is coarser than the coarsest level"),
    Parameter("noise.reach", "noise SDs", 0, 6, _TRIAL, "k of s/(s+(k·n)²): local variance beyond the noise's own"),
    Parameter(
        "noise.floors",
        "ratio, finest level first",
        -0.5,
        1,
        _HELD,
        "the least that containment leaves of G; below 0 noise itself is lowered",
        4,
    ),
    Parameter("gradation.median", "fraction of the output", 0.2, 0.8, _TRIAL, "where the anatomy's median shall lie"),
    Parameter("gradation.pull", "ratio", 0, 1, _EYE, "how far the picture's own median is moved towards it"),
    Parameter("gradation.slope", "logistic slope", 0.1, 12, _TRIAL, "steepness of the sigmoid; near 0 a straight line"),
    Parameter("guard.reach", "fraction of the range", 0, 0.3, _TRIAL, "up to it direct exposure is kept dark"),
)


@dataclass(frozen=True, kw_only=True)
class Preset:
    """The conventional processor's setting for one kind of input; the numbers' meanings are those of `PARAMETERS`.

    `kinds`: raw, processed or both; never used for another. `modalities`: those it is made for; empty: all but those
    that special presets claim. `body_parts`: of Body Part Examined (PS3.16 annex L), for which it is chosen by itself;
    `species`: of the patient, likewise. `source`: how its values were found. Raises UsageError.
    """

    name: str
    title: str
    version: str
    source: str
    kinds: tuple[InputKind, ...]
    modalities: tuple[str, ...] = ()
    body_parts: tuple[str, ...] = ()
    species: tuple[str, ...] = ()
    range_low: float
    range_high: float
    detail_gain: float
    detail_power: float
    detail_limit: float
    detail_limit_least: float
    detail_toe: float
    detail_usual: float = UNBOUNDED
    detail_usual_together: float = UNBOUNDED
    edges_gains: tuple[float, ...]
    latitude_gains: tuple[float, ...]
    latitude_residual: float
    noise_reach: float
    noise_floors: tuple[float, ...]
    gradation_median: float
    gradation_pull: float
    gradation_slope: float
    guard_reach: float

    def __post_init__(self) -> None:
        faults = [fault for parameter in PARAMETERS for fault in parameter.faults(self.value(parameter))]
        faults += [] if self.kinds else ["kinds: wanted raw, processed or both"]
        if faults:
            raise UsageError(
                f"Cannot use the preset {self.name[:40]!r}.", detail="; ".join(faults) + ".", hint="Correct the values."
            )

    def value(self, parameter: Parameter) -> Value:
        """The value of one parameter."""
        value: Value = getattr(self, parameter.attribute)
        return value

    def adjusted(self, changes: Mapping[str, Value]) -> Preset:
        """The preset with other values for some parameters, by their keys; its name says so.

        Raises UsageError where a key is no parameter's or a value is out of its range.
        """
        known = {item.key: item for item in PARAMETERS}
        if not changes:
            return self
        if strange := sorted(set(changes) - set(known)):
            raise UsageError(f"Cannot adjust the preset {self.name[:40]!r}.", detail=f"{strange[0]} is no parameter.")
        fields: dict[str, Any] = {known[key].attribute: value for key, value in changes.items()}
        return replace(self, name=self.name.removesuffix(ADJUSTED) + ADJUSTED, **fields)

    def parameters(self) -> str:
        """All parameters in one line, as a Derivation Description carries them."""
        return " ".join(f"{item.key}={value_text(self.value(item), gap='')}" for item in PARAMETERS)

    def sha256(self) -> str:
        """The hash of the preset's canonical content: the same for every spelling of the same values."""
        content = {item.key: self.value(item) for item in PARAMETERS}
        labels = {key: getattr(self, key) for key in (*TEXTS, *LISTS)}
        return hashlib.sha256(json.dumps(content | labels, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


TEXTS = ("name", "title", "version", "source")
LISTS = ("kinds", "modalities", "body_parts", "species")


def value_text(value: Value, *, gap: str = " ") -> str:
    """A number or a list of numbers as TOML writes it."""
    if isinstance(value, tuple):
        return "[" + f",{gap}".join(f"{item:.12g}" for item in value) + "]"
    return f"{value:.12g}"


__all__ = ["ADJUSTED", "LISTS", "PARAMETERS", "TEXTS", "UNBOUNDED", "Parameter", "Preset", "Value", "value_text"]
