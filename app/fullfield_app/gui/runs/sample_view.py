"""A radiograph before, as the network makes it after an epoch, and its reference; with a slider through the epochs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from fullfield.protocol.events import SampleWritten
from fullfield.runs.run_state import RunSnapshot
from fullfield_app.gui.runs.image_row import Cell, ImageRow, cell
from fullfield_app.gui.runs.sample_pictures import SamplePictures
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label, tooltip
from fullfield_app.gui.widgets.number_slider import NumberSlider


class SampleView(QWidget):
    """Shows the watched radiographs of one run. `watch_asked`: another one shall be watched from now on, from 0."""

    watch_asked = Signal(int)

    def __init__(self, pictures: SamplePictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Radiograph by epoch"))
        self._pictures = pictures
        self._folder = Path()
        self._reported = RunSnapshot()
        self._image, self._epochs = -1, list[int]()
        self._live = False
        self._build()
        pictures.ready.connect(lambda _: self._show())
        self._slider.valueChanged.connect(self._moved)
        self._follow.toggled.connect(lambda on: self._newest() if on else None)
        self._watch.valueChanged.connect(self._choose)

    @property
    def image(self) -> int:
        """The radiograph that is looked at, from 0; −1 while there is none."""
        return self._image

    def show_run(self, folder: Path, reported: RunSnapshot, *, live: bool) -> None:
        """Show what a run has left so far; `live`: more may come."""
        if folder != self._folder:
            self._folder, self._image = folder, -1
            self._follow.setChecked(True)
        self._reported, self._live = reported, live
        self._pictures.look_again()
        seen = sorted({image for image, _ in reported.samples})
        newest = max(reported.samples, key=lambda place: place[1], default=None)
        if newest is not None and (self._image < 0 or (self._follow.isChecked() and self._image not in seen)):
            self._image = newest[0]
        self._offer(newest)
        self._epochs = sorted(epoch for image, epoch in reported.samples if image == self._image)
        self._slider.blockSignals(True)
        self._slider.setRange(0, max(len(self._epochs) - 1, 0))
        self._slider.setEnabled(len(self._epochs) > 1)
        self._slider.blockSignals(False)
        if self._follow.isChecked():
            self._newest()
        self._show()

    def _offer(self, newest: tuple[int, int] | None) -> None:
        """The radiographs that can be looked at."""
        images = self._reported.samples[newest].images if newest is not None else 0
        self._watch.blockSignals(True)
        self._watch.setRange(1, max(images, 1))
        self._watch.setValue(self._image + 1)
        self._watch.setEnabled(images > 1)
        self._watch.setSuffix(self.tr(" of {images}").format(images=images) if images else "")
        self._watch.blockSignals(False)

    def _choose(self, number: int) -> None:
        self._image = number - 1
        if self._live:
            self.watch_asked.emit(self._image)
        self.show_run(self._folder, self._reported, live=self._live)

    def _moved(self, place: int) -> None:
        if place != len(self._epochs) - 1:
            self._follow.setChecked(False)
        self._show()

    def _newest(self) -> None:
        self._slider.setValue(max(len(self._epochs) - 1, 0))

    def _sample(self) -> SampleWritten | None:
        if not self._epochs:
            return None
        return self._reported.samples.get((self._image, self._epoch(self._slider.value())))

    def _epoch(self, place: int) -> int:
        """The epoch at a place of the slider; 0 while there is none."""
        return self._epochs[min(place, len(self._epochs) - 1)] if self._epochs else 0

    def _place(self, epoch: float) -> int:
        """The place of the epoch that is nearest."""
        return min(range(len(self._epochs)), key=lambda place: abs(self._epochs[place] - epoch), default=0)

    def _show(self) -> None:
        sample = self._sample()
        names = (self.tr("Before"), self.tr("Now"), self.tr("Reference"))
        if sample is None:
            wait = self.tr("It is shown after the next epoch.") if self._live else self.tr("No epoch was kept of it.")
            self._row.show_cells([Cell(caption=caption, message=wait) for caption in names])
            self._text.setText("")
            return
        after = self.tr("After epoch {epoch}").format(epoch=sample.epoch)
        captions = (names[0], after, names[2])
        files = (sample.input, sample.sample, sample.reference)
        both = zip(files, captions, strict=True)
        self._row.show_cells(
            [cell(self._pictures, self._folder / file, sample.pixel_size, caption) for file, caption in both]
        )
        best = self._reported.best is not None and self._reported.best.epoch == sample.epoch
        praised = self.tr("{epoch}, the best so far") if self._live else self.tr("{epoch}, the best")
        self._text.setText(praised.format(epoch=after) if best else after)
        self._text.setMinimumWidth(max(self._text.minimumWidth(), self._text.sizeHint().width()))
        self._slider.setAccessibleDescription(self._text.text())

    def _build(self) -> None:
        names = (self.tr("Radiograph before"), self.tr("Radiograph now"), self.tr("Reference of the radiograph"))
        self._row = ImageRow(self.tr("Before, now, reference"), names)
        self._slider = NumberSlider(self._epoch, self._place, least=1)
        self._slider.setPageStep(1)
        name(self._slider, self.tr("Epoch that is shown"))
        self._text = plain_label(object_name="quiet")
        name(self._text, self.tr("Epoch in words"))
        self._text.setMinimumWidth(190)
        self._follow = QCheckBox(self.tr("Newest"))
        name(self._follow, self.tr("Always show the newest epoch"))
        self._follow.setChecked(True)
        self._watch = QSpinBox()
        self._watch.setKeyboardTracking(False)
        name(self._watch, self.tr("Radiograph that is watched"))
        hint = self.tr(
            "Which of the radiographs that are held back for the validation is shown. Another one is kept from the "
            "next epoch on."
        )
        self._watch.setToolTip(tooltip(hint))
        caption = plain_label(self.tr("Radiograph"), object_name="quiet")
        name(caption, self.tr("Radiograph, caption"))
        line = QHBoxLayout()
        for widget in (caption, self._watch):
            line.addWidget(widget)
        line.addSpacing(8)
        line.addWidget(self._slider, 1)
        line.addWidget(self._text)
        line.addWidget(self._follow)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._row, 1)
        layout.addLayout(line)
