"""What the user does with the list of images: each command goes to the work, decisions so that they can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from fullfield.image.method import AUTO, Method
from fullfield.image.preset import Preset
from fullfield.image.values import Changes
from fullfield_app.gui.enhance import clearing
from fullfield_app.gui.enhance.decisions import Decisions
from fullfield_app.gui.enhance.queue_side import QueueSide
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.queue.row import Row, State
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.view.picture import Source
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.gui.widgets.question import ask


class QueueCommands(QObject):
    """Asks of `work` what the user asks of `side`. `said`: a Message.

    `deciding`: something is about to be decided, or looked at: what is still being tried is to be decided first.
    `export_again`: the Exports that have failed, and are asked for again.
    """

    said = Signal(object)
    deciding = Signal()
    export_again = Signal(object)

    def __init__(self, work: Work, side: QueueSide, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work, self._side = work, side
        self._decisions = Decisions(work, self)
        self._actions: Mapping[str, QAction] = {}

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What each action of the list does."""
        listed = self._side.list
        return {
            "undo": self._undo,
            "redo": self._redo,
            "next": lambda: self._step(1),
            "previous": lambda: self._step(-1),
            "enhance": lambda: self._enhance(listed.selected(), lambda row: row.method, ""),
            "grouped": self._group,
            "again": self.try_again,
            "pause": self.pause,
            "cancel": self.cancel,
            "remove": self._remove,
            "clear_list": self._ask_to_clear,
            "filter": self._side.filter.begin,
        }

    def follow(self, actions: Mapping[str, QAction]) -> None:
        """The actions that change their texts with what there is to do."""
        self._actions = actions
        self._decisions.changed.connect(self._say_decisions)
        side = self._side
        work, listed = self._work, side.list
        for news in (work.progressed, listed.selection_changed, listed.current_changed, listed.shown_changed):
            news.connect(self._enable)
        self._say_decisions()
        self._enable()
        side.progress.cancel_asked.connect(self.cancel)
        side.progress.pause_asked.connect(self.pause)
        side.progress.again_asked.connect(lambda: self._again(side.list.shown()))
        side.choice.chosen.connect(lambda choice: self.choose(choice, side.choice.say(choice)))
        side.choice.kind_chosen.connect(self._choose_kind)
        side.choice.all_asked.connect(self._choose_for_all)

    def look_at(self, row: Row | None, source: Source | None) -> None:
        """Show how the image that one looks at is enhanced, and as what."""
        if row is not None:
            self._side.choice.show_method(row.method)
        if source is None:
            self._side.choice.show_kind(None, "")
        else:
            self._side.choice.show_kind(source.kind, say_core(source.kind_reason), source.header.modality)

    def choose(self, choice: str, title: str) -> None:
        """A preset or model for the selected images."""
        self._enhance(self._side.list.selected(), lambda row: _chosen(row.method, choice), title, choice)

    def take(self, preset: Preset) -> None:
        """A preset that was just saved, for the selected images; what was adjusted is in it."""
        self._enhance(
            self._side.list.selected(), lambda row: replace(row.method, choice=preset.name, changes=()), preset.title
        )

    def change(self, changes: Mapping[int, Changes], what: str) -> None:
        """Other values of the presets' parameters, for each of these images its own."""
        self._enhance(changes, lambda row: replace(row.method, changes=changes[row.index]), what)

    def try_again(self) -> None:
        """What failed or was cancelled among the selected; where none of them did, among all that the list shows."""
        queue = self._work.queue
        chosen = [index for index in self._side.list.selected() if (row := queue.get(index)) and row.again]
        self._again(chosen or self._side.list.shown())

    def pause(self) -> None:
        """Pause the queue, or let it go on."""
        if self._work.queue.paused:
            self._work.resume()
        else:
            self._work.pause()

    def cancel(self) -> None:
        """Leave out what has not begun."""
        self._work.cancel([row.index for row in self._work.queue.rows()])
        if self._work.queue.busy:
            text, stop = self.tr("All others were cancelled."), self.tr("Stop it now")
            act = self._work.end_at_once
            self.said.emit(Message(title=self.finishing(), text=text, trouble=False, action=stop, act=act))

    def finishing(self) -> str:
        """The title of the message while the image in hand is being finished."""
        return self.tr("The image in hand is finished first.")

    def held(self) -> Message:
        """What is said to someone who exports while the list is paused."""
        text, go_on = self.tr("Exports begin when it goes on."), self.tr("Go on with the list")
        return Message(title=self.tr("The list is paused."), text=text, trouble=False, action=go_on, act=self.pause)

    # Within -----------------------------------------------------------------------------------------------------

    def _ask_to_clear(self) -> None:
        self.deciding.emit()
        question = clearing.question(self._work.queue.rows(), len(self._side.list.shown()), self._clear)
        if question is None:
            self._clear()
        else:
            ask(self._side, question)

    def _clear(self) -> None:
        """What is in hand is ended too: the next patient does not wait for it."""
        rows = self._work.queue.rows()
        what = self._counted(self.tr("clearing of the list"), len(rows))
        self._decisions.remove([row.index for row in rows], what)
        if any(row.state is State.ENHANCING for row in rows):
            self._work.end_at_once()
        if self._work.queue.paused:
            self._work.resume()
        self._side.filter.clear()

    def _again(self, indexes: list[int]) -> None:
        rows = [row for index in indexes if (row := self._work.queue.get(index)) is not None and row.again]
        failed = tuple(export for row in rows for export in row.failed_exports)
        self._work.again(row.index for row in rows)
        self.export_again.emit(failed)

    def _choose_for_all(self) -> None:
        """As the image that one looks at: its preset or model and its adjustments; kinds of input stay each's own."""
        shown, bar = self._side.choice.shown, self._side.choice
        self._enhance(
            self._side.list.shown(),
            lambda row: replace(row.method, choice=shown.choice, changes=shown.changes),
            bar.say(shown.choice),
            shown.choice,
        )

    def _choose_kind(self, kind: str) -> None:
        what = self.tr("kind of input") if kind == AUTO else self._side.choice.say_kind(kind)
        self._enhance(self._side.list.selected(), lambda row: _read_as(row.method, kind), what)

    def _enhance(
        self, indexes: Iterable[int], make: Callable[[Row], Method | None], what: str, choice: str | None = None
    ) -> None:
        """Each with the method that `make` gives; None leaves it alone. `choice`: with what images that come next
        are enhanced too, unless it is undone."""
        self.deciding.emit()
        queue, bar = self._work.queue, self._side.choice
        before = bar.choice
        after = before if choice is None else choice
        rows = [row for index in indexes if (row := queue.get(index)) is not None]
        methods = {row.index: made for row in rows if (made := make(row)) is not None}
        if methods:
            counted = self._counted(what, len(methods))
            self._decisions.enhance(
                methods, counted, lambda undone: setattr(bar, "choice", before if undone else after)
            )

    def _step(self, rows: int) -> None:
        self.deciding.emit()  # while the image that it was tried on is still the selected one
        self._side.list.step(rows)

    def _group(self) -> None:
        self._side.list.set_grouped(self._actions["grouped"].isChecked())

    def _undo(self) -> None:
        self.deciding.emit()
        self._decisions.undo()

    def _redo(self) -> None:
        self.deciding.emit()
        self._decisions.redo()

    def _remove(self) -> None:
        self.deciding.emit()
        indexes = self._side.list.selected()
        self._decisions.remove(indexes, self._counted(self.tr("removal from the list"), len(indexes)))

    def _counted(self, what: str, count: int) -> str:
        return what if count == 1 else self.tr("{what}, {count} images").format(what=what, count=count)

    def _say_decisions(self) -> None:
        for key, what, word, nothing in (
            ("undo", self._decisions.next_undo(), self.tr("Undo: {what}"), self.tr("Undo")),
            ("redo", self._decisions.next_redo(), self.tr("Redo: {what}"), self.tr("Redo")),
        ):
            self._actions[key].setText(nothing if what is None else word.format(what=what.replace("&", "&&")))
            self._actions[key].setEnabled(what is not None)

    def _enable(self) -> None:
        queue, rows = self._work.queue, self._work.queue.rows()
        chosen, shown = set(self._side.list.selected()), set(self._side.list.shown())
        seen = [row for row in rows if row.index in shown]
        self._actions["pause"].setText(self.tr("Go on with the list") if queue.paused else self.tr("Pause the list"))
        for key, possible in {
            "next": bool(rows),
            "previous": bool(rows),
            "adjust": bool(rows),
            "enhance": bool(chosen),
            "remove": bool(chosen),
            "again": any(row.again for row in seen),
            "pause": bool(rows) or queue.paused,
            "cancel": queue.busy,
            "export_selected": any(row.exportable and row.index in chosen for row in rows),
            "export_new": any(row.new for row in seen),
            "export_all": any(row.exportable for row in seen),
            "clear_list": bool(rows),
            "filter": bool(rows),
        }.items():
            self._actions[key].setEnabled(possible)


def _chosen(method: Method, choice: str) -> Method | None:
    """Another choice; the same one again leaves the image, and what was adjusted, as it is."""
    return None if method.choice == choice else replace(method, choice=choice, changes=())


def _read_as(method: Method, kind: str) -> Method | None:
    return None if method.kind == kind else replace(method, kind=kind, changes=())
