"""Several runs over each other: their losses, their memory, and one radiograph as each makes it at its best epoch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QTabWidget, QVBoxLayout, QWidget

from fullfield.protocol.events import SampleWritten
from fullfield.runs.run_state import RunSnapshot
from fullfield_app.gui import numbers
from fullfield_app.gui.runs import curves
from fullfield_app.gui.runs.image_row import Cell, ImageRow, cell
from fullfield_app.gui.runs.plot import Level, Line, Plot
from fullfield_app.gui.runs.sample_pictures import SamplePictures
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label

TITLE_LETTERS = 28  # of a choice of runs: "1024 px, 2026-01-02 03:04 (2)"


@dataclass(frozen=True, kw_only=True, eq=False)
class Compared:
    """One of the runs that are compared. `held_back`: the keys of its validation images, in their order."""

    folder: Path
    title: str
    reported: RunSnapshot
    held_back: tuple[str, ...] = ()


class Overlay(QWidget):
    """Shows the runs that are chosen in the list."""

    def __init__(self, pictures: SamplePictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Runs compared"))
        self._pictures = pictures
        self._runs: tuple[Compared, ...] = ()
        self._sides = (QComboBox(), QComboBox())
        self._build()
        pictures.ready.connect(lambda _: self._show_images())
        self._tabs.currentChanged.connect(lambda _: self._show())
        for side in self._sides:
            side.currentIndexChanged.connect(lambda _: self._show_images())

    def show_runs(self, runs: Sequence[Compared]) -> None:
        """Show these."""
        before, self._runs = self._runs, tuple(runs)
        self._pictures.look_again()
        if _named(before) != _named(self._runs):
            self._fill_sides()
        self._show()

    def _fill_sides(self) -> None:
        for place, side in enumerate(self._sides):
            side.blockSignals(True)
            before = side.currentData()
            side.clear()
            for run in self._runs:
                side.addItem(run.title, str(run.folder))
            found = side.findData(before)
            side.setCurrentIndex(found if found >= 0 else min(place, len(self._runs) - 1))
            side.blockSignals(False)
        first, second = self._sides
        if len(self._runs) > 1 and second.currentIndex() == first.currentIndex():
            second.blockSignals(True)
            second.setCurrentIndex((first.currentIndex() + 1) % len(self._runs))
            second.blockSignals(False)

    def _show(self) -> None:
        match self._tabs.currentWidget():
            case self._loss:
                lines = by_epoch(self._runs, "validation_loss")
                self._loss.show_lines(lines, self._baselines(), says=losses_in_words(self._runs))
            case self._memory:
                self._memory.show_lines(held(self._runs), says=memory_in_words(self._runs))
            case _:
                self._show_images()

    def _baselines(self) -> list[Level]:
        """Of a single run; several may have other data."""
        return curves.baselines(self._runs[0].reported) if len(self._runs) == 1 else []

    # Images -----------------------------------------------------------------------------------------------------

    def _show_images(self) -> None:
        if self._tabs.currentWidget() is not self._images:
            return
        chosen = [self._runs[side.currentIndex()] for side in self._sides if 0 <= side.currentIndex() < len(self._runs)]
        if not chosen:
            self._row.show_cells([Cell(caption="")] * 3)
            self._hint.setText("")
            return
        one, other = chosen[0], chosen[-1]
        shared = _shared(one, other)
        if shared is None:
            none = self.tr("These runs have left no image of the same radiograph.")
            cells = [Cell(caption=run.title, message=none) for run in (one, other)]
            self._row.show_cells([Cell(caption=self.tr("Before"), message=none), *cells])
            self._hint.setText(none)
            return
        first, second = shared
        before = cell(self._pictures, one.folder / first.input, first.pixel_size, self.tr("Before"))
        self._row.show_cells([before, self._of(one, first), self._of(other, second)])
        self._hint.setText("")

    def _of(self, run: Compared, sample: SampleWritten) -> Cell:
        losses = {epoch.epoch: epoch.validation_loss for epoch in run.reported.epochs}
        loss = numbers.number(losses[sample.epoch], 2) if sample.epoch in losses else "–"
        text = self.tr("{run}: epoch {epoch}, loss {loss}").format(run=run.title, epoch=sample.epoch, loss=loss)
        return cell(self._pictures, run.folder / sample.sample, sample.pixel_size, text)

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._loss = Plot(
            self.tr("Validation loss of runs"), x=self.tr("epochs"), y=self.tr("100·(1 − MS-SSIM)"), log=True
        )
        self._memory = Plot(self.tr("Memory of runs"), x=self.tr("time of training"), y=self.tr("GiB"), time=True)
        self._images = QWidget()
        name(self._images, self.tr("One radiograph of two runs"))
        names = (self.tr("Radiograph of both before"), self.tr("First run's image"), self.tr("Second run's image"))
        self._row = ImageRow(self.tr("Before and two runs"), names)
        line = QHBoxLayout()
        for side, text in zip(self._sides, (self.tr("First run"), self.tr("Second run")), strict=True):
            label = plain_label(text, object_name="quiet")
            name(label, self.tr("{run}, caption").format(run=text))
            name(side, text)
            side.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            side.setMinimumContentsLength(TITLE_LETTERS)
            line.addWidget(label)
            line.addWidget(side)
        self._hint: QLabel = plain_label(object_name="quiet", wrap=True)
        name(self._hint, self.tr("Why no image is compared"))
        line.addWidget(self._hint, 1)
        layout = QVBoxLayout(self._images)
        layout.setContentsMargins(4, 6, 4, 0)
        layout.addLayout(line)
        layout.addWidget(self._row, 1)
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        name(self._tabs, self.tr("What is compared"))
        self._tabs.addTab(self._loss, self.tr("Loss"))
        self._tabs.addTab(self._memory, self.tr("Memory"))
        self._tabs.addTab(self._images, self.tr("Radiograph"))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._tabs)


def by_epoch(runs: Sequence[Compared], figure: str) -> list[Line]:
    """A figure over epochs, a line for each run."""
    return curves.of_several([(run.title, curves.by_epoch(run.reported.epochs, figure)) for run in runs])


def held(runs: Sequence[Compared]) -> list[Line]:
    """The memory of each."""
    return curves.of_several([(run.title, curves.held(run.reported.memory)) for run in runs])


def losses_in_words(runs: Sequence[Compared]) -> str:
    """The losses as sentences."""
    return " ".join(f"{run.title}: {curves.loss_in_words(run.reported)}" for run in runs)


def memory_in_words(runs: Sequence[Compared]) -> str:
    """The memory's figures as sentences."""
    return " ".join(f"{run.title}: {curves.memory_in_words(run.reported.memory)}" for run in runs)


def _named(runs: Sequence[Compared]) -> list[tuple[Path, str]]:
    return [(run.folder, run.title) for run in runs]


def _shared(one: Compared, other: Compared) -> tuple[SampleWritten, SampleWritten] | None:
    """The same radiograph as both have left it, each at the epoch that was best, or the one kept next to it."""
    for image, key in enumerate(one.held_back):
        if key in other.held_back:
            first, second = best_sample(one.reported, image), best_sample(other.reported, other.held_back.index(key))
            if first is not None and second is not None:
                return first, second
    return None


def best_sample(reported: RunSnapshot, image: int) -> SampleWritten | None:
    """The image at its best epoch; at the nearest one that was kept where that was not."""
    kept = [epoch for place, epoch in reported.samples if place == image]
    if not kept:
        return None
    best = reported.best.epoch if reported.best else max(kept)
    return reported.samples[image, min(kept, key=lambda epoch: (abs(epoch - best), -epoch))]
