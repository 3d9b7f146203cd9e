"""Plots of benches as values, and their pictures (PNG). matplotlib is imported when one is drawn, and needs no screen.

The colours are Okabe and Ito's, which can be told apart with any kind of colour vision; markers differ as well.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000")
MARKERS = "osD^vPX*"
_GREY = "#666666"
_DPI = 150
_MOST_NAMED = 30  # curves that a legend has room for


@dataclass(frozen=True, kw_only=True)
class Series:
    """Named values, one for each label of `Bars`; None: nothing is drawn."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Horizontal bars, stacked; `beside`: drawn over them as markers, for comparison."""

    name: str
    title: str
    axis: str
    labels: tuple[str, ...]
    stacked: tuple[Series, ...]
    beside: tuple[Series, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Points (x, y), joined. `edge`: drawn behind the others, broad and grey. `simulated`: open markers and a broken
    line, in the colour of the curve before it."""

    name: str
    points: tuple[tuple[float, float], ...]
    edge: bool = False
    simulated: bool = False


@dataclass(frozen=True, kw_only=True)
class Curves:
    """`levels`: horizontal lines, a name and a height. `doubling`: the x axis is by powers of two."""

    name: str
    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    levels: tuple[tuple[str, float], ...] = ()
    doubling: bool = False


Plot = Bars | Curves


def draw(plot: Plot) -> bytes:
    """The picture as a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    height = max(2.6, 1.3 + 0.32 * len(plot.labels)) if isinstance(plot, Bars) else 5.0
    figure = Figure(figsize=(9.0, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set_title(plot.title, loc="left", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    if isinstance(plot, Bars):
        _bars(axes, plot)
    else:
        _curves(axes, plot)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=_DPI, metadata={"Software": None})
    return stream.getvalue()


def _bars(axes: Any, plot: Bars) -> None:
    places = range(len(plot.labels))
    left = [0.0] * len(plot.labels)
    for number, series in enumerate(plot.stacked):
        values = [value or 0.0 for value in series.values]
        axes.barh(places, values, left=left, height=0.62, color=COLOURS[number], label=series.name)
        left = [before + value for before, value in zip(left, values)]
    for number, series in enumerate(plot.beside):
        known = [(place, value) for place, value in zip(places, series.values) if value is not None]
        if known:
            rows, lengths = zip(*known)
            style = {"color": "black", "marker": MARKERS[2 + number], "linestyle": "none", "markersize": 5}
            axes.plot(lengths, rows, label=series.name, **style)
    axes.set_yticks(places, plot.labels)
    axes.invert_yaxis()
    axes.set_xlabel(plot.axis)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(x=0.02)
    axes.set_xlim(left=0)
    if len(plot.stacked) + len(plot.beside) > 1:
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _curves(axes: Any, plot: Curves) -> None:
    colour = 0
    for curve in plot.curves:
        if not curve.points:
            continue
        x, y = zip(*curve.points)
        if curve.edge:
            style = {"marker": "o", "markersize": 12, "linewidth": 5.0, "alpha": 0.35, "zorder": 1}
            axes.plot(x, y, color=_GREY, label=curve.name, **style)
            continue
        if curve.simulated:
            colour = max(0, colour - 1)
        again = colour // len(COLOURS)  # beyond the colours other markers tell curves apart
        style = {"color": COLOURS[colour % len(COLOURS)], "marker": MARKERS[(colour + again) % len(MARKERS)]}
        style |= {"linestyle": "--", "markerfacecolor": "none"} if curve.simulated else {}
        axes.plot(x, y, linewidth=1.4, markersize=5, label=curve.name, **style)
        colour += 1
    for name, height in plot.levels:
        axes.axhline(height, color=_GREY, linestyle="--", linewidth=1.0)
        axes.annotate(
            name, (1.0, height), xycoords=("axes fraction", "data"), color=_GREY, fontsize=8, ha="right", va="bottom"
        )
    if plot.doubling:
        axes.set_xscale("log", base=2)
        ticks = sorted({x for curve in plot.curves for x, _ in curve.points})
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
    axes.set_xlabel(plot.x)
    axes.set_ylabel(plot.y)
    axes.set_ylim(bottom=0)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    if 1 < len(plot.curves) <= _MOST_NAMED:
        size = 8 if len(plot.curves) <= 16 else 6.5
        axes.legend(frameon=False, fontsize=size, loc="upper left", bbox_to_anchor=(1.0, 1.0))
