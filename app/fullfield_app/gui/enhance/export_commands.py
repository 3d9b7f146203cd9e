"""What the user exports: the selected images, the new ones of the list, or all of the list once more."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from fullfield.image.delivery import Appearance
from fullfield.protocol.session_commands import Export
from fullfield_app.gui.enhance import export_choices
from fullfield_app.gui.enhance.export_bar import ExportBar
from fullfield_app.gui.enhance.exporting import Exporting
from fullfield_app.gui.enhance.queue_view import QueueView
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.queue.row import Row
from fullfield_app.gui.widgets.message_bar import Message


class ExportCommands(QObject):
    """Asks of `exporting` what is to be written as `bar` says; `look`: how an image is seen now. Only images that the
    list shows are meant. `said`: a Message; `deciding`: what is still being tried is to be decided first.
    """

    said = Signal(object)
    deciding = Signal()

    def __init__(
        self,
        work: Work,
        listed: QueueView,
        bar: ExportBar,
        exporting: Exporting,
        look: Callable[[int], Appearance],
    ) -> None:
        super().__init__(bar)
        self._work, self._list, self._bar, self._exporting, self._look = work, listed, bar, exporting, look

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What each action does."""
        return {
            "export_selected": lambda: self._start(lambda row: row.index in self._list.selected()),
            "export_new": lambda: self._start(lambda row: row.new),
            "export_all": lambda: self._start(lambda _: True),
        }

    def count(self) -> None:
        """Say how many images wait for an export, and how many others there are."""
        rows = self._shown()
        new = sum(row.new for row in rows)
        self._bar.show_count(new, sum(row.exportable for row in rows) - new)

    def again(self, failed: tuple[Export, ...]) -> None:
        """Write what has failed, each as it was ordered."""
        for order in export_choices.again(failed, self._bar.folder):
            self._exporting.export(self._work.queue.rows(), order)

    def _start(self, wanted: Callable[[Row], bool]) -> None:
        before = self._ready(wanted)
        self.deciding.emit()
        looks = {index: self._look(index) for index in self._ready(wanted)}
        if changed := len(before) - len(looks):
            self._exporting.say_changed(changed)
        if looks:
            self._exporting.export(self._work.queue.rows(), self._bar.order(looks))
        elif not before:
            none = self.tr("None of these images is enhanced yet.")
            self.said.emit(Message(title=self.tr("There is nothing to export."), text=none, trouble=False))

    def _ready(self, wanted: Callable[[Row], bool]) -> list[int]:
        return [row.index for row in self._shown() if row.exportable and wanted(row)]

    def _shown(self) -> list[Row]:
        shown = set(self._list.shown())
        return [row for row in self._work.queue.rows() if row.index in shown]
