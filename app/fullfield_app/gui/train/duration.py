"""How long a training is, as far as one can know beforehand. No widget."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield_app.gui import numbers
from fullfield_app.gui.train import places
from fullfield_app.gui.train.choices import Choices


def roughly(seconds: float) -> str:
    """In whole minutes: "5 min", "2 h 10 min"; below half of one "less than a minute"."""
    minutes = round(seconds / 60)
    if not minutes:
        return QCoreApplication.translate("duration", "less than a minute")
    return numbers.seconds(60 * minutes).removesuffix(" 0 s")


def of_members(reported: str, choices: Choices) -> str:
    """What is told of one training, of all members of an ensemble: they take as many times as long."""
    members, machines = choices.members, len(places.together(choices))
    if members == 1:
        return reported
    text = QCoreApplication.translate("duration", "{steps} That {members} times, one member after another.")
    if machines > 1:
        text = QCoreApplication.translate("duration", "{steps} That {members} times, shared by {machines} machines.")
    return text.format(steps=reported, members=members, machines=machines)
