"""What is asked before something of a run is lost."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from fullfield_app.gui.widgets.question import Answer, Question

translate = QCoreApplication.translate


def closing(count: int, stop: Callable[[], None]) -> Question:
    """The window is to be closed while so many trainings are at work."""
    one = translate("asking", "A training is running. It can go on without the window; open Fullfield to see it again.")
    many = translate(
        "asking", "{count} trainings are running. They can go on without the window; open Fullfield to see them again."
    )
    return Question(
        title=translate("asking", "Close while a training runs?"),
        text=one if count == 1 else many.format(count=count),
        answers=(
            Answer(text=translate("asking", "Let it go on without the window"), act=lambda: None, default=True),
            Answer(text=translate("asking", "Stop and keep"), act=stop),
        ),
        cancel=translate("asking", "Go back"),
    )


def discarding(act: Callable[[], None]) -> Question:
    """A run is to be ended and deleted."""
    return Question(
        title=translate("asking", "Cancel and discard this run?"),
        text=translate("asking", "The training ends at once. Its model, curves and images are deleted for good."),
        answers=(Answer(text=translate("asking", "Cancel and discard"), act=act),),
        cancel=translate("asking", "Go back"),
    )


def deleting(count: int, act: Callable[[], None]) -> Question:
    """Runs are to be deleted."""
    one = translate("asking", "Its model, curves and images are deleted for good. Models that you have kept stay.")
    many = translate(
        "asking", "The models, curves and images of {count} runs are deleted for good. Models that you have kept stay."
    )
    return Question(
        title=translate("asking", "Delete the run?") if count == 1 else translate("asking", "Delete the runs?"),
        text=one if count == 1 else many.format(count=count),
        answers=(Answer(text=translate("asking", "Delete"), act=act),),
        cancel=translate("asking", "Go back"),
    )
