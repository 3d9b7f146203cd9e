"""The table of what was measured: rows as the panel shows them, and as text and CSV for other programs. No widget."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QLocale

from fullfield import csv_text
from fullfield_app.gui import numbers
from fullfield_app.gui.measure.calibration import Calibration
from fullfield_app.gui.measure.marks import Slot
from fullfield_app.gui.measure.measured import Measured, Numbers

translate = QCoreApplication.translate
NONE = "–"
Write = Callable[[Iterable[object]], object]


@dataclass(frozen=True, kw_only=True)
class TableRow:
    """One quantity, before and after; None where it cannot be told. `tip`: how it is defined."""

    title: str
    before: float | None
    after: float | None
    decimals: int
    tip: str = ""

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
            title=translate("measure", "Mean {region}").format(region=slot.value),
            before=one.mean if one else None,
            after=other.mean if other else None,
            decimals=1,
            tip=translate("measure", "Mean of the values of the file in this region. In some files, high is dark."),
        )
        yield TableRow(
            title=translate("measure", "SD {region}").format(region=slot.value),
            before=one.sd if one else None,
            after=other.sd if other else None,
            decimals=1,
            tip=translate("measure", "Standard deviation of the values in this region."),
        )
        yield TableRow(
            title=translate("measure", "SNR {region}").format(region=slot.value),
            before=before.snr(slot),
            after=after.snr(slot),
            decimals=2,
            tip=translate("measure", "Signal-to-noise ratio: mean over SD of this region."),
        )
    yield TableRow(
        title=translate("measure", "CNR"),
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
    """The whole as CSV (RFC 4180), numbers with a point: for spreadsheets and scripts. Nothing of the patient."""
    stream = io.StringIO(newline="")
    write = csv_text.Writer(stream).writerow
    _write(write, measured, calibration)
    _write_profile(write, measured)
    return stream.getvalue()


def as_text(measured: Measured, calibration: Calibration) -> str:
    """The same between tabs, as a spreadsheet takes it from the clipboard: with the language's decimal sign."""
    stream = io.StringIO(newline="")
    writer = csv_text.Writer(stream, delimiter="\t", lineterminator="\n")
    _write(writer.writerow, measured, calibration, QLocale().decimalPoint())
    return stream.getvalue()


def _write(write: Write, measured: Measured, calibration: Calibration, sign: str = ".") -> None:
    def say(value: float | None) -> str:
        return _plain(value).replace(".", sign)

    write(["quantity", "before", "after", "after/before", "unit"])
    for row in rows(measured):
        if row.before is not None or row.after is not None:
            write([row.title, *(say(value) for value in (row.before, row.after, row.ratio)), ""])
    found = measured.before or measured.after or Numbers()
    for slot, region in found.regions.items():
        write([f"area {slot.value}", region.count, region.count, "", "px"])
        size = calibration.area_mm2(region.count)
        if size is not None:
            write([f"area {slot.value}", say(size), say(size), "", _unit("mm2", calibration)])
    line = measured.marks.line()
    if line is not None:
        write(["length", say(line.length), say(line.length), "", "px"])
        length = calibration.length_mm(line)
        if length is not None:
            write(["length", say(length), say(length), "", _unit("mm", calibration)])


def _unit(unit: str, calibration: Calibration) -> str:
    return f"{unit} ({calibration.source})" if calibration.source else unit


def _write_profile(write: Write, measured: Measured) -> None:
    line = measured.marks.line()
    curves = [side.profile if side is not None else None for side in (measured.before, measured.after)]
    count = next((curve.size for curve in curves if curve is not None), 0)
    if line is None or not count:
        return
    write(["profile", "before", "after", "", "px from the start"])
    for place in range(count):
        values = [_plain(float(curve[place])) if curve is not None else "" for curve in curves]
        write(["profile", *values, "", _plain(place * line.length / max(count - 1, 1))])


def _plain(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.6g}"


def _text(value: float | None, decimals: int) -> str:
    if value is None or math.isnan(value):
        return NONE
    return "∞" if math.isinf(value) else numbers.plain(value, decimals)
