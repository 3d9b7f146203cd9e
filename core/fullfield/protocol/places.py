"""Where runs are: each place by its name, with the module that starts runs there. A new place is a file and a line.

A place of several has the one that is meant after a colon: "node:gpu".
"""

from __future__ import annotations

LOCAL, NODE = "local", "node"
PLACES = {
    LOCAL: "fullfield.jobs.launchers.local",
    NODE: "fullfield.nodes.launcher",
}


def kind(place: str) -> str:
    """The name among `PLACES` of a place."""
    return place.partition(":")[0]


def which(place: str) -> str:
    """Which one of that kind; "" where there is only one."""
    return place.partition(":")[2]


def on(name: str) -> str:
    """The place of a node of this name, or of this computer."""
    return LOCAL if name == LOCAL else f"{NODE}:{name}"
