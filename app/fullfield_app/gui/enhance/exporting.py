"""From a wish to export to the worker's commands: names planned in the background, and a question where files exist."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from fullfield.image.method import Method
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.enhance.export_choices import Order
from fullfield_app.gui.enhance.export_plan import Existing, ExportPlan, plan
from fullfield_app.gui.enhance.queue_model import Queue
from fullfield_app.gui.queue.row import Row
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.gui.widgets.question import Answer, Question, ask


@dataclass(kw_only=True, eq=False)
class _Running:
    """An order: `left`, of which images which files are still to be written, and how many have been `written`."""

    folder: Path
    left: set[tuple[int, str]]
    written: int = 0


class Exporting(QObject):
    """`planned`: the exports to ask of the worker; `said`: a Message when all of an order have ended.

    `withdrawn`: the title of the one before, which it takes the place of.
    """

    planned = Signal(object)
    said = Signal(object)
    withdrawn = Signal(str)

    def __init__(self, tasks: Tasks, queue: Queue, owner: QWidget) -> None:
        super().__init__(owner)
        self._tasks, self._queue, self._owner = tasks, queue, owner
        self._running: list[_Running] = []
        self._pending: list[tuple[Order, dict[int, Method]]] = []  # being planned or asked about
        self._reported = ""

    def export(self, rows: list[Row], order: Order) -> None:
        """Plan the export of what is ordered of `rows`, and go on or ask. The same again meanwhile is one order."""
        ordered = (row for row in rows if row.index in order.deliveries)
        wish = (order, {row.index: row.coming for row in ordered})
        if wish not in self._pending:
            self._pending.append(wish)
            self._plan(rows, order, Existing.ASK, lambda: self._pending.remove(wish))

    def _plan(self, rows: list[Row], order: Order, existing: Existing, end: Callable[[], None]) -> None:
        """`end`: it is neither planned nor asked about any more."""

        def done(made: ExportPlan) -> None:
            if made.existing and existing is Existing.ASK:
                box = self._ask(made, lambda answer: self._plan(rows, order, answer, end))
                box.rejected.connect(end)
                return
            end()
            changed = self._changed(rows)
            exports = tuple(export for export in made.exports if export.index not in changed)
            if len(exports) < len(made.exports):
                self.say_changed(len(made.exports) - len(exports))
            if exports:
                listed = (export for export in exports if self._queue.get(export.index) is not None)
                left = {(export.index, export.target) for export in listed}
                self._running.append(_Running(folder=order.folder, left=left))
                self.planned.emit(exports)

        def failed(error: BaseException) -> None:
            end()
            self._tasks.failed.emit(error)

        self._tasks.start(lambda: plan(rows, order, existing=existing), done, failed=failed)

    def follow(self, queue: Queue, indexes: frozenset[int]) -> None:
        """These rows have changed: when the last file of an order has come to its end, say so.

        What left the list is not waited for, and counts again where it comes back.
        """
        dropped = 0
        for running in tuple(self._running):
            for index, target in sorted(running.left):
                row = queue.get(index) if index in indexes else None
                if row is not None and all(export.target != target for export in row.exports):
                    running.left.discard((index, target))
                    unwritten = any(export.target == target for export in row.failed_exports)
                    dropped += unwritten and row.trouble is None
                    running.written += not unwritten and _is_written(row, target)
            if not any(queue.get(index) for index, _ in running.left):
                self._say_where(running)
                running.written = 0
            if not running.left:
                self._running.remove(running)
        if dropped:
            self.say_changed(dropped)

    def say_changed(self, count: int) -> None:
        """Say of how many images there is another result to come than the one that was to be exported."""
        title = self.tr("One image was not exported.")
        text = self.tr("Before it could be written, it was to be enhanced in another way. Export it again after that.")
        if count > 1:
            title = self.tr("{count} images were not exported.").format(count=count)
            text = self.tr(
                "Before they could be written, they were to be enhanced in another way. Export them again after that."
            )
        self.said.emit(Message(title=title, text=text))

    def _changed(self, ordered: list[Row]) -> set[int]:
        """Those of which an export would be of another result now than when it was `ordered`."""
        pairs = ((row, self._queue.get(row.index)) for row in ordered)
        return {row.index for row, now in pairs if now is not None and now.coming != row.coming}

    def _say_where(self, ended: _Running) -> None:
        if not ended.written:
            return  # each row says why
        title = self.tr("One image was exported.")
        if ended.written > 1:
            title = self.tr("{count} images were exported.").format(count=ended.written)
        text = self.tr("The folder is {folder}. The originals are untouched.").format(folder=ended.folder)
        show, act = self.tr("Show folder"), partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(ended.folder)))
        self.withdrawn.emit(self._reported)
        self._reported = title
        self.said.emit(Message(title=title, text=text, trouble=False, action=show, act=act))

    def _ask(self, made: ExportPlan, go_on: Callable[[Existing], None]) -> QMessageBox:
        count, first = len(made.existing), made.existing[0].name
        text = (
            self.tr("{name} is in the folder already.").format(name=first)
            if count == 1
            else self.tr("{count} files are in the folder already, {name} among them.").format(count=count, name=first)
        )
        new = len(made.exports) - count
        only = self.tr("Only the new ones ({count})").format(count=new) if new > 1 else self.tr("Only the new one")
        leave = Answer(text=only, act=lambda: go_on(Existing.LEAVE), default=True)
        question = Question(
            title=self.tr("Replace existing files?"),
            text=text,
            answers=(
                *((leave,) if new else ()),
                Answer(text=self.tr("Keep both"), act=lambda: go_on(Existing.KEEP_BOTH), default=not new),
                Answer(text=self.tr("Replace"), act=lambda: go_on(Existing.REPLACE)),
            ),
            cancel=self.tr("Do not export"),
        )
        return ask(self._owner, question)


def _is_written(row: Row, target: str) -> bool:
    """What is no longer to be written of `row` is: it neither failed nor was cancelled before its turn came."""
    return row.exported == Path(target) or (row.trouble is None and not row.cancelled)
