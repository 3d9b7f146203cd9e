"""The queue: all images of the window, in order, changed by what the user asks and by what the worker tells.

No widget and no Qt: `ask_…` and `apply` change rows and say which, `due` says what the worker is to be asked next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fullfield.events import (
    Event,
    ItemDecoded,
    ItemDone,
    ItemEnhanced,
    ItemEvent,
    ItemFailed,
    ItemSkipped,
    ItemStarted,
    ItemWarned,
)
from fullfield.jobs.inputs import InputFile
from fullfield_app.gui.bridge.commands import Cancel, Command, Enhance, Export, Open
from fullfield_app.gui.enhance.row import Doing, Result, Row, Trouble, next_step

OPENS_AHEAD = 4
WORK_AHEAD = 2  # one in hand and one waiting: the worker never idles, and the image one looks at is soon next
MOST_DEATHS = 2  # an image that ends every worker must not end them for ever
Indexes = frozenset[int]
NONE: Indexes = frozenset()


class Queue:
    """Rows by index, in the order in which they came. An index is never used twice."""

    def __init__(self) -> None:
        self._rows: dict[int, Row] = {}
        self._next = 0
        self._pending: set[int] = set()
        self._batch: set[int] = set()

    # Looking ----------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Row:
        return self._rows[index]

    def get(self, index: int) -> Row | None:
        """A row, or None where it has left."""
        return self._rows.get(index)

    def rows(self) -> list[Row]:
        """All rows in their order."""
        return list(self._rows.values())

    @property
    def busy(self) -> bool:
        """Something is still to be done."""
        return bool(self._pending)

    def progress(self) -> tuple[int, int]:
        """How many of the images that were asked for since the queue was last at rest are done, and of how many."""
        return len(self._batch) - len(self._batch & self._pending), len(self._batch)

    # What the user asks -----------------------------------------------------------------------------------------

    def add(self, items: Sequence[InputFile], choice: str) -> list[int]:
        """New rows at the end, to be opened and enhanced with `choice`; a file that is there already is left out."""
        known = {(row.item.archive, row.item.source) for row in self._rows.values()}
        indexes = []
        for item in items:
            if (item.archive, item.source) not in known:
                known.add((item.archive, item.source))
                self._put(Row(index=self._next, item=item, choice=choice))
                indexes.append(self._next)
                self._next += 1
        return indexes

    def ask_enhance(self, indexes: Iterable[int], choice: str) -> Indexes:
        """Enhance these (again) with `choice`; a failed or cancelled one is tried anew."""
        return self._change(indexes, choice=choice, wants_result=True, trouble=None, cancelled=False)

    def ask_export(self, exports: Iterable[Export]) -> Indexes:
        """Write these results."""
        changed = NONE
        for export in exports:
            changed |= self._change([export.index], wants_export=export, trouble=None, cancelled=False)
        return changed

    def cancel(self, indexes: Iterable[int]) -> tuple[Indexes, Cancel | None]:
        """Leave these as they are; what the worker has in hand it finishes. Returns the command for the rest."""
        wanted = [index for index in indexes if index in self._rows and self._rows[index].pending]
        changed = self._change(wanted, wants_result=False, wants_export=None, cancelled=True)
        for index in changed:
            row = self._rows[index]
            if row.result is not None:
                self._change([index], choice=row.result.choice)  # what it has is what counts again
        asked = tuple(index for index in wanted if self._rows[index].doing is not None)
        return changed, Cancel(indexes=asked) if asked else None

    def remove(self, indexes: Iterable[int]) -> Cancel | None:
        """Take rows out of the queue; the files themselves stay untouched."""
        asked = []
        for index in indexes:
            row = self._rows.pop(index, None)
            self._pending.discard(index)
            self._batch.discard(index)
            if row is not None and row.doing is not None:
                asked.append(index)
        return Cancel(indexes=tuple(asked)) if asked else None

    # What the worker tells --------------------------------------------------------------------------------------

    def apply(self, event: Event) -> Indexes:
        """Take an event in; the indexes of the rows that it changed."""
        if not isinstance(event, ItemEvent) or event.index not in self._rows:
            return NONE
        row = self._rows[event.index]
        match event:
            case ItemStarted():
                changes: dict[str, Any] = {"begun": True, "result_notes": ()}
            case ItemDecoded():
                changes = {"doing": None, "opened": True, "decoded": Path(event.decoded)}
            case ItemEnhanced():
                changes = _enhanced(row, event)
            case ItemWarned():
                notes = "result_notes" if row.begun else "source_notes"
                changes = {notes: tuple(dict.fromkeys((*getattr(row, notes), event.text)))}
            case ItemDone():
                export = row.wants_export
                target = Path(export.target) if export is not None else None
                changes = {"doing": None, "wants_export": None, "exported": target}
            case ItemSkipped():
                changes = {"doing": None, "begun": False}
            case ItemFailed():
                changes = _failed(event)
            case _:
                return NONE
        return self._change([event.index], **changes)

    def worker_lost(self) -> Indexes:
        """The worker is gone: what it was at waits again, and what it knew has to be told to the next one."""
        changed = NONE
        for row in self.rows():
            if row.begun:
                changed |= self._change([row.index], **_died_at(row))
            if row.opened or row.held or row.doing is not None:
                changed |= self._change([row.index], opened=False, held=False, doing=None, begun=False)
        return changed

    # What is to be done -----------------------------------------------------------------------------------------

    def due(self, first: Sequence[int] = ()) -> list[Command]:
        """What to ask of the worker now, those of `first` before all others; they count as asked from here on."""
        rooms = {Doing.OPEN: OPENS_AHEAD, Doing.ENHANCE: WORK_AHEAD}
        for index in self._pending:
            doing = self._rows[index].doing
            if doing is not None:
                rooms[_lane(doing)] -= 1
        commands: list[Command] = []
        if max(rooms.values()) <= 0:
            return commands
        ahead = [index for index in first if index in self._pending]
        for index in (*ahead, *sorted(self._pending)):
            step = next_step(self._rows[index])
            if step is None:
                continue
            doing = _doing(step)
            if rooms[_lane(doing)] > 0:
                rooms[_lane(doing)] -= 1
                choice = step.choice if isinstance(step, Enhance) else ""
                self._change([index], doing=doing, asked=choice, begun=False)
                commands.append(step)
        return commands

    # Within -----------------------------------------------------------------------------------------------------

    def _change(self, indexes: Iterable[int], **changes: Any) -> Indexes:
        there = frozenset(index for index in indexes if index in self._rows)
        for index in there:
            self._put(replace(self._rows[index], **changes))
        return there

    def _put(self, row: Row) -> None:
        self._rows[row.index] = row
        if row.pending:
            if not self._pending:
                self._batch.clear()
            self._pending.add(row.index)
            self._batch.add(row.index)
        else:
            self._pending.discard(row.index)


def _enhanced(row: Row, event: ItemEnhanced) -> dict[str, Any]:
    result = Result(
        path=Path(event.enhanced), bits=event.bits, choice=row.asked, recipe=event.recipe, seconds=event.seconds
    )
    again = row.wants_result and row.choice != row.asked  # another choice was made meanwhile
    return {
        "doing": None,
        "begun": False,
        "held": True,
        "result": result,
        "wants_result": again,
        "choice": row.choice if again else row.asked,
        "cancelled": False,
        "exported": None,
        "deaths": 0,
    }


def _failed(event: ItemFailed) -> dict[str, Any]:
    trouble = Trouble(
        title=event.error.get("title", ""), detail=event.error.get("detail", ""), hint=event.error.get("hint", "")
    )
    return {"doing": None, "begun": False, "trouble": trouble, "wants_result": False, "wants_export": None}


def _died_at(row: Row) -> dict[str, Any]:
    if row.deaths + 1 < MOST_DEATHS:
        return {"deaths": row.deaths + 1}
    trouble = Trouble(
        title="Cannot enhance the image.",
        detail="The worker ended twice while it was at this image.",
        hint="Choose another preset or model, or close other programs, and enhance it again.",
    )
    return {"deaths": 0, "trouble": trouble, "wants_result": False, "wants_export": None}


def _doing(command: Command) -> Doing:
    match command:
        case Open():
            return Doing.OPEN
        case Enhance():
            return Doing.ENHANCE
        case _:
            return Doing.EXPORT


def _lane(doing: Doing) -> Doing:
    return Doing.OPEN if doing is Doing.OPEN else Doing.ENHANCE
