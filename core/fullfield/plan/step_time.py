"""How long a step takes, by the plain one: on a CPU from measured factors, on a card reckoned from what it asks for.

A factor that was measured on a CPU says nothing of a card: there a step that starts ten thousand small kernels waits
for the program, and one that moves maps waits for its memory. So a card's time is the larger of what the card computes
and moves, what the program starts, and what travels to the host tier, for these three run beside each other; and the
update's waits and its own traffic, for which nothing else goes on. Every figure of it is an estimate: peak rates as the
vendor states them (`fullfield.hardware.cards`), and what one card showed of how they come out (page 081 of decisions).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fullfield.distribution import schedule
from fullfield.memory.account import Account, MemoryEstimate
from fullfield.memory.costs import Work
from fullfield.techniques.site import SUSTAINED, Card, Site

START_SECONDS = 70e-6
"""Of the program, for one operation: Python, torch's dispatch and autograd, the launch. Measured: 47 to 117 in sixteen
settings."""
CODEC_START_SECONDS = 15e-6  # of those of a codec, without autograd; measured where they are nearly all
SHORTER = {"tf32": 0.4, "bf16": 0.5, "fp16": 0.5}
"""The time of convolutions by that in fp32, on a card with units for it; measured at 2,048 pixels."""
_UNITS = (7, 0)  # compute capability of the first cards with units for short numbers
WAIT_SECONDS = 30e-6  # until the program knows that the card has finished, and the card has work again; stated
LINKS = (((9, 0), 36e9), ((8, 0), 24e9), ((0, 0), 12e9))
"""Bytes a second between pinned memory and a card from a compute capability on: PCIe 5.0 with 16 lanes, measured; 4.0
and 3.0, by what they stand to one another."""
UPDATE_STARTS = 20  # operations of a step beside its parts: copies of statistics, the norm, the update; counted
UPDATE_MOVED = 7.0  # by the bytes of the weights: Adam reads weights, gradients and moments, and writes three of them


def factor(estimate: MemoryEstimate, account: Account, site: Site) -> float:
    """The step's time by that of the plain step on the fastest device alone. `account`: of the step that `estimate`
    describes.

    On a CPU, FLOPs by those of the plain step, and what was measured beyond them: ranks on it share its cores, and what
    they say to one another is small beside what they compute. On CPUs of several computers each rank takes that time
    for its own share. On cards see the module; of several the slowest decides, and nothing of what they say to one
    another (`Site.link`) is taken to be hidden behind computing. Ranks with other parts of the network wait for the
    first and the last image of a batch.
    """
    if _shares_cores(site):
        return account.flop_factor * estimate.time
    return sum(_longest(estimate, account, site)) / (1 - _idle(estimate)) / alone(estimate, account, site)


def alone(estimate: MemoryEstimate, account: Account, site: Site) -> float:
    """Seconds of the plain step on the fastest device alone; see `factor`."""
    weights = sum(site.costs.facts.weights.values())
    plain = replace(estimate, waits=0, update_starts=0, sent=0.0, precision="fp32", time=1.0)
    return min(_seconds(account.plain, plain, card.alone, weights, account.plain) for card in site.devices)


def waiting(estimate: MemoryEstimate, account: Account, site: Site) -> float:
    """The share of a step that the slowest rank waits for what ranks say; 0 on one CPU, where it is not part of the
    time."""
    if _shares_cores(site):
        return 0.0
    computing, said = _longest(estimate, account, site)
    return said * (1 - _idle(estimate)) / (computing + said)


def _shares_cores(site: Site) -> bool:
    return site.kind == "cpu" and site.computers == 1


def _longest(estimate: MemoryEstimate, account: Account, site: Site) -> tuple[float, float]:
    """Seconds of the rank that the others wait for: what it computes, and what it waits for messages."""
    weights = sum(site.costs.facts.weights.values())
    pairs = zip(account.works, site.devices, strict=True)
    plain = account.plain
    return max(((_seconds(work, estimate, card, weights, plain), talking(work, site)) for work, card in pairs), key=sum)


def apart(estimate: MemoryEstimate, account: Account, site: Site, plain_seconds: float) -> float:
    """Seconds of the step on devices of their own, where the plain step of all images takes one of them `plain_seconds`
    alone: also on CPUs, each of another computer."""
    weights = sum(site.costs.facts.weights.values())
    plain = replace(estimate, waits=0, update_starts=0, sent=0.0, precision="fp32")
    longest = 0.0
    for work, card in zip(account.works, site.devices, strict=True):
        if site.kind == "cpu":
            share = work.flops / account.plain.flops * estimate.time
        else:
            own = card.alone
            share = _seconds(work, estimate, own, weights, account.plain)
            share /= _seconds(account.plain, plain, own, weights, account.plain)
        longest = max(longest, share * plain_seconds + talking(work, site))
    return longest / (1 - _idle(estimate))


def _idle(estimate: MemoryEstimate) -> float:
    """The share of a step in which ranks with other parts of the network wait for the first and the last image."""
    count = estimate.shape.batch + estimate.waiting
    return schedule.bubble(len(estimate.placed), count) if estimate.placed else 0.0


def talking(work: Work, site: Site) -> float:
    """Seconds of a step that a rank waits for what ranks say to one another."""
    if site.ranks == 1:
        return 0.0
    return site.link.time(
        passed=work.passed,
        messages=work.messages,
        shared=work.shared,
        collectives=work.collectives,
        ranks=site.ranks,
    )


def _seconds(work: Work, estimate: MemoryEstimate, card: Card, weights: int, plain: Work) -> float:
    """Of one of the ranks that share the card: each starts its operations on a core of its own. What a step starts
    beyond the `plain` one is the codec's where there is one, but where ranks share rows, which start much themselves.
    """
    if card.kind == "cpu":
        return work.flops * estimate.time / card.speed
    shorter = SHORTER.get(estimate.precision, 1.0) if card.capability >= _UNITS else 1.0
    computing = work.flops * shorter / card.speed
    moving = (work.moved + UPDATE_MOVED * weights) / (SUSTAINED * card.bytes_per_second / card.sharing)
    coded = max(0, work.starts - plain.starts) if estimate.codec and not estimate.portions else 0
    seen = work.starts - coded + UPDATE_STARTS + estimate.update_starts
    starting = seen * START_SECONDS + coded * CODEC_START_SECONDS
    link = next(rate for first, rate in LINKS if card.capability >= first) / card.sharing
    waiting = estimate.waits * WAIT_SECONDS + estimate.sent * weights / link
    return max(computing + moving, starting, work.sent / link) + waiting


def describe(devices: Sequence[Card]) -> str:
    """What the times are reckoned from where there is a card among the devices: a sentence, and one on the CPU beside
    it."""
    rates = {
        card.title: f"{card.flops_per_second / 1e12:.3g} TFLOP/s, {card.bytes_per_second / 1e9:.0f} GB/s"
        for card in devices
        if card.kind == "cuda"
    }
    stated = next(iter(rates.values())) if len(set(rates.values())) == 1 else "; ".join(map(": ".join, rates.items()))
    text = (
        f"Times on cards are estimates, from {SUSTAINED:.0%} of the rates that are stated ({stated}) and "
        f"{START_SECONDS * 1e6:.0f} µs for each operation, as one H200 showed them: no step was measured here."
    )
    on_cpu = [card.flops_per_second for card in devices if card.kind == "cpu"]
    return f"{text} The CPU is taken to compute {on_cpu[0] / 1e9:.0f} GFLOP/s." if on_cpu else text
