"""What an event of the worker changes in the row that it is about. No widget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from fullfield.enhance import naming
from fullfield.inputs.files import exchanged
from fullfield.protocol.events import (
    ItemDecoded,
    ItemDone,
    ItemEnhanced,
    ItemEvent,
    ItemFailed,
    ItemSkipped,
    ItemStarted,
    ItemWarned,
)
from fullfield_app.gui.queue.row import Doing, Result, Row, Trouble
from fullfield_app.gui.translation import say_core

MOST_DEATHS = 2  # an image that ends every worker must not end them for ever
Changes = dict[str, Any]
translate = QCoreApplication.translate


def changes_of(row: Row, event: ItemEvent) -> Changes | None:
    """The fields of `row` that `event` changes; None where it is about nothing that a row shows."""
    if row.exchanged and isinstance(event, ItemStarted | ItemEnhanced | ItemWarned | ItemDone):
        return None  # it is about the other file
    match event:
        case ItemStarted():
            return {"begun": True, "result_notes": ()}
        case ItemDecoded() if row.sha256 and event.sha256 and event.sha256 != row.sha256:
            return _exchanged()
        case ItemDecoded():
            found = {"decoded": Path(event.decoded), "sha256": event.sha256, "damage": ""}
            return {"doing": None, "opened": True, **found}
        case ItemEnhanced():
            return _enhanced(row, event)
        case ItemWarned() if event.damaged:
            return {"damage": event.text}
        case ItemWarned():
            notes = "result_notes" if row.begun else "source_notes"
            return {notes: tuple(dict.fromkeys((*getattr(row, notes), event.text)))}
        case ItemDone():
            return _written(row, event)
        case ItemSkipped():
            waiting = row.wants_exports if row.cancelled else row.exports
            return {"doing": None, "begun": False, "writing": None, "wants_exports": waiting}
        case ItemFailed():
            return _failed(row, event)
    return None


def died_at(row: Row) -> Changes:
    """A worker has ended while it was at this image."""
    if row.deaths + 1 < MOST_DEATHS:
        return {"deaths": row.deaths + 1}
    if _another(row):
        return {"deaths": 0, "wants_exports": (), "writing": None, "failed_exports": row.exports}
    trouble = Trouble(
        title=translate("row", "Cannot enhance the image."),
        detail=translate("row", "The worker ended twice while it was at this image."),
        hint=translate("row", "Choose another preset or model, or close other programs, and enhance it again."),
    )
    return {
        "deaths": 0,
        "trouble": trouble,
        "wants_result": False,
        "wants_exports": (),
        "writing": None,
        "failed_exports": row.exports,
    }


def _exchanged() -> Changes:
    """It would be seen and written as what the row was first: under another patient's name, and turned as that one."""
    error = exchanged()
    trouble = Trouble(title=say_core(error.title), detail=say_core(error.detail), hint=say_core(error.hint))
    return {
        "doing": None,
        "begun": False,
        "opened": False,
        "held": False,
        "decoded": None,
        "result": None,
        "trouble": trouble,
        "wants_result": False,
        "wants_exports": (),
        "writing": None,
        "failed_exports": (),
    }


def _written(row: Row, event: ItemDone) -> Changes:
    """What was to be written lies in its file, in the place of what that file held."""
    target = Path(naming.written(row.writing.target, event.number)) if row.writing is not None else None
    files = {path: digest for path, digest in row.written.items() if path != target}
    if target is not None and row.result is not None:
        files[target] = row.result.digest
    return {"doing": None, "writing": None, "exported": target, "written": files}


def _enhanced(row: Row, event: ItemEnhanced) -> Changes:
    """It is new, unless it is what a file holds already: as after an undo."""
    result = Result(
        path=Path(event.enhanced),
        bits=event.bits,
        method=row.asked,
        recipe=event.recipe,
        seconds=event.seconds,
        digest=event.digest,
        made_by=event.made_by,
        method_wanted=event.method_wanted,
        disagreement=event.disagreement,
    )
    again = _another(row)
    return {
        "doing": None,
        "begun": False,
        "held": True,
        "result": result,
        "wants_result": again,
        "method": row.method if again else row.asked,
        "cancelled": False,
        "exported": row.file_of(event.digest),
        "deaths": 0,
    }


def _another(row: Row) -> bool:
    """Another method was chosen while the worker was at the one before: it comes next, whatever became of that."""
    return row.doing is Doing.ENHANCE and row.wants_result and row.method != row.asked


def _failed(row: Row, event: ItemFailed) -> Changes:
    if _another(row):
        return {"doing": None, "begun": False, "wants_exports": (), "failed_exports": row.exports}
    trouble = Trouble(
        title=event.error.get("title", ""), detail=event.error.get("detail", ""), hint=event.error.get("hint", "")
    )
    return {
        "doing": None,
        "begun": False,
        "trouble": trouble,
        "wants_result": False,
        "wants_exports": (),
        "writing": None,
        "failed_exports": row.exports,
    }
