"""How many signals are lost or turned with a new model, beside another method: of the same signals."""

from __future__ import annotations

from collections.abc import Mapping

from fullfield.bench.detect_table import Cell, Table
from fullfield.bench.displayed import SOURCE
from fullfield.protocol.comparison import PRESET
from fullfield.tuning import seen

NEW = "new"


def cell(d_prime: Mapping[str, float], agreement: Mapping[str, float]) -> Cell:
    return Cell(
        part="chest",
        kind="raw",
        dose=1.0,
        spacing_mm=0.1,
        signal="disc",
        size=5.0,
        contrast=0.1,
        density=1.0,
        d_prime={SOURCE: 2.0, **d_prime},
        agreement={SOURCE: 1.0, **agreement},
    )


def found(*cells: Cell) -> tuple[int, int, int, int, int]:
    one = seen._seen(Table(seed=0, judged=NEW, cells=cells), NEW, PRESET)
    assert one is not None
    return one.signals, one.lost, one.lost_there, one.inverted, one.inverted_there


def test_that_signals_are_counted_as_lost_only_among_those_that_both_methods_were_asked() -> None:
    both = cell({NEW: 1.0, PRESET: 2.0}, {})
    refused = cell({PRESET: 1.0}, {PRESET: -0.9})  # the new model did not take that picture
    assert found(both, refused, refused) == (1, 1, 0, 0, 0)


def test_that_signals_that_are_shown_with_the_other_sign_are_counted_of_both() -> None:
    kept = cell({NEW: 2.0, PRESET: 2.0}, {NEW: 0.9, PRESET: 0.9})
    turned = cell({NEW: 2.0, PRESET: 2.0}, {NEW: -0.9, PRESET: 0.9})
    of_both = cell({NEW: 2.0, PRESET: 2.0}, {NEW: -0.9, PRESET: -0.9})
    assert found(kept, turned, of_both) == (3, 0, 0, 2, 1)
