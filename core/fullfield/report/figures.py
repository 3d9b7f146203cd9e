"""The figures of a report, drawn by matplotlib without a screen. Colours are Okabe and Ito's; styles differ as well."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, ScalarFormatter

from fullfield.image.image import Pixels
from fullfield.report.content import Report
from fullfield.report.words import Words
from fullfield.runs.decimated import Curve
from fullfield.runs.run_state import RunSnapshot
from fullfield.translation import marked

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
STYLES = ("-", "--", ":", "-.")
GREY = "#555555"
GIB = 1 << 30
SIZE = (8.0, 3.6)  # inches
WHITE = 65535
HELD = {  # by whom, and what of it
    "device_bytes": marked("whole card"),
    "process_bytes": marked("this run"),
    "reserved_bytes": marked("reserved by torch"),
    "host_bytes": marked("the computer's memory, this run"),
}


def figures(report: Report) -> Iterator[tuple[str, Figure]]:
    """Each figure with what it shows, for those who cannot see it."""
    reported, words = report.reported, report.words
    if reported.epochs:
        yield words.say("The loss of training and validation by epoch."), _losses(reported, words)
        yield words.say("The PSNR on the validation part by epoch."), _quality(reported, words)
    if reported.memory.curves:
        yield words.say("The memory that was held while it trained."), _memory(reported, words)
    if report.images:
        yield words.say("A radiograph before, as the network makes it, and its reference."), _images(report.images)


def _losses(reported: RunSnapshot, words: Words) -> Figure:
    figure, axes = _begin(words.say("Loss"), words.say("epoch"), "100·(1 − MS-SSIM)")
    epochs = [one.epoch for one in reported.epochs]
    lines = (("train_loss", words.say("training")), ("validation_loss", words.say("validation")))
    for number, (name, label) in enumerate(lines):
        values = [_positive(getattr(one, name)) for one in reported.epochs]
        _curve(axes, epochs, values, label, colour=COLOURS[number], style=STYLES[1 - number])
    for number, one in enumerate(reported.levels):
        if one.validation_loss > 0:
            _level(axes, one.validation_loss, words.say(one.name), style=STYLES[1 + number % 3])
    _end(axes, words)
    axes.set_yscale("log")
    plain = FuncFormatter(lambda value, _: words.language.written(f"{value:g}"))
    axes.yaxis.set_major_formatter(plain)
    axes.yaxis.set_minor_formatter(plain)
    axes.tick_params(axis="y", which="minor", labelsize=7)
    return figure


def _quality(reported: RunSnapshot, words: Words) -> Figure:
    figure, axes = _begin(words.say("Quality"), words.say("epoch"), words.say("PSNR in dB"))
    epochs = [one.epoch for one in reported.epochs]
    values = [one.psnr_db for one in reported.epochs]
    _curve(axes, epochs, values, words.say("validation"), colour=COLOURS[2], style="-")
    for number, one in enumerate(reported.levels):
        if math.isfinite(one.psnr_db):
            _level(axes, one.psnr_db, words.say(one.name), style=STYLES[1 + number % 3])
    _end(axes, words)
    return figure


def _memory(reported: RunSnapshot, words: Words) -> Figure:
    memory, say = reported.memory, words.say
    title = say("Memory of the card") if memory.on_card else say("Memory of the computer (no graphics card)")
    figure, axes = _begin(title, say("minutes of training"), "GiB")
    wanted = [name for name in HELD if name in memory.curves and (name == "host_bytes") != memory.on_card]
    lines = [(say(HELD[name]), memory.curves[name]) for name in wanted]
    lines += [(say("forward, peak"), memory.forward), (say("backward, peak"), memory.backward)]
    for number, (label, curve) in enumerate(lines):
        if curve.x:
            colour, style = COLOURS[number % len(COLOURS)], STYLES[number % len(STYLES)]
            _curve(axes, *_points(curve), label, colour=colour, style=style, width=1.2)
    if memory.predicted_bytes:
        _level(axes, memory.predicted_bytes / GIB, say("predicted peak"), style="--", colour="black")
    if memory.budget_bytes:
        _level(axes, memory.budget_bytes / GIB, say("budget"), style="-", colour="black")
    for moment in memory.rungs:
        axes.axvline(moment / 60, color=GREY, linestyle=":", linewidth=1)
    axes.set_ylim(bottom=0)
    _end(axes, words)
    return figure


def _images(images: tuple[tuple[str, Pixels], ...]) -> Figure:
    figure = Figure(figsize=(SIZE[0], 4.2), layout="constrained")
    for number, (caption, pixels) in enumerate(images, 1):
        axes = figure.add_subplot(1, len(images), number)
        axes.imshow(pixels, cmap="gray", vmin=0, vmax=WHITE)
        axes.set_title(caption, fontsize=9)
        axes.set_axis_off()
    return figure


def _begin(title: str, x: str, y: str) -> tuple[Figure, Any]:
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _curve(
    axes: Any, x: list[int] | list[float], y: list[float], label: str, *, colour: str, style: str, width: float = 1.6
) -> None:
    """A line, or a mark where it has one point alone."""
    mark = "o" if sum(map(math.isfinite, y)) == 1 else ""
    axes.plot(x, y, color=colour, linestyle=style, label=label, linewidth=width, marker=mark, markersize=4)


def _level(axes: Any, height: float, label: str, *, style: str, colour: str = GREY) -> None:
    axes.axhline(height, color=colour, linestyle=style, linewidth=1, label=label)


def _end(axes: Any, words: Words) -> None:
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(_Numbers(words))


class _Numbers(ScalarFormatter):
    """The numbers of an axis, in the language's signs."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self._words.language.written(str(super().__call__(x, pos)))


def _points(curve: Curve) -> tuple[list[float], list[float]]:
    return [x / 60 for x in curve.x], [y / GIB for y in curve.y]


def _positive(value: float) -> float:
    return value if value > 0 else math.nan
