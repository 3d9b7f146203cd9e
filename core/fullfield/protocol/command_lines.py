"""The list of all commands, and how a line of JSON becomes one of them."""

from __future__ import annotations

from fullfield import checked
from fullfield.protocol.commands import Command, Stop, Watch
from fullfield.protocol.fields import Unread
from fullfield.protocol.session_commands import Cancel, Close, Enhance, Export, Open, Preview
from fullfield.protocol.setup_commands import Ask, Propose, Split

COMMANDS: tuple[type[Command], ...] = (
    Ask,
    Cancel,
    Close,
    Enhance,
    Export,
    Open,
    Preview,
    Propose,
    Split,
    Stop,
    Watch,
)
_BY_NAME = {kind.__name__.lower(): kind for kind in COMMANDS}
unread = Unread("a command")


def from_line(line: str | bytes) -> Command | None:
    """The command of a line; None for one that cannot be taken, which is logged and counted in `unread`: one that is
    not known here, has a value of another type, or is cut, as a full disk leaves it."""
    name = None
    try:
        values = checked.parse(line)
        name = values.get("command") if isinstance(values, dict) else None
        kind = _BY_NAME.get(name) if isinstance(name, str) else None
        if kind is not None:
            return checked.make(kind, values)
    except ValueError as error:
        unread.note(name, str(error))
        return None
    unread.note(name, "it is not known here")
    return None
