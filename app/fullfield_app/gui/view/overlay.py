"""The texts in the four corners of an image: who, when, what and how. The only place on screen with patient data.

Where a corner has no room for all of a line it ends in an ellipsis; nothing is ever read as markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap

from fullfield.image.header import Header
from fullfield_app.gui import numbers
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.widgets.label import clean

HEAD, FOOT, SIDE_MARGIN = 40, 42, 16  # logical pixels kept free for the captions above and below, and at the sides
LONGEST = 64
_INK, _SHADE = QColor(226, 230, 236), QColor(0, 0, 0, 210)
_AROUND = ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, 1.5), (1.5, 0))
translate = QCoreApplication.translate


@dataclass(frozen=True, kw_only=True)
class Corners:
    """Lines of text for each corner, from above to below. Never in a log: `repr` says nothing."""

    upper_left: tuple[str, ...] = ()
    upper_right: tuple[str, ...] = ()
    lower_left: tuple[str, ...] = ()
    lower_right: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "Corners()"

    def lines(self) -> tuple[str, ...]:
        """All of them, for those who cannot see the image."""
        return (*self.upper_left, *self.upper_right, *self.lower_left, *self.lower_right)


def corners(header: Header, picture: Picture, spacing_mm: tuple[float, float] | None) -> Corners:
    """What stands in the corners of this image: the patient, the study, the body part, how it was exposed."""
    patient = header.patient
    sex = f"({patient.sex})" if patient.sex else ""
    return Corners(
        upper_left=_lines(
            patient.name.replace("^", " ").strip(),
            patient.id,
            " ".join(part for part in (_date(patient.birth_date), sex) if part),
            patient.species,
        ),
        upper_right=_lines(header.institution, _date(header.study_date), f"{header.manufacturer} {header.model_name}"),
        lower_left=_lines(
            " ".join((header.modality, header.body_part)),
            " ".join((_side(header.laterality), header.view_position)),
        ),
        lower_right=_lines(
            " ".join(part for part in (_unit(header.kvp, "kV"), _unit(header.exposure_mas, "mAs")) if part),
            _exposure(header),
            f"{picture.columns} × {picture.rows}",
            f"{numbers.short(spacing_mm[1])} × {numbers.short(spacing_mm[0])} mm" if spacing_mm is not None else "",
        ),
    )


class CornerTexts:
    """Paints corners. The letters are drawn once and kept as pictures: a window drag paints them with every frame."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._stamps: list[tuple[QPointF, QPixmap]] = []

    def paint(self, painter: QPainter, area: QRectF, texts: Corners, ratio: float, *, head: float, foot: float) -> None:
        """Into `area`, clear of the captions; `head`, `foot`: what is taken above and below the right corners."""
        key = (texts, area.width(), area.height(), ratio, head, foot, painter.font().key())
        if key != self._key:
            self._key = key
            self._stamps = list(_stamps(painter.font(), area, texts, ratio, head, foot))
        for place, stamp in self._stamps:
            painter.drawPixmap(place, stamp)


def _stamps(
    given: QFont, area: QRectF, texts: Corners, ratio: float, head: float, foot: float
) -> Iterator[tuple[QPointF, QPixmap]]:
    font = QFont(given)
    font.setPointSizeF((font.pointSizeF() if font.pointSizeF() > 0 else 10.0) * 0.95 * ratio)
    room = area.adjusted(SIDE_MARGIN * ratio, HEAD * ratio, -SIDE_MARGIN * ratio, -FOOT * ratio)
    half = room.width() / 2 - SIDE_MARGIN * ratio
    for lines, right, lower, edge in (
        (texts.upper_left, False, False, room.top()),
        (texts.upper_right, True, False, area.top() + head * ratio),
        (texts.lower_left, False, True, room.bottom()),
        (texts.lower_right, True, True, area.bottom() - foot * ratio),
    ):
        if lines and half >= 1:
            stamp = _stamp(lines, font, int(half), ratio, right=right)
            top = edge - stamp.height() if lower else edge
            yield QPointF(room.right() - stamp.width() if right else room.left(), top), stamp


def _stamp(lines: tuple[str, ...], font: QFont, width: int, ratio: float, *, right: bool) -> QPixmap:
    metrics = QFontMetricsF(font)
    step = round(metrics.height())
    stamp = QPixmap(width, step * len(lines))
    stamp.fill(Qt.GlobalColor.transparent)
    flags = int((Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft) | Qt.TextFlag.TextSingleLine)
    with QPainter(stamp) as painter:
        painter.setFont(font)
        for number, line in enumerate(lines):
            text = metrics.elidedText(line, Qt.TextElideMode.ElideRight, width - ratio)
            box = QRectF(0, number * step, width - ratio, step)
            painter.setPen(_SHADE)
            for across, down in _AROUND:  # legible on white as well
                painter.drawText(box.translated(across * ratio, down * ratio), flags, text)
            painter.setPen(_INK)
            painter.drawText(box, flags, text)
    return stamp


def _lines(*texts: str) -> tuple[str, ...]:
    return tuple(clean(" ".join(text.split()))[:LONGEST] for text in texts if text.strip())


def _date(value: str) -> str:
    """A DICOM date as ISO 8601 has it."""
    return f"{value[:4]}-{value[4:6]}-{value[6:]}" if len(value) == 8 and value.isdigit() else value


def _side(laterality: str) -> str:
    return {
        "L": translate("overlay", "left"),
        "R": translate("overlay", "right"),
        "B": translate("overlay", "both sides"),
    }.get(laterality, laterality)


def _exposure(header: Header) -> str:
    """The Exposure Index and how far it lies from its target, in the standard's own figures: it judges nobody."""
    texts = []
    if header.exposure_index is not None:
        texts.append(translate("overlay", "EI {index}").format(index=numbers.short(header.exposure_index, 6)))
    if header.deviation is not None:
        texts.append(translate("overlay", "DI {index}").format(index=numbers.signed(header.deviation, 1)))
    return " ".join(texts)


def _unit(value: float | None, unit: str) -> str:
    return f"{numbers.short(value, 6)} {unit}" if value is not None else ""
