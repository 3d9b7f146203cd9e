"""The sliders' side of the page: opened and closed, followed, and their values saved as a preset."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from fullfield.image.preset import Preset
from fullfield_app.gui.enhance.adjust_panel import AdjustPanel
from fullfield_app.gui.enhance.adjusting import Adjusting
from fullfield_app.gui.enhance.pictures import Pictures
from fullfield_app.gui.enhance.queue_commands import QueueCommands
from fullfield_app.gui.enhance.queue_side import QueueSide
from fullfield_app.gui.enhance.save_preset import save_preset
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.queue.row import Row
from fullfield_app.gui.view.compare_view import CompareView
from fullfield_app.gui.view.picture import Source


class Adjustment(QObject):
    """`panel` is the page's to place; `saved`: there is another preset to choose."""

    saved = Signal()

    def __init__(
        self, side: QueueSide, view: CompareView, work: Work, pictures: Pictures, commands: QueueCommands
    ) -> None:
        super().__init__(side)
        self._side, self._commands = side, commands
        self.panel = AdjustPanel()
        self.panel.hide()
        self.adjusting = Adjusting(self.panel, view, work, pictures, side.list.selected, commands.change, self)
        side.choice.adjust_toggled.connect(self.adjusting.show_panel)
        self.panel.save_asked.connect(self._save)
        commands.deciding.connect(self.panel.take_typed)  # a key leaves the number that it is typed in
        commands.deciding.connect(self.adjusting.settle)

    def toggle(self) -> None:
        """Open the sliders, or close them."""
        self._side.choice.toggle_adjust()

    def look_at(self, row: Row | None, source: Source | None) -> None:
        """Another image, or another state of it."""
        self.adjusting.look_at(row, source)

    def _save(self) -> None:
        values, source = self.adjusting.preset, self.adjusting.source
        if values is not None and source is not None:
            header = source.header
            save_preset(self.panel, values, body_part=header.body_part, species=header.patient.species, saved=self._use)

    def _use(self, preset: Preset) -> None:
        """The image goes on with the preset that was made of its values."""
        self.saved.emit()
        self._commands.take(preset)
