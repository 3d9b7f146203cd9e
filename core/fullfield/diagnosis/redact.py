"""Text that may leave the house: no patient value, no path of the user, no name of the user or of the computer."""

from __future__ import annotations

import getpass
import platform
import re
from functools import cache
from pathlib import Path

from fullfield import log

SHORTEST = 3
_SOURCE = re.compile(r'File "[^"\n]*?([^"/\\\n]+\.py)"')  # a frame of a native crash: the file's own name is ours


def redact(text: str) -> str:
    """`text`, line by line, as a support case may carry it; what looks like a path is taken out wholly."""
    return "\n".join(hide_user(log.redact(_SOURCE.sub(r"File \1", line))) for line in text.splitlines())


def from_home(path: Path) -> str:
    """A path as it may be told: from the user's home ("~") on, and without the user's name."""
    text = str(path)
    home = str(Path.home())
    if len(home) > 1 and (path == Path(home) or Path(home) in path.parents):
        text = "~" + text[len(home) :]
    return hide_user(text)


def hide_user(text: str) -> str:
    """`text` without the name of this user, of the home folder and of this computer."""
    for name in _names():
        text = re.sub(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", "•••", text, flags=re.IGNORECASE)
    return text


@cache
def _names() -> tuple[str, ...]:
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):  # a user without a name, as in some containers
        user = ""
    node = platform.node()
    found = {user, Path.home().name, node, node.partition(".")[0]}
    ordinary = {"root", "user", "localhost", "home"}  # they name nobody, and occur in every log
    return tuple(sorted((name for name in found - ordinary if len(name) >= SHORTEST), key=len, reverse=True))
