"""The settings of the dialog "More", a line each: field of `TrainSpec`, title, a sentence, what to choose from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from fullfield.plan import encoders
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP, say_core

FILE = "file…"  # asks for one


@dataclass(frozen=True, kw_only=True)
class Field:
    """`choices`: values and their titles, or what tells them once they are shown; without any it is typed, or switched
    where it is on or off."""

    key: str
    title: str
    tip: str
    choices: tuple[tuple[str, str], ...] | Callable[[], tuple[tuple[str, str], ...]] = ()


FIELDS = (
    Field(
        key="reference",
        title=QT_TRANSLATE_NOOP("settings", "Reference"),
        tip=QT_TRANSLATE_NOOP("settings", "What the network learns to make."),
        choices=(
            ("auto", QT_TRANSLATE_NOOP("settings", "Pairs, else the preset that fits")),
            ("pairs", QT_TRANSLATE_NOOP("settings", "Only pairs of the data")),
            ("image", QT_TRANSLATE_NOOP("settings", "The images themselves")),
        ),
    ),
    Field(
        key="review",
        title=QT_TRANSLATE_NOOP("settings", "Heed the review"),
        tip=QT_TRANSLATE_NOOP("settings", "Leave out rejected images, and use adjusted references."),
    ),
    Field(
        key="loss",
        title=QT_TRANSLATE_NOOP("settings", "Loss"),
        tip=QT_TRANSLATE_NOOP("settings", "How the result is compared with the reference."),
        choices=(
            ("ms_ssim", QT_TRANSLATE_NOOP("settings", "1 − MS-SSIM")),
            ("ms_ssim+l1", QT_TRANSLATE_NOOP("settings", "0.84·(1 − MS-SSIM) + 0.16·L1")),
            ("ms_ssim+l1+bands", QT_TRANSLATE_NOOP("settings", "… and the strength of bands")),
        ),
    ),
    Field(
        key="learning_rate",
        title=QT_TRANSLATE_NOOP("settings", "Learning rate"),
        tip=QT_TRANSLATE_NOOP("settings", "The largest of the schedule: more learns faster, too much not at all."),
    ),
    Field(
        key="schedule",
        title=QT_TRANSLATE_NOOP("settings", "Schedule"),
        tip=QT_TRANSLATE_NOOP("settings", "How the learning rate changes during the training."),
        choices=(
            ("cosine", QT_TRANSLATE_NOOP("settings", "Falls as a cosine")),
            ("constant", QT_TRANSLATE_NOOP("settings", "Stays the same")),
        ),
    ),
    Field(
        key="warm_up",
        title=QT_TRANSLATE_NOOP("settings", "Warm-up"),
        tip=QT_TRANSLATE_NOOP("settings", "Share of the steps in which the learning rate rises, from 0 to 0.9."),
    ),
    Field(
        key="l1_steps",
        title=QT_TRANSLATE_NOOP("settings", "First steps with L1"),
        tip=QT_TRANSLATE_NOOP("settings", "MS-SSIM has no gradient before anything resembles the reference."),
    ),
    Field(
        key="freeze_batch_norm",
        title=QT_TRANSLATE_NOOP("settings", "Frozen statistics"),
        tip=QT_TRANSLATE_NOOP("settings", "Share of the last epochs with batch normalisation's statistics frozen."),
    ),
    Field(
        key="weights",
        title=QT_TRANSLATE_NOOP("settings", "First weights"),
        tip=QT_TRANSLATE_NOOP("settings", "What the network knows before it learns from these images."),
        choices=(
            ("auto", QT_TRANSLATE_NOOP("settings", "ImageNet's, where they are here")),
            ("imagenet", QT_TRANSLATE_NOOP("settings", "ImageNet's")),
            ("none", QT_TRANSLATE_NOOP("settings", "None: it begins with nothing")),
            (FILE, QT_TRANSLATE_NOOP("settings", "From a file…")),
        ),
    ),
    Field(
        key="network",
        title=QT_TRANSLATE_NOOP("settings", "Network"),
        tip=QT_TRANSLATE_NOOP("settings", "A kind of its own has defaults of its own, which are set with it."),
        choices=encoders.networks,  # `packaging/translate.py` collects them
    ),
    Field(
        key="encoder",
        title=QT_TRANSLATE_NOOP("settings", "Encoder"),
        tip=QT_TRANSLATE_NOOP("settings", "A smaller one takes less memory and time, and learns a little less."),
        choices=encoders.titles,  # `packaging/translate.py` collects them
    ),
    Field(
        key="augment",
        title=QT_TRANSLATE_NOOP("settings", "Vary by chance"),
        tip=QT_TRANSLATE_NOOP(
            "settings",
            "Images are learnt from mirrored, too; processed ones also with less contrast, in 8 bits or as JPEG.",
        ),
    ),
    Field(
        key="validation",
        title=QT_TRANSLATE_NOOP("settings", "Held back"),
        tip=QT_TRANSLATE_NOOP("settings", "Share of the images that are not learnt from, to check: from 0.01 to 0.9."),
    ),
    Field(
        key="seed",
        title=QT_TRANSLATE_NOOP("settings", "Seed"),
        tip=QT_TRANSLATE_NOOP("settings", "Another number makes another split, another order, another result."),
    ),
    Field(
        key="threads",
        title=QT_TRANSLATE_NOOP("settings", "CPU threads"),
        tip=QT_TRANSLATE_NOOP("settings", "0 takes all cores but the one that this window needs."),
    ),
    Field(
        key="checkpoint_seconds",
        title=QT_TRANSLATE_NOOP("settings", "Save every … seconds"),
        tip=QT_TRANSLATE_NOOP("settings", "A training that is interrupted goes on from there. 0: after each epoch."),
    ),
    Field(
        key="calibrate_halo",
        title=QT_TRANSLATE_NOOP("settings", "Measure tiles"),
        tip=QT_TRANSLATE_NOOP("settings", "At the end, measure how far tiles must overlap: some 12 seconds."),
    ),
    Field(
        key="data_licence",
        title=QT_TRANSLATE_NOOP("settings", "Licence of the data"),
        tip=QT_TRANSLATE_NOOP("settings", "What their owner allows; written into the model's card."),
    ),
)


def say(text: str) -> str:
    """A text of the table in the user's language."""
    return QCoreApplication.translate("settings", text)


def preset_titles() -> tuple[tuple[str, str], ...]:
    """Name and title of every preset that makes references; reads their files, so it is a background task's."""
    from fullfield.image import presets

    return tuple((key, say_core(presets.load(key).title)) for key in presets.names())
