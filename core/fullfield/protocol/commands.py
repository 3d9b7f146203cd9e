"""What is asked of a run while it goes on: the base of all commands, and those that every reader knows."""

from __future__ import annotations

import json
from dataclasses import dataclass

from fullfield.checked import Fields
from fullfield.protocol import fields

PAUSED = "paused"


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command; its name in JSON is its class's in small letters. A field that is None is not written."""

    def to_fields(self) -> Fields:
        """The command as a JSON object."""
        given = {name: value for name, value in fields.of(self).items() if value is not None}
        return {"command": type(self).__name__.lower(), **given}

    def to_line(self) -> str:
        """One line of JSON, without the line's end; `fullfield.protocol.command_lines` reads it."""
        return json.dumps(self.to_fields())


@dataclass(frozen=True, kw_only=True)
class Stop(Command):
    """End after the step or item in hand, keeping what is done. `why`: `PAUSED` where the run is to be resumed."""

    why: str | None = None


PAUSE = Stop(why=PAUSED)


@dataclass(frozen=True, kw_only=True)
class Watch(Command):
    """To a training: from the next epoch on, keep this one of the images that are held back as the network sees it."""

    image: int
