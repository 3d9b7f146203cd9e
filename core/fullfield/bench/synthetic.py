"""The data of a bench: a folder that was given, or radiographs of phantoms; prepared once into the bench's own folder.

The phantoms are raw exposures of five bodies, each seeded anew, as DICOM files of as many patients; their references
are made by the presets that fit, as for a clinic's raw images without references.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fullfield.data import kinds, prepare
from fullfield.data.prepare import Request
from fullfield.data.prepared import Prepared
from fullfield.dicom import phantom_files
from fullfield.dicom.read import Decoder
from fullfield.image.phantom import PhantomKind

FOLDER = "data"
SEED = 0
BODY_PARTS = {
    PhantomKind.CHEST: "CHEST",
    PhantomKind.HAND: "HAND",
    PhantomKind.SKULL: "SKULL",
    PhantomKind.LIMB: "EXTREMITY",
    PhantomKind.WEDGE: "",
}
_RAW = replace(
    next(sample for sample in phantom_files.SAMPLES if sample.raw),
    syntax=phantom_files.plain_chest(0).syntax,  # uncompressed: pydicom is without its encoders here (decision 049)
)

Progress = Callable[[str, int, int], None]


def phantoms(folder: Path, count: int, *, size: int) -> Path:
    """`count` raw radiographs whose longer side has `size` pixels, as a folder below `folder`; the same every time."""
    target = folder / f"phantoms-{count}-{size}"
    target.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        path = target / f"{number:04d}.dcm"
        if not path.exists():
            kind = tuple(PhantomKind)[number % len(PhantomKind)]
            sample = replace(
                _RAW, name=path.stem, kind=kind, body_part=BODY_PARTS[kind], longer=size, seed=SEED + number
            )
            part = target / f".{path.name}"  # a name that no index reads
            phantom_files.write(sample, part)
            part.replace(path)
    return target


def prepared(folder: Path, data: Path, *, size: int, progress: Progress) -> Prepared:
    """The pairs of `data` at `size`, made in `folder` once. Raises InputRefused, InputUnreadable."""
    request = Request(folder=data, size=size, reference="auto", seed=SEED, use_on=kinds.RAW)
    with Decoder() as reader:
        return prepare.prepare(request, reader, progress=progress, cache=folder / FOLDER)
