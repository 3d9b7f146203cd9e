"""The training of `slim`, which tells a sentence of a megabyte where a file in its run's folder asks for one;
`site/sitecustomize.py` puts it in place of "train" where `TRAINS` names it."""

from __future__ import annotations

from typing import Any

from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.protocol.events import Event, Notice
from fullfield.protocol.training import Training
from nodes import slim

ASKED, LONG = "say", "long " * 200_000


def run(spec: Training, context: Context) -> Fields:
    """See `fullfield.train.job.run`."""
    patched: Any = context
    emit, asked = context.emit, context.folder / ASKED

    def told(event: Event) -> None:
        emit(event)
        if asked.exists():
            asked.unlink()
            emit(Notice(text=LONG))

    patched.emit = told
    return slim.run(spec, context)
