"""A run in figures and words: how far it is, what it runs on and by, what it was asked. No widget."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield.protocol.places import several
from fullfield.runs.run_state import RunSnapshot
from fullfield.runs.runs import Run
from fullfield_app.gui import numbers
from fullfield_app.gui.runs import member_words, words
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.gui.widgets.label import clean

translate = QCoreApplication.translate

_TITLES = {
    "best": QT_TRANSLATE_NOOP("facts", "Best validation loss"),
    "quality": QT_TRANSLATE_NOOP("facts", "Its quality"),
    "members": QT_TRANSLATE_NOOP("facts", "Members"),
    "epoch": QT_TRANSLATE_NOOP("facts", "Epochs"),
    "step": QT_TRANSLATE_NOOP("facts", "Steps"),
    "pace": QT_TRANSLATE_NOOP("facts", "Time per epoch"),
    "left": QT_TRANSLATE_NOOP("facts", "Time left"),
    "worked": QT_TRANSLATE_NOOP("facts", "Time so far"),
    "lasted": QT_TRANSLATE_NOOP("facts", "Duration"),
    "saved": QT_TRANSLATE_NOOP("facts", "Saved"),
    "peak": QT_TRANSLATE_NOOP("facts", "Most memory held"),
    "machine": QT_TRANSLATE_NOOP("facts", "Machine"),
    "device": QT_TRANSLATE_NOOP("facts", "Device"),
    "ranks": QT_TRANSLATE_NOOP("facts", "Processes"),
    "precision": QT_TRANSLATE_NOOP("facts", "Precision"),
    "techniques": QT_TRANSLATE_NOOP("facts", "Techniques"),
    "size": QT_TRANSLATE_NOOP("facts", "Image size"),
    "batch": QT_TRANSLATE_NOOP("facts", "Images per step"),
    "network": QT_TRANSLATE_NOOP("facts", "Network"),
    "data": QT_TRANSLATE_NOOP("facts", "Data"),
    "began": QT_TRANSLATE_NOOP("facts", "Begun"),
    "version": QT_TRANSLATE_NOOP("facts", "Version"),
    "notes": QT_TRANSLATE_NOOP("facts", "Notes"),
}


def rows(run: Run, reported: RunSnapshot) -> dict[str, str]:
    """The facts of a run by the keys of the titles; "" where one is not known."""
    best, spec = reported.best, run.spec
    techniques = reported.techniques if reported.techniques is not None else run.techniques
    pace, worked = reported.seconds_per_epoch, numbers.seconds(reported.seconds) if reported.seconds else ""
    return {
        "best": translate("facts", "{loss} in epoch {epoch}").format(
            loss=words.loss(best.validation_loss), epoch=best.epoch
        )
        if best
        else "",
        "quality": translate("facts", "PSNR {psnr} dB; finest detail {share} of the reference's").format(
            psnr=numbers.number(best.psnr_db, 1), share=numbers.percent(100 * best.fine_sd_ratio)
        )
        if best
        else "",
        "members": member_words.of_all(reported, live=run.state.alive),
        "epoch": "" if run.members else _of(reported.epoch, reported.epochs_wanted or spec.get("epochs", 0)),
        "step": "" if run.members else _of(reported.step, reported.steps),
        "pace": numbers.seconds(pace) if pace else "",
        "left": translate("facts", "about {time}").format(time=numbers.seconds(reported.seconds_left))
        if reported.seconds_left is not None
        else "",
        "worked": worked if run.state.alive else "",
        "lasted": "" if run.state.alive else worked,
        "saved": translate("facts", "after step {step}").format(step=numbers.number(reported.saved_step))
        if reported.saved_step
        else "",
        "peak": "" if run.members else words.peak(reported.memory.peak_bytes, on_card=reported.memory.on_card),
        "machine": ", ".join(map(words.machine, several(str(spec.get("place", ""))))),
        "device": clean(reported.device),
        "ranks": numbers.number(len(reported.ranks)) if len(reported.ranks) > 1 else "",
        "precision": words.precision(techniques),
        "techniques": words.techniques(techniques),
        "size": words.size(spec.get("size")),
        "batch": str(spec.get("batch", "")),
        "network": words.network(str(spec.get("network", "")), str(spec.get("encoder", ""))),
        "data": clean(reported.data),
        "began": words.began(run),
        "version": reported.version,
        "notes": "\n".join(map(clean, run.label.notes.splitlines())),
    }


def titles() -> dict[str, str]:
    """What the facts are called, by key, in their order."""
    return {key: translate("facts", text) for key, text in _TITLES.items()}


def _of(count: int, total: int) -> str:
    if not total:
        return ""
    return translate("facts", "{count} of {total}").format(count=numbers.number(count), total=numbers.number(total))
