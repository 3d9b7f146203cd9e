"""From what a step takes to what a plan tells: margins, what the process holds beside it, and what is an estimate."""

from __future__ import annotations

from dataclasses import fields

from fullfield import heap, system
from fullfield.hardware import devices
from fullfield.memory.account import STORED_BYTES, Account, DeviceAccount, MemoryEstimate
from fullfield.plan import libraries, step_time
from fullfield.plan.libraries import Libraries
from fullfield.plan.plan import ABSENT, ABSENT_SHARE, HERE
from fullfield.protocol.plan import DevicePlan, LinkPlan, Plan, RankPlan
from fullfield.techniques import compose
from fullfield.techniques.base import Effect, Technique
from fullfield.techniques.site import Card, Site

MIB = 2**20
RESERVED_SHARE = 0.05  # what torch's caching allocator keeps over what it gives out, at most, for whole maps
WHOLE, BANDS = (RESERVED_SHARE, 140 * MIB), (RESERVED_SHARE, 500 * MIB)
KEPT, ELSEWHERE = (0.15, 800 * MIB), (0.15, 300 * MIB)
"""Of the heap beside a step's tensors on a CPU: a share of the step, and at least so much. Of whole maps; of bands,
where large blocks are given back at once (`heap`), both measured on trainings of 512 to 2,048 pixels (`fullfield bench
process`) and rounded up; of bands where none are, for holes depend on what other threads
allocate meanwhile (300 to 800 MiB at 1,024 pixels); and of bands on other systems, whose heaps were not measured."""
MARGIN_SHARE = 0.01  # no prediction is exact; it shall never be too small
EVALUATED, EVALUATED_FREED = 72, 56
"""Bytes per pixel that comparing one image after another takes at most: what was made of it, MS-SSIM, PSNR, the finest
band. The second of images whose stored levels fill what the heap gives back at once. Measured at 1024² to 4288²."""
FREED_BYTES = 32 * MIB  # blocks from here on are the system's again when they are let go (glibc)


def plan_of(techniques: tuple[Technique, ...], estimate: MemoryEstimate, account: Account, site: Site) -> Plan:
    """What a training with these techniques takes, by what a step of it does. On a CPU that is told of its process
    (decision 025)."""
    own = libraries.held(techniques) if any(card.kind == devices.CPU for card in site.devices) else None
    on_cards = any(card.kind != devices.CPU for card in site.devices)
    in_bands = any(one.in_bands for one in techniques)
    held = []
    for rank, (card, found, work) in enumerate(zip(site.devices, account.devices, account.works, strict=True)):
        of_rank = estimate.of(rank)
        brought = own if card.kind == devices.CPU else None
        reported = _held(card, found, brought, site, waiting=of_rank.waiting_bytes, in_bands=in_bands)
        held.append(
            RankPlan(
                **vars(reported),
                rank=rank,
                name=card.title,
                rows=of_rank.rows,
                sent_bytes=work.passed + work.shared,
                messages=work.messages + work.collectives,
                waiting_seconds=round(step_time.talking(work, site), 6),
            )
        )
    fullest = max(held, key=lambda one: one.process_bytes)
    return Plan(
        **{item.name: getattr(fullest, item.name) for item in fields(DevicePlan)},
        device=fullest.name,
        devices=tuple(held),
        size=(site.shape.height, site.shape.width),
        batch=site.shape.batch,
        techniques=tuple(str(one) for one in techniques),
        exact=compose.effect(techniques, site) is Effect.EXACT,
        flop_factor=round(account.flop_factor, 4),
        time_factor=round(step_time.factor(estimate, account, site), 4),
        waiting=round(step_time.waiting(estimate, account, site), 4),
        link=LinkPlan(**vars(site.link)) if site.ranks > 1 else None,
        estimate=_label(site, None if on_cards else own),
        notes=(*estimate.notes, step_time.describe(site.devices)) if on_cards else estimate.notes,
    )


def _held(
    card: Card, found: DeviceAccount, own: Libraries | None, site: Site, *, waiting: int, in_bands: bool
) -> DevicePlan:
    """What one rank's device holds. `waiting`: bytes of the batches that wait."""
    share, least = _holes(in_bands) if own else (RESERVED_SHARE, 0)
    doubt = 0 if card.present else round(found.peak * ABSENT_SHARE)
    allocator, reserved = round(found.peak * (1 + MARGIN_SHARE)), round(found.peak * share)
    beside = found.together - found.peak if own else 0  # on a CPU the host tier is the same memory
    peak = allocator + reserved + doubt + card.context_bytes + beside
    holes = max(0, least - reserved)
    moment = f"{found.phase} of {found.part}" if found.part else found.phase
    return DevicePlan(
        process_bytes=peak if own is None else _process(own.whole, peak + holes, found, site) + waiting,
        peak_bytes=peak,
        allocator_bytes=allocator,
        reserved_bytes=reserved,
        context_bytes=card.context_bytes,
        library_bytes=own.whole if own else 0,
        loader_bytes=waiting,
        optimizer_bytes=found.at_peak["optimizer"],
        host_bytes=found.host,
        by_kind=dict(found.at_peak),
        peak_at=f"{moment} ({found.operation})" if found.operation else moment,
    )


def _holes(in_bands: bool) -> tuple[float, int]:
    if not in_bands:
        return WHOLE
    return BANDS if heap.gives_back() else KEPT if system.LINUX else ELSEWHERE


def _process(own: int, step: int, found: DeviceAccount, site: Site) -> int:
    """What a process on a CPU holds at its highest beside batches that wait: in a step, or in an evaluation, which
    compares one image after another. What else a training does takes less: checkpoints are written tensor by tensor,
    and the halo is measured when all of the training is gone."""
    weights = max(
        found.at_peak["weights"], sum(site.costs.facts.weights.values())
    )  # of all ranks, where they share them
    always = weights + found.at_peak["optimizer"] + found.host
    pixels = site.shape.height * site.shape.width
    evaluation = always + pixels * (EVALUATED_FREED if STORED_BYTES * pixels >= FREED_BYTES else EVALUATED)
    return own + max(step, evaluation)


def _label(site: Site, own: Libraries | None) -> str:
    if own is None:
        return HERE if all(card.present for card in site.devices) else ABSENT
    return "" if own.measured else "an estimate: what libraries take could not be measured here"
