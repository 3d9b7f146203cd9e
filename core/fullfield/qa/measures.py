"""The figures of one image: of what its detector has measured, of how it is shown, of what each method makes of it.

Where the edge and the discs lie is found once, in the source. A method's figures stand beside those of the source as it
is shown without one, of which it is a *transfer*: how much more or less of each frequency's signal and noise there is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from fullfield import __version__
from fullfield.bench.displayed import SOURCE, fractions
from fullfield.errors import FullfieldError
from fullfield.image import measure
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced
from fullfield.qa import figures, objects
from fullfield.qa.edge import Plane
from fullfield.qa.figures import Curves
from fullfield.qa.mtf import Mtf
from fullfield.qa.objects import Scale, Subject, What

DETECTOR = "detector"

_ALONE = 0.1  # of the display's range: the SD of a flat field that fills it
_CLIPPED = 0.01  # of the pixels


@dataclass(frozen=True, kw_only=True)
class Method:
    """`name`: for people and for the history. `enhance` raises FullfieldError where an image is not for it."""

    name: str
    enhance: Callable[[Decoded], Enhanced]


@dataclass(frozen=True, kw_only=True, eq=False)
class Row:
    """One image by one method. `direction`: see `Edge`; "" of what is no edge. `spacing_mm`: of pixels in it, else of
    columns. `of_model`: the method is the model whose file has the `sha256`. `figures`: by the names of
    `figures.FIGURES`. `curves`: by name, frequencies and values. `truth`: of those figures that are known. `problem`:
    why there are none; `remarks`: what a reader should know."""

    what: What
    name: str
    kind: str
    equipment: str
    method: str
    direction: str = ""
    scale: Scale = Scale.DISPLAY
    version: str = __version__
    sha256: str = ""
    of_model: bool = False
    spacing_mm: float | None = None
    exposure_index: float | None = None
    figures: dict[str, float] = field(default_factory=dict)
    curves: Curves = field(default_factory=dict)
    truth: dict[str, float] = field(default_factory=dict)
    problem: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def shows(self) -> str:
        """For people and for the history: a vertical edge's is another than that of what is measured along the rows."""
        return f"{self.what}, {self.direction}" if self.direction == "vertical" else self.what


def rows(subject: Subject, methods: tuple[Method, ...]) -> Iterator[Row]:
    """The rows of one image, the detector's and the source's first. Raises InputRefused where nothing is measured."""
    spacing = subject.spacing_mm
    measured = objects.detector(subject.image)
    shown = objects.shown(subject.image)
    scale, plane = (Scale.DISPLAY, shown) if measured is None else measured
    found = figures.find(subject, plane, spacing, scale)
    if measured is not None:
        of = figures.take(subject.what, plane, found, spacing, scale)
        yield _row(subject, found, DETECTOR, of, scale=scale, truth=_truth(subject, of))
    source = figures.take(subject.what, shown, found, spacing, Scale.DISPLAY)
    yield _row(subject, found, SOURCE, source, remarks=_remarks(subject, shown, found))
    for method in methods:
        try:
            result = method.enhance(subject.decoded)
            plane = np.asarray(fractions(result), np.float64)
            of = figures.take(subject.what, plane, found, spacing, Scale.DISPLAY)
        except FullfieldError as error:
            yield _row(subject, found, method.name, None, problem=error.detail or error.title)
            continue
        clipped = measure.clipped_fraction(figures.part(plane, found), source=figures.part(shown, found))
        of.figures["clipped"] = clipped
        said = f"{clipped:.1%} of what is measured is clipped: its figures mean little." if clipped > _CLIPPED else ""
        yield _row(
            subject,
            found,
            method.name,
            of,
            beside=source,
            version=result.recipe.version,
            sha256=result.recipe.sha256,
            of_model=result.recipe.method == "model",
            remarks=tuple(filter(None, (said, *result.warnings))),
        )


def _row(
    subject: Subject,
    found: figures.Found,
    method: str,
    measured: figures.Measured | None,
    *,
    beside: figures.Measured | None = None,
    scale: Scale = Scale.DISPLAY,
    version: str = __version__,
    sha256: str = "",
    of_model: bool = False,
    truth: dict[str, float] | None = None,
    problem: str = "",
    remarks: tuple[str, ...] = (),
) -> Row:
    reported: dict[str, float] = {} if measured is None else dict(measured.figures)
    curves: Curves = {}
    if measured is not None:
        curves = figures.curves(measured, relative=scale is Scale.LINEAR)
        if beside is not None:
            more, transfers = figures.beside(measured, beside)
            reported |= more
            curves |= transfers
    spacing = subject.spacing_mm if found.edge is None else found.edge.spacing
    return Row(
        what=subject.what,
        name=subject.name,
        kind=subject.image.kind.value,
        equipment=subject.equipment,
        method=method,
        direction="" if found.edge is None else found.edge.direction,
        scale=scale,
        version=version,
        sha256=sha256,
        of_model=of_model,
        spacing_mm=spacing[1],
        exposure_index=subject.header.exposure_index,
        figures={name: float(value) for name, value in reported.items() if math.isfinite(value)},
        curves=curves,
        truth=truth or {},
        problem=problem,
        remarks=remarks,
    )


def _truth(subject: Subject, measured: figures.Measured) -> dict[str, float]:
    """What the figures of a plate of our own should be."""
    known = subject.truth
    if known is None:
        return {}
    if measured.mtf is not None:
        wanted = Mtf(
            frequencies=measured.mtf.frequencies,
            values=known.mtf(measured.mtf.frequencies),
            step=1.0,
            angle=measured.mtf.angle,
            nyquist=measured.mtf.nyquist,
        )
        falls = {name: wanted.falls_to(level) for name, level in (("mtf50", 0.5), ("mtf10", 0.1))}
        return {name: value for name, value in falls.items() if value is not None}
    if measured.nps is not None:
        return {"noise": known.noise, **{f"nps_at_{frequency:g}": known.nnps for frequency in figures.FREQUENCIES}}
    return {"cnr": float(np.median(known.cnr))}


def _remarks(subject: Subject, shown: Plane, found: figures.Found) -> tuple[str, ...]:
    """What a physicist should know of an image before its figures."""
    said = []
    if subject.what is What.FLAT and found.area is not None and float(shown[found.area].std()) > _ALONE:
        said.append(
            "There is nothing but the flat field: a method spreads its noise over the whole range. "
            "With a step wedge beside it the figures are those of a radiograph."
        )
    header = subject.header
    if subject.what is not What.DISCS and header.spacing_from and header.detector_spacing_mm is None:
        said.append(
            f"The file has no Imager Pixel Spacing: millimetres are those of {header.spacing_from}, "
            "which need not be the detector's plane."
        )
    if subject.image.damage:
        said.append(subject.image.damage)
    return tuple(said)


__all__ = ["DETECTOR", "Method", "Row", "rows"]
