"""`fullfield bench guards [FOLDER]`: which faults the guards notice, and how often they doubt a sound result.

Pictures are scenes of every part, raw and processed, and the images below a folder; of each some parts at native size.
One half of the pictures is there for limits (`--limits FILE`: found anew and written), the other for the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fullfield import replacing, standard_output
from fullfield.bench import displayed, guard_faults, quality
from fullfield.bench.guard_faults import Fault
from fullfield.bench.guards_table import Row, Table
from fullfield.bench.speak import say
from fullfield.data.scenes import detector, latent, makers
from fullfield.data.scenes.latent import PARTS
from fullfield.errors import FullfieldError
from fullfield.image import guards, multiscale, normalise, presets
from fullfield.image.guards import Figures, Limits
from fullfield.image.header import Subject
from fullfield.image.image import Enhanced, HighValues, Image
from fullfield.image.pyramid import Plane

SIDE = 1024  # pixels of a part, at most
PIECES = 4  # parts of each picture
FAULTY = 40  # images of each fault
_STREAM = 0x6A2D
_QUICK = 4  # pictures, and images of each fault

Make = Callable[[Image, Subject], Enhanced]


@dataclass(frozen=True, kw_only=True, eq=False)
class Piece:
    """A part of a picture. `first`: of its picture. `place`: in that picture's half."""

    image: Image
    subject: Subject
    for_limits: bool
    first: bool


def bench(
    *, json: bool, quick: bool = False, seed: int = 0, model: Path | None = None, limits: Path | None = None,
    folder: Path | None = None,
) -> int:  # fmt: skip
    """The table on standard output; the exit code is 1 where an aim is missed. Raises UsageError where nothing in
    `folder` can be used, ModelError, OutputInvalid, CannotWrite."""
    if limits is not None:
        replacing.refuse_other(limits, lambda there: guards.is_ours(there.read()))
    pieces = list(_pieces(folder, seed, quick=quick))
    rows, found = [], {}
    for name, make, own in _methods(model):
        sound = [_figures(make, one) for one in pieces]
        used = [figures for figures, one in zip(sound, pieces, strict=True) if one.for_limits and figures]
        held = guards.limits_of(used) if limits is not None else own
        found[name] = held
        say(f"{name}: {len(pieces)} sound results, {len(used)} of them for limits")
        if limits is not None:
            guards.write_limits(limits, found)
        rows.append(
            Row(
                method=name,
                used=len(used) if limits is not None else 0,
                sound=[
                    held.beyond(figures)
                    for figures, one in zip(sound, pieces, strict=True)
                    if figures and not one.for_limits
                ],
                faulty=_faulty(make, held, pieces, seed, count=_QUICK if quick else FAULTY),
            )
        )
    table = Table(rows=tuple(rows))
    standard_output.write((table.json() if json else table.text()) + "\n")
    return 0 if table.stands else 1


def _methods(model: Path | None) -> Iterator[tuple[str, Make, Limits]]:
    """Each method by the name of its limits, and those that it has now."""

    def by_preset(image: Image, of: Subject) -> Enhanced:
        return multiscale.enhance(image, presets.choose(**of, kind=image.kind))

    yield guards.PRESET, by_preset, guards.read_limits(guards.PRESET)
    if model is not None:
        from fullfield.enhance import network

        enhancer = network.open_model(model, device="cpu", notice=lambda text: None)
        name = guards.MAP if enhancer.card.network.of.any_scale else guards.DRAWN
        own = guards.read_limits(name, model, enhancer.recipe.sha256)
        yield name, lambda image, of: enhancer.enhance(displayed.decoded(image, of)), own


def _pieces(folder: Path | None, seed: int, *, quick: bool) -> Iterator[Piece]:
    random = np.random.default_rng([_STREAM, seed])
    for number, (image, subject) in enumerate(_pictures(folder, seed, quick=quick)):
        shape = image.pixels.shape
        for piece in range(1 if max(shape) <= SIDE // 2 else PIECES):
            rows, columns = (_span(side, random) for side in shape)
            part = replace(image, pixels=np.ascontiguousarray(image.pixels[rows, columns]))
            half = (number + number // 2) % 2  # scenes come in pairs, raw and processed: each half has both
            yield Piece(image=part, subject=subject, for_limits=half == 0, first=piece == 0)


def _span(side: int, random: np.random.Generator) -> slice:
    length = min(side, int(random.integers(SIDE * 3 // 4, SIDE + 1)))
    first = int(random.integers(side - length + 1))
    return slice(first, first + length)


def _pictures(folder: Path | None, seed: int, *, quick: bool) -> Iterator[tuple[Image, Subject]]:
    for number, part in enumerate(list(PARTS)[: _QUICK // 2] if quick else PARTS):
        own = 100 * seed + number
        scene = latent.draw(part, own, longer=SIDE)
        counted = detector.expose(scene, detector.draw(scene, own), noise=own)
        for make in (makers.raw, makers.processed):
            yield make(counted, makers.draw(own), scene.spacing_mm), displayed.subject(part)
    if folder is None:
        return
    taken, reasons = 0, []
    for number, (name, image, subject) in enumerate(quality.images(folder), 1):
        if not isinstance(image, str) and min(image.pixels.shape) < SIDE // 4:
            image = f"It is too small: {image.pixels.shape[1]}×{image.pixels.shape[0]}."
        if isinstance(image, str):
            say(f"File {number} is passed over: {image}")
            reasons.append(image)
            continue
        taken += 1
        say(name)
        yield image, subject
        if quick and taken == _QUICK:
            break
    if not taken:
        raise quality.nothing_measured(reasons)


def _figures(make: Make, piece: Piece) -> Figures:
    """Of the sound result; none where the method refuses the image."""
    try:
        return guards.found(piece.image, make(piece.image, piece.subject)).figures
    except FullfieldError:
        return {}


def _faulty(make: Make, limits: Limits, pieces: list[Piece], seed: int, *, count: int) -> dict[str, list[float]]:
    """Of each fault the greatest figures by their limits, on pictures that no limit was found from."""
    held = [one for one in pieces if not one.for_limits]
    chosen = [one for one in held if one.first] + [one for one in held if not one.first]
    made: dict[str, list[float]] = {fault.name: [] for fault in guard_faults.faults()}
    for number, piece in enumerate(chosen[:count]):
        try:
            sound = make(piece.image, piece.subject)
        except FullfieldError:
            continue
        for order, fault in enumerate(guard_faults.faults()):
            if fault.lower is not None and sound.declared is None:
                continue
            random = np.random.default_rng([_STREAM, seed, number, order])
            image, result = _with_fault(make, piece, sound, fault, random)
            made[fault.name].append(limits.beyond(guards.found(image, result).figures))
        say(f"faults: {number + 1} of {min(count, len(chosen))}")
    return {name: values for name, values in made.items() if values}


def _with_fault(
    make: Make, piece: Piece, sound: Enhanced, fault: Fault, random: np.random.Generator
) -> tuple[Image, Enhanced]:
    """The image and its faulty result."""
    plain = _shown(piece.image, sound)
    place = guard_faults.place(plain, random)
    if fault.make is not None:
        return piece.image, _stored(piece.image, sound, fault.make(plain, random, place))
    image = guard_faults.with_finding(piece.image, fault.finding, place)
    whole = make(image, piece.subject)
    if fault.lower is not None:
        assert whole.declared is not None and whole.seen is not None
        lowered = fault.lower(whole.declared, place, guard_faults.LOWERED_MM / guard_faults.spacing(image))
        shown = guard_faults.rebuilt(image, whole.seen, lowered)
        return image, _stored(image, replace(whole, declared=lowered), shown)
    share = np.float32(fault.strength)
    return image, _stored(image, whole, (1 - share) * _shown(image, whole) + share * plain)


def _shown(image: Image, enhanced: Enhanced) -> Plane:
    """Fractions of white, bone is bright."""
    shown = displayed.fractions(enhanced)
    return 1 - shown if image.beam is HighValues.BRIGHT else shown


def _stored(image: Image, enhanced: Enhanced, shown: Plane) -> Enhanced:
    top = np.float32((1 << enhanced.bits) - 1)
    values = 1 - shown if image.beam is HighValues.BRIGHT else shown
    pixels = np.rint(np.clip(values, 0, 1) * top).astype(np.uint16)
    hole = normalise.is_padding(image, image.pixels)
    if hole is not None:
        pixels[hole] = 0  # as every result has it there
    return replace(enhanced, pixels=pixels)


__all__ = ["FAULTY", "PIECES", "SIDE", "bench"]
