"""A plot of a run: made when it is seen, given new data in place, and not drawn anew where nothing has changed."""

from __future__ import annotations

from itertools import pairwise

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fullfield.runs.decimated import Curve
from fullfield_app.gui import theme
from fullfield_app.gui.runs.plot import Level, Line, Plot


def line(*heights: float, title: str = "validation") -> Line:
    return Line(title=title, curve=Curve(x=tuple(map(float, range(len(heights)))), y=heights), place=0)


@pytest.fixture
def plot(qtbot: QtBot) -> Plot:
    made = Plot("Loss", x="epochs", y="100·(1 − MS-SSIM)", log=True)
    qtbot.addWidget(made)
    return made


def drawn(plot: Plot) -> pg.PlotWidget | None:
    """What pyqtgraph draws."""
    found = plot.findChild(pg.PlotWidget)
    return found if isinstance(found, pg.PlotWidget) else None


def show(plot: Plot, qtbot: QtBot) -> pg.PlotWidget:
    plot.show()
    qtbot.waitUntil(lambda: drawn(plot) is not None)
    made = drawn(plot)
    assert made is not None
    return made


def heights(made: pg.PlotWidget) -> list[list[float]]:
    """The lines' values, as they were given."""
    return [item.getOriginalDataset()[1].tolist() for item in made.listDataItems()]


def test_that_a_plot_is_made_when_it_is_seen_with_what_came_before(plot: Plot, qtbot: QtBot) -> None:
    plot.show_lines([line(9.0, 6.0)])
    qtbot.wait(20)
    assert drawn(plot) is None
    made = show(plot, qtbot)
    qtbot.waitUntil(lambda: heights(made) == [[9.0, 6.0]])
    assert made.accessibleName() == "Loss, drawn"


def test_that_lines_are_kept_and_given_new_values(plot: Plot, qtbot: QtBot) -> None:
    made = show(plot, qtbot)
    plot.show_lines([line(9.0, 6.0), line(8.0, 7.0, title="training")])
    before = made.listDataItems()
    plot.show_lines([line(9.0, 6.0, 5.0), line(8.0, 7.0, 6.0, title="training")])
    assert made.listDataItems() == before and heights(made) == [[9.0, 6.0, 5.0], [8.0, 7.0, 6.0]]
    plot.show_lines([line(3.0)])
    assert heights(made) == [[3.0]]


def test_that_what_has_not_changed_is_not_drawn_again(
    plot: Plot, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = show(plot, qtbot)
    draws: list[object] = []
    plot.show_lines([line(9.0, 6.0)], [Level(title="input", height=20.0)])
    monkeypatch.setattr(made, "setRange", lambda **_: draws.append(1))
    plot.show_lines([line(9.0, 6.0)], [Level(title="input", height=20.0)])
    assert draws == []
    plot.show_lines([line(9.0, 6.0)], [Level(title="input", height=21.0)])
    assert draws == [1]


def test_that_all_lines_and_levels_are_in_sight(plot: Plot, qtbot: QtBot) -> None:
    made = show(plot, qtbot)
    plot.show_lines([line(8.0, 4.0, 2.0)], [Level(title="input", height=100.0)])
    (left, right), (low, high) = made.viewRange()
    assert left <= 0 and right >= 2
    assert low < 0.302 and high > 2.0  # powers of ten


def test_that_a_level_far_above_does_not_flatten_what_yields_to_it(qtbot: QtBot) -> None:
    plot = Plot("Memory", x="time", y="GiB")
    qtbot.addWidget(plot)
    made = show(plot, qtbot)
    for budget, seen in ((3.0, True), (15.0, False)):
        plot.show_lines([line(1.0, 1.3)], [Level(title="budget", height=budget, yields=True)])
        assert (made.viewRange()[1][1] > budget) is seen
    assert made.viewRange()[1][1] < 2


def test_that_a_logarithmic_axis_names_values_and_never_their_logarithms(plot: Plot, qtbot: QtBot) -> None:
    made = show(plot, qtbot)
    axis = made.getAxis("left")
    for values in ((80.0, 50.0), (80.0, 0.5), (2000.0, 0.02)):
        plot.show_lines([line(*values)])
        levels = axis.tickValues(*made.viewRange()[1], 300)
        named = [text for spacing, places in levels for text in axis.tickStrings(places, 1.0, spacing) if text]
        assert named and all(min(values) / 4 <= float(text) <= 4 * max(values) for text in named)
        assert len(named) == len(set(named))


@pytest.mark.parametrize(("most", "least"), [(20.0, 6.3), (20.0, 2.0), (15.0, 9.0), (4.9, 4.1), (800.0, 3.0)])
def test_that_values_of_a_logarithmic_axis_can_be_read_and_lie_apart(
    plot: Plot, qtbot: QtBot, most: float, least: float
) -> None:
    made = show(plot, qtbot)
    plot.show_lines([line(most, least)])
    axis, (low, high) = made.getAxis("left"), made.viewRange()[1]
    (spacing, places), _ = axis.tickValues(low, high, 120)
    assert len([text for text in axis.tickStrings(places, 1.0, spacing) if text]) >= 3
    heights = sorted((place - low) / (high - low) * 120 for place in places)
    line_height = QFontMetricsF(axis.font()).height()
    assert all(above - below >= line_height for below, above in pairwise(heights))
    assert heights[0] >= line_height / 2 and heights[-1] <= 120 - line_height / 2, "what would be cut is not drawn"


def test_that_epochs_are_told_by_whole_numbers_alone(plot: Plot, qtbot: QtBot) -> None:
    made = show(plot, qtbot)
    for count in (1, 2, 6, 40):
        plot.show_lines([line(*range(1, count + 1))])
        ticks = made.getAxis("bottom").tickValues(*made.viewRange()[0], 600)
        assert ticks and all(place == round(place) for _, places in ticks for place in places)


def test_that_lines_are_as_wide_on_a_dense_screen(plot: Plot, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    made = show(plot, qtbot)
    plot.show_lines([line(9.0, 6.0)], [Level(title="input", height=20.0)])
    monkeypatch.setattr(Plot, "devicePixelRatioF", lambda _: 2.0)  # as when it is moved to another screen
    QApplication.sendEvent(plot, QEvent(QEvent.Type.DevicePixelRatioChange))
    (item,) = made.listDataItems()
    (level,) = (item for item in made.items() if isinstance(item, pg.InfiniteLine))
    assert item.opts["pen"].widthF() == 4.0 and level.pen.widthF() == 3.0


def test_that_a_plot_lies_on_the_ground_of_the_palette_that_is_worn(
    plot: Plot, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = show(plot, qtbot)
    for worn in ("light", "dark"):
        monkeypatch.setattr(theme, "_shown", theme.read(worn))
        QApplication.sendEvent(plot, QEvent(QEvent.Type.PaletteChange))
        assert made.backgroundBrush().color() == theme.colour("base")
