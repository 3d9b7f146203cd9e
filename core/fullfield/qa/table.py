"""What `fullfield qa` tells: a table for people, JSON for programs, curves as CSV for a spreadsheet."""

from __future__ import annotations

import io
import json as jsons
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fullfield import csv_text, replacing
from fullfield.bench.displayed import SOURCE
from fullfield.errors import UsageError
from fullfield.qa.figures import FREQUENCIES, KEY
from fullfield.qa.measures import DETECTOR, Row
from fullfield.qa.mtf import Curve
from fullfield.qa.objects import What
from fullfield.qa.trend import Left

_WIDTH = 12
_CURVES = ("object", "name", "kind", "method", "scale", "curve", "cycles_per_mm", "value")
_COLUMNS: dict[What, tuple[tuple[str, str], ...]] = {
    What.EDGE: (
        ("MTF 50 %", "mtf50"),
        ("MTF 10 %", "mtf10"),
        ("peak", "peak"),
        ("step ×", "step_gain"),
        *((f"× at {frequency:g}", f"mtf_transfer_at_{frequency:g}") for frequency in FREQUENCIES),
    ),
    What.FLAT: (
        ("noise", "noise"),
        ("noise ×", "noise_gain"),
        *((f"NPS {frequency:g}", f"nps_at_{frequency:g}") for frequency in FREQUENCIES),
        *((f"× at {frequency:g}", f"noise_transfer_at_{frequency:g}") for frequency in FREQUENCIES),
        ("uneven", "unevenness"),
    ),
    What.DISCS: (
        ("discs", "discs"),
        ("contrast", "contrast"),
        ("CNR", "cnr"),
        ("contrast ×", "contrast_gain"),
        ("CNR ×", "cnr_gain"),
        ("least CNR ×", "cnr_gain_least"),
    ),
}
_NOTES = {
    What.EDGE: "MTF: cycles per mm where it has fallen to 50 and 10 % (-: not up to Nyquist's); ×: over the source's",
    What.FLAT: "noise: SD, of linear values over the mean; NPS in grey² mm², of linear values over the mean squared in "
    "mm² (NNPS); ×: SD over the source's",
    What.DISCS: "medians over the discs; ×: over the source's",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """All rows. `failed`: names of images of which nothing could be measured, and why. `left`: figures that have left
    their history; `history`: measurements were appended to a trend file."""

    rows: tuple[Row, ...]
    failed: tuple[tuple[str, str], ...] = ()
    left: tuple[Left, ...] = ()
    history: bool = False

    def text(self) -> str:
        """For people."""
        lines: list[str] = []
        for group in self._groups():
            lines += [*_block(group), ""]
        over = signal_over_noise(self.rows)
        if over:
            lines.append(
                "The edge's signal over the flat field's noise, squared, beside the source's. A linear filter leaves "
                "1; more is noise held back where nothing is, not information."
            )
            lines += [
                f"  {one.method}, {one.kind}, {one.edge} over {one.flat}: "
                + ", ".join(f"{value:.2f} at {frequency:g}/mm" for frequency, value in one.values.items())
                for one in over
            ]
            lines.append("")
        lines += [f"{name}: {why}" for name, why in self.failed]
        if self.left:
            lines += ["", "Figures that have left their own history:", *(one.text() for one in self.left)]
        elif self.history:
            lines.append("No figure has left its own history.")
        if self.history:
            lines.append(
                "Noise, its spectrum, contrast, CNR and the count of discs are held against earlier ones of the same "
                "Exposure Index, to 2 %."
            )
        return "\n".join(lines).rstrip("\n")

    def json(self) -> str:
        """For programs."""
        rows = [
            {
                "object": row.what,
                "name": row.name,
                "kind": row.kind,
                "direction": row.direction,
                "equipment": row.equipment,
                "method": row.method,
                "scale": row.scale,
                "version": row.version,
                "sha256": row.sha256,
                "spacing_mm": row.spacing_mm,
                "exposure_index": row.exposure_index,
                "figures": row.figures,
                "truth": row.truth,
                "curves": curves(row),
                "problem": row.problem,
                "remarks": row.remarks,
            }
            for row in self.rows
        ]
        values = {
            "kind": "qa",
            "rows": rows,
            "signal_over_noise": [
                {"method": one.method, "kind": one.kind, "edge": one.edge, "flat": one.flat, "values": one.values}
                for one in signal_over_noise(self.rows)
            ],
            "failed": [{"name": name, "problem": why} for name, why in self.failed],
            "left": [one.text() for one in self.left],
            "key": KEY,
        }
        return jsons.dumps(values)

    def csv(self) -> str:
        """The curves: one line for each frequency of each."""
        text = io.StringIO()
        writer = csv_text.Writer(text, lineterminator="\n")
        writer.writerow(_CURVES)
        for row in self.rows:
            for name, (frequencies, values) in row.curves.items():
                for frequency, value in zip(frequencies, values, strict=True):
                    if math.isfinite(value):
                        start = (row.what, row.name, row.kind, row.method, row.scale, name)
                        writer.writerow((*start, f"{frequency:.4f}", f"{value:.6g}"))
        return text.getvalue()

    def _groups(self) -> Iterator[list[Row]]:
        """The rows of one image after the other."""
        group: list[Row] = []
        for row in self.rows:
            if row.method in (DETECTOR, SOURCE) and group and group[-1].method != DETECTOR:
                yield group
                group = []
            group.append(row)
        if group:
            yield group


def refuse_other(path: Path, *, trend: Path | None) -> None:
    """Raises UsageError where the curves would replace a file that is none of ours, or the trend file."""
    beginning = ",".join(_CURVES).encode()
    if trend and os.path.realpath(trend) == os.path.realpath(path):
        raise _refused("It is the trend file, which keeps its history.")
    refusal = _refused("A file that is no table of curves is there, and would be lost.")
    replacing.refuse_other(path, lambda there: there.read(len(beginning)) == beginning, refusal=refusal)


def _refused(detail: str) -> UsageError:
    hint = "Name a new file, or one that `fullfield qa --csv` has written."
    return UsageError("Cannot write the curves.", detail=detail, hint=hint)


@dataclass(frozen=True, kw_only=True)
class Over:
    """Of an edge's signal over a flat field's noise, squared, beside the source's, by frequency, as a DQE has it: a
    linear filter leaves 1, below it something is lost. Above it a method holds noise back where there is no edge.
    `edge`, `flat`: the images' names."""

    method: str
    kind: str
    edge: str
    flat: str
    values: dict[float, float]


def signal_over_noise(rows: tuple[Row, ...]) -> tuple[Over, ...]:
    """Of each edge that one flat field alone is of the same equipment, size of pixels and kind as: of several nobody
    says which one lies at the edge's grey."""
    found = []
    for row in rows:
        key = (What.FLAT, row.equipment, row.spacing_mm, row.kind, row.method)
        flats = [one for one in rows if (one.what, one.equipment, one.spacing_mm, one.kind, one.method) == key]
        if row.what is not What.EDGE or len(flats) != 1 or "mtf_transfer" not in row.curves:
            continue
        flat = flats[0]
        values = {}
        for frequency in FREQUENCIES:
            signal, noise = f"mtf_transfer_at_{frequency:g}", f"noise_transfer_at_{frequency:g}"
            if signal in row.figures and flat.figures.get(noise):
                values[frequency] = (row.figures["step_gain"] * row.figures[signal] / flat.figures[noise]) ** 2
        if values:
            found.append(Over(method=row.method, kind=row.kind, edge=row.name, flat=flat.name, values=values))
    return tuple(found)


def _block(group: list[Row]) -> Iterator[str]:
    first = group[0]
    exposure = "" if first.exposure_index is None else f", Exposure Index {first.exposure_index:g}"
    pixel = "" if first.spacing_mm is None else f", pixels of {first.spacing_mm:.3g} mm"
    direction = f", MTF {first.direction}" if first.direction else ""
    yield f"{first.what}: {first.name} ({first.kind}){direction}{pixel}{exposure}"
    columns = _COLUMNS[first.what]
    width = max(len(f"{row.method} ({row.scale})") for row in group) + 2
    yield f"{'':{width}}" + "".join(f"{title:>{_WIDTH}}" for title, _ in columns)
    for row in group:
        name = f"{row.method} ({row.scale})" if row.method == DETECTOR else row.method
        reported = "".join(f"{_reported(row.figures.get(figure)):>{_WIDTH}}" for _, figure in columns)
        yield f"{name:{width}}" + (row.problem if row.problem else reported)
        if row.truth:
            reported = "".join(f"{_reported(row.truth.get(figure)):>{_WIDTH}}" for _, figure in columns)
            yield f"{'  known of it':{width}}{reported}"
        yield from (f"  {remark}" for remark in row.remarks)
    yield f"  {_NOTES[first.what]}"


def _reported(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2e}" if value and abs(value) < 1e-3 else f"{value:.4g}"


def curves(row: Row) -> dict[str, list[tuple[float, float]]]:
    """The curves of a row by name: pairs of cycles per mm and value."""
    return {name: _curve(*curve) for name, curve in row.curves.items()}


def _curve(frequencies: Curve, values: Curve) -> list[tuple[float, float]]:
    return [
        (round(float(frequency), 4), float(f"{value:.6g}"))
        for frequency, value in zip(frequencies, values, strict=True)
        if math.isfinite(value)
    ]


__all__ = ["Over", "Table", "curves", "signal_over_noise"]
