"""One pair after another, and the questions about it. What is where, only the study knows.

Keys: 1 to 5 answer −2 to +2, up and down choose the question, Enter goes on, Backspace back; F fits, + and − zoom,
I inverts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from fullfield.grading.statistics import SCORES
from fullfield.grading.study import Answer, Study
from fullfield_app.gui.grading.scale import Scale
from fullfield_app.gui.grading.takes import Take, Takes
from fullfield_app.gui.grading.takes_view import Keys, TakesView
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label

PANEL_WIDTH = 340


class ReadingPage(QWidget):
    """`answered` carries the study after an answer; `paused`; `ended`: the reader wants to be told."""

    answered = Signal(object)
    paused = Signal()
    ended = Signal()

    def __init__(self, study: Study, takes: Takes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Pairs to read"))
        self._study, self._takes = study, takes
        self._order = study.order()
        self._place = -1
        self._build()
        self._connect_signals()
        self.go(study.first_open())

    def go(self, place: int) -> None:
        """Show the pair at a place."""
        self._place = place
        self._scale.show_answers(self._study.reading.answers[place].clicked)
        self._images.show_versions(self._keys(place), self._keys(place + 1) if place + 1 < len(self._order) else None)
        self._tell()

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._images, self._scale = TakesView(self._takes), Scale(self._study.criteria)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(10)
        layout.addWidget(self._images, 1)
        layout.addWidget(self._build_panel())

    def _build_panel(self) -> QWidget:
        panel = QWidget()
        name(panel, self.tr("Questions and keys"))
        panel.setFixedWidth(PANEL_WIDTH)
        self._number, self._bar = plain_label(object_name="step"), QProgressBar()
        name(self._number, self.tr("Which pair"))
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)
        self._bar.setRange(0, len(self._study.pairs))
        name(self._bar, self.tr("Pairs that are graded"))
        question = plain_label(
            self.tr("Which image is better, and how much? −2: the left, much; +2: the right, much."), wrap=True
        )
        keys = plain_label(
            self.tr(
                "Keys 1 to 5: −2 to +2; ↑ ↓ choose the line, Enter next, Backspace back, F fit, + − zoom, I invert."
            ),
            object_name="quiet",
            wrap=True,
        )
        self._hint = plain_label(object_name="caution", wrap=True)
        name(self._hint, self.tr("What is missing"))
        self._again = self._button(self.tr("Try again"), self.tr("Try to make the image again"), self._takes.try_again)
        self._back = self._button(self.tr("Back"), self.tr("Previous pair"), lambda: self.go(self._place - 1))
        self._next = self._button(self.tr("Next"), self.tr("Next pair"), self._go_on)
        self._next.setObjectName("primary")
        pause = self._button(self.tr("Pause"), self.tr("Pause grading"), self.paused.emit)
        end = self._button(self.tr("End…"), self.tr("End grading"), self.ended.emit)
        buttons = QGridLayout()
        for place, button in enumerate((self._back, self._next, pause, end)):
            buttons.addWidget(button, place // 2, place % 2)
        layout = QVBoxLayout(panel)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self._number, self._bar, question):
            layout.addWidget(widget)
        layout.addWidget(self._scale, 1)
        for below in (self._hint, self._again, keys):
            layout.addWidget(below)
        layout.addLayout(buttons)
        return panel

    def _button(self, text: str, whole: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)  # Enter goes on, whatever has the focus; the space bar presses a button
        name(button, whole)
        button.clicked.connect(lambda: act())
        return button

    def _connect_signals(self) -> None:
        self._images.shown.connect(self._show)
        self._images.take_keys(self)
        self._scale.answered.connect(self._take)
        for number, score in enumerate(SCORES, 1):
            self._on(str(number), partial(self._answer, score))
        self._on("Return", self._next.click)
        self._on("Enter", self._next.click)
        self._on("Backspace", self._back.click)

    def _on(self, key: str, act: Callable[[], object]) -> None:
        QShortcut(QKeySequence(key), self).activated.connect(lambda: act())

    # News -------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """What there is now of this pair."""
        self._scale.setEnabled(self._images.complete)
        self._scale.setFocus()
        self._again.setVisible(any(map(self._takes.can_help, self._images.versions)))

    def _keys(self, place: int) -> Keys:
        """Left and right."""
        shown = self._order[place]
        pair = self._study.pairs[shown.pair]
        reference, test = (pair.image, pair.reference), (pair.image, pair.test)
        return (test, reference) if shown.test_left else (reference, test)

    def _answer(self, score: int) -> None:
        if self._images.complete:  # an answer to an image that is not to be seen would be none
            self._scale.answer(score)

    def _take(self) -> None:
        shown, versions = self._order[self._place], self._images.versions
        test, reference = versions if shown.test_left else versions[::-1]
        recipes = {
            key: version.recipe if isinstance(version, Take) else ""
            for key, version in (("reference", reference), ("test", test))
        }
        made_by = test.made_by if isinstance(test, Take) else ""
        answer = Answer(clicked=self._scale.answers, made_by=made_by, **recipes)
        self._study = self._study.with_answer(self._place, answer)
        self._tell()
        self.answered.emit(self._study)

    def _tell(self) -> None:
        count = len(self._order)
        self._number.setText(self.tr("Pair {place} of {count}").format(place=self._place + 1, count=count))
        self._bar.setValue(self._study.done)
        self._back.setEnabled(self._place > 0)
        self._next.setText(self.tr("Finish") if self._study.finished and self._place == count - 1 else self.tr("Next"))
        self._hint.hide()

    def _go_on(self) -> None:
        last = self._place == len(self._order) - 1
        if last and self._study.finished:
            self.ended.emit()
        elif not last:
            self.go(self._place + 1)
        else:
            self.go(self._study.first_open())
            self._hint.setText(self.tr("This pair is not answered wholly."))
            self._hint.show()
