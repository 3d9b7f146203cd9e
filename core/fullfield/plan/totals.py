"""From what a step takes to what a plan tells: margins, what the process holds beside it, and what is an estimate."""

from __future__ import annotations

from fullfield.hardware import devices
from fullfield.memory.account import Account, MemoryEstimate
from fullfield.plan import libraries, step_time
from fullfield.plan.libraries import Libraries
from fullfield.plan.plan import ABSENT, ABSENT_SHARE, HERE
from fullfield.protocol.plan import Plan
from fullfield.techniques import compose
from fullfield.techniques.base import Effect, Technique
from fullfield.techniques.site import Card, Site

MIB = 2**20
RESERVED_SHARE = 0.05  # what torch's caching allocator keeps over what it gives out, at most, for whole maps
BANDS_SHARE = 0.15  # of a step in bands on a CPU: their blocks leave holes in the heap
LEAST_HOLES = {False: 140 * MIB, True: 300 * MIB}
"""Of the heap beside a step's tensors at least, whether it is in bands: blocks below 32 MiB come from it (glibc), maps
of whole images do not. Measured on trainings of 512 to 1,024 pixels (`fullfield bench process`), rounded up."""
MARGIN_SHARE = 0.01  # no prediction is exact; it shall never be too small
EVALUATED = 64  # bytes per pixel that comparing an image takes at most: MS-SSIM, PSNR, the finest band; measured


def plan_of(techniques: tuple[Technique, ...], estimate: MemoryEstimate, account: Account, site: Site) -> Plan:
    """What a training with these techniques takes, by what a step of it does. On a CPU that is told of its process
    (decision 025)."""
    card, on_cpu = site.cards[0], site.kind == devices.CPU
    in_bands = on_cpu and any(one.in_bands for one in techniques)
    kept = BANDS_SHARE if in_bands else RESERVED_SHARE
    doubt = 0 if card.present else round(account.peak * ABSENT_SHARE)
    allocator, reserved = round(account.peak * (1 + MARGIN_SHARE)), round(account.peak * kept)
    beside = account.together - account.peak if on_cpu else 0  # there the host tier is the same memory
    peak = allocator + reserved + doubt + card.context_bytes + beside
    own = libraries.held(techniques) if on_cpu else None
    time_factor = step_time.factor(estimate, account, site)
    holes = max(0, LEAST_HOLES[in_bands] - reserved)
    notes = estimate.notes if on_cpu else (*estimate.notes, step_time.describe(card))
    moment = f"{account.phase} of {account.part}" if account.part else account.phase
    return Plan(
        size=(site.shape.height, site.shape.width),
        batch=site.shape.batch,
        techniques=tuple(str(one) for one in techniques),
        exact=compose.effect(techniques, site) is Effect.EXACT,
        process_bytes=peak if own is None else _process(own.whole, peak + holes, account, site),
        peak_bytes=peak,
        allocator_bytes=allocator,
        reserved_bytes=reserved,
        context_bytes=card.context_bytes,
        library_bytes=own.whole if own else 0,
        loader_bytes=site.shape.waiting_bytes,
        optimizer_bytes=account.at_peak["optimizer"],
        host_bytes=account.host,
        flop_factor=round(account.flop_factor, 4),
        time_factor=round(time_factor, 4),
        estimate=_label(card, own),
        by_kind=dict(account.at_peak),
        notes=notes,
        peak_at=f"{moment} ({account.operation})" if account.operation else moment,
    )


def _process(own: int, step: int, account: Account, site: Site) -> int:
    """What a process on a CPU holds at its highest: in a step, or in an evaluation, which compares one image after
    another. What else a training does takes less: checkpoints are written tensor by tensor, and the halo is measured
    when all of the training is gone."""
    always = account.at_peak["weights"] + account.at_peak["optimizer"] + account.host
    evaluation = always + EVALUATED * site.shape.height * site.shape.width
    return own + max(step, evaluation) + site.shape.waiting_bytes


def _label(card: Card, own: Libraries | None) -> str:
    if own is None:
        return HERE if card.present else ABSENT
    return "" if own.measured else "an estimate: what libraries take could not be measured here"
