"""Sentences that every page must be able to show."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield import __version__
from fullfield.image.export import NOT_FOR_DIAGNOSIS
from fullfield_app.gui.translation import say_core


def not_a_medical_device() -> str:
    """What the program is not; the same words as in every exported file."""
    return say_core(NOT_FOR_DIAGNOSIS)


def about() -> str:
    """What the program is."""
    text = QCoreApplication.translate(
        "texts",
        "Fullfield {version} improves the contrast of radiographs at their native resolution. Originals are never "
        "changed; results are written as new files beside them.",
    )
    return text.format(version=__version__)
