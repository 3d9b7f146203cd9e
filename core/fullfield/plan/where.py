"""Where a plan is to be run: devices of this machine, cards that need not be here, or several computers together.

Imports no torch by itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
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
        return _with_speed([_named(card) for card in _elsewhere(question)], system.spare_cores())
    shares = devices.shares(question.device, question.ranks)
    found = [_present(question.device, rank, sharing) for rank, sharing in enumerate(shares)]
    return _with_speed(found, system.spare_cores())


def mixed(found: Sequence[Target]) -> bool:
    """Whether a CPU is beside cards, which come first."""
    return len({one.card.kind for one in found}) > 1


def threads(question: Question) -> int:
    """With how many threads those of its processes on a computer compute that have most."""
    if question.elsewhere:
        on_cpu = [card == cards.PROCESSOR for card in _elsewhere(question)]
    else:
        beside = named.beside_cards(question.device, question.processes)
        on_cpu = [rank in beside for rank in range(question.processes)]
    return max(named.threads(on_cpu, system.spare_cores()))


def link(question: Question) -> Link:
    """What is between the ranks: as it is said, else as it was measured between as many of this computer, or is
    estimated. Of several computers the slowest that was measured."""
    if question.link:
        return links.find(question.link)
    if question.computers > 1:
        known = [one.link for one in question.nodes if one.link is not None]
        if not known:
            return links.BETWEEN
        seconds, rate = max(one.seconds for one in known), min(one.bytes_per_second for one in known)
        return Link(name="nodes", seconds=seconds, bytes_per_second=rate, source=MEASURED)
    if question.elsewhere or question.nodes or question.ranks == 1:
        return links.INSIDE
    device, ranks = question.device, question.ranks
    kind = named.kind(device, ranks, devices.choose(device).kind)
    apart = measured_links.apart(device, ranks, kind)
    return measured_links.known(kind, ranks, apart=apart) or links.INSIDE


def _elsewhere(question: Question) -> list[KnownCard]:
    return cards.several(question.cards) if question.cards else [cards.find(question.gpu)]


def _present(device: str, rank: int, sharing: int) -> Target:
    chosen = devices.choose(device, rank=rank)
    card = replace(here.card(chosen), sharing=sharing)
    if card.kind == devices.CPU:
        return Target(card=card, device=chosen.name, free_bytes=card.share_bytes + devices.used_bytes())
    context = meter.context_bytes(chosen.name) or CONTEXT_BYTES
    return Target(card=replace(card, context_bytes=context), device=chosen.name, free_bytes=card.share_bytes)


def _with_speed(found: list[Target], cores: int) -> list[Target]:
    """Beside cards the CPU has a speed, by those of so many cores with which its ranks compute."""
    if not mixed(found):
        return found
    on_cpu = [one.card.kind == devices.CPU for one in found]
    each = named.threads(on_cpu, cores)
    speed = CORE_FLOPS * sum(own for own, cpu in zip(each, on_cpu, strict=True) if cpu)
    return [
        replace(one, card=replace(one.card, flops_per_second=speed)) if cpu else one
        for one, cpu in zip(found, on_cpu, strict=True)
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
            plain = known.card.kind == devices.CPU and not named.beside_cards(question.device, question.processes)
            title = name if plain else f"{name}, {known.card.title}"
            found.append(replace(known, card=replace(known.card, title=title)))
    return _with_speed(found, system.spare_cores(nodes[0].cores))


def _on(node: Computer, question: Question, rank: int) -> Target:
    """The device of the rank of this number on a node. The first is asked itself where it trains here: it has begun."""
    speed = CORE_FLOPS * max(1, node.cores)
    if question.trains_here and node == question.nodes[0]:
        own = _present(question.device, rank, devices.shares(question.device, question.processes)[rank])
        return replace(own, card=replace(own.card, flops_per_second=own.card.flops_per_second or speed))
    sharing = named.shares(question.device, question.processes, len(node.cards))[rank]
    device = named.of_rank(question.device, rank)
    if device == devices.CPU or (device == devices.AUTO and not node.cards):
        card = replace(
            here.card(devices.choose(devices.CPU)),
            total_bytes=node.total_bytes or node.free_bytes,
            free_bytes=node.free_bytes,
            flops_per_second=speed,
            sharing=sharing,
        )
        return Target(card=card, device=devices.CPU, free_bytes=card.share_bytes)
    own_card = _card_of(node, question.device, rank)
    free = own_card.total_bytes if own_card.free_bytes is None else own_card.free_bytes
    known = KnownCard(
        title=own_card.title,
        total_bytes=own_card.total_bytes,
        capability=cards.UNNAMED_CAPABILITY,
        rates=cards.rates(own_card.title),
    )
    with contextlib.suppress(UsageError):
        known = replace(known, capability=cards.find(own_card.title).capability)
    card = replace(_absent(known), free_bytes=free, sharing=sharing)
    return Target(card=card, device=NOBODYS, free_bytes=card.share_bytes)


def _card_of(node: Computer, device: str, rank: int) -> Present:
    """The card of a node that a rank takes, as `devices.choose` does there. Raises UsageError where there is none."""
    own = {one.name: one for one in node.cards}
    names = list(own) if device in (devices.AUTO, "cuda") else device.split(",")
    if not names or not own.keys() >= set(names) - {devices.CPU}:
        raise UsageError(
            f"Cannot train on {device} of {node.name}.",
            detail=f"It has {', '.join(own) or 'no card'}.",
            hint="Choose the device auto or cpu.",
        )
    return own[names[rank % len(names)]]


def _as_of(one: Target, first: Target) -> Target:
    """With what is known of the first's card, where it is one like it."""
    card = first.card
    if not (card.present and card.title.endswith(f", {one.card.title}")):
        return one
    return replace(
        one, card=replace(one.card, capability=card.capability, context_bytes=card.context_bytes, present=True)
    )
