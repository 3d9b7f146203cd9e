"""Which lines a run has: its losses, its quality, its memory; alone, or one of several. No widget."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication

from fullfield.memory.watch import BACKWARD, FORWARD
from fullfield.protocol.events import EpochDone
from fullfield.runs.decimated import NO_CURVE, Curve, coarser
from fullfield.runs.memory_curves import MemorySnapshot
from fullfield.runs.run_state import RunSnapshot
from fullfield_app.gui import numbers
from fullfield_app.gui.runs.plot import Level, Line
from fullfield_app.gui.translation import say_core

translate = QCoreApplication.translate
GIB = 1 << 30
MOST_SHOWN = 240  # points of a whole run's memory: more would be a band of steps


def losses(reported: RunSnapshot) -> list[Line]:
    """Training and validation by epoch; while there is no epoch yet, the loss of the steps."""
    train = by_epoch(reported.epochs, "train_loss")
    validation = by_epoch(reported.epochs, "validation_loss")
    if not validation.x:
        steps = scaled(
            reported.steps_loss,
            x=reported.epochs_wanted / reported.steps if reported.epochs_wanted and reported.steps else 1.0,
        )
        return [Line(title=translate("runs", "Training, step by step"), curve=steps, place=0, wide=1.0)]
    return [
        Line(title=translate("runs", "Training"), curve=train, place=0, style=1, marked=True),
        Line(title=translate("runs", "Validation"), curve=validation, place=1, marked=True),
    ]


def baselines(reported: RunSnapshot) -> list[Level]:
    """What simple methods reach."""
    return [
        Level(title=baseline_name(one.name), height=one.validation_loss, style=1 + place)
        for place, one in enumerate(reported.levels)
        if one.validation_loss > 0
    ]


def baseline_name(text: str) -> str:
    """A simple method's name."""
    said = say_core(text)
    return said[:1].upper() + said[1:]


def quality(reported: RunSnapshot) -> list[Line]:
    """PSNR by epoch."""
    line = by_epoch(reported.epochs, "psnr_db")
    return [Line(title=translate("runs", "PSNR on the validation part"), curve=line, place=2, marked=True)]


def quality_levels(reported: RunSnapshot) -> list[Level]:
    """The PSNR of simple methods."""
    return [
        Level(title=baseline_name(one.name), height=one.psnr_db, style=1 + place)
        for place, one in enumerate(reported.levels)
        if math.isfinite(one.psnr_db)
    ]


def memory(reported: MemorySnapshot, *, recent: bool = False) -> list[Line]:
    """What is held, and the peaks of forward and backward: of the whole run, or just of the last minute."""

    def line(title: str, name: str, place: int, style: int) -> Line:
        curve = reported.recent.get(name, NO_CURVE) if recent else coarser(_whole(reported, name), MOST_SHOWN)
        return Line(title=title, curve=gib(curve), place=place, style=style, wide=1.6)

    phases = [
        line(translate("runs", "forward, peak"), FORWARD, 4, 2),
        line(translate("runs", "backward, peak"), BACKWARD, 3, 1),
    ]
    if not reported.on_card:
        return [line(translate("runs", "computer's memory (no graphics card)"), "host_bytes", 1, 0), *phases]
    return [
        line(translate("runs", "whole card"), "device_bytes", 5, 3),
        line(translate("runs", "this run on the card"), "process_bytes", 1, 0),
        line(translate("runs", "reserved by torch"), "reserved_bytes", 0, 3),
        *phases,
    ]


def memory_levels(reported: MemorySnapshot) -> list[Level]:
    """What was predicted that the process holds at its highest, and what it may take."""
    levels = []
    if reported.predicted_bytes:
        title = translate("runs", "predicted peak") + f" {numbers.data(reported.predicted_bytes)}"
        levels.append(Level(title=title, height=reported.predicted_bytes / GIB, colour="accent"))
    if reported.budget_bytes:
        title = translate("runs", "budget") + f" {numbers.data(reported.budget_bytes)}"  # its line may be out of sight
        height = reported.budget_bytes / GIB
        levels.append(Level(title=title, height=height, colour="trouble", style=0, yields=True))
    return levels


def memory_in_words(reported: MemorySnapshot) -> str:
    """The memory's figures as a sentence."""
    if not reported.peak_bytes:
        return ""
    text = translate("runs", "Highest so far: {amount}.").format(amount=numbers.data(reported.peak_bytes))
    if reported.predicted_bytes:
        predicted = translate("runs", "Predicted: {amount}.").format(amount=numbers.data(reported.predicted_bytes))
        text = f"{text} {predicted}"
    return text


def loss_in_words(reported: RunSnapshot) -> str:
    """The losses as a sentence."""
    if reported.best is None:
        return ""
    return translate("runs", "Best validation loss {loss}, in epoch {epoch} of {epochs}.").format(
        loss=numbers.number(reported.best.validation_loss, 2), epoch=reported.best.epoch, epochs=reported.epochs_wanted
    )


def by_epoch(epochs: Iterable[EpochDone], name: str) -> Curve:
    """A figure over epochs, where it is a number."""
    points = [(float(one.epoch), float(getattr(one, name))) for one in epochs]
    known = [(x, y) for x, y in points if math.isfinite(y)]
    return Curve(x=tuple(x for x, _ in known), y=tuple(y for _, y in known))


def gib(curve: Curve) -> Curve:
    """Bytes as GiB."""
    return scaled(curve, y=1 / GIB)


def scaled(curve: Curve, *, x: float = 1.0, y: float = 1.0) -> Curve:
    """Another unit."""
    return Curve(x=tuple(value * x for value in curve.x), y=tuple(value * y for value in curve.y))


def of_several(curves: Sequence[tuple[str, Curve]]) -> list[Line]:
    """One line for each run, told apart by colour and style."""
    return [
        Line(title=title, curve=curve, place=place, style=place, marked=True)
        for place, (title, curve) in enumerate(curves)
    ]


def held(reported: MemorySnapshot) -> Curve:
    """The curve that stands for a run's memory among others: of its card, or of the computer."""
    for name in ("process_bytes", "reserved_bytes") if reported.on_card else ("host_bytes",):
        if name in reported.curves:
            return gib(coarser(reported.curves[name], MOST_SHOWN))
    return NO_CURVE


def _whole(reported: MemorySnapshot, name: str) -> Curve:
    if name in (FORWARD, BACKWARD):
        return reported.forward if name == FORWARD else reported.backward
    return reported.curves.get(name, NO_CURVE)
