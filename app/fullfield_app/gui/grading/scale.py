"""The questions about a pair: a line per criterion with five answers, from left much better to right much better.

By keys: 1 to 5 answer the line that is marked and go on to the next one; up and down choose the line.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QScrollArea, QToolButton, QVBoxLayout, QWidget

from fullfield.grading.statistics import SCORES
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import clean, plain_label, tooltip

Answers = tuple[int | None, ...]


class Scale(QScrollArea):
    """`answered`: one of the answers has been clicked or typed."""

    answered = Signal()

    def __init__(self, criteria: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Questions"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._lines = [_Line(text) for text in criteria]
        self._current = 0
        inner = QWidget()
        name(inner, self.tr("All questions"))
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.setSpacing(0)
        for place, line in enumerate(self._lines):
            line.answered.connect(lambda place=place: self._take(place))
            line.entered.connect(lambda place=place: self._mark(place))
            layout.addWidget(line)
        layout.addStretch()
        self.setWidget(inner)
        complete(self)

    @property
    def answers(self) -> Answers:
        """What is answered, line by line."""
        return tuple(line.score for line in self._lines)

    def show_answers(self, answers: Answers) -> None:
        """Show these, and mark the first line without one."""
        for line, score in zip(self._lines, answers, strict=True):
            line.show_score(score)
        self._mark(next((place for place, score in enumerate(answers) if score is None), 0))

    def answer(self, score: int) -> None:
        """The marked line, and on to the next."""
        self._lines[self._current].show_score(score)
        self._take(self._current)
        self.step(1)

    def step(self, lines: int) -> None:
        """Mark another line."""
        self._mark(min(max(self._current + lines, 0), len(self._lines) - 1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down choose the line; they do not scroll."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is None:
            event.ignore()
        else:
            self.step(step)

    def _take(self, place: int) -> None:
        self._mark(place)
        self.answered.emit()

    def _mark(self, place: int) -> None:
        self._current = place
        for number, line in enumerate(self._lines):
            line.mark(number == place)
        self.ensureWidgetVisible(self._lines[place], 0, 8)


class _Line(QWidget):
    """One criterion. `entered`: its buttons have the focus now."""

    answered = Signal()
    entered = Signal()

    def __init__(self, text: str) -> None:
        super().__init__()
        text = clean(text)
        name(self, self.tr("Question: {criterion}").format(criterion=text))
        self._text = plain_label(text, wrap=True)
        name(self._text, text)
        self._group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(4)
        for score, meaning in zip(SCORES, self._meanings(), strict=True):
            button = _AnswerButton(f"{score:+d}".replace("-", "−") if score else "0")
            button.setToolTip(tooltip(meaning))
            name(button, f"{text}: {meaning}")
            button.entered.connect(self.entered)
            self._group.addButton(button, score - SCORES[0])
            row.addWidget(button, 1)
        self._group.idClicked.connect(lambda _: self.answered.emit())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 3, 6, 5)
        layout.setSpacing(3)
        layout.addWidget(self._text)
        layout.addLayout(row)

    @property
    def score(self) -> int | None:
        place = self._group.checkedId()
        return None if place < 0 else SCORES[place]

    def show_score(self, score: int | None) -> None:
        self._group.setExclusive(False)  # or none of them could be
        for place, each in enumerate(SCORES):
            self._group.button(place).setChecked(each == score)
        self._group.setExclusive(True)

    def mark(self, on: bool) -> None:
        self._text.setObjectName("message-title" if on else "")
        self._text.style().unpolish(self._text)
        self._text.style().polish(self._text)
        self.setAccessibleDescription(self.tr("The keys 1 to 5 answer this one.") if on else "")

    def _meanings(self) -> tuple[str, ...]:
        return (
            self.tr("left much better"),
            self.tr("left better"),
            self.tr("equal"),
            self.tr("right better"),
            self.tr("right much better"),
        )


class _AnswerButton(QToolButton):
    """`entered`: it has the focus now."""

    entered = Signal()

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(self.sizePolicy().Policy.Expanding, self.sizePolicy().Policy.Fixed)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The line is the marked one from now on."""
        super().focusInEvent(event)
        self.entered.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up, down and Enter mean something further out."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)
