"""From a slider to the image: a preview of what is in sight at once, the whole image when the slider rests.

A trial begins with the first move of a slider. It is decided when the slider is let go or rests, or before anything
else is decided or looked at; it has ended when the image has a new result, or none is to come.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from fullfield import array_file
from fullfield.errors import FullfieldError
from fullfield.image import cache
from fullfield.image.method import Method
from fullfield.image.preset import Preset
from fullfield.image.values import Changes
from fullfield.protocol.events import ItemPreviewed
from fullfield.protocol.session_commands import Preview
from fullfield_app.gui.bridge.throttle import Throttle
from fullfield_app.gui.enhance.adjust_panel import AdjustPanel
from fullfield_app.gui.enhance.moves import merged
from fullfield_app.gui.enhance.pictures import Pictures
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.queue.row import Row
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import CompareView
from fullfield_app.gui.view.picture import Picture, Source
from fullfield_app.gui.view.tried import Tried, blank, region_of

REST_MILLISECONDS = 500
PREVIEW_MILLISECONDS = 25  # a quicker slider only makes previews that nobody sees
Selected = Callable[[], Sequence[int]]
Decide = Callable[[Mapping[int, Changes], str], None]


class Adjusting(QObject):
    """Shows in `panel` what the image that one looks at is enhanced with; `decide` is told what becomes of the images
    that were `selected` when sliders were moved: what was not moved stays each one's own.

    `painted`: a preview has been handed to the view.
    """

    painted = Signal()

    def __init__(
        self,
        panel: AdjustPanel,
        view: CompareView,
        work: Work,
        pictures: Pictures,
        selected: Selected,
        decide: Decide,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._panel, self._view, self._work, self._pictures = panel, view, work, pictures
        self._selected, self._decide = selected, decide
        self._meant: Sequence[int] = ()
        self._row: Row | None = None
        self._source: Source | None = None
        self._preset: Preset | None = None
        self._what = ""
        self._trying = False
        self._tried: tuple[tuple[int, Path | None], Tried] | None = None
        self._serials = itertools.count(1)
        self._latest = 0
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MILLISECONDS)
        self._pace = Throttle(PREVIEW_MILLISECONDS, self)
        self._connect_signals()

    @property
    def preset(self) -> Preset | None:
        """The preset with the values of the sliders; None where there is nothing to adjust."""
        return None if self._preset is None else self._preset.adjusted(dict(self._panel.changes()))

    @property
    def source(self) -> Source | None:
        """The image that one looks at."""
        return self._source

    def look_at(self, row: Row | None, source: Source | None) -> None:
        """Another image, or another state of it."""
        other = row is None or self._row is None or row.index != self._row.index
        if other or (row is not None and self._row is not None and row.result != self._row.result):
            self._tried = None
        if other:
            self._finish_trying()
        self._row, self._source = row, source
        if not self._awaited():
            self._end_trial()
        if self._panel.isVisible() and not self._trying:
            self._show()

    def settle(self) -> None:
        """Decide what is being tried: the whole image is enhanced, and the others that were selected."""
        if self._trying:
            self._finish_trying()
            moves, queue = self._panel.take_moves(), self._work.queue
            rows = [row for index in self._meant if (row := queue.get(index)) is not None and not row.by_model]
            changes = {row.index: merged(row.method.changes, moves, partial(self._preset_of, row)) for row in rows}
            self._decide(changes, self._what)

    def show_panel(self, shown: bool) -> None:
        """The panel is opened or closed."""
        self._panel.setVisible(shown)
        if shown:
            self._show()
            self._ask()  # what needs the whole image is measured before the first slider moves

    # Within -----------------------------------------------------------------------------------------------------

    def _connect_signals(self) -> None:
        self._panel.moved.connect(self._move)
        self._panel.rested.connect(self.settle)
        self._rest.timeout.connect(self._rested)
        self._pace.passed.connect(lambda _: self._ask())
        self._work.previewed.connect(self._take)
        self._view.look_changed.connect(lambda: self._pace.offer(None) if self._trying else None)

    def _show(self) -> None:
        self._preset, why = None, self.tr("Choose an image that has been opened.")
        if self._row is not None and self._source is not None:
            if self._row.by_model:
                why = self.tr("A model has no parameters to adjust. Choose a preset.")
            else:
                try:
                    self._preset = self._find(replace(self._row.method, changes=()))
                except FullfieldError as error:
                    why = f"{say_core(error.title)} {say_core(error.hint)}".strip()
        changes = self._row.method.changes if self._row is not None else ()
        now = None if self._preset is None else self._preset.adjusted(dict(changes))
        self._panel.show_preset(self._preset, now, why)

    def _find(self, method: Method) -> Preset:
        assert self._source is not None
        return method.preset(**self._source.header.subject, kind=self._source.kind)

    def _preset_of(self, row: Row) -> Preset:
        """An image's own; where that is not known yet, the preset that the sliders show."""
        assert self._preset is not None
        if row.decoded is None or (self._row is not None and row.index == self._row.index):
            return self._preset
        try:
            decoded = cache.load(row.decoded)
            return replace(row.method, changes=()).preset(**decoded.header.subject, kind=decoded.image.kind)
        except (OSError, ValueError, KeyError, FullfieldError):
            return self._preset

    def _move(self, what: str) -> None:
        if not self._trying:
            self._meant = self._selected()
        self._what, self._trying = what, True
        self._rest.start()
        self._pace.offer(None)

    def _rested(self) -> None:
        """A slider that is held still is looked at, not let go."""
        if self._panel.held:
            self._rest.start()
        else:
            self.settle()

    def _finish_trying(self) -> None:
        self._rest.stop()
        self._trying = False

    def _awaited(self) -> bool:
        """A result is still to come of what the sliders say."""
        return self._trying or (self._row is not None and self._row.wants_result)

    def _end_trial(self) -> None:
        """No result came of it: the image is seen again as it is and as it would be exported."""
        if self._tried is None:
            return
        self._tried = None
        row, source = self._row, self._source
        if row is None or source is None or row.result is None or not row.exportable:
            return
        picture = self._pictures.result(row.result, source.picture)
        if picture is not None:
            self._show_after(picture)

    def _ask(self) -> None:
        row, sight = self._row, self._view.sight_of(Side.AFTER)
        if row is None or self._source is None or self._preset is None or sight is None:
            return
        area, scale = sight
        region = region_of(area, scale, levels=len(self._source.picture.levels))
        command = Preview(
            index=row.index,
            serial=next(self._serials),
            level=region.level,
            region=(region.top, region.bottom, region.left, region.right),
            choice=row.method.choice,
            kind=row.method.kind,
            changes=self._panel.changes(),
        )
        if not self._trying:
            self._latest = command.serial  # only made ready: not shown
        self._work.preview(command)

    def _take(self, reported: ItemPreviewed) -> None:
        row = self._row
        if row is None or reported.index != row.index or reported.serial <= self._latest or not self._awaited():
            return
        self._latest = reported.serial
        try:
            part = array_file.load(Path(reported.preview))
            tried = self._over(row, reported.bits)
        except (OSError, ValueError):
            return  # a later one has taken its place
        if tried is not None:
            tried.lay(part, level=reported.level, top=reported.top, left=reported.left)
            self._show_after(tried.picture)
            self.painted.emit()

    def _show_after(self, picture: Picture) -> None:
        shown = self._view.shown(Side.AFTER)
        self._view.show_side(Side.AFTER, picture, shown.voi if shown is not None else None)

    def _over(self, row: Row, bits: int) -> Tried | None:
        """The last result, to lay previews over; an empty picture where there is none."""
        key = (row.index, row.result.path if row.result is not None else None)
        if self._tried is None or self._tried[0] != key:
            assert self._source is not None
            source = self._source.picture
            result = self._pictures.result(row.result, source) if row.result is not None else None
            if result is None and row.result is not None:
                return None  # it is being opened
            picture = result or blank(source, bits)
            self._tried = (key, Tried(picture, key[1]))
        return self._tried[1]
