"""Several nodes that train together: what must be said of each before, and what each is asked to run."""

from __future__ import annotations

from dataclasses import asdict

from fullfield import system
from fullfield.checked import Fields
from fullfield.errors import UsageError
from fullfield.jobs.job import Job
from fullfield.nodes.mirror import Note
from fullfield.nodes.node import Node
from fullfield.protocol.fleets import Fleet

UNENCRYPTED = (
    "What nodes that train together say to one another (weights, gradients, parts of maps) travels unencrypted on the "
    "interface that you name; whoever is on that network can read it, and can disturb or take over the training. Use a "
    "network of these machines alone, or a VPN such as WireGuard."
)


def refuse(nodes: tuple[Node, ...]) -> None:
    """Raise UsageError where several may not train together."""
    title = f"Cannot train on the nodes {', '.join(one.name for one in nodes)} together."
    if len(nodes) > 1 and any(one.here for one in nodes) and system.alone():
        raise UsageError(
            title,
            detail=f"This computer cannot be one of them. {system.alone()}",
            hint="Leave it out (local): it can start and follow what others train.",
        )
    if len({one.name for one in nodes}) < len(nodes):
        raise UsageError(title, detail="One is named twice.", hint="Name each once.")
    for one in nodes if len(nodes) > 1 else ():
        if one.slurm:
            detail = f"{one.name} is the login node of a cluster, whose queue decides when and where its part begins."
            raise UsageError(title, detail=detail, hint="Train on it alone, or leave it out.")
        known, told = ("this computer", one.name) if one.here else (one.name, f"{one.name} {one.address}")
        add = f"fullfield node add {told} --interface NAME --allow-unencrypted"
        if not one.interface:
            detail = f"Of {known} no network interface is named on which it may do that."
            raise UsageError(title, detail=f"{detail} {UNENCRYPTED}", hint=f"Ask IT which: {add}.")
        if not one.allow_unencrypted:
            raise UsageError(title, detail=UNENCRYPTED, hint=f"Allow it: {add.replace('NAME', one.interface)}.")


def fleet(job: Job, nodes: tuple[Node, ...], number: int, run: str, note: Note) -> Fields | None:
    """What the node of this number is told of the others; None of one that trains alone. `note`: of where they meet."""
    if len(nodes) == 1:
        return None
    return asdict(
        Fleet(
            names=tuple(one.name for one in nodes),
            number=number,
            least=job.least or len(nodes),
            most=job.most or len(nodes),
            interface=nodes[number].interface,
            key=run,
            address=note.address,
            port=note.port,
        )
    )
