"""The table of what was measured: rows as the panel shows them, and as text and CSV for other programs. No widget."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication, QLocale

from fullfield import csv_text
from fullfield_app.gui import numbers
from fullfield_app.gui.measure.calibration import Calibration
from fullfield_app.gui.measure.marks import Slot
from fullfield_app.gui.measure.measured import Measured, Numbers
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.gui.view.camera import SQUARE

translate = QCoreApplication.translate
NONE = "–"
Write = Callable[[Iterable[object]], object]
_HEADINGS = (
    QT_TRANSLATE_NOOP("measure", "quantity"),
    QT_TRANSLATE_NOOP("measure", "before"),
    QT_TRANSLATE_NOOP("measure", "after"),
    QT_TRANSLATE_NOOP("measure", "after/before"),
    QT_TRANSLATE_NOOP("measure", "unit"),
)
_AREA, _LENGTH = QT_TRANSLATE_NOOP("measure", "area {region}"), QT_TRANSLATE_NOOP("measure", "length")
_SHORTER = QT_TRANSLATE_NOOP("measure", "px (shorter sides)")


@dataclass(frozen=True, kw_only=True)
class TableRow:
    """One quantity, before and after; None where it cannot be told. `of`: what, in English, of a `region`; `tip`: how
    it is defined."""

    of: str
    region: str = ""
    before: float | None
    after: float | None
    decimals: int
    tip: str = ""

    @property
    def title(self) -> str:
        """Its name in the user's language."""
        return translate("measure", self.of).format(region=self.region)

    @property
    def ratio(self) -> float | None:
        """After over before."""
        if self.before is None or self.after is None or self.before == 0 or not math.isfinite(self.before):
            return None
        return self.after / self.before

    def texts(self) -> tuple[str, str, str, str]:
        """As the panel shows it, with the user's decimal point."""
        return self.title, _text(self.before, self.decimals), _text(self.after, self.decimals), _text(self.ratio, 2)


def rows(measured: Measured) -> tuple[TableRow, ...]:
    """Mean, SD and SNR of each region, and the CNR of both."""
    return tuple(_rows(measured))


def _rows(measured: Measured) -> Iterator[TableRow]:
    before, after = measured.before or Numbers(), measured.after or Numbers()
    for slot in (Slot.ONE, Slot.TWO):
        one, other = before.regions.get(slot), after.regions.get(slot)
        yield TableRow(
            of=QT_TRANSLATE_NOOP("measure", "Mean {region}"),
            region=slot.value,
            before=one.mean if one else None,
            after=other.mean if other else None,
            decimals=1,
            tip=translate("measure", "Mean of the values of the file in this region. In some files, high is dark."),
        )
        yield TableRow(
            of=QT_TRANSLATE_NOOP("measure", "SD {region}"),
            region=slot.value,
            before=one.sd if one else None,
            after=other.sd if other else None,
            decimals=1,
            tip=translate("measure", "Standard deviation of the values in this region."),
        )
        yield TableRow(
            of=QT_TRANSLATE_NOOP("measure", "SNR {region}"),
            region=slot.value,
            before=before.snr(slot),
            after=after.snr(slot),
            decimals=2,
            tip=translate("measure", "Signal-to-noise ratio: mean over SD of this region."),
        )
    yield TableRow(
        of=QT_TRANSLATE_NOOP("measure", "CNR"),
        before=before.cnr,
        after=after.cnr,
        decimals=2,
        tip=translate(
            "measure",
            "Contrast-to-noise ratio of the two regions: |m1 − m2| / √((s1² + s2²) / 2), the difference of the means "
            "over the pooled SD (Cohen 1988).",
        ),
    )


def areas(measured: Measured, calibration: Calibration) -> str:
    """How large the regions are, in words."""
    found = measured.before or measured.after or Numbers()
    parts = []
    for slot, region in found.regions.items():
        text = translate("measure", "Area {region}: {count} px").format(
            region=slot.value, count=numbers.plain(region.count)
        )
        size = calibration.area_mm2(region.count)
        parts.append(text if size is None else f"{text}, {calibration.say_area(size)}")
    return "\n".join(parts)


def as_csv(measured: Measured, calibration: Calibration) -> str:
    """The whole as CSV (RFC 4180) in English, numbers with a point: for spreadsheets and scripts. Nothing of the
    patient."""
    stream = io.StringIO(newline="")
    write = csv_text.Writer(stream).writerow
    _write(write, measured, calibration)
    _write_profile(write, measured, calibration)
    return stream.getvalue()


def as_text(measured: Measured, calibration: Calibration) -> str:
    """The same between tabs, as a spreadsheet takes it from the clipboard: in the user's language."""
    stream = io.StringIO(newline="")
    writer = csv_text.Writer(stream, delimiter="\t", lineterminator="\n")
    _write(writer.writerow, measured, calibration, partial(translate, "measure"), QLocale().decimalPoint())
    return stream.getvalue()


def _write(
    write: Write, measured: Measured, calibration: Calibration, word: Callable[[str], str] = str, sign: str = "."
) -> None:
    """`word`: the English ones as they are to be written."""

    def say(value: float | None) -> str:
        return _plain(value).replace(".", sign)

    write(map(word, _HEADINGS))
    for row in rows(measured):
        if row.before is not None or row.after is not None:
            values = (say(value) for value in (row.before, row.after, row.ratio))
            write([word(row.of).format(region=row.region), *values, ""])
    found = measured.before or measured.after or Numbers()
    for slot, region in found.regions.items():
        name = word(_AREA).format(region=slot.value)
        write([name, region.count, region.count, "", "px"])
        size = calibration.area_mm2(region.count)
        if size is not None:
            write([name, say(size), say(size), "", _unit("mm2", calibration)])
    line = measured.marks.line()
    if line is not None:
        long = say(calibration.length_px(line))
        write([word(_LENGTH), long, long, "", "px" if calibration.pixel == SQUARE else word(_SHORTER)])
        length = calibration.length_mm(line)
        if length is not None:
            write([word(_LENGTH), say(length), say(length), "", _unit("mm", calibration)])


def _unit(unit: str, calibration: Calibration) -> str:
    return f"{unit} ({calibration.source})" if calibration.source else unit


def _write_profile(write: Write, measured: Measured, calibration: Calibration) -> None:
    line = measured.marks.line()
    curves = [side.profile if side is not None else None for side in (measured.before, measured.after)]
    count = next((curve.size for curve in curves if curve is not None), 0)
    if line is None or not count:
        return
    unit = "px" if calibration.pixel == SQUARE else _SHORTER
    write(["profile", "before", "after", "", f"{unit} from the start"])
    for place in range(count):
        values = [_plain(float(curve[place])) if curve is not None else "" for curve in curves]
        write(["profile", *values, "", _plain(place * calibration.length_px(line) / max(count - 1, 1))])


def _plain(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.6g}"


def _text(value: float | None, decimals: int) -> str:
    if value is None or math.isnan(value):
        return NONE
    return "∞" if math.isinf(value) else numbers.plain(value, decimals)
