"""Which files of a node lie in the run's folder here: in `came.json` is what each held there, and holds here."""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path

from fullfield import checked, files
from fullfield.nodes import results
from fullfield.nodes.results import Content

FILE = "came.json"


class Came:
    """What has come into a run's folder. A file that is changed here comes again; so does one that a power cut has kept
    from being noted."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._known = folder, _read(folder / FILE)

    def have(self) -> dict[str, tuple[str, str]]:
        """The node's mark and the SHA-256 there of each that is here as it came."""
        here = {name: own.found(self._folder / name) for name, (_, own) in self._known.items()}
        self._known = {name: (self._known[name][0], own) for name, own in here.items() if own is not None}
        return {name: (there.mark, there.sha256) for name, (there, _) in self._known.items()}

    def note(self, name: str, there: Content) -> None:
        """A file has come, and may be another one here than there (`withheld`). Raises CannotWrite, OSError."""
        path = self._folder / name
        self._known[name] = there, Content(mark=results.mark(path.stat()), sha256=files.sha256(path))
        values = {name: (*astuple(one), *astuple(own)) for name, (one, own) in self._known.items()}
        files.write_text(self._folder / FILE, json.dumps(values))


def _read(path: Path) -> dict[str, tuple[Content, Content]]:
    try:
        found = {}
        for name, given in checked.parse(path.read_bytes()).items():
            mark, sha256, own_mark, own_sha256 = map(str, given)
            there, here = Content(mark=mark, sha256=sha256), Content(mark=own_mark, sha256=own_sha256)
            found.update({str(name): (there, here)} if results.may_come(name) else {})
        return found
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
