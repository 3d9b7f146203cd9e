"""Scenes as prepared pairs, in a folder that `fullfield train --data` takes as it is.

Every second scene is a file as a detector's console stores it, with blades and markers: raw, and the wanted output is
made of its clean latent; or processed for display by a maker. The others are what an archive has, pictures for display
(`scenes.displayed`). Of any processed picture the wanted output is made of that picture: the maker has decided how much
contrast there is, and two answers to one question would teach their mean. Lightly re-encoded inputs are made of the
processed ones while training (`data.degrade`). Each scene counts as a patient, so that none is in both parts of a
split.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import filelock

from fullfield import checked, files
from fullfield.checked import Fields
from fullfield.data import kinds, prepared
from fullfield.data.planes import Planes
from fullfield.data.prepared import Item, Prepared
from fullfield.data.scenes import detector, displayed, latent, makers, targets
from fullfield.data.scenes.latent import Latent
from fullfield.errors import InputRefused
from fullfield.image import normalise
from fullfield.image.image import InputKind
from fullfield.image.normalise import Normalisation
from fullfield.model.families import registry as families

VERSION = 4
"""Of the pictures: another one is another data set."""

LOCK = "scenes.lock"
ON_LATENT = "the conventional processor on the clean latent of scenes, per cell the best of its candidates"
REFERENCE = f"{ON_LATENT}; {displayed.BY}"

_PRESENTED = 4  # one of so many consoles without a shutter stores what is processed, too


def write(
    folder: Path,
    count: int,
    *,
    seed: int,
    sizes: Sequence[int | None],
    network: str,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Prepared:
    """Make `count` scenes of every part in turn in `folder`. `sizes`: the longer side in pixels, None a detector's own;
    of several each serves a round of all parts, and the pairs count as native ones. `network`: the family of networks
    that is to learn from them, and that decides how inputs are normalised.

    What is there already is kept, so an interrupted call goes on. `progress(done, total)` may raise to stop. Raises
    InputRefused where the folder holds anything else, or another process makes scenes there, CannotWrite.
    """
    wanted = {"scenes": VERSION, "count": count, "seed": seed, "sizes": list(sizes), "network": network}
    way = families.normalisation(network)
    files.private_folder(folder)
    with _alone(folder):
        return _written(folder, wanted, way, progress)


def _written(folder: Path, wanted: Fields, way: Normalisation, progress: Callable[[int, int], None]) -> Prepared:
    note = folder / "scenes.json"
    if any(path.name != LOCK for path in folder.iterdir()):
        _refuse_others(note, wanted)
    files.write_text(note, json.dumps(wanted))
    count, seed, sizes = wanted["count"], wanted["seed"], wanted["sizes"]
    items = []
    for number in range(count):
        items.append(_item(folder, number, seed, sizes[number // len(latent.PARTS) % len(sizes)], way))
        progress(number + 1, count)
    result = Prepared(
        folder=folder,
        size=sizes[0] if len(sizes) == 1 else None,
        input_kind=kinds.ANY,
        normalisation=way.to_json(),
        reference=REFERENCE,
        simulated=True,
        conventional=True,
        items=tuple(sorted(items, key=lambda item: item.key)),
    )
    prepared.save(result)
    return result


def part_of(number: int) -> str:
    """The part that the scene of this number shows."""
    return tuple(latent.PARTS)[number % len(latent.PARTS)]


def is_displayed(number: int) -> bool:
    """Whether the scene of this number is a picture for display; each part is so in every second round of the parts."""
    return (number + number // len(latent.PARTS)) % 2 == 1


def planes(number: int, *, seed: int, size: int | None, way: Normalisation = normalise.DEFAULT) -> Planes:
    """The raw and the processed input of a scene, and the wanted output."""
    own = _own_seed(number, seed)
    scene = latent.draw(part_of(number), own, longer=size)
    return _displayed(scene, own, way) if is_displayed(number) else _exposed(scene, own, way)


def _displayed(scene: Latent, own: int, way: Normalisation) -> Planes:
    picture = displayed.shown(scene, own)
    every = {InputKind.RAW: displayed.raw_like(picture, scene, own), InputKind.PROCESSED: picture}
    return Planes(
        inputs={kind: normalise.to_input(one, way) for kind, one in every.items()},
        reference=displayed.wanted(picture, scene),
        mm_per_pixel=scene.spacing_mm,
        simulated=True,
        made_by=displayed.BY,
        problems=(),
    )


def _exposed(scene: Latent, own: int, way: Normalisation) -> Planes:
    """One file: where a maker blackens what blades cover, and in some others, what is shown; else what is raw."""
    counted = detector.expose(scene, detector.draw(scene, own), noise=own)
    maker = makers.draw(own)
    shows = maker.shutter or own % _PRESENTED == 0
    given = (makers.processed if shows else makers.raw)(counted, maker, scene.spacing_mm)
    return Planes(
        inputs={given.kind: normalise.to_input(given, way)},
        reference=displayed.wanted(given, scene) if shows else targets.made(scene, counted, seed=own),
        mm_per_pixel=scene.spacing_mm,
        simulated=not shows,
        made_by=displayed.BY if shows else ON_LATENT,
        problems=(),
    )


def _item(folder: Path, number: int, seed: int, size: int | None, way: Normalisation) -> Item:
    name = f"scene {VERSION} {seed} {number} {size} {way}"
    key = hashlib.sha256(name.encode()).hexdigest()[:16]
    record = folder / f"{key}.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        # "any" is no kind of one input: a record that does not say its kinds is made anew
        known = prepared.item_of(checked.parse(record.read_bytes()), kinds.ANY, simulated=True)
        for part, sha256 in zip(prepared.PARTS, known.sha256, strict=False):
            prepared.check(prepared.array_path(folder, key, part), sha256)
        return known
    made = planes(number, seed=seed, size=size, way=way)
    item = Item(
        key=key,
        patient=number,
        rows=made.reference.shape[0],
        columns=made.reference.shape[1],
        mm_per_pixel=made.mm_per_pixel,
        modality=latent.PARTS[part_of(number)].modality,
        source_sha256=(hashlib.sha256(name.encode()).hexdigest(),),
        sha256=tuple(prepared.save_plane(folder, key, part, plane) for part, plane in zip(prepared.PARTS, made.arrays)),
        kinds=tuple(made.inputs),
        simulated=made.simulated,
    )
    files.write_text(record, json.dumps(asdict(item)))
    return item


def _own_seed(number: int, seed: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {number}".encode()).digest()[:6], "big")


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else makes scenes in `folder` meanwhile, where its file system has locks."""
    lock = filelock.FileLock(folder / LOCK, timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout as error:
        raise InputRefused(
            "Cannot make scenes in this folder.",
            detail="Another process is making scenes there.",
            hint="Wait for it, or choose another folder.",
        ) from error
    except (OSError, NotImplementedError):
        pass
    try:
        yield
    finally:
        lock.release()


def _refuse_others(note: Path, wanted: Fields) -> None:
    with contextlib.suppress(OSError, ValueError):
        if checked.parse(note.read_bytes()) == wanted:
            return
    raise InputRefused(
        "Cannot make scenes in this folder.",
        detail="It holds other files, or scenes of another kind.",
        hint="Choose an empty folder, or the same count, seed, sizes and network to go on.",
    )


__all__ = ["REFERENCE", "VERSION", "is_displayed", "part_of", "planes", "write"]
