"""Plain values of what is shown and tried, which cross a process. No numpy: every worker reads them."""

from __future__ import annotations

from dataclasses import dataclass

SHIPPED = "shipped"
"""The name of the model that is a part of the program; see `fullfield.model.shipped`."""
SUFFIXES = frozenset({".dcm", ".dicom", ".dic", ".ima", ".png", ".tif", ".tiff", ".jpg", ".jpeg", ".webp"})
"""Of files of images, in small letters. What else stands behind a dot is a part of the name: of a UID, say."""
PRESET = "preset"
"""No name of a model: a preset in the place of one."""
Value = float | tuple[float, ...]
"""Of a preset's parameter: one number, or one for each level."""
Changes = tuple[tuple[str, Value], ...]
"""Values of a preset's parameters that are not its own, by their keys."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """A linear or sigmoid VOI window (PS3.3 C.11.2.1.2) in units of `Image.pixels`, high = bright.

    `exact`: of LINEAR_EXACT (C.11.2.1.3.2), whose ends lie as far apart as it is wide.
    """

    low: float
    high: float
    sigmoid: bool = False
    name: str = ""
    exact: bool = False
