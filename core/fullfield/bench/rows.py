"""Rows of a bench that are measured once: a file for each, named by all that decides it.

    rows/<name>-<hash>.json     {"key": what decided the row, "row": its figures}

A file is there whole or not at all, so a bench that was killed goes on after its last whole row. Failures are not kept:
they are tried again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fullfield import files
from fullfield.checked import Fields

Row = Fields
FOLDER = "rows"


class Rows:
    """The rows in a folder. `common`: what decides all of them (the machine, the version), part of every key."""

    def __init__(self, folder: Path, common: Mapping[str, Any]) -> None:
        self._folder, self._common = folder / FOLDER, dict(common)

    def found(self, name: str, key: Mapping[str, Any]) -> Row | None:
        """What was measured for `key` before; None where nothing was, or its file is damaged."""
        wanted = self._whole(key)
        try:
            values = json.loads(self._file(name, wanted).read_text(encoding="utf-8"))
            return dict(values["row"]) if values["key"] == wanted else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, name: str, key: Mapping[str, Any], row: Row) -> None:
        """Remember a row. Raises CannotWrite."""
        wanted = self._whole(key)
        files.write_text(self._file(name, wanted), json.dumps({"key": wanted, "row": row}, indent=1))

    def once(self, name: str, key: Mapping[str, Any], measure: Callable[[], Row]) -> Row:
        """The row of `key`: from its file, else measured and kept."""
        row = self.found(name, key)
        if row is None:
            row = measure()
            self.keep(name, key, row)
        return row

    def slug(self, name: str, key: Mapping[str, Any]) -> str:
        """A file's name for what belongs to a row, equal for equal keys."""
        return self._file(name, self._whole(key)).stem

    def _whole(self, key: Mapping[str, Any]) -> Fields:
        whole: Fields = json.loads(json.dumps({**self._common, **key}))
        return whole

    def _file(self, name: str, key: Mapping[str, Any]) -> Path:
        digits = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:12]
        plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()[:60] or "plain"
        return self._folder / f"{plain}-{digits}.json"
