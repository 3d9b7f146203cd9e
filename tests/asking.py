"""Commands from plain values, read as a worker reads them."""

from __future__ import annotations

import json
from typing import Any

from fullfield.protocol import command_lines
from fullfield.protocol.commands import Command


def command(values: dict[str, Any]) -> Command:
    """The command of these fields."""
    found = command_lines.from_line(json.dumps(values))
    assert found is not None, values
    return found
