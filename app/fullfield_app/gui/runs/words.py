"""A run in the user's words: its state, what it was asked, what it runs by."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QDateTime

from fullfield.enhance.methods import LEARNED
from fullfield.errors import UsageError
from fullfield.image.method import SHIPPED
from fullfield.plan import encoders
from fullfield.plan.spec import NATIVE
from fullfield.protocol.places import LOCAL
from fullfield.runs.runs import Run, State
from fullfield.techniques import registry
from fullfield_app.gui import numbers
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP, say_core
from fullfield_app.gui.widgets.label import clean

translate = QCoreApplication.translate

_STATES = {
    State.PREPARING: QT_TRANSLATE_NOOP("state of a run", "Preparing"),
    State.RUNNING: QT_TRANSLATE_NOOP("state of a run", "Training"),
    State.PAUSED: QT_TRANSLATE_NOOP("state of a run", "Paused"),
    State.STOPPED: QT_TRANSLATE_NOOP("state of a run", "Stopped, kept"),
    State.COMPLETED: QT_TRANSLATE_NOOP("state of a run", "Completed"),
    State.FAILED: QT_TRANSLATE_NOOP("state of a run", "Failed"),
    State.DIED: QT_TRANSLATE_NOOP("state of a run", "Ended unexpectedly"),
    State.DAMAGED: QT_TRANSLATE_NOOP("state of a run", "Damaged"),
}
LOOKS = {
    State.PREPARING: "accent",
    State.RUNNING: "accent",
    State.PAUSED: "caution",
    State.STOPPED: "quiet",
    State.COMPLETED: "fine",
    State.FAILED: "trouble",
    State.DIED: "trouble",
    State.DAMAGED: "trouble",
}
"""The colour of a state, by the theme's name; the word says the same."""
_SIGNS = {
    State.PREPARING: "…",
    State.RUNNING: "▶",
    State.PAUSED: "❚❚",
    State.STOPPED: "■",
    State.COMPLETED: "✓",
    State.FAILED: "✗",
    State.DIED: "✗",
    State.DAMAGED: "✗",
}


def state(of: State, *, kept: bool = True) -> str:
    """A state as a word. `kept`: it has made steps: before its first one there is nothing to keep."""
    if of is State.STOPPED and not kept:
        return translate("state of a run", "Stopped")
    return translate("state of a run", _STATES[of])


def network(kind: str, encoder: str) -> str:
    """A network by its kind, and by its encoder where it has one."""
    if encoders.called(kind, encoder) == encoder:
        return translate("facts", "U-Net, {encoder}").format(encoder=encoder)
    return translate("settings", dict(encoders.networks())[kind])


def model(name: str) -> str:
    """A model by its name; the one that ships has a title."""
    return say_core(LEARNED) if name == SHIPPED else clean(name)


def in_use(name: str) -> str:
    """What "auto" takes for a body part: a model by its name; "": a preset."""
    return model(name) if name else translate("runs", "the preset that fits")


def signed(of: State, *, kept: bool = True) -> str:
    """A state as a sign and a word: never told by colour alone."""
    return f"{_SIGNS[of]} {state(of, kept=kept)}"


def title(run: Run) -> str:
    """What a run is called: the user's name for it, or its size and when it began; one that is damaged, its folder."""
    if run.state is State.DAMAGED:
        return run.label.name or run.folder.name
    text = translate("runs", "{size}, {began}")
    if run.members:
        text = translate("runs", "Ensemble of {count}, {size}, {began}")
    named = text.format(count=len(run.members), size=size(run.spec.get("size")), began=began(run))
    return run.label.name or named


def machine(name: str) -> str:
    """A machine by the name that its user has given it, or this computer."""
    return translate("runs", "this computer") if name == LOCAL else clean(name)


def apart(titles: Sequence[str]) -> list[str]:
    """Titles that are shown together; those that come again are numbered."""
    seen = [titles[: place + 1].count(title) for place, title in enumerate(titles)]
    return [title if count == 1 else f"{title} ({count})" for title, count in zip(titles, seen, strict=True)]


def began(run: Run) -> str:
    """When it began, day and time, in an order that no country reads in another way."""
    if not run.digest.began:
        return translate("runs", "just now")
    moment = QDateTime.fromSecsSinceEpoch(int(run.digest.began))
    return moment.toString("yyyy-MM-dd HH:mm")


def size(value: object) -> str:
    """The size that images are trained at."""
    if value == NATIVE:
        return translate("runs", "native")
    return translate("runs", "{pixels} px").format(pixels=value)


def technique(text: str) -> str:
    """A technique by its plain title."""
    try:
        return translate("techniques", registry.read(text).title)
    except UsageError:  # of a newer version
        return text


def techniques(texts: tuple[str, ...] | list[str]) -> str:
    """Techniques by their plain titles."""
    return ", ".join(map(technique, texts)) or translate("runs", "none")


def loss(value: float | None) -> str:
    """100·(1 − MS-SSIM)."""
    return "–" if value is None else numbers.number(value, 2)


def peak(count: int, *, on_card: bool) -> str:
    """The most memory that was held, and whose."""
    if not count:
        return "–"
    text = translate("runs", "{amount}") if on_card else translate("runs", "{amount} (computer)")
    return text.format(amount=numbers.data(count))


def precision(texts: tuple[str, ...] | list[str]) -> str:
    """The precision of the computation."""
    for text in texts:
        name, _, options = text.partition(":")
        if name == "precision":
            if "bf16" in options:
                return translate("runs", "16 bits where it is enough (bfloat16), 32 bits elsewhere")
            return translate("runs", "16 bits where it is enough (float16), 32 bits elsewhere")
    return translate("runs", "32 bits throughout")
