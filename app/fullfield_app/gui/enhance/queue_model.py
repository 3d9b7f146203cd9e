"""The queue: all images of the window, in order, changed by what the user asks and by what the worker tells.

No widget: `ask_…` and `apply` change rows and say which, `due` says what the worker is to be asked next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fullfield.image.method import Method
from fullfield.inputs.files import InputFile
from fullfield.protocol.events import Event, ItemClosed, ItemDone, ItemEvent
from fullfield.protocol.session_commands import Cancel, Close, Enhance, Export, Open
from fullfield_app.gui.enhance.queue_news import changes_of, died_at
from fullfield_app.gui.queue.row import Doing, Row, Step, forgotten, next_step, orphaned

OPENS_AHEAD = 4
WORK_AHEAD = 2  # one in hand and one waiting: the worker never idles, and the image one looks at is soon next
Indexes = frozenset[int]
NONE: Indexes = frozenset()


class Queue:
    """Rows by index, in the order in which they came. An index is never used twice."""

    def __init__(self) -> None:
        self._rows: dict[int, Row] = {}
        self._next = 0
        self.paused = False
        self._pending: set[int] = set()
        self._batch: set[int] = set()
        self._closing: set[int] = set()  # what the worker has still to forget: until then it is asked nothing of them
        self._left: dict[int, Row] = {}  # rows that were removed while the worker wrote an export of them

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

    def places(self) -> frozenset[tuple[str, str]]:
        """Where the files of all rows lie."""
        return frozenset(row.item.place for row in self._rows.values())

    @property
    def busy(self) -> bool:
        """Something is still to be done."""
        return bool(self._pending)

    def progress(self) -> tuple[int, int]:
        """How many of the images that were asked for since the queue was last at rest are done, and of how many.

        At rest of all images: one that failed or was cancelled is not done.
        """
        if not self.busy:
            return sum(not row.again for row in self._rows.values()), len(self._rows)
        return len(self._batch) - len(self._batch & self._pending), len(self._batch)

    # What the user asks -----------------------------------------------------------------------------------------

    def add(self, items: Sequence[InputFile], method: Method) -> list[int]:
        """New rows at the end, to be opened and enhanced with `method`; a file that is there already is left out.

        Another file in its place, as on the next patient's CD, gets a row of its own: nothing of the first is lost.
        """
        known: dict[tuple[str, str], list[InputFile]] = {}
        for row in self._rows.values():
            if not row.exchanged:
                there = replace(row.item, sha256=row.sha256 or row.item.sha256)
                known.setdefault(there.place, []).append(there)
        indexes = []
        for item in items:
            others = known.setdefault(item.place, [])
            if not any(_same(item, other) for other in others):
                others.append(item)
                self._put(Row(index=self._next, item=item, method=method))
                indexes.append(self._next)
                self._next += 1
        return indexes

    def ask_enhance(self, methods: Mapping[int, Method]) -> Indexes:
        """Enhance these (again), each with its method; a failed or cancelled one is tried anew."""
        changed = NONE
        for index, method in methods.items():
            changed |= self._change([index], method=method, wants_result=True, trouble=None, cancelled=False)
        return changed

    def ask_again(self, indexes: Iterable[int]) -> Indexes:
        """Try these again where they failed or were cancelled; what could not be written is to be ordered anew."""
        changed = NONE
        for index in indexes:
            row = self._rows.get(index)
            if row is not None and row.again:
                stale = not row.failed_exports or row.result is None or row.result.method != row.method
                changed |= self._change([index], wants_result=stale, failed_exports=(), trouble=None, cancelled=False)
        return changed

    def restore(self, rows: Iterable[Row]) -> list[int]:
        """Put rows that were removed back in their places; what the worker has forgotten of them is made anew."""
        back = {row.index: forgotten(self._left.get(row.index, row)) for row in rows if row.index not in self._rows}
        for row in back.values():
            self._put(row)
        self._rows = dict(sorted(self._rows.items()))
        return sorted(back)

    def renew(self, index: int) -> Close | None:
        """Have an image opened, and enhanced if it was, anew: what the worker had left of it is gone. Returns the
        command for the worker."""
        row = self._rows[index]
        command = self.remove([index])
        self.restore([row])
        return command

    def ask_export(self, exports: Iterable[Export]) -> Indexes:
        """Write these results, after what is still to be written; one to the same file comes in its place, and any in
        the place of what could not be written."""
        changed = NONE
        for export in exports:
            row = self._rows.get(export.index)
            if row is None or export == row.writing:
                continue
            if row.writing is not None and row.writing.target == export.target:
                export = replace(export, overwrite=True)  # that file is the one that is being written
            others = tuple(one for one in row.wants_exports if one.target != export.target)
            wanted = (*others, export)
            changed |= self._change([row.index], wants_exports=wanted, failed_exports=(), trouble=None, cancelled=False)
        return changed

    def cancel(self, indexes: Iterable[int]) -> tuple[Indexes, Cancel | None]:
        """Leave these as they are; what the worker has in hand it finishes. Returns the command for the rest."""
        wanted = [index for index in indexes if index in self._rows and self._rows[index].pending]
        changed = self._change(wanted, wants_result=False, wants_exports=(), cancelled=True)
        for index in changed:
            row = self._rows[index]
            if row.result is not None:
                self._change([index], method=row.result.method)  # what it has is what counts again
        asked = tuple(index for index in wanted if self._rows[index].doing is not None)
        return changed, Cancel(indexes=asked) if asked else None

    def pause(self) -> Cancel | None:
        """Ask the worker for nothing more until `resume`; returns the command that takes back what has not begun."""
        self.paused = True
        asked = [row.index for row in self._rows.values() if row.doing is not None and not row.begun]
        return Cancel(indexes=tuple(asked)) if asked else None

    def resume(self) -> None:
        """Go on."""
        self.paused = False

    def remove(self, indexes: Iterable[int]) -> Close | None:
        """Take rows out of the queue; the files themselves stay untouched. Returns the command for the worker.

        News of a row that comes back counts again once the worker has answered.
        """
        asked = []
        for index in indexes:
            row = self._rows.pop(index, None)
            self._pending.discard(index)
            self._batch.discard(index)
            self._left.pop(index, None)
            if row is not None and (row.opened or row.doing is not None):
                asked.append(index)
                if row.writing is not None:
                    self._left[index] = row
        self._closing.update(asked)
        return Close(indexes=tuple(asked)) if asked else None

    # What the worker tells --------------------------------------------------------------------------------------

    def apply(self, event: Event) -> Indexes:
        """Take an event in; the indexes of the rows that it changed."""
        if not isinstance(event, ItemEvent):
            return NONE
        if isinstance(event, ItemClosed):
            self._closing.discard(event.index)
        if isinstance(event, ItemDone) and event.index in self._closing & self._left.keys():
            return self._written_late(event)
        if event.index in self._closing or event.index not in self._rows:
            return NONE
        changes = changes_of(self._rows[event.index], event)
        if changes is None:
            return NONE
        return self._change([event.index], **changes)

    def worker_lost(self) -> Indexes:
        """The worker is gone: what it was at waits again, and what it knew has to be told to the next one."""
        changed = NONE
        self._closing.clear()
        for row in self.rows():
            if row.begun and not row.cancelled:  # else its user has asked for the end
                changed |= self._change([row.index], **died_at(row))
            if row.opened or row.held or row.doing is not None:
                self._put(replace(orphaned(self._rows[row.index]), opened=False, held=False))
                changed |= {row.index}
        return changed

    # What is to be done -----------------------------------------------------------------------------------------

    def due(self, first: Sequence[int] = (), ahead: int = WORK_AHEAD) -> list[Step]:
        """What to ask of the worker now, those of `first` before all others; they count as asked from here on. `ahead`:
        how many it has at once to enhance or to write."""
        rooms = {Doing.OPEN: max(OPENS_AHEAD, ahead), Doing.ENHANCE: ahead}
        for index in self._pending:
            doing = self._rows[index].doing
            if doing is not None:
                rooms[_lane(doing)] -= 1
        if self.paused:  # the image one looks at is opened all the same
            rooms[Doing.ENHANCE] = 0
        commands: list[Step] = []
        if max(rooms.values()) <= 0:
            return commands
        seen = [index for index in first if index in self._pending]
        for index in seen if self.paused else (*seen, *sorted(self._pending)):
            step = next_step(self._rows[index])
            if step is None or index in self._closing:
                continue
            doing = _doing(step)
            if rooms[_lane(doing)] > 0:
                rooms[_lane(doing)] -= 1
                self._change([index], doing=doing, begun=False)
                if isinstance(step, Enhance):
                    method = Method(choice=step.choice, kind=step.kind, changes=step.changes)
                    self._change([index], asked=method)
                if isinstance(step, Export):
                    self._change([index], writing=step, wants_exports=self._rows[index].wants_exports[1:])
                commands.append(step)
        return commands

    # Within -----------------------------------------------------------------------------------------------------

    def _change(self, indexes: Iterable[int], **changes: Any) -> Indexes:
        there = frozenset(index for index in indexes if index in self._rows)
        for index in there:
            self._put(replace(self._rows[index], **changes))
        return there

    def _written_late(self, event: ItemDone) -> Indexes:
        """An export was written after its row had left; it is not written again where the row comes, or came, back."""
        row = self._left[event.index]
        left = self._left[event.index] = replace(row, **(changes_of(row, event) or {}))
        now = self._rows.get(event.index)
        if now is None:
            return NONE
        wanted, failed = (
            tuple(one for one in exports if one != row.writing) for exports in (now.wants_exports, now.failed_exports)
        )
        return self._change([event.index], wants_exports=wanted, failed_exports=failed, written=left.written)

    def _put(self, row: Row) -> None:
        self._rows[row.index] = row
        if row.pending:
            if not self._pending:
                self._batch.clear()
            self._pending.add(row.index)
            self._batch.add(row.index)
        else:
            self._pending.discard(row.index)


def _same(item: InputFile, other: InputFile) -> bool:
    """Whether a file is the one that the list has at its place: one that was not opened yet is what lies there then."""
    if item.sha256:
        return other.sha256 in ("", item.sha256)
    return not item.mark or other.mark in ("", item.mark)


def _doing(command: Step) -> Doing:
    match command:
        case Open():
            return Doing.OPEN
        case Enhance():
            return Doing.ENHANCE
        case _:
            return Doing.EXPORT


def _lane(doing: Doing) -> Doing:
    return Doing.OPEN if doing is Doing.OPEN else Doing.ENHANCE
