"""Processes that note what they ask of the network, and are refused it."""

from __future__ import annotations

import os
from pathlib import Path

WATCH = """
import os, socket

def forbidden(whole, what):
    def refused(*given, **named):
        if what == "getaddrinfo" or given[0].family != getattr(socket, "AF_UNIX", None):
            with open(os.environ["ASKED"], "a") as stream:
                stream.write(what + " " + repr(given[1:] if what != "getaddrinfo" else given) + "\\n")
            raise OSError(101, "Network is unreachable")
        return whole(*given, **named)
    return refused

socket.getaddrinfo = forbidden(socket.getaddrinfo, "getaddrinfo")
for name in ("connect", "connect_ex", "sendto"):
    setattr(socket.socket, name, forbidden(getattr(socket.socket, name), name))
open(os.environ["WATCHED"], "a").write("a process\\n")
"""
"""Runs at the start of every Python: the command's, its worker's, the decoder's."""


def watched(folder: Path) -> dict[str, str]:
    """The environment in which every process notes what it asks: see `processes` and `asked`."""
    (folder / "site").mkdir(parents=True)
    (folder / "site" / "sitecustomize.py").write_text(WATCH)
    places = [str(folder / "site"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        "PYTHONPATH": os.pathsep.join(places),
        "ASKED": str(folder / "asked"),
        "WATCHED": str(folder / "watched"),
    }


def processes(folder: Path) -> int:
    """How many have been watched."""
    return len((folder / "watched").read_text().splitlines())


def asked(folder: Path) -> str:
    """What they asked, a line each."""
    return (folder / "asked").read_text() if (folder / "asked").exists() else ""
