"""Sentences that every page must be able to show."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield import __version__
from fullfield.image.export import NOT_FOR_DIAGNOSIS
from fullfield_app.gui.translation import say_core


def not_a_medical_device() -> str:
    """What the program is not; the same words as in every exported file."""
    return say_core(NOT_FOR_DIAGNOSIS)


def not_a_medical_device_in_short() -> str:
    """The least of it, for a line that has little room."""
    return QCoreApplication.translate("texts", "Not a medical device. Not for primary diagnosis.")


def about() -> str:
    """What the program is."""
    text = QCoreApplication.translate(
        "texts",
        "Fullfield {version} improves the contrast of radiographs at their native resolution. Originals are never "
        "changed; results are written as new files, in the folder that you choose.",
    )
    return text.format(version=__version__)
