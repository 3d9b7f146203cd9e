"""The marks that are on the images now: who draws them asks the board, who shows them listens to it. No widget."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from fullfield_app.gui.measure.marks import Mark, Marks, Shape, Slot, in_middle
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.camera import Size


class Board(QObject):
    """`changed`: the marks, or whether they are shown. `shape`: what is drawn next."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shape = Shape.RECTANGLE
        self.marks = Marks()
        self.shown = False

    def show(self, shown: bool) -> None:
        """Show the marks, or hide them: they are kept."""
        if shown != self.shown:
            self.shown = shown
            self.changed.emit()

    def set_marks(self, marks: Marks) -> None:
        """Other marks."""
        if marks != self.marks:
            self.marks = marks
            self.changed.emit()

    def put(self, slot: Slot, mark: Mark) -> None:
        """A mark is new or has changed."""
        self.set_marks(self.marks.put(slot, mark))

    def add(self, shape: Shape, sight: Area, image: Size) -> None:
        """A new mark in the middle of what is in sight: for hands without a mouse."""
        slot = self.marks.slot_for(shape)
        mark = in_middle(shape, sight, image, second=slot is Slot.TWO)
        if mark is not None:
            self.put(slot, mark)

    def change_chosen(self, right: float, down: float, image: Size, *, resize: bool) -> None:
        """Move the chosen mark, or resize it."""
        chosen = self.marks.chosen
        if chosen is not None:
            mark = self.marks.placed[chosen]
            self.put(chosen, (mark.resized if resize else mark.moved)(right, down, image))

    def choose_next(self) -> None:
        """The next mark is the one that keys change."""
        self.set_marks(self.marks.after_chosen())

    def delete(self) -> None:
        """The chosen mark goes."""
        self.set_marks(self.marks.without(self.marks.chosen))

    def clear(self) -> None:
        """All of them go."""
        self.set_marks(Marks())
