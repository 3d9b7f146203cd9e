"""What lies under the mouse, in words: its place in the file and its values before and after. No widget."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield_app.gui import numbers
from fullfield_app.gui.view.area import Point
from fullfield_app.gui.view.tone import Shown

translate = QCoreApplication.translate


def readout(point: Point | None, before: Shown | None, after: Shown | None) -> str:
    """Nothing outside of the image. The value before also as the file has it: in its unit, or where high is dark."""
    picture = next((shown.picture for shown in (before, after) if shown is not None), None)
    if point is None or picture is None:
        return ""
    column, row = int(point[0] // 1), int(point[1] // 1)
    if not (0 <= column < picture.columns and 0 <= row < picture.rows):
        return ""
    parts = [translate("readout", "x {column}   y {row}").format(column=column, row=row)]
    if before is not None:
        value = int(before.picture.levels[0][row, column])
        parts.append(translate("readout", "before {value}").format(value=_with_unit(before, value)))
    if after is not None:
        value = int(after.picture.levels[0][row, column])
        parts.append(translate("readout", "after {value}").format(value=value))
    return "      ".join(parts)


def _with_unit(shown: Shown, value: int) -> str:
    scale = shown.picture.modality
    if scale is None:
        return str(value)
    own = f"{numbers.short(scale.own(value), 5)} {scale.unit}".rstrip()
    if scale.slope < 0:
        own = translate("readout", "{value} in the file").format(value=own)
    return f"{value} ({own})"
