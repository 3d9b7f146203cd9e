"""The radiographs of a training as files, to be looked at: those that nobody learned from first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fullfield import checked
from fullfield.errors import InputUnreadable
from fullfield.jobs import job as jobs
from fullfield.protocol.training import from_json

SPLIT = "split.json"


def files_of(run: Path, most: int) -> tuple[Path, ...]:
    """At most so many: kept apart, held back, trained on, in this order. Raises InputUnreadable where the run does not
    say which they are, or its folder of images is gone; UsageError."""
    from fullfield.data import index  # numpy, and the reader's child: not before it is asked for
    from fullfield.dicom.read import Decoder

    try:
        split = checked.make(_Split, checked.parse((run / SPLIT).read_bytes()))
    except (OSError, ValueError) as error:
        raise InputUnreadable(
            "Cannot find the images of this run.", detail="Its split.json is missing or damaged.", hint="Open them."
        ) from error
    data = Path(from_json(jobs.load(run).spec).data)
    with Decoder() as reader:
        listed = index.build(data, reader)
    places = {source.sha256: listed.path(source) for source in listed.sources}
    every = (item.sha256[0] for item in (*split.apart, *split.validation, *split.training))
    return tuple(places[sha256] for sha256 in every if sha256 in places)[:most]


@dataclass(frozen=True, kw_only=True)
class _Item:
    sha256: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class _Split:
    training: tuple[_Item, ...] = ()
    validation: tuple[_Item, ...] = ()
    apart: tuple[_Item, ...] = ()


__all__ = ["files_of"]
