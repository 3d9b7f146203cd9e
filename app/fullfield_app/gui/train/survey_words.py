"""What a data folder holds, in sentences. No widget."""

from __future__ import annotations

import statistics

from PySide6.QtCore import QCoreApplication

from fullfield.data.index import Problem
from fullfield.data.survey import Radiograph, Survey
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP, say_core
from fullfield_app.gui.widgets.label import clean

MOST_NAMED = 12  # patients that are named by their number in one line
_KINDS = {
    "raw": QT_TRANSLATE_NOOP("survey", "raw"),
    "processed": QT_TRANSLATE_NOOP("survey", "processed for display"),
}
_USES = {
    "raw": QT_TRANSLATE_NOOP("survey", "raw images (For Processing)"),
    "processed": QT_TRANSLATE_NOOP("survey", "processed images"),
    "both": QT_TRANSLATE_NOOP("survey", "raw and processed images"),
}
_PURPOSES = {  # by what it is for, and whether raw images are simulated
    ("raw", False): QT_TRANSLATE_NOOP("survey", "The network will be for raw images and refuse all others."),
    ("raw", True): QT_TRANSLATE_NOOP(
        "survey",
        "Raw images are simulated from processed ones: the network will be for raw images and refuse all others.",
    ),
    ("processed", False): QT_TRANSLATE_NOOP(
        "survey", "The network will be for images that are processed for display, such as these, and refuse raw ones."
    ),
    ("both", False): QT_TRANSLATE_NOOP("survey", "The network will be for raw and for processed images."),
    ("both", True): QT_TRANSLATE_NOOP(
        "survey",
        "The network will be for raw and for processed images: it learns from each processed one as it is and as a raw "
        "one that is simulated from it.",
    ),
}
_ORIGINS = {
    "list": QT_TRANSLATE_NOOP("survey", "{count} have a reference of their own, listed in pairs.csv."),
    "names": QT_TRANSLATE_NOOP("survey", "{count} have a reference of their own, with the same name."),
    "dicom": QT_TRANSLATE_NOOP("survey", "{count} have a reference of their own, found in the DICOM headers."),
}


def counts(survey: Survey) -> str:
    """How many images of how many patients, and of which kind."""
    if not survey.radiographs:
        return _say(QT_TRANSLATE_NOOP("survey", "There are no images to train on in this folder."))
    kinds: dict[str, int] = {}
    for one in survey.radiographs:
        kinds[one.kind] = kinds.get(one.kind, 0) + 1
    if len(kinds) == 1:
        text = _say(QT_TRANSLATE_NOOP("survey", "{images} images of {patients} patients, all of them {kind}."))
        kind = _say(_KINDS.get(next(iter(kinds)), ""))
        return text.format(images=len(survey.radiographs), patients=survey.patients, kind=kind)
    reported = ", ".join(f"{count} {_say(_KINDS.get(kind, kind))}" for kind, count in kinds.items())
    text = _say(QT_TRANSLATE_NOOP("survey", "{images} images of {patients} patients: {kinds}."))
    return text.format(images=len(survey.radiographs), patients=survey.patients, kinds=reported)


def references(survey: Survey) -> str:
    """Where the references come from; empty where there is no image."""
    if not survey.radiographs:
        return ""
    own = sum(one.own for one in survey.radiographs)
    if own:
        return _say(_ORIGINS.get(survey.origin, _ORIGINS["dicom"])).format(count=own)
    return _say(
        QT_TRANSLATE_NOOP("survey", "The conventional processor makes the references: review them before training.")
    )


def use(use_on: str) -> str:
    """What a model is for, in short; `use_on`: "raw", "processed" or "both"."""
    return _say(_USES[use_on])


def purpose(survey: Survey) -> str:
    """What the model will be for, and where its raw images come from; empty where that is not known."""
    simulated = survey.use_on != "processed" and any(one.kind == "processed" for one in survey.radiographs)
    text = _PURPOSES.get((survey.use_on, simulated), "")
    return _say(text) if text else ""


def sizes(survey: Survey) -> str:
    """Smallest, median and largest."""
    found = sorted((one.rows * one.columns, one.columns, one.rows) for one in survey.radiographs)
    if not found:
        return ""
    (_, *least), (_, *most) = found[0], found[-1]
    middle = round(statistics.median(max(one.rows, one.columns) for one in survey.radiographs))
    text = _say(QT_TRANSLATE_NOOP("survey", "{least} to {most} pixels; median of the longer side {middle}."))
    return text.format(least="×".join(map(str, least)), most="×".join(map(str, most)), middle=middle)


def split(survey: Survey) -> str:
    """How many to learn from, how many held back, and whose."""
    if survey.problem:
        return say_core(survey.problem)
    held = survey.held
    named = ", ".join(map(str, held[:MOST_NAMED])) + (", …" if len(held) > MOST_NAMED else "")
    several = QT_TRANSLATE_NOOP(
        "survey", "{training} to learn from, {held} held back to check (patients no. {numbers})."
    )
    alone = QT_TRANSLATE_NOOP("survey", "{training} to learn from, {held} held back to check (patient no. {numbers}).")
    text = _say(alone if len(held) == 1 else several)
    return text.format(training=survey.training, held=len(survey.radiographs) - survey.training, numbers=named)


def radiograph(one: Radiograph) -> str:
    """Under its thumbnail."""
    held = _say(QT_TRANSLATE_NOOP("survey", "Patient {number}, held back"))
    learnt = _say(QT_TRANSLATE_NOOP("survey", "Patient {number}"))
    rejected = _say(QT_TRANSLATE_NOOP("survey", "Patient {number}, rejected"))
    return (rejected if one.rejected else held if one.held else learnt).format(number=one.patient)


def problem(one: Problem) -> str:
    """One problem, with the file's name: for the screen alone."""
    text = say_core(one.text)
    return f"{clean(one.relative)}: {text}" if one.relative else text


def _say(text: str) -> str:
    return QCoreApplication.translate("survey", text)
