"""What the user decided, so that it can be undone and done again: methods of images, and removals from the list.

What the worker does is not undone by itself: going back to another method enhances with that one again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from fullfield.image.method import Method
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.queue.row import Row

MOST = 200  # decisions that are kept


class Decisions(QObject):
    """Decides for `work`, and remembers. `changed`: what could be undone or done again is another thing now."""

    changed = Signal()

    def __init__(self, work: Work, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._stack = QUndoStack(self)
        self._stack.setUndoLimit(MOST)
        self._stack.indexChanged.connect(self.changed)

    def enhance(self, methods: Mapping[int, Method], what: str, follow: Callable[[bool], object]) -> None:
        """Enhance these images; `what`: the decision in a few words; `follow`: what goes with it, whether it is undone
        or not. One that changes nothing is not remembered."""
        rows = self._work.queue
        before = {index: row.method for index in methods if (row := rows.get(index)) is not None}
        after = {index: methods[index] for index in before}
        if before == after:
            self._work.enhance(after)
        else:
            self._decide(
                what, lambda: self._set(after, follow, undone=False), lambda: self._set(before, follow, undone=True)
            )

    def remove(self, indexes: Sequence[int], what: str) -> None:
        """Take images out of the list."""
        if not indexes:
            return
        removed: list[tuple[Row, ...]] = []

        def undo() -> None:
            self._work.restore(removed.pop())

        self._decide(what, lambda: removed.append(self._work.remove(indexes)), undo)

    def undo(self) -> None:
        """Take the last decision back."""
        self._stack.undo()

    def redo(self) -> None:
        """Decide again what was taken back."""
        self._stack.redo()

    def next_undo(self) -> str | None:
        """What would be undone; None where there is nothing."""
        return self._stack.undoText() if self._stack.canUndo() else None

    def next_redo(self) -> str | None:
        """What would be done again; None where there is nothing."""
        return self._stack.redoText() if self._stack.canRedo() else None

    def _set(self, methods: Mapping[int, Method], follow: Callable[[bool], object], *, undone: bool) -> None:
        follow(undone)
        self._work.enhance(methods)

    def _decide(self, what: str, do: Callable[[], None], undo: Callable[[], None]) -> None:
        self._stack.push(_Decision(what, do, undo))


class _Decision(QUndoCommand):
    def __init__(self, what: str, do: Callable[[], None], undo: Callable[[], None]) -> None:
        super().__init__(what)
        self._do, self._undo = do, undo

    def redo(self) -> None:
        """Also the first time: the stack does what is pushed onto it."""
        self._do()

    def undo(self) -> None:
        """Back to how it was."""
        self._undo()
