"""The files that this user opened last: their paths, newest first, in a file of their own; no Qt.

Their names may name patients, so they are no settings, which are copied by backups and roaming profiles: they lie in
this user's cache, beside the decoded pixels, where this user alone can read them (decision 015).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from fullfield import change_lock, files
from fullfield_app import settings

MOST = 12

Paths = tuple[str, ...]
Change = Callable[[Paths], Paths]


def path() -> Path:
    """The file."""
    return files.cache_folder() / "recent.json"


def load() -> Paths:
    """The list; an empty one where there is none, or where it cannot be read."""
    try:
        values = json.loads(path().read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return ()
    return tuple(one for one in values if isinstance(one, str))[:MOST] if isinstance(values, list) else ()


def update(change: Change) -> None:
    """Read the list, change and write it, so that two windows keep each other's; an empty one is no file.

    It is empty where the user wants none, whichever window was told so. Raises CannotWrite.
    """
    try:
        with change_lock.held(path()):
            after = change(load()) if settings.load()[0].keep_recent else ()
            if not after:
                path().unlink(missing_ok=True)
                return
            with files.atomic_write(path(), private=True) as stream:
                stream.write(json.dumps(after).encode())
    except OSError as error:
        raise files.cannot_write(error) from error


def with_new(known: Paths, new: Sequence[Path]) -> Paths:
    """`new` before what is `known`."""
    return tuple(dict.fromkeys([*(str(one.absolute()) for one in new), *known]))[:MOST]
