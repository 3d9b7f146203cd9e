"""Commands and specs for jobs, from plain values: read as a worker reads them."""

from __future__ import annotations

import json
from typing import Any

from fullfield.protocol import command_lines, specs
from fullfield.protocol.commands import Command
from fullfield.protocol.specs import Spec


def command(values: dict[str, Any]) -> Command:
    """The command of these fields."""
    found = command_lines.from_line(json.dumps(values))
    assert found is not None, values
    return found


def spec(kind: str, **values: Any) -> Spec:
    """The spec of a job of this kind."""
    return specs.read(kind, json.loads(json.dumps(values)))
