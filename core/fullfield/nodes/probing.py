"""The job "probe": several nodes are asked at once what they have, and each is told as soon as it has answered; or one
after another, what is between it and the first."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict

from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.errors import FullfieldError
from fullfield.nodes import between, probe
from fullfield.nodes.node import Node
from fullfield.protocol.setup_events import LinkProbed, NodeProbed
from fullfield.protocol.small import Machine, ProbeSpec


def run(spec: ProbeSpec, context: Context) -> Fields:
    """Ask all of them. A node that does not answer keeps no other waiting; links are measured alone."""
    if spec.linked:
        head, *others = map(_node, spec.machines)
        for other in others:
            context.emit(_link(head, other))
        return {}
    with ThreadPoolExecutor(max_workers=max(1, len(spec.machines)), thread_name_prefix="probe") as threads:
        asked: list[Future[NodeProbed]] = [threads.submit(_reported, one) for one in spec.machines]
        for one in as_completed(asked):
            context.emit(one.result())
    return {}


def _node(machine: Machine) -> Node:
    return Node(**asdict(machine))


def _link(head: Node, other: Node) -> LinkProbed:
    try:
        return LinkProbed(name=other.name, link=between.measured(head, other))
    except FullfieldError as error:
        return LinkProbed(name=other.name, error=error.as_fields())


def _reported(machine: Machine) -> NodeProbed:
    try:
        node = _node(machine)
        found = probe.there(node)
    except FullfieldError as error:
        return NodeProbed(name=machine.name, error=error.as_fields())
    why: dict[str, str] = {}
    try:
        probe.refuse_unready(found, node)
    except FullfieldError as error:
        why = error.as_fields()
    return NodeProbed(
        name=machine.name,
        cards=found.computer(machine.name).cards,
        cores=found.cores,
        free_bytes=found.free_bytes,
        total_bytes=found.total_bytes,
        fullfield=found.versions.fullfield,
        torch=found.versions.torch,
        error=why,
    )
