"""What to do after a training has failed, where the engine names options of the command line: the same in the window's
words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield.errors import RankLost
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP, say_core

_SMALLER = QT_TRANSLATE_NOOP("hints", "Choose a smaller size or batch in Train, or close other programs.")
_OTHER_WEIGHTS = QT_TRANSLATE_NOOP("hints", "Choose other first weights in Train, or none.")
_KEPT = QT_TRANSLATE_NOOP("hints", "Click Resume: what was saved is kept.")

BY_HINT = {
    RankLost.HINT: QT_TRANSLATE_NOOP(
        "hints",
        "Most often that is want of memory: close other programs and click Resume. For a smaller size or batch, or "
        "fewer devices, start a new training.",
    ),
    "Go on (--resume) with --fit AMOUNT, or close other programs: the last checkpoint is kept. A smaller --size or "
    "--batch needs a new folder.": QT_TRANSLATE_NOOP(
        "hints",
        "Close other programs and click Resume: the last checkpoint is kept. For a smaller size or batch, or with a "
        "tick at “If memory runs out, go on with less”, start a new training.",
    ),
    "Choose a smaller --size or --batch, or close other programs.": _SMALLER,
    "Go on with it (--resume): what was saved is kept.": _KEPT,
    "Go on with the run (--resume): what was saved is kept. Ask for more time: --slurm=--time=HH:MM:SS.": _KEPT,
    "Connect the folder of images as it was, then go on with the training (--resume); or start a new "
    "training.": QT_TRANSLATE_NOOP(
        "hints", "Connect the folder of images as it was, then click Resume; or start a new training."
    ),
    "Have that limit raised, then go on with the training (--resume).": QT_TRANSLATE_NOOP(
        "hints", "Have that limit raised, then click Resume."
    ),
    "Free some space, then go on with the training (--resume).": QT_TRANSLATE_NOOP(
        "hints", "Free some space, then click Resume."
    ),
    "Check the disk, the network and your permissions, then go on with the training (--resume): nothing was "
    "removed.": QT_TRANSLATE_NOOP(
        "hints", "Check the disk, the network and your permissions, then click Resume: nothing was removed."
    ),
    "Choose a model of the same kind, or start without (--weights none).": _OTHER_WEIGHTS,
    "Give torchvision's file of this encoder, or start without (--weights none).": _OTHER_WEIGHTS,
    "Name its file as the first weights (--weights FILE).": QT_TRANSLATE_NOOP(
        "hints", "Choose its file as the first weights in Train."
    ),
    "Choose another value for --encoder.": QT_TRANSLATE_NOOP("hints", "Choose another encoder in Train."),
    "Close other programs, or run fewer images at once (--jobs 1).": QT_TRANSLATE_NOOP(
        "hints", "Close other programs, and try again."
    ),
    "Choose a model trained at this scale, train one with `fullfield train --size native`, or use a preset; the image "
    "was not resized.": QT_TRANSLATE_NOOP(
        "hints",
        "Choose a model trained at this scale, train one at native size, or use a preset; the image was not resized.",
    ),
    "Holding a model against others takes images of at least three patients: add images of others, or train without "
    "--compare.": QT_TRANSLATE_NOOP(
        "hints",
        "Holding a model against others takes images of at least three patients: add images of others, or begin the "
        "training in Train.",
    ),
    "Add images of other patients, or train without --compare.": QT_TRANSLATE_NOOP(
        "hints", "Add images of other patients, or begin the training in Train."
    ),
    "Train on the images themselves, or without --compare.": QT_TRANSLATE_NOOP(
        "hints", "Train on the images themselves, or begin the training in Train."
    ),
    "Go on with it there (--resume without --on) and stop it; if no line comes, press Ctrl-C twice.": QT_TRANSLATE_NOOP(
        "hints", "Resume it on that machine in Runs, and stop it there."
    ),
    "Name the first weights that it was begun with (--weights FILE), or start a new one elsewhere.": QT_TRANSLATE_NOOP(
        "hints", "Choose in Train the first weights that it was begun with, or start a new training."
    ),
    "Leave them out of --techniques.": QT_TRANSLATE_NOOP("hints", "Take away their ticks in Train."),
}


def in_the_window(text: str) -> str:
    """What an error says, in the user's language; where a sentence names options, with what to click instead."""
    for hint, said in BY_HINT.items():
        before, found, after = text.partition(hint)
        if found:
            parts = (
                in_the_window(before.strip()),
                QCoreApplication.translate("hints", said),
                in_the_window(after.strip()),
            )
            return " ".join(filter(None, parts))
    return say_core(text)
