"""What `bench quality` holds methods against: images with their wanted outputs, drawn or simulated, at one size.

Scenes (`data.scenes`) have a latent that is known, of which the output is made that is wanted of a raw one; processed
they are cases of their own, of which the preset's result is wanted, as in training. Of a folder's images the
conventional processor's result is wanted, and the input is a raw one, simulated from the image: what the processor
makes of such an input is then no longer what is wanted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fullfield.bench import displayed
from fullfield.data import acquire, reference
from fullfield.data.prepared import Unit
from fullfield.data.scenes import detector, latent, makers, pairs, targets
from fullfield.data.scenes import displayed as archive
from fullfield.errors import FullfieldError, InputRefused
from fullfield.image import resample
from fullfield.image.cache import Decoded
from fullfield.image.image import InputKind

_STREAM = 0x9A5E


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """`decoded`: what methods get; `wanted`: 0 … 1, bone bright."""

    name: str
    decoded: Decoded
    wanted: Unit


def of_scenes(count: int, *, seed: int, size: int | None) -> Iterator[Case]:
    """Scenes of every part in turn, raw and processed. `size`: pixels of the longer side, None a detector's own."""
    for number in range(count):
        part, own = pairs.part_of(number), _STREAM + 1000 * seed + number
        scene = latent.draw(part, own, longer=size)
        counted = detector.expose(scene, detector.draw(scene, own), noise=own)
        maker = replace(makers.draw(own), shutter=False)
        given, shown = (make(counted, maker, scene.spacing_mm) for make in (makers.raw, makers.processed))
        of = displayed.subject(part)
        for image, wanted in (
            (given, targets.made(scene, counted, seed=own)),
            (shown, archive.wanted(shown, scene)),
        ):
            yield Case(name=f"{part} {own}", decoded=displayed.decoded(image, of), wanted=wanted)


def of_folder(folder: Path, *, seed: int, size: int | None) -> Iterator[Case | tuple[str, str]]:
    """The images below a folder; of one that is none, its name and the reason."""
    from fullfield.dicom.read import Decoder

    with Decoder() as decoder:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder).as_posix()
            try:
                yield _simulated(decoder.decode(path), name, seed=seed, size=size)
            except FullfieldError as error:
                yield name, error.detail or error.title


def _simulated(decoded: Decoded, name: str, *, seed: int, size: int | None) -> Case:
    image = resample.at_size(decoded.image, size)
    if image.kind is InputKind.RAW:
        raise InputRefused("Cannot hold a method against this image.", detail="It is raw: what is wanted is not known.")
    wanted = reference.enhanced(image, reference.fitting(image, decoded.header))
    if wanted.min() == wanted.max():
        raise InputRefused("Cannot hold a method against this image.", detail="It is one grey: nothing can be wanted.")
    factor = max(1.0, decoded.image.pixels.shape[0] / image.pixels.shape[0])
    key = hashlib.sha256(decoded.header.sha256.encode()).hexdigest()
    exposure = acquire.reduced(acquire.draw(seed, key), factor)
    raw = acquire.simulate(image, exposure, seed=seed, key=key)
    rows, columns = raw.pixels.shape
    header = replace(decoded.header, rows=rows, columns=columns)
    return Case(name=name, decoded=Decoded(image=raw, header=header, folder=Path()), wanted=wanted)


__all__ = ["Case", "of_folder", "of_scenes"]
