"""Where exports go: names made from the files' names alone, never onto an original, never onto each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from fullfield.jobs import naming
from fullfield_app.gui.bridge.commands import Export
from fullfield_app.gui.enhance.export_choices import Order
from fullfield_app.gui.enhance.row import Row


class Existing(StrEnum):
    """What to do about files that are there already."""

    ASK = "ask"
    REPLACE = "replace"
    KEEP_BOTH = "keep both"


@dataclass(frozen=True, kw_only=True)
class ExportPlan:
    """`exports`: what to write; `existing`: those of their targets that are there already."""

    exports: tuple[Export, ...]
    existing: tuple[Path, ...]


def plan(rows: Sequence[Row], order: Order, *, existing: Existing) -> ExportPlan:
    """The exports that are ordered of `rows` (all rows: they share one set of names).

    Reads the folder; run it in a background task. An original is never a target, whatever `existing` says.
    """
    originals = {_key(Path(row.item.archive or row.item.source)) for row in rows}
    relatives = naming.outputs([row.item for row in rows], order.tail)
    taken = {_key(naming.inside(order.folder, relative)) for relative in relatives}
    exports, there = [], []
    for row, relative in zip(rows, relatives, strict=True):
        if row.index not in order.deliveries:
            continue
        target = naming.inside(order.folder, relative)
        if _key(target) in originals or (existing is Existing.KEEP_BOTH and target.exists()):
            target = _free(target, taken)
        if target.exists():
            there.append(target)
        exports.append(
            Export(
                index=row.index,
                target=str(target),
                format=order.format.value,
                overwrite=existing is Existing.REPLACE,
                delivery=order.deliveries[row.index],
            )
        )
    return ExportPlan(exports=tuple(exports), existing=tuple(there))


def _free(target: Path, taken: set[str]) -> Path:
    count = 2
    while True:
        other = target.with_name(f"{target.stem}-{count}{target.suffix}")
        if _key(other) not in taken and not other.exists():
            taken.add(_key(other))
            return other
        count += 1


def _key(path: Path) -> str:
    return str(path.resolve()).casefold()
