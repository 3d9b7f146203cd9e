"""Where exports go: names made from the files' names alone, never onto an original nor onto another image's result."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from fullfield.enhance import naming
from fullfield.enhance.results import Holds, Place, Results
from fullfield.protocol.session_commands import Export
from fullfield_app.gui.enhance.export_choices import Order
from fullfield_app.gui.queue.row import Row


class Existing(StrEnum):
    """What to do about files that are there already."""

    ASK = "ask"
    REPLACE = "replace"
    KEEP_BOTH = "keep both"
    LEAVE = "leave"


@dataclass(frozen=True, kw_only=True)
class ExportPlan:
    """`exports`: what to write; `existing`: those of their targets that are there already: the same image's result, or
    a file that we did not write."""

    exports: tuple[Export, ...]
    existing: tuple[Path, ...]


def plan(rows: Sequence[Row], order: Order, *, existing: Existing) -> ExportPlan:
    """The exports that are ordered of `rows` (all rows: they share one set of names).

    Reads the folder; run it in a background task. An original is never a target, whatever `existing` says, and neither
    is another image's result: the worker sees to that once more when it writes (see `fullfield.enhance.ledger`).
    """
    results = Results(order.folder)
    originals = {_key(Path(row.item.archive or row.item.source)) for row in rows}
    relatives = naming.outputs([row.item for row in rows], order.tail)
    planned = {row.index: naming.inside(order.folder, name) for row, name in zip(rows, relatives, strict=True)}
    owners: dict[str, int] = {}

    def taken(path: Path, index: int) -> bool:
        key = _key(path)
        return key in originals or owners.get(key, index) != index

    places: dict[int, Place] = {}
    ordered = [row for row in rows if row.index in order.deliveries]
    for row in ordered:  # first who has a name already, then who needs one
        own = results.own(planned[row.index], row.sha256, partial(taken, index=row.index))
        if own is not None:
            places[row.index], owners[_key(own.path)] = own, row.index
    for index, path in planned.items():
        owners.setdefault(_key(path), index)
    exports, there, number = [], [], time.monotonic_ns()
    for row in ordered:
        target, others = planned[row.index], partial(taken, index=row.index)
        place = places.get(row.index) or results.find(target, input=row.sha256, taken=others, anew=True)
        path = place.path
        if place.holds is not Holds.NOTHING and existing is Existing.KEEP_BOTH:
            path = results.free(target, others)
        elif place.holds is not Holds.NOTHING:
            there.append(path)
            if existing is Existing.LEAVE:
                continue
        owners[_key(path)] = row.index
        exports.append(
            Export(
                index=row.index,
                target=str(path),
                format=order.format.value,
                folder=str(order.folder),
                overwrite=existing is Existing.REPLACE,
                delivery=order.deliveries[row.index],
                order=number,
            )
        )
    return ExportPlan(exports=tuple(exports), existing=tuple(there))


def _key(path: Path) -> str:
    return os.path.realpath(path).casefold()
