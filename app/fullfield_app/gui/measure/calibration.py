"""How long a pixel is: lengths and areas in mm where the file says so, with where that is from; in pixels elsewhere.

A length in pixels is in shorter sides of one, as the zoom is: the same length on the screen is the same number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from fullfield_app.gui import numbers
from fullfield_app.gui.measure.marks import Line
from fullfield_app.gui.view.camera import SQUARE, Size

translate = QCoreApplication.translate
DETECTOR = "ImagerPixelSpacing"


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """`spacing_mm`: from row to row, from column to column; None: unknown. `source`: the DICOM keyword it is from.
    `pixel`: see `Image.pixel_size`."""

    spacing_mm: tuple[float, float] | None = None
    source: str = ""
    pixel: Size = SQUARE

    def length_px(self, line: Line) -> float:
        """How long a line is, in shorter sides of a pixel."""
        wide, high = self.pixel
        return math.hypot((line.end[0] - line.start[0]) * wide, (line.end[1] - line.start[1]) * high)

    def length_mm(self, line: Line) -> float | None:
        """How long a line is; pixels may be higher than wide."""
        if self.spacing_mm is None:
            return None
        rows, columns = self.spacing_mm
        return math.hypot((line.end[0] - line.start[0]) * columns, (line.end[1] - line.start[1]) * rows)

    def area_mm2(self, pixels: int) -> float | None:
        """How large an area of so many pixels is."""
        return None if self.spacing_mm is None else pixels * self.spacing_mm[0] * self.spacing_mm[1]

    def say_length(self, line: Line) -> str:
        """A length in words, short enough for a label on the image."""
        length = self.length_mm(line)
        if length is None:
            return translate("calibration", "{length} px").format(length=numbers.number(self.length_px(line), 1))
        if self.source == DETECTOR:
            return translate("calibration", "{length} mm at the detector").format(length=numbers.number(length, 1))
        return translate("calibration", "{length} mm").format(length=numbers.number(length, 1))

    def say_area(self, size: float) -> str:
        """An area of so many mm² in words, in the form of the numbers in the table."""
        if self.source == DETECTOR:
            return translate("calibration", "{area} mm² at the detector").format(area=numbers.plain(size, 1))
        return translate("calibration", "{area} mm²").format(area=numbers.plain(size, 1))

    def say_source(self) -> str:
        """Where millimetres are from, in a sentence."""
        if self.spacing_mm is None and self.pixel != SQUARE:
            return translate(
                "calibration",
                "The file says of the pixels only that they are not square: lengths are in shorter sides of a pixel.",
            )
        return {
            "": translate("calibration", "The file says nothing of the size of a pixel: lengths are in pixels.")
            if self.spacing_mm is None
            else translate("calibration", "Millimetres by the size of a pixel in the file."),
            "PixelSpacing": translate("calibration", "Millimetres by the file's Pixel Spacing."),
            DETECTOR: translate(
                "calibration",
                "Millimetres at the detector: the patient's own are smaller by the magnification, which the file does "
                "not say.",
            ),
            "EstimatedRadiographicMagnificationFactor": translate(
                "calibration", "Millimetres in the patient, by the magnification that the file estimates."
            ),
            "NominalScannedPixelSpacing": translate("calibration", "Millimetres on the film that was scanned."),
        }[self.source]
