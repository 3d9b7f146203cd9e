"""Which files of a node lie in the run's folder here, each with the mark of the state in which it came: `came.json`."""

from __future__ import annotations

import json
from pathlib import Path

from fullfield import checked, files
from fullfield.nodes import results

FILE = "came.json"


class Came:
    """What has come into a run's folder. A file that is changed here comes again; so does one that a power cut has kept
    from being noted."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._marks = folder, _read(folder / FILE)

    def have(self) -> dict[str, str]:
        """The node's mark of each that is here as it came."""
        return {name: mark for name, (mark, own) in self._marks.items() if self._own(name) == own}

    def note(self, name: str, mark: str) -> None:
        """A file has come, and may be another one here than there (`withheld`). Raises CannotWrite."""
        self._marks[name] = mark, self._own(name)
        files.write_text(self._folder / FILE, json.dumps(self._marks))

    def _own(self, name: str) -> str:
        try:
            return results.mark((self._folder / name).stat())
        except OSError:
            return ""


def _read(path: Path) -> dict[str, tuple[str, str]]:
    try:
        values = checked.parse(path.read_bytes())
        return {str(name): (str(mark), str(own)) for name, (mark, own) in values.items() if results.may_come(name)}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
