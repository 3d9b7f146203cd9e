"""The figures of a report, drawn by matplotlib without a screen. Colours are Okabe and Ito's; styles differ as well."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from fullfield.jobs.story import Told
from fullfield.jobs.thinned import Curve
from fullfield.report.content import Report

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
STYLES = ("-", "--", ":", "-.")
GREY = "#555555"
GIB = 1 << 30
SIZE = (8.0, 3.6)  # inches
WHITE = 65535


def figures(report: Report) -> Iterator[tuple[str, Figure]]:
    """Each figure with what it shows, for those who cannot see it."""
    told = report.told
    if told.epochs:
        yield "The loss of training and validation by epoch.", _losses(told)
        yield "The PSNR on the validation part by epoch.", _quality(told)
    if told.memory.curves:
        yield "The memory that was held while it trained.", _memory(told)
    if report.images:
        yield "A radiograph before, as the network makes it, and its reference.", _images(report.images)


def _losses(told: Told) -> Figure:
    figure, axes = _begin("Loss", "epoch", "100·(1 − MS-SSIM)")
    epochs = [one.epoch for one in told.epochs]
    for number, (name, label) in enumerate((("train_loss", "training"), ("validation_loss", "validation"))):
        values = [_positive(getattr(one, name)) for one in told.epochs]
        axes.plot(epochs, values, color=COLOURS[number], linestyle=STYLES[1 - number], label=label, linewidth=1.6)
    for number, one in enumerate(told.baselines):
        if one.validation_loss > 0:
            axes.axhline(one.validation_loss, color=GREY, linestyle=STYLES[1 + number % 3], linewidth=1, label=one.name)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")
    axes.tick_params(axis="y", which="minor", labelsize=7)
    return _end(figure, axes)


def _quality(told: Told) -> Figure:
    figure, axes = _begin("Quality", "epoch", "PSNR in dB")
    epochs = [one.epoch for one in told.epochs]
    axes.plot(epochs, [one.psnr_db for one in told.epochs], color=COLOURS[2], label="validation", linewidth=1.6)
    for number, one in enumerate(told.baselines):
        if math.isfinite(one.psnr_db):
            axes.axhline(one.psnr_db, color=GREY, linestyle=STYLES[1 + number % 3], linewidth=1, label=one.name)
    return _end(figure, axes)


def _memory(told: Told) -> Figure:
    memory = told.memory
    holder = "the card" if memory.on_card else "the computer (no graphics card)"
    figure, axes = _begin(f"Memory of {holder}", "minutes of training", "GiB")
    names = {
        "device_bytes": "whole card",
        "process_bytes": "this run",
        "reserved_bytes": "reserved by torch",
        "host_bytes": "the computer's memory, this run",
    }
    wanted = [name for name in names if name in memory.curves and (name == "host_bytes") != memory.on_card]
    lines = [(names[name], memory.curves[name]) for name in wanted]
    lines += [("forward, peak", memory.forward), ("backward, peak", memory.backward)]
    for number, (label, curve) in enumerate(lines):
        if curve.x:
            colour, style = COLOURS[number % len(COLOURS)], STYLES[number % len(STYLES)]
            axes.plot(*_points(curve), color=colour, linestyle=style, label=label, linewidth=1.2)
    for label, count, style in (("predicted peak", memory.predicted_bytes, "--"), ("budget", memory.budget_bytes, "-")):
        if count:
            axes.axhline(count / GIB, color="black", linestyle=style, linewidth=1, label=label)
    for moment in memory.rungs:
        axes.axvline(moment / 60, color=GREY, linestyle=":", linewidth=1)
    axes.set_ylim(bottom=0)
    return _end(figure, axes)


def _images(images: tuple[tuple[str, Path], ...]) -> Figure:
    figure = Figure(figsize=(SIZE[0], 4.2), layout="constrained")
    for number, (caption, path) in enumerate(images, 1):
        axes = figure.add_subplot(1, len(images), number)
        axes.imshow(np.load(path, allow_pickle=False), cmap="gray", vmin=0, vmax=WHITE)
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


def _end(figure: Figure, axes: Any) -> Figure:
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def _points(curve: Curve) -> tuple[list[float], list[float]]:
    return [x / 60 for x in curve.x], [y / GIB for y in curve.y]


def _positive(value: float) -> float:
    return value if value > 0 else math.nan
