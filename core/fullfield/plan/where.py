"""Where a plan is to be run: a device of this machine, or a card that need not be here. Imports no torch by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fullfield.hardware import cards, devices, links, measured_links, meter
from fullfield.hardware.cards import KnownCard
from fullfield.hardware.links import Link
from fullfield.plan.question import Question
from fullfield.techniques import here
from fullfield.techniques.site import Card

MIB = 2**20
NOBODYS = "none"
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
    if question.elsewhere:
        named = cards.several(question.cards) if question.cards else [cards.find(question.gpu)]
        absent = [_absent(card) for card in named]
        return [Target(card=card, device=NOBODYS, free_bytes=card.free_bytes) for card in absent]
    sharing = devices.sharing(question.device, question.ranks)
    return [_present(question.device, rank, sharing) for rank in range(question.ranks)]


def link(question: Question) -> Link:
    """What is between the ranks: as it is said, else as it was measured between as many of this computer, or is
    estimated."""
    if question.link:
        return links.find(question.link)
    if question.elsewhere or question.ranks == 1:
        return links.INSIDE
    device, ranks = question.device, question.ranks
    kind = devices.choose(device).kind
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
