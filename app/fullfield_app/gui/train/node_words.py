"""What another machine has told, and what goes to it, in words. No widget."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from fullfield.nodes.node import Node
from fullfield.protocol.computers import Computer
from fullfield.protocol.places import LOCAL
from fullfield.protocol.plan import LinkPlan
from fullfield.protocol.setup_events import LinkProbed, MachineProbed, NodeProbed
from fullfield_app.gui import numbers
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.label import clean

translate = QCoreApplication.translate


def state(reported: NodeProbed | None, *, queue: bool = False) -> str:
    """Whether it is ready, and what it has; or why it is not. `queue`: of a cluster, whose login node it is."""
    if reported is None:
        return translate("machines", "is being asked…")
    if reported.error:
        return translate("machines", "not ready: {reason}").format(reason=why_not(reported))
    devices = translate("machines", "the queue of its cluster (SLURM)") if queue else _devices(reported)
    return translate("machines", "ready: {devices}; {versions}").format(devices=devices, versions=_versions(reported))


def why_not(reported: NodeProbed | LinkProbed) -> str:
    """Why it is not ready, or not measured, and what can be done; "" where it is."""
    parts = (say_core(reported.error.get(part, "")) for part in ("title", "detail", "hint"))
    return clean(" ".join(part for part in parts if part))


def free_bytes(reported: NodeProbed) -> int:
    """Of the memory that a training takes there: the first card's, else the computer's own."""
    return (reported.cards[0].free_bytes or 0) if reported.cards else reported.free_bytes


def here(machine: MachineProbed) -> NodeProbed:
    """This computer, as it would tell of itself were it another one."""
    cards = tuple(one for one in machine.devices if one.name.startswith("cuda"))
    own = next((one for one in machine.devices if one not in cards), None)
    free = own.free_bytes if own is not None else machine.free_bytes
    total = own.total_bytes if own is not None else machine.total_bytes
    return NodeProbed(name=LOCAL, cards=cards, cores=machine.cores, free_bytes=free or 0, total_bytes=total)


def computer(reported: NodeProbed, link: LinkPlan | None) -> Computer:
    """A machine as the planner is told of it. `link`: what is between it and the one that leads."""
    return Computer(
        name=reported.name,
        cards=reported.cards,
        cores=reported.cores,
        free_bytes=reported.free_bytes,
        total_bytes=reported.total_bytes,
        link=link,
    )


def consent(nodes: Sequence[Node]) -> str:
    """What goes to machines, what does not, and what becomes of it there."""
    names, addresses = (", ".join(getattr(node, part) for node in nodes) for part in ("name", "address"))
    goes = translate(
        "machines",
        "To train on {name}, the images are sent to {address}. What goes there: their pixels, with all that is written "
        "in the picture itself, such as a burned-in name; numbers: their sizes, the spacing of their pixels, their "
        "modality, a number in place of each patient, and checksums of the files, by which somebody who has the same "
        "file can recognise it; the settings of the training; and, where it begins from a model or goes on, the "
        "weights that it has.",
    ).format(name=names, address=addresses)
    there = translate(
        "machines",
        "There it lies in a folder that only you as its user, and its administrator, can read. It is deleted when the "
        "training is complete; else after a week, the next time that Fullfield is called there.",
    )
    words = translate(
        "machines",
        "What you wrote of the data's licence, and what you call presets, models and machines, stays, too: it is put "
        "into what comes back.",
    )
    return "\n\n".join((goes, f"{stays()} {words}", there))


def stays() -> str:
    """What does not go to a machine."""
    return translate(
        "machines", "What stays here: all else of their headers, and every path and name of a file or folder."
    )


def _devices(reported: NodeProbed) -> str:
    card = translate("machines", "{card} with {amount} free")
    cards = [card.format(card=clean(one.title), amount=numbers.data(one.free_bytes or 0)) for one in reported.cards]
    if cards:
        return ", ".join(cards)
    text = translate("machines", "no card, {cores} cores, {amount} free")
    return text.format(cores=numbers.number(reported.cores), amount=numbers.data(reported.free_bytes))


def _versions(reported: NodeProbed) -> str:
    return clean(f"Fullfield {reported.fullfield}, torch {reported.torch}")
