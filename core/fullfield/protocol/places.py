"""Where runs are: each place by its name, with the module that starts runs there. A new place is a file and a line.

A place of several has the one that is meant after a colon: "node:gpu"; or those that work together: "node:gpu,other".
"""

from __future__ import annotations

LOCAL, NODE, FLEET, SLURM = "local", "node", "fleet", "slurm"
PLACE = "place"
"""The topic of what a Notice says of a machine that enhances: with its name after a colon."""
PLACES = {
    LOCAL: "fullfield.jobs.launchers.local",
    NODE: "fullfield.nodes.launcher",
    FLEET: "fullfield.jobs.launchers.fleet",
    SLURM: "fullfield.jobs.launchers.slurm",
}


def chosen() -> tuple[str, ...]:
    """Those that a user names: what more a node has to know, it is told by the one that starts it."""
    return tuple(place for place in PLACES if place not in (FLEET, SLURM))


def kind(place: str) -> str:
    """The name among `PLACES` of a place."""
    return place.partition(":")[0]


def which(place: str) -> str:
    """Which one of that kind; "" where there is only one."""
    return place.partition(":")[2]


def several(place: str) -> tuple[str, ...]:
    """Those that work together there, the first of them leads; one, where it is a single machine."""
    return tuple(which(place).split(","))


def on(name: str) -> str:
    """The place of a node of this name, or of this computer."""
    return LOCAL if name == LOCAL else f"{NODE}:{name}"
