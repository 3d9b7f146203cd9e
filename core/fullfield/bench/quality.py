"""What the conventional processor does to contrast and noise, image by image: on phantoms, or on a folder's images.

The aim: in the densest quarter of the anatomy, where quanta are fewest, contrast to noise of the two finest levels
stays at least 0.9 of the source's, on 95 of 100 images. What is measured stands in `image.gains`. How near methods come
to an output that is wanted is told by size, where that is asked for (`bench.losses`).
"""

from __future__ import annotations

import json as jsons
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from fullfield import replacing, standard_output
from fullfield.bench.speak import say
from fullfield.errors import FullfieldError, UsageError
from fullfield.image import collimation, gains, multiscale, phantom, presets, tone
from fullfield.image.gains import Gains
from fullfield.image.header import Subject
from fullfield.image.image import HighValues, Image
from fullfield.image.phantom import PhantomKind

SIZES = ("256", "1024", "native")
"""At which methods are held against what is wanted."""

LEAST_RATIO = 0.9
"""Of contrast to noise in the densest quarter, beside the source's."""
LEAST_SHARE = 0.95
"""Of the images, that shall reach it."""

SCENES = 14
"""How many are drawn, where nobody says otherwise."""

EMPTY = "There is no file: it is no folder, or an empty one."
_LONGER = 1024  # pixels of the phantoms' longer side
_UNKNOWN = Subject(body_part="", species="", modality="")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One image: `quarters` of density, the densest last. `reason`: why there are none."""

    name: str
    preset: str = ""
    quarters: tuple[Gains, ...] = ()
    reason: str = ""

    @property
    def densest(self) -> Gains:
        """The densest quarter; there must be one."""
        return self.quarters[-1]

    @property
    def elsewhere(self) -> float:
        """The contrast gain outside of the densest quarter."""
        return float(np.mean([quarter.contrast for quarter in self.quarters[:-1]]))


@dataclass(frozen=True, kw_only=True)
class Table:
    """All images; those that could not be measured stand in it with the reason."""

    rows: tuple[Row, ...]

    @property
    def measured(self) -> tuple[Row, ...]:
        """The rows with figures."""
        return tuple(row for row in self.rows if row.quarters)

    @property
    def share(self) -> float:
        """Of the measured images, that reach the least ratio; 0 without any."""
        return _reaching([row.densest.fine for row in self.measured])

    @property
    def kept(self) -> bool:
        """Whether the aim is reached."""
        return self.share >= LEAST_SHARE

    def text(self) -> str:
        """The table for people."""
        width = max([len(row.name) for row in self.rows] + [10])
        lines = [
            "Gains by density (SD of the result over the source's), least dense to densest quarter",
            f"{'':{width}}  {'preset':18}{'noise':^24}{'contrast':^24}{'fine':>6}{'coarse':>7}",
        ]
        for row in self.rows:
            noise, contrast = ("".join(f"{g:6.2f}" for g in values) for values in _columns(row))
            figures = (
                f"{noise}{contrast}{row.densest.fine:6.2f}{row.densest.coarse:7.2f}" if row.quarters else row.reason
            )
            lines.append(f"{row.name:{width}}  {row.preset:18}{figures}")
        if self.measured:
            fine, coarse = ([getattr(row.densest, key) for row in self.measured] for key in ("fine", "coarse"))
            lines += [
                "",
                "fine: contrast to noise of the two finest levels in the densest quarter, beside the source's;",
                "coarse: the gain of coarser contrast there over that of the noise",
                f"{len(fine)} images; fine: {_summary(fine)} (aim: {100 * LEAST_SHARE:.0f} %)",
                f"coarse: {_summary(coarse)}",
                f"contrast gain outside of the densest quarter: median"
                f" {np.median([row.elsewhere for row in self.measured]):.2f}",
            ]
        return "\n".join(lines)

    def values(self) -> dict[str, object]:
        """The table for programs."""
        rows = [
            asdict(row) | ({"coarse": row.densest.coarse, "elsewhere": row.elsewhere} if row.quarters else {})
            for row in self.rows
        ]
        return {"kind": "quality", "share": self.share, "kept": self.kept, "rows": rows}


def bench(
    *,
    json: bool,
    folder: Path | None = None,
    sizes: Sequence[str] = (),
    model: Path | None = None,
    count: int | None = None,
    seed: int | None = None,
    sheet: Path | None = None,
) -> int:
    """`fullfield bench quality [FOLDER]`: the table on standard output; the exit code is 1 where the aim is missed.
    With `sizes` it also tells how near methods come to what is wanted there, see `bench.losses`.

    Raises UsageError where the folder holds no file, or nothing in it could be measured; MissingPart, ModelError,
    OutputInvalid, CannotWrite.
    """
    hint = f"Add --sizes, such as {' '.join(SIZES)}."
    if not sizes and (model is not None or sheet is not None):
        raise UsageError("Cannot measure a model, or draw a sheet, at no size.", hint=hint)
    if not sizes and (count is not None or seed is not None):
        detail = "A seed and a count are of what is drawn for --sizes alone."
        raise UsageError("Cannot draw scenes at no size.", detail=detail, hint=hint)
    if sheet is not None:
        replacing.refuse_other(sheet)  # a radiograph may be a PNG too
    table = run(folder)
    if not table.measured:
        raise nothing_measured([row.reason for row in table.rows])
    near = None
    if sizes:
        from fullfield.bench import losses  # imports torch

        models = () if model is None else (model,)
        drawn = SCENES if count is None else count
        near = losses.run(folder, tuple(sizes), models=models, count=drawn, seed=seed or 0, sheet=sheet)
    if json:
        text = jsons.dumps({**table.values(), **({} if near is None else {"losses": near.values()})})
    else:
        text = table.text() if near is None else f"{table.text()}\n\n{near.text()}"
    standard_output.write(text + "\n")
    return 0 if table.kept else 1


def nothing_measured(reasons: list[str]) -> UsageError:
    """What is told where no image has figures. `reasons`: of each file; none: there was no file."""
    detail = f"None of {len(reasons)} files can be measured. {reasons[0]}" if reasons else EMPTY
    hint = f"Name a folder of {'other ' if reasons else ''}radiographs, or none for the phantoms."
    return UsageError("Cannot measure any image.", detail=detail, hint=hint)


def run(folder: Path | None = None) -> Table:
    """Measure the images below `folder`, or the phantoms; which one is worked on is said on standard error."""
    return Table(rows=tuple(_rows(folder)))


def images(folder: Path | None) -> Iterator[tuple[str, Image | str, Subject]]:
    """The images below `folder`, or the phantoms: name, image or why there is none, and what presets go by."""
    if folder is None:
        for kind in PhantomKind:
            for make in (phantom.processed, phantom.raw):
                yield f"{kind.value}, {make.__name__}", make(kind, longer=_LONGER), _UNKNOWN
        return
    from fullfield.dicom.read import Decoder

    with Decoder() as decoder:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder).as_posix()
            try:
                decoded = decoder.decode(path)
            except FullfieldError as error:
                yield name, error.title, _UNKNOWN
            else:
                yield name, decoded.image, decoded.header.subject


def measure(
    image: Image, *, body_part: str = "", species: str = "", modality: str = ""
) -> tuple[str, tuple[Gains, ...]]:
    """The preset that is chosen for an image, and the gains that it brings. Raises InputRefused."""
    preset = presets.choose(body_part=body_part, species=species, kind=image.kind, modality=modality)
    curve = tone.curve(image)
    field = collimation.find(image, curve)
    source = tone.measure(image, preset, curve, field).apply(image.pixels)
    enhanced = multiscale.enhance(image, preset)
    result = enhanced.pixels.astype(np.float32) / np.float32((1 << enhanced.bits) - 1)
    if image.beam is HighValues.BRIGHT:
        np.subtract(np.float32(1), result, out=result)
    return preset.name, gains.by_density(source, result, field.anatomy)


def _rows(folder: Path | None) -> Iterator[Row]:
    for name, image, subject in images(folder):
        if isinstance(image, str):
            yield Row(name=name, reason=image)
            continue
        say(name)
        try:
            preset, quarters = measure(image, **subject)
        except FullfieldError as error:
            yield Row(name=name, reason=error.title)
        else:
            reason = "" if quarters else "There is too little anatomy to measure."
            yield Row(name=name, preset=preset, quarters=quarters, reason=reason)


def _reaching(values: list[float]) -> float:
    return sum(value >= LEAST_RATIO for value in values) / max(len(values), 1)


def _summary(values: list[float]) -> str:
    share = f"at least {LEAST_RATIO}: {100 * _reaching(values):.1f} %"
    return f"median {np.median(values):.2f}, 5th percentile {np.quantile(values, 0.05):.2f}, {share}"


def _columns(row: Row) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(gain.noise for gain in row.quarters), tuple(gain.contrast for gain in row.quarters)


__all__ = ["LEAST_RATIO", "LEAST_SHARE", "Row", "Table", "bench", "images", "measure", "nothing_measured", "run"]
