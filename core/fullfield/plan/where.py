"""Where a plan is to be run: devices of this machine, cards that need not be here, or several computers together.

Imports no torch by itself.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace

from fullfield import system
from fullfield.errors import UsageError
from fullfield.hardware import cards, devices, links, measured_links, meter, named
from fullfield.hardware.cards import KnownCard
from fullfield.hardware.links import Link
from fullfield.plan.question import Question
from fullfield.protocol.computers import Computer
from fullfield.protocol.plan import MEASURED
from fullfield.protocol.setup_events import Present
from fullfield.techniques import here
from fullfield.techniques.site import Card

MIB = 2**20
NOBODYS = "none"
CORE_FLOPS = 30e9  # a second, of a thread of a CPU that trains: roughly, of one from 2020
CONTEXT_BYTES = 400 * MIB  # of a card that cannot be asked: what CUDA and torch's kernels take before the first tensor


@dataclass(frozen=True, kw_only=True)
class Target:
    """`card`: as it is now. `device`: whose kernels' temporaries count: torch's name, or `NOBODYS`. `free_bytes`: what
    a training may take of what is free there now; on a CPU what this process holds too, in whose place the training's
    comes. Of ranks that share a device, what one of them may take."""

    card: Card
    device: str
    free_bytes: int


def targets(question: Question) -> list[Target]:
    """The device of each rank. Raises UsageError: a device that is not here, or a card that is not known."""
    if question.nodes:
        return _of_several(question)
    if question.elsewhere:
        named_cards = cards.several(question.cards) if question.cards else [cards.find(question.gpu)]
        return _with_speed([_named(card) for card in named_cards])
    sharing = devices.sharing(question.device, question.ranks)
    return _with_speed([_present(question.device, rank, sharing) for rank in range(question.ranks)])


def link(question: Question) -> Link:
    """What is between the ranks: as it is said, else as it was measured between as many of this computer, or is
    estimated. Of several computers the slowest that was measured."""
    if question.link:
        return links.find(question.link)
    if question.nodes:
        known = [one.link for one in question.nodes if one.link is not None]
        if not known:
            return links.BETWEEN
        seconds, rate = max(one.seconds for one in known), min(one.bytes_per_second for one in known)
        return Link(name="nodes", seconds=seconds, bytes_per_second=rate, source=MEASURED)
    if question.elsewhere or question.ranks == 1:
        return links.INSIDE
    device, ranks = question.device, question.ranks
    kind = named.kind(device, ranks, devices.choose(device).kind)
    apart = measured_links.apart(device, ranks, kind)
    return measured_links.known(kind, ranks, apart=apart) or links.INSIDE


def _present(device: str, rank: int, sharing: int) -> Target:
    chosen = devices.choose(device, rank=rank)
    card = here.card(chosen)
    if card.kind == devices.CPU:
        free = card.free_bytes // sharing + devices.used_bytes()
        return Target(card=card, device=chosen.name, free_bytes=free)
    context = meter.context_bytes(chosen.name) or CONTEXT_BYTES
    return Target(card=replace(card, context_bytes=context), device=chosen.name, free_bytes=card.free_bytes // sharing)


def _with_speed(found: list[Target]) -> list[Target]:
    """Beside cards a rank on the CPU has a speed, by its share of the cores that no card's process needs."""
    on_cpu = sum(one.card.kind == devices.CPU for one in found)
    if on_cpu in (0, len(found)):
        return found
    speed = CORE_FLOPS * max(1, system.spare_cores() - len(found) + on_cpu) / on_cpu
    return [
        replace(one, card=replace(one.card, flops_per_second=speed)) if one.card.kind == devices.CPU else one
        for one in found
    ]


def _named(known: KnownCard) -> Target:
    if known == cards.PROCESSOR:
        return _present(devices.CPU, 0, 1)
    card = _absent(known)
    return Target(card=card, device=NOBODYS, free_bytes=card.free_bytes)


def _absent(known: KnownCard) -> Card:
    return Card(
        kind="cuda",
        title=known.title,
        total_bytes=known.total_bytes,
        free_bytes=known.total_bytes,
        capability=known.capability,
        context_bytes=CONTEXT_BYTES,
        flops_per_second=known.rates[0],
        bytes_per_second=known.rates[1],
        present=False,
    )


def _of_several(question: Question) -> list[Target]:
    """The device of each rank of as many nodes as train together. Which others come beside the first is not known where
    not all do: at each place it is the one with least free memory of those that may stand there, for they keep their
    order. Raises UsageError where one has not the card that is named."""
    nodes, count = question.nodes, question.computers
    found: list[Target] = []
    for place in range(count):
        may_be = nodes[place : place + len(nodes) - count + 1] if place else nodes[:1]
        for rank in range(question.processes):
            each = [(_on(node, question, rank), node.name) for node in may_be]
            least, name = min(each, key=lambda one: one[0].free_bytes)
            known = _as_of(least, found[0]) if found else least
            title = name if known.card.kind == devices.CPU else f"{name}, {known.card.title}"
            found.append(replace(known, card=replace(known.card, title=title)))
    return found


def _on(node: Computer, question: Question, rank: int) -> Target:
    """The device of the rank of this number on a node. The first is asked itself where it trains here: it has begun."""
    if question.trains_here and node == question.nodes[0]:
        own = _present(question.device, rank, devices.sharing(question.device, question.processes))
        rate = own.card.flops_per_second or _share_of_cores(node, question)
        return replace(own, card=replace(own.card, flops_per_second=rate))
    if question.device == devices.CPU or (question.device == devices.AUTO and not node.cards):
        card = replace(
            here.card(devices.choose(devices.CPU)),
            total_bytes=node.total_bytes or node.free_bytes,
            free_bytes=node.free_bytes,
            flops_per_second=_share_of_cores(node, question),
        )
        return Target(card=card, device=devices.CPU, free_bytes=node.free_bytes // question.processes)
    taken = [_card_of(node, question.device, one) for one in range(question.processes)]
    own_card = taken[rank]
    free = own_card.total_bytes if own_card.free_bytes is None else own_card.free_bytes
    known = KnownCard(
        title=own_card.title,
        total_bytes=own_card.total_bytes,
        capability=cards.UNNAMED_CAPABILITY,
        rates=cards.rates(own_card.title),
    )
    with contextlib.suppress(UsageError):
        known = replace(known, capability=cards.find(own_card.title).capability)
    card = replace(_absent(known), free_bytes=free)
    return Target(card=card, device=NOBODYS, free_bytes=free // taken.count(own_card))


def _share_of_cores(node: Computer, question: Question) -> float:
    return CORE_FLOPS * max(1, node.cores) / question.processes


def _card_of(node: Computer, device: str, rank: int) -> Present:
    """The card of a node that a rank takes, as `devices.choose` does there. Raises UsageError where there is none."""
    own = {one.name: one for one in node.cards}
    named = list(own) if device in (devices.AUTO, "cuda") else device.split(",")
    if not named or not own.keys() >= set(named):
        raise UsageError(
            f"Cannot train on {device} of {node.name}.",
            detail=f"It has {', '.join(own) or 'no card'}.",
            hint="Choose the device auto or cpu.",
        )
    return own[named[rank % len(named)]]


def _as_of(one: Target, first: Target) -> Target:
    """With what is known of the first's card, where it is one like it."""
    card = first.card
    if not (card.present and card.title.endswith(f", {one.card.title}")):
        return one
    return replace(
        one, card=replace(one.card, capability=card.capability, context_bytes=card.context_bytes, present=True)
    )
