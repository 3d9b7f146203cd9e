"""Which model a grading was of, and whether its file is still the one that made the images that were graded."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from fullfield.enhance import models
from fullfield.grading.study import Study

translate = QCoreApplication.translate


def model(ended: Study) -> Path | None:
    """The file of the model that every test image was to be made with; None where it was something else."""
    methods = {pair.test for pair in ended.pairs}
    method = methods.pop() if len(methods) == 1 else None
    return Path(method.choice) if method is not None and method.of_model and not method.changes else None


def made_by(ended: Study) -> frozenset[str]:
    """The SHA-256 of each file that made a test image that any reader has graded; "" where that is not known."""
    answers = (answer for reading in ended.readings for answer in reading.answers)
    return frozenset(answer.made_by for answer in answers if any(score is not None for score in answer.clicked))


def why_not(ended: Study) -> str:
    """Why the model is not to be offered for use, a sentence: its file is another one now; "" where it is the very one,
    or where no model was graded. Reads the whole file."""
    path, made = model(ended), made_by(ended)
    if path is None or not made:
        return ""
    if "" in made:
        return translate(
            "grading",
            "The model is not offered for use: an earlier version of Fullfield wrote this grading, which does not tell "
            "which file of the model was graded.",
        )
    if len(made) == 1 and models.holds(path, *made):
        return ""
    return translate(
        "grading",
        "The model is not offered for use: its file is another one now than when it was graded, or is gone.",
    )
