"""Several nodes that train together: what must be said of each before, and what each is asked to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace

from fullfield import system
from fullfield.checked import Fields
from fullfield.errors import UsageError
from fullfield.jobs.job import Job
from fullfield.nodes import withheld
from fullfield.nodes.mirror import Note
from fullfield.nodes.node import Node
from fullfield.nodes.probe import Probe
from fullfield.protocol.computers import Computer
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
        known, reported = ("this computer", one.name) if one.here else (one.name, f"{one.name} {one.address}")
        add = f"fullfield node add {reported} --interface NAME --allow-unencrypted"
        if not one.interface:
            detail = f"Of {known} no network interface is named on which it may do that."
            raise UsageError(title, detail=f"{detail} {UNENCRYPTED}", hint=f"Ask IT which: {add}.")
        if not one.allow_unencrypted:
            raise UsageError(title, detail=UNENCRYPTED, hint=f"Allow it: {add.replace('NAME', one.interface)}.")


def computers(nodes: tuple[Node, ...], reported: Mapping[str, Probe]) -> tuple[Computer, ...]:
    """What nodes have, by what those have told that answered; one that did not is planned for as the smallest that
    did."""
    known = [found.computer(name) for name, found in reported.items()]
    least = min(known, key=lambda one: one.cards[0].free_bytes or 0 if one.cards else one.free_bytes)
    of_name = {one.name: one for one in known}
    return tuple(of_name.get(one.name) or replace(least, name=one.name) for one in nodes)


def fleet(
    job: Job, nodes: tuple[Node, ...], number: int, run: str, note: Note, has: tuple[Computer, ...] = ()
) -> Fields | None:
    """What the node of this number is told of the others; None of one that trains alone. `note`: of where they meet;
    `has`: of the head, what all of them have. What their user calls them stays here."""
    if len(nodes) == 1:
        return None
    words = tuple(withheld.of_nodes(run, [one.name for one in nodes]))
    return asdict(
        Fleet(
            names=words,
            number=number,
            least=job.least or len(nodes),
            most=job.most or len(nodes),
            interface=nodes[number].interface,
            key=note.key,
            address=note.address,
            port=note.port,
            computers=tuple(replace(one, name=word) for word, one in zip(words, has)),
        )
    )
