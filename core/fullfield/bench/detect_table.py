"""The figures of `bench detect`: what each method shows of each signal beside the source and the general preset."""

from __future__ import annotations

import json as jsons
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from fullfield.bench import observer
from fullfield.bench.displayed import GENERAL, SOURCE
from fullfield.image.presets import AUTO

FAINT = 0.5
"""The least d′ that counts: a signal that the source or the method shows less well is seen by nobody."""

CERTAIN = 5.0
"""A d′ that nobody misses: what is lost above it is lost to nobody."""

ENOUGH = 0.9
"""Of the source's d′: the least that any signal may keep."""

LEAST_SHARE, LEAST_MEDIAN = 0.98, 1.05
"""The aims: of the cells, at least as well seen as at the source and none below `ENOUGH`; the median ratio of a model
over the general preset's."""

_INVERTED = -0.2  # correlation of two filtered differences: noise alone does not reach it


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One signal at one dose (µGy): `d_prime` and `agreement` (with the source's difference, −1 … 1) by method.

    `density`: of the scene where it lies, e-folds: near 0 is skin beside the open beam.
    """

    part: str
    kind: str
    dose: float
    spacing_mm: float
    signal: str
    size: float
    contrast: float
    density: float
    d_prime: dict[str, float]
    agreement: dict[str, float]

    def ratio(self, method: str, over: str) -> float | None:
        """A method's d′ over another's; None where neither shows the signal, or one of them was not asked."""
        own, other = self.d_prime.get(method), self.d_prime.get(over)
        if own is None or other is None or max(own, other) < FAINT:
            return None
        return own / max(other, 0.1 * FAINT)

    def inverted(self, method: str) -> bool:
        """Whether a method shows the signal with the other sign, where it is seen at all."""
        seen = max(self.d_prime.get(method, 0.0), self.d_prime[SOURCE])
        return seen >= FAINT and self.agreement.get(method, 1.0) < _INVERTED

    def name(self) -> str:
        """In words."""
        return (
            f"{self.signal} of {self.size:.2g} mm, {self.contrast:+.3f} on {self.density:.2f} e-folds, {self.part} "
            f"{self.kind}, {self.dose:g} µGy (d′ {self.d_prime[SOURCE]:.2f} at the source)"
        )


@dataclass(frozen=True, kw_only=True)
class Line:
    """What a group of cells says of a method beside another: cells that count, the share at least as well seen, the
    share below `ENOUGH`, the median ratio, the lowest and its cell; signs that are inverted."""

    method: str
    over: str
    group: str
    cells: int
    at_least: float
    below: float
    median: float
    lowest: float
    lowest_at: str
    inverted: int


@dataclass(frozen=True, kw_only=True)
class Table:
    """All cells. `judged`: the method that the aims are for, a model where there is one, else the last preset.
    `left_out`: signals that found no place; `refused`: methods that did not take a picture, and why."""

    seed: int
    judged: str
    cells: tuple[Cell, ...]
    left_out: int = 0
    refused: tuple[str, ...] = ()

    @property
    def methods(self) -> tuple[str, ...]:
        """All but the source, in their order."""
        return tuple(dict.fromkeys(name for cell in self.cells for name in cell.d_prime if name != SOURCE))

    @property
    def stands(self) -> bool:
        """Whether the judged method meets the aims; a preset has none over the general one."""
        over, beside = self.line(self.judged, SOURCE), self.line(self.judged, GENERAL)
        if over is None or over.at_least < LEAST_SHARE or over.below or self.inverted_by(self.judged):
            return False
        return self.judged == AUTO or beside is None or beside.median >= LEAST_MEDIAN

    def inverted_by(self, method: str) -> int:
        """Signals that a method shows with the other sign."""
        return sum(cell.inverted(method) for cell in self.cells)

    def line(self, method: str, over: str, cells: Iterable[Cell] | None = None, group: str = "all") -> Line | None:
        """See `Line`; None where no cell counts."""
        among = tuple(self.cells if cells is None else cells)
        found = [(ratio, cell) for cell in among if (ratio := cell.ratio(method, over)) is not None]
        if not found:
            return None
        ratios = np.array([ratio for ratio, _ in found])
        lowest, where = min(found, key=lambda one: one[0])
        return Line(
            method=method,
            over=over,
            group=group,
            cells=len(found),
            at_least=float(np.mean(ratios >= 1)),
            below=float(np.mean(ratios < ENOUGH)),
            median=float(np.median(ratios)),
            lowest=lowest,
            lowest_at=where.name(),
            inverted=sum(cell.inverted(method) for cell in among),
        )

    def lines(self) -> tuple[Line, ...]:
        """Each method over the source and over the general preset, of all cells; then over the source by signal, by
        scene and by dose."""
        found = [self.line(method, over) for over in (SOURCE, GENERAL) for method in self.methods if method != over]
        weak = [cell for cell in self.cells if cell.d_prime[SOURCE] < CERTAIN]
        for method in self.methods:
            found.append(self.line(method, SOURCE, weak, f"d′ < {CERTAIN:g} at the source"))
            for key in ("signal", "part", "dose"):
                for value in dict.fromkeys(getattr(cell, key) for cell in self.cells):
                    group = [cell for cell in self.cells if getattr(cell, key) == value]
                    name = f"{value:g} µGy" if key == "dose" else str(value)
                    found.append(self.line(method, SOURCE, group, name))
        return tuple(line for line in found if line is not None)

    def text(self) -> str:
        """The table for people."""
        spacings = [cell.spacing_mm for cell in self.cells]
        placed = len(self.cells) // max(len({cell.dose for cell in self.cells}), 1)
        near = f"< {ENOUGH}"
        lines = [
            f"d′ of an observer at {observer.DISTANCE_MM:g} mm, one pixel of the image on {observer.PITCH_MM:g} mm of "
            f"the display, 8 bits; seed {self.seed}",
            f"{placed} signals ({self.left_out} found no place) on pixels of {min(spacings):.3f} to "
            f"{max(spacings):.3f} mm; sizes in mm on the detector, doses in µGy there",
            f"a cell, one signal at one dose, counts where one of the two shows it with d′ ≥ {FAINT}",
            "",
            f"{'method':18}{'over':10}{'of':26}{'cells':>6}{'≥ 1':>9}{near:>9}{'median':>8}{'lowest':>8}  inverted",
        ]
        for one in self.lines():
            lines.append(
                f"{one.method:18}{one.over:10}{one.group:26}{one.cells:6}{one.at_least:>9.1%}{one.below:>9.1%}"
                f"{one.median:8.2f}{one.lowest:8.2f}{one.inverted:10}"
            )
        lines.append("")
        for method in self.methods:
            line = self.line(method, SOURCE)
            if line is not None:
                lines.append(f"lowest of {method}: {line.lowest:.2f}, {line.lowest_at}")
        lines.append(
            f"aims for {self.judged}, over the source: {LEAST_SHARE:.0%} of cells ≥ 1, none < {ENOUGH}, no sign turned"
            + ("" if self.judged == AUTO else f"; over {GENERAL}: a median of {LEAST_MEDIAN}")
            + f": {'met' if self.stands else 'missed'}"
        )
        return "\n".join([*lines, *self.refused])

    def json(self) -> str:
        """The table for programs."""
        lines = [asdict(line) for line in self.lines()]
        values = {
            "kind": "detect",
            "seed": self.seed,
            "left_out": self.left_out,
            "refused": self.refused,
            "stands": self.stands,
        }
        return jsons.dumps({**values, "lines": lines, "cells": [asdict(cell) for cell in self.cells]})


__all__ = ["CERTAIN", "ENOUGH", "FAINT", "Cell", "Line", "Table"]
