"""The Python of the system that the training part is installed for: found by name, asked what it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fullfield import checked, other_python
from fullfield.errors import MissingPart

VERSIONS = ("3.13", "3.12", "3.11", "3.14")
"""Those that every package of the lock has wheels for; first those that have been used the longest."""

ASK_SECONDS = 30.0  # a cold disk and a virus scanner
_ASK = (
    "import json, struct, sys, venv, ensurepip, sysconfig; "
    "print(json.dumps({'path': getattr(sys, '_base_executable', sys.executable), "
    "'version': '%d.%d' % sys.version_info[:2], "
    "'bits': struct.calcsize('P') * 8, 'free_threaded': bool(sysconfig.get_config_var('Py_GIL_DISABLED'))}))"
)


@dataclass(frozen=True, kw_only=True)
class Python:
    """One that can make environments. `version`: such as "3.13"."""

    path: Path
    version: str


def find() -> Python:
    """The first that fits. Raises MissingPart with what to do where none does."""
    for command in other_python.commands(VERSIONS):
        found = _asked(command)
        if found is not None:
            return found
    raise MissingPart(
        "Cannot install the training part.",
        detail="It needs a Python of this computer, from 3.11 to 3.14 in 64 bits, with its module venv, and none was "
        "found.",
        hint="Install Python from its makers' page or the system's packages (on Debian and Ubuntu: python3 and "
        "python3-venv), and try again.",
    )


def _asked(command: list[str]) -> Python | None:
    """What it says; None where it is not there, or does not fit."""
    reported = other_python.output([*command, "-P", "-c", _ASK], seconds=ASK_SECONDS)
    try:
        values = checked.parse(reported.encode())
        fits = values["version"] in VERSIONS and values["bits"] == 64 and not values["free_threaded"]
        return Python(path=Path(str(values["path"])), version=str(values["version"])) if fits else None
    except (ValueError, KeyError, TypeError):
        return None
