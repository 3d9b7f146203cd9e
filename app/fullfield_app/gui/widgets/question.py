"""A question with a few answers; the window goes on while it stands. Plain text, whatever names are in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QMessageBox, QWidget

from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import clean


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A button and what it does. `default`: Enter presses it; where no answer has it, Enter does nothing of theirs."""

    text: str
    act: Callable[[], None]
    default: bool = False


@dataclass(frozen=True, kw_only=True)
class Question:
    """`cancel`: the button that does nothing, as do Escape and the frame's button. `tick`: a box below; "": none."""

    title: str
    text: str
    answers: Sequence[Answer]
    cancel: str
    tick: str = ""


def ask(owner: QWidget, question: Question) -> QMessageBox:
    """Ask; whoever is asked may take all the time there is."""
    title = question.title
    box = QMessageBox(owner)
    name(box, title)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(title)
    text = "\n".join(map(clean, question.text.split("\n")))
    box.setText(f"{title}\n\n{text}")  # one text: only that one obeys the format
    for answer in question.answers:
        button = box.addButton(answer.text, QMessageBox.ButtonRole.AcceptRole)
        name(button, answer.text)
        button.clicked.connect(lambda _checked=False, act=answer.act: act())
        if answer.default:
            box.setDefaultButton(button)
    stay = box.addButton(question.cancel, QMessageBox.ButtonRole.RejectRole)
    name(stay, question.cancel)
    box.setEscapeButton(stay)
    if not any(answer.default for answer in question.answers):  # else Qt takes the first, which may throw away
        box.setDefaultButton(stay)
    if question.tick:
        tick = QCheckBox(question.tick, box)  # whose it is: else Python takes it away again
        name(tick, question.tick)
        box.setCheckBox(tick)
    complete(box)
    box.open()
    return box
