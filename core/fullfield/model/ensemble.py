"""An ensemble: several models that were trained alike, in one file. Imports no torch.

    file.safetensors    the members "0", "1" …, each the bytes of its model file, whole: with its own card and seal
        card            of the ensemble: `Card.members` are the SHA-256 of the members' files

So a member is read as the file that it was, its results are its own, and the ensemble's seal and SHA-256 stand for all.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import BinaryIO, NamedTuple

from fullfield import files
from fullfield.checked import Fields
from fullfield.errors import ModelError
from fullfield.model import card as cards
from fullfield.model.card import LARGEST_BYTES, Card
from fullfield.protocol.ensembles import LEAST, MOST

_ALIKE = ("network", "input_kind", "normalisation", "size", "modalities", "for_tests")
_OWN = ("member", "weights", "techniques", "fit", "data_licence")
"""Of a plan, what members may each have their own of: its number, and what the machine or its user chose there."""
_CHUNK = 4 << 20


class Place(NamedTuple):
    """Where a model lies in a file."""

    first: int
    bytes: int


def find(stream: BinaryIO, member: int | None) -> Place:
    """The place of a member, from 0, in an ensemble's file; of the whole file for None. Raises ModelError, OSError."""
    size = stream.seek(0, io.SEEK_END)
    if member is None:
        return Place(0, size)
    stream.seek(0)
    length = int.from_bytes(stream.read(8), "little")
    try:
        first, end = json.loads(stream.read(min(length, size)))[str(member)]["data_offsets"]
        if 0 <= first <= end <= size - 8 - length:
            return Place(8 + length + first, end - first)
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise cards.refused(f"It has no member {member + 1}.", "Copy the file again from where it was made.")


def refuse_several(card: Card) -> None:
    """Raise ModelError for an ensemble, where one network is needed."""
    if card.members:
        raise cards.refused(
            f"It is an ensemble of {len(card.members)} networks, and one is needed here.",
            "Choose the model of one of its members.",
        )


def join(members: Sequence[Path], target: Path, *, wanted: Sequence[str] = (), learned: Sequence[str] = ()) -> str:
    """Leave one model of several, whole or not at all; its SHA-256. `wanted`: the SHA-256 that their files must have;
    `learned`: of each what names the pairs that it has learned, "" where that is not known.

    The same members in the same order give the same file. Raises ModelError where a file is gone, was changed, is no
    model, an ensemble itself, or of another kind or other images than the first; CannotWrite.
    """
    if not LEAST <= len(members) <= MOST:
        raise _unlike(f"It has {len(members)} members, and {LEAST} to {MOST} are possible.")
    try:
        found = [_read(path, number) for number, path in enumerate(members, 1)]
        hashes = tuple(files.sha256(path) for path in members)
        for number, (sha256, should) in enumerate(zip(hashes, wanted, strict=False), 1):
            if sha256 != should:
                raise _unlike(f"The model of member {number} is not the one that its training has left.")
        header = bytearray(_header(_card(found, hashes, learned), [path.stat().st_size for path in members]))
        cards.seal(header, _contents(members, hashes))
        with files.atomic_write(target) as stream:
            stream.write(header)
            for part in _contents(members, hashes):
                stream.write(part)
        return files.sha256(target)
    except FileNotFoundError as error:
        number = [str(path) for path in members].index(str(error.filename)) + 1
        raise _unlike(f"The file of member {number} is gone.") from error


def _read(path: Path, number: int) -> Card:
    """The card of a member whose seal holds."""
    with path.open("rb") as stream:
        try:
            card = cards.verify_stream(stream, path.stat().st_size)
            refuse_several(card)
        except ModelError as error:
            raise _unlike(f"Of member {number}: {error.detail}") from error
    return card


def _card(members: Sequence[Card], hashes: tuple[str, ...], learned: Sequence[str]) -> Card:
    first = members[0]
    pairs = (*learned, *[""] * len(members))
    known = next(filter(None, learned), "")
    for number, other in enumerate(members[1:], 2):
        differ = [name for name in _ALIKE if getattr(other, name) != getattr(first, name)]
        comparable = other.model_before == first.model_before  # else images of other models are among these
        others = comparable and other.data_sha256 != first.data_sha256
        differ += ["images"] if others or pairs[number - 1] not in ("", known) else []
        differ += [
            name for name, value in first.plan.items() if name not in _OWN and other.plan.get(name, value) != value
        ]
        if differ:
            raise _unlike(f"Member {number} differs from the first in: {', '.join(differ)}.")
    if len(set(hashes)) < len(hashes):
        raise _unlike("Two of its members are the same model.")
    return replace(
        first,
        name=f"{first.name}-ensemble-of-{len(members)}",
        data_sha256=tuple(sorted({sha256 for card in members for sha256 in card.data_sha256})),
        metrics=_means([card.metrics for card in members]),
        baselines=_means([card.baselines for card in members]),
        licence=_each(card.licence for card in members),
        reviewed_by=_each(card.reviewed_by for card in members),
        plan=_common([card.plan for card in members]),
        seeds=_common([card.seeds for card in members]),
        start=_each(card.start for card in members),
        comparison={},
        images=max(card.trained_on for card in members),
        halo=None,
        members=hashes,
    )


def _common(tables: Sequence[Fields]) -> Fields:
    """What all of them say alike, but for which member it is."""
    first, *others = tables
    return {
        name: value
        for name, value in first.items()
        if name != "member" and all(name in one and one[name] == value for one in others)
    }


def _each(texts: Iterable[str]) -> str:
    """What any of them says, once."""
    return "; ".join(dict.fromkeys(filter(None, texts)))


def _means(figures: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Of each figure that all have."""
    common = [name for name in figures[0] if all(math.isfinite(one.get(name, math.nan)) for one in figures)]
    return {name: fmean(one[name] for one in figures) for name in common}


def _header(card: Card, sizes: Sequence[int]) -> bytes:
    values: dict[str, object] = {"__metadata__": cards.metadata(card)}
    place = 0
    for number, size in enumerate(sizes):
        values[str(number)] = {"dtype": "U8", "shape": [size], "data_offsets": [place, place + size]}
        place += size
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    if 8 + len(text) + place > LARGEST_BYTES:
        raise _unlike(f"They are larger together than any model of this program ({LARGEST_BYTES >> 30} GiB).")
    return len(text).to_bytes(8, "little") + text


def _contents(members: Sequence[Path], hashes: Sequence[str]) -> Iterator[memoryview]:
    """The bytes of all files. Raises ModelError where one is not that of its hash any more."""
    for number, (path, sha256) in enumerate(zip(members, hashes, strict=True), 1):
        digest = hashlib.sha256()
        try:
            with path.open("rb") as stream:
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
                    yield memoryview(chunk)
        except FileNotFoundError as error:
            raise _unlike(f"The file of member {number} is gone.") from error
        if digest.hexdigest() != sha256:
            raise _unlike(f"The file of member {number} was changed while it was read.")


def _unlike(detail: str) -> ModelError:
    return ModelError(
        "Cannot make one model of these.",
        detail=detail,
        hint="Take models that were trained together as the members of an ensemble.",
    )


__all__ = ["LEAST", "MOST", "Place", "find", "join", "refuse_several"]
