"""What a bench has found: told line by line as it is found, as text or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from fullfield import standard_output
from fullfield.protocol import events
from fullfield.protocol.events import Event


class Table:
    """Rows with a heading. `json`: one object a line instead, an event or the columns by name."""

    def __init__(self, name: str, columns: Sequence[str], *, json: bool) -> None:
        self._name, self._columns, self._json = name, tuple(columns), json
        if not json:
            _write("  ".join(self._columns))

    def row(self, *values: object) -> None:
        """One row."""
        if self._json:
            _write(json.dumps({"bench": self._name, **dict(zip(self._columns, values, strict=True))}))
        else:
            _write("  ".join(str(value) for value in values))

    def event(self, event: Event, *values: object) -> None:
        """One row, which is an event to programs."""
        if self._json:
            _write(events.to_line(event))
        else:
            self.row(*values)


def _write(line: str) -> None:
    standard_output.write(f"{line}\n")
