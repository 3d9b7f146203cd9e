"""The kinds of destination. A new one is a `Store` in a file beside this, and a line here.

An address is `scheme://…`, as a URL has it; without a scheme it is the path of a folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fullfield.enhance.destinations.base import Store
from fullfield.enhance.destinations.folder import Folder
from fullfield.errors import UsageError

DESTINATIONS: dict[str, Callable[[str, bool], Store]] = {"": Folder}
"""By scheme, what opens an address; see `open_destination`."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://")


def open_destination(address: str, *, begun: bool = False) -> Store:
    """The destination at an address. `begun`: something of the same order is there, and none is made in its place.

    Raises UsageError for a scheme that is not known, OutputInvalid, CannotWrite.
    """
    found = _SCHEME.match(address)
    scheme = found[1] if found else ""
    if scheme not in DESTINATIONS:
        raise UsageError(f"Cannot send results to an address of the kind {scheme!r}.", hint="Name a folder.")
    return DESTINATIONS[scheme](address, begun)
