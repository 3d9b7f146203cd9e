"""How long a training is, as far as one can know beforehand. No widget."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield_app.gui import numbers


def roughly(seconds: float) -> str:
    """In whole minutes: "5 min", "2 h 10 min"; below half of one "less than a minute"."""
    minutes = round(seconds / 60)
    if not minutes:
        return QCoreApplication.translate("duration", "less than a minute")
    return numbers.seconds(60 * minutes).removesuffix(" 0 s")
