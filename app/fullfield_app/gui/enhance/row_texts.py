"""What a row of the list says: its name, how far it is, with what it is enhanced, and what to do where it failed."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from fullfield.image.image import InputKind
from fullfield.image.method import AUTO, Method
from fullfield_app.gui import numbers
from fullfield_app.gui.queue.row import Row, State
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.gui.widgets.label import clean

translate = QCoreApplication.translate
LEAST_SECONDS = 0.1  # that are told of an image

STEPS = {
    State.WAITING: 0.0,
    State.OPENING: 0.1,
    State.OPENED: 0.3,
    State.ENHANCING: 0.5,
    State.ENHANCED: 1.0,
    State.EXPORTING: 0.9,
    State.EXPORTED: 1.0,
    State.CANCELLED: 0.0,
    State.FAILED: 0.0,
}
"""How far each state is, for a bar."""


class RowTexts:
    """Says what rows say; `titles`: of the presets and models, by what a Method calls them."""

    def __init__(self) -> None:
        self.titles: Mapping[str, str] = {}

    def state(self, row: Row) -> str:
        """How far an image is; for a failed one why."""
        return state_text(row)

    def note(self, row: Row) -> str:
        """For a failed image what to do, for all others with what they are enhanced."""
        if row.state is State.FAILED and row.trouble is not None:
            return clean(row.trouble.hint)
        return self.method(row.method)

    def method(self, method: Method) -> str:
        """A method in a few words."""
        parts = [translate("QueueTable", "Automatic") if method.choice == AUTO else self._title(method)]
        if method.changes:
            parts.append(translate("QueueTable", "adjusted"))
        if method.kind == InputKind.RAW:
            parts.append(translate("QueueTable", "taken for raw"))
        elif method.kind == InputKind.PROCESSED:
            parts.append(translate("QueueTable", "taken for processed"))
        return ", ".join(parts)

    def group(self, title: str, done: int, total: int) -> str:
        """A group in words."""
        if total == 1:
            return translate("QueueTable", "{title}: one image, {done} done").format(title=title, done=done)
        text = translate("QueueTable", "{title}: {total} images, {done} done")
        return text.format(title=title, total=total, done=done)

    def _title(self, method: Method) -> str:
        name = method.choice.replace("\\", "/").rpartition("/")[2]
        return self.titles.get(method.choice) or clean(name)


def took(seconds: float) -> str:
    """How long an image took; what would round to nothing is less than the least that is told."""
    if seconds >= LEAST_SECONDS:
        return numbers.seconds(seconds)
    return translate("QueueTable", "less than {time}").format(time=numbers.seconds(LEAST_SECONDS))


def state_text(row: Row) -> str:
    """How far an image is, in a few words, and that its file is damaged; for a failed one why."""
    text = _state(row)
    if row.damage and row.state is not State.FAILED:
        return translate("QueueTable", "Damaged file. {state}").format(state=text)
    return text


def _state(row: Row) -> str:
    match row.state:
        case State.FAILED if row.trouble is not None:
            return translate("QueueTable", "Failed: {reason}").format(reason=row.trouble.detail or row.trouble.title)
        case State.ENHANCED if row.result is not None:
            text = translate("QueueTable", "Enhanced in {time}").format(time=took(row.result.seconds))
            return (
                translate("QueueTable", "{state}, with a warning").format(state=text)
                if row.source_notes or row.result_notes
                else text
            )
        case State.WAITING if row.exportable:
            return translate("QueueTable", "Waiting to be exported")
        case State.WAITING if row.decoded is not None:
            return translate("QueueTable", "Opened, waiting")
        case _:
            return translate("QueueTable", _WORDS[row.state])


_WORDS = {
    State.WAITING: QT_TRANSLATE_NOOP("QueueTable", "Waiting"),
    State.OPENING: QT_TRANSLATE_NOOP("QueueTable", "Opening"),
    State.OPENED: QT_TRANSLATE_NOOP("QueueTable", "Opened"),
    State.ENHANCING: QT_TRANSLATE_NOOP("QueueTable", "Enhancing"),
    State.ENHANCED: QT_TRANSLATE_NOOP("QueueTable", "Enhanced"),
    State.EXPORTING: QT_TRANSLATE_NOOP("QueueTable", "Exporting"),
    State.EXPORTED: QT_TRANSLATE_NOOP("QueueTable", "Exported"),
    State.CANCELLED: QT_TRANSLATE_NOOP("QueueTable", "Cancelled"),
    State.FAILED: QT_TRANSLATE_NOOP("QueueTable", "Failed"),
}
