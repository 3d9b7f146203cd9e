"""The values that travel between reading, enhancing, showing and writing: `Image`, `Recipe` and `Enhanced`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from fullfield.image.declared import Declared
from fullfield.image.marks import Disagreement
from fullfield.image.values import Window

Pixels = NDArray[np.uint16]
Picture = NDArray[np.uint8] | NDArray[np.uint16]


class InputKind(StrEnum):
    """What the pixels are: RAW as a detector gives them, PROCESSED for display already (nearly every file)."""

    RAW = "raw"
    PROCESSED = "processed"


class HighValues(StrEnum):
    """What a high stored value meant in the source file; `Image.pixels` itself always has high = bright."""

    BRIGHT = "bright"
    DARK = "dark"


class Relationship(StrEnum):
    """Pixel Intensity Relationship (0028,1040), PS3.3 C.8.11.3.1.2; UNKNOWN where it is absent or DISP."""

    LINEAR = "LIN"
    LOGARITHMIC = "LOG"
    UNKNOWN = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class VoiTable:
    """A VOI LUT (PS3.3 C.11.2.1.1) over the values of `Image.pixels`: `table[value - first]` in 0…1, bright = 1.

    Values below `first` take the first entry, values past the end take the last.
    """

    first: int
    table: NDArray[np.float32]
    name: str = ""


Voi = Window | VoiTable

_SQUARE = 0.005  # of a pixel's longer side


@dataclass(frozen=True, kw_only=True, eq=False)
class Image:
    """One radiograph.

    `pixels`: (rows, columns), uint16, after the modality transformation, always high = bright (a MONOCHROME1 source is
    inverted once, by the reader), values in 0 … 2**bits − 1. Often memory-mapped and read-only.
    `bits`: how many bits the values use, 1 … 16. `high`: what high meant in the source.
    `spacing_mm`: (row spacing, column spacing), or None where the source has none that can be trusted.
    `aspect`: where that is unknown, a pixel's height and width as whole numbers, if the source says that they differ.
    `voi`: the windows and tables of the source that lie within the data, the first is the default; may be empty.
    `padding`: (lowest, highest) value of pixels that are no image (PS3.3 C.7.5.1.1.2), in units of `pixels`.
    `kind`: raw or processed, with `kind_reason`, one sentence for people. `relationship`: of raw values.
    `beam`: which end of `pixels` got more of the X-ray beam: DARK nearly always (bone is bright), BRIGHT where the
    source is rendered as a negative (Pixel Intensity Relationship Sign (0028,1041) 1 with MONOCHROME2, −1 with 1).
    `zero`: the value of `pixels` that nothing exposed has, where the rescale of a raw file moves it from that end.
    `raw_beam`, `raw_zero`: what the file says of both, which holds where the image is raw (see `as_kind`).
    `enhanced`: the source says that this program made it.
    `damage`: a sentence for people where a decoder found the file damaged, and some pixels may be no image; else empty.
    """

    pixels: Pixels
    bits: int
    high: HighValues
    kind: InputKind
    kind_reason: str = ""
    relationship: Relationship = Relationship.UNKNOWN
    spacing_mm: tuple[float, float] | None = None
    aspect: tuple[int, int] | None = None
    voi: tuple[Voi, ...] = ()
    padding: tuple[int, int] | None = None
    beam: HighValues = HighValues.DARK
    zero: float | None = None
    raw_beam: HighValues = HighValues.DARK
    raw_zero: float | None = None
    enhanced: bool = False
    damage: str = ""

    def __post_init__(self) -> None:
        if self.pixels.ndim != 2 or self.pixels.dtype != np.uint16 or 0 in self.pixels.shape:
            raise ValueError(f"pixels: {self.pixels.dtype} of shape {self.pixels.shape}, wanted uint16 (rows, columns)")
        if not 1 <= self.bits <= 16:
            raise ValueError(f"bits: {self.bits}, wanted 1 to 16")
        if self.spacing_mm is not None and min(self.spacing_mm) <= 0:
            raise ValueError(f"spacing_mm: {self.spacing_mm}, wanted two positive numbers")

    @property
    def pixel_size(self) -> tuple[float, float]:
        """A pixel's width and height as it is drawn, the smaller of them 1; (1, 1) where they differ by too little to
        be seen, or where nothing is known of them."""
        high, wide = self.spacing_mm or self.aspect or (1, 1)
        shorter = min(high, wide)
        return (wide / shorter, high / shorter) if abs(high - wide) > _SQUARE * max(high, wide) else (1.0, 1.0)

    @property
    def top(self) -> int:
        """The largest value that the bits allow."""
        return (1 << self.bits) - 1

    def as_kind(self, kind: InputKind, reason: str) -> Image:
        """The image taken for this kind: the beam's end is the file's where raw, and dark where processed."""
        raw = kind is InputKind.RAW  # the sign is often wrong in processed files
        return replace(
            self,
            kind=kind,
            kind_reason=reason,
            beam=self.raw_beam if raw else HighValues.DARK,
            zero=self.raw_zero if raw else None,
        )

    def exposure(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """What a linear detector got where its pixels have these values, in their unit."""
        if self.beam is HighValues.BRIGHT:
            return values - (self.zero or 0)
        return (self.top if self.zero is None else self.zero) - values


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How an enhanced image came to be: what the Derivation Description and the card of a result say.

    `method`: "preset" or "model"; `name`, `version` and `sha256` name it exactly; `parameters` as one line of text;
    `edges`: edge enhancement was applied (adds code 113086). `left`: how much of a preset's work the image was given,
    0 … 1: less where it was processed already.
    """

    method: str
    name: str
    version: str
    sha256: str
    parameters: str = ""
    edges: bool = False
    left: float = 1.0

    @property
    def lessened(self) -> str:
        """How much of it was done, where it was not all; "" otherwise."""
        percent = round(100 * self.left)
        return f"{percent} % of it: the source was processed already" if percent < 100 else ""

    @property
    def digest(self) -> str:
        """Of all that decides the values: two results of one image have equal pixels where theirs are equal."""
        return hashlib.sha256(f"{self.sha256} {self.parameters}".encode()).hexdigest()


@dataclass(frozen=True, kw_only=True, eq=False)
class Enhanced:
    """An enhanced image of the same matrix: `pixels` uint16 in 0 … 2**bits − 1, high = bright.

    `warnings`: sentences for the user about this result. `seen`: how the method saw the image: of each of its values,
    float32, bone is bright; None where that is not known. `declared`: what the method says that it did; None where it
    says nothing: a preset, a network that draws. `marks`: see `guards.Marks`; None where nothing has looked at it.
    `doubt`: what speaks against it, as sentences; "": nothing. `method_wanted`: the name of the model in whose place
    this is; "": it is what was wanted. `disagreement`: of an ensemble's members, None for one that is none.
    """

    pixels: Pixels
    bits: int
    recipe: Recipe
    warnings: tuple[str, ...] = field(default=())
    seen: NDArray[np.float32] | None = None
    declared: Declared | None = None
    marks: NDArray[np.uint8] | None = None
    doubt: str = ""
    method_wanted: str = ""
    disagreement: Disagreement | None = None

    def __post_init__(self) -> None:
        if self.pixels.ndim != 2 or self.pixels.dtype != np.uint16:
            raise ValueError(f"pixels: {self.pixels.dtype} of shape {self.pixels.shape}, wanted uint16 (rows, columns)")
        if not 8 <= self.bits <= 16:
            raise ValueError(f"bits: {self.bits}, wanted 8 to 16")
