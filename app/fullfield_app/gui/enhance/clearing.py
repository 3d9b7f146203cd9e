"""The list is cleared for the next patient: asked first where something would be lost; it can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QCoreApplication

from fullfield_app.gui.queue.row import Row
from fullfield_app.gui.widgets.question import Answer, Question

translate = QCoreApplication.translate


def unexported(rows: Iterable[Row]) -> str:
    """How many results have not been exported, in a sentence; empty where there is none."""
    count = sum(row.unexported for row in rows)
    if count == 1:
        return translate("EnhancePanel", "One enhanced image has not been exported.")
    many = translate("EnhancePanel", "{count} enhanced images have not been exported.")
    return many.format(count=count) if count else ""


def question(rows: list[Row], shown: int, act: Callable[[], None]) -> Question | None:
    """What to ask before these `rows` leave, of which so many are `shown`; None where nothing would be lost unseen."""
    hidden = len(rows) - shown
    one = translate("Clearing", "One image leaves that the filter hides.")
    many = translate("Clearing", "{count} images leave that the filter hides.").format(count=hidden)
    sentences = [unexported(rows), {0: "", 1: one}.get(hidden, many)]
    if not any(sentences):
        return None
    return Question(
        title=translate("Clearing", "Clear the list?"),
        text=" ".join(filter(None, sentences)),
        answers=(Answer(text=translate("Clearing", "Clear the list"), act=act),),
        cancel=translate("Clearing", "Go back"),
    )
