"""From a question in plain values to a plan: the site, its costs, and what every set of techniques takes there."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fullfield import files
from fullfield.errors import UsageError
from fullfield.hardware import cards, compiler, devices, meter
from fullfield.hardware.cards import KnownCard
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.memory.costs import NotTraced
from fullfield.model.card import ENCODERS
from fullfield.plan import libraries, planner, totals
from fullfield.plan.plan import Ladder, Plan, padded
from fullfield.plan.planner import Question
from fullfield.plan.spec import LARGEST, LARGEST_BATCH, SMALLEST, USUAL_TECHNIQUES
from fullfield.techniques import compose, here
from fullfield.techniques.base import Technique
from fullfield.techniques.site import Card, Site
from fullfield.units import format_bytes, parse_bytes

if TYPE_CHECKING:
    from fullfield.techniques.costing import Costing

MIB = 2**20
CONTEXT_BYTES = 400 * MIB  # of a card that cannot be asked: what CUDA and torch's kernels take before the first tensor
UNNAMED_CAPABILITY = (8, 0)  # of a card that only its memory is said of


@dataclass(frozen=True, kw_only=True)
class Asked:
    """`height`, `width` in pixels; `budget` in bytes (0: what is free); `gpu`: a card that need not be here, by name
    or by its memory ("8GiB").

    `techniques`: None lets the planner choose; else just these are predicted. `always`: what every plan shall have.
    `rungs`, `before`: see `planner.Question`.
    """

    height: int
    width: int
    batch: int = 1
    encoder: str = "resnet34"
    budget: int = 0
    gpu: str = ""
    device: str = "auto"
    approximate: bool = False
    techniques: tuple[str, ...] | None = None
    always: tuple[str, ...] = USUAL_TECHNIQUES
    rungs: int = 0
    before: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        wrong = [side for side in (self.height, self.width) if not SMALLEST <= side <= LARGEST]
        if wrong:
            nearest = min(max(wrong[0], SMALLEST), LARGEST)
            raise UsageError(
                f"Cannot plan a training at {self.height}×{self.width} pixels.",
                detail=f"MS-SSIM needs {SMALLEST} pixels a side, and {LARGEST} are the most that a plan is made for.",
                hint=f"The nearest that works is {nearest}.",
            )
        if not 1 <= self.batch <= LARGEST_BATCH:
            raise UsageError(
                f"Cannot plan steps of {self.batch} images.",
                detail=f"A step has from 1 to {LARGEST_BATCH} images.",
                hint=f"The nearest that works is {min(max(self.batch, 1), LARGEST_BATCH)}.",
            )
        if self.encoder not in ENCODERS:
            near = difflib.get_close_matches(self.encoder, ENCODERS, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Choose from {', '.join(ENCODERS)}."
            raise UsageError(f"Cannot plan for the encoder {self.encoder[:40]!r}.", hint=hint)
        if self.budget < 0:
            raise UsageError("Cannot plan this training.", detail="The budget is a positive number.")


def from_json(values: Mapping[str, Any]) -> Asked:
    """The question of plain values. Raises UsageError."""
    techniques = values.get("techniques")
    return Asked(**{**values, "techniques": None if techniques is None else tuple(techniques)})


def ladder(asked: Asked) -> Ladder:
    """The plan that was asked for, with its ladder. Raises UsageError: impossible here, or nothing fits."""
    return answer(asked, Predictor(asked))


def answer(asked: Asked, predictor: Predictor) -> Ladder:
    """See `ladder`; `predictor` is of the same site."""
    try:
        if asked.techniques is not None:
            return Ladder(plan=predictor.plan(compose.read(asked.techniques)), next=(), refused=())
        budget = asked.budget or predictor.free_bytes
        question = Question(
            budget=budget,
            approximate=asked.approximate,
            always=asked.always,
            rungs=asked.rungs,
            before=asked.before,
            useless=lambda technique: technique.useless(predictor.site) is not None,
            fastest=predictor.fastest,
        )
        if predictor.measuring:  # meanwhile what any search asks about is traced
            for techniques in planner.candidates(question):
                predictor.trace(techniques)
        found = planner.plan(question, predictor.plan)
        card = predictor.site.cards[0]
        if budget <= card.total_bytes:
            return found
        has = f"The budget, {format_bytes(budget)}, is more than {card.title} has: {format_bytes(card.total_bytes)}."
        return replace(found, plan=replace(found.plan, notes=(*found.plan.notes, has)))
    finally:
        predictor.keep()


class Predictor:
    """What any set of techniques takes at one site. `costing`: of the same network and device, to be shared."""

    def __init__(self, asked: Asked, costing: Costing | None = None) -> None:
        card, device = _card(asked)
        self.measuring = card.kind == devices.CPU and libraries.prepare()  # beside the tracing
        self._costing = costing or costing_of(asked.encoder, device)
        shape = Shape(height=padded(asked.height), width=padded(asked.width), batch=asked.batch, encoder=asked.encoder)
        self.site = Site(cards=(card,), shape=shape, costs=self._costing.costs, compiler=compiler.missing())

    @property
    def free_bytes(self) -> int:
        """What a training may take of what the device had free when it was last looked at; on a CPU what this process
        holds too, in whose place the training's comes."""
        return _free(self.site.cards[0])

    @property
    def fixed_bytes(self) -> int:
        """Weights, their gradients and Adam's moments: the same at any image size."""
        plain = MemoryEstimate(shape=self.site.shape)
        return round(sum(self._costing.costs.facts.weights.values()) * (2 + plain.state))

    @property
    def plain_flops(self) -> int:
        """FLOPs of a step without techniques."""
        return self._costing.account((), self.site)[1].flops

    @property
    def fastest(self) -> tuple[str, ...]:
        """Of `planner.VARIANTS`, the one by which any set is the fastest here, as far as is declared."""
        if self.site.kind != "cpu":  # whether a card is faster by any was not measured
            return ()
        return min(planner.VARIANTS, key=lambda texts: compose.predict(compose.read(texts), self.site).time)

    def renew(self, asked: Asked) -> None:
        """Look anew at what the device has free."""
        self.site = replace(self.site, cards=(_card(asked)[0],))

    def known(self, techniques: tuple[Technique, ...]) -> Plan | None:
        """The plan of these techniques, or None where a part of it would have to be traced first."""
        with self._costing.untraced():
            try:
                return self.plan(techniques)
            except NotTraced:
                return None

    def trace(self, techniques: tuple[Technique, ...]) -> None:
        """Trace what a plan of these techniques needs, if they are possible here."""
        if not compose.refusals(techniques, self.site):
            self._costing.account(techniques, self.site)

    def plan(self, techniques: tuple[Technique, ...]) -> Plan:
        """The plan of these techniques. Raises UsageError where they are impossible here."""
        refused = compose.refusals(techniques, self.site)
        if refused:
            raise UsageError("These techniques are impossible here.", detail=" ".join(refused))
        estimate, account = self._costing.account(techniques, self.site)
        return totals.plan_of(techniques, estimate, account, self.site)

    def keep(self) -> None:
        """Keep what was traced for the next time."""
        self._costing.keep()


def free_bytes(device: str) -> int:
    """See `Predictor.free_bytes`; of a device that is here."""
    return _free(here.card(devices.choose(device)))


def _free(card: Card) -> int:
    return card.free_bytes + (devices.used_bytes() if card.kind == devices.CPU else 0)


def costing_of(encoder: str, device: str) -> Costing:
    """What is known of this network on this device, from this user's cache."""
    from fullfield.techniques.costing import Costing

    return Costing(encoder, device, folder=files.cache_folder())


def device_of(asked: Asked) -> str:
    """Whose kernels' temporaries count: torch's name of the device, or "none"."""
    return "none" if asked.gpu else devices.choose(asked.device).name


def _card(asked: Asked) -> tuple[Card, str]:
    """The card that the plan is for, and whose kernels' temporaries are known ("none": nobody's)."""
    if not asked.gpu:
        device = devices.choose(asked.device)
        card = here.card(device)
        context = (meter.context_bytes(device.name) or CONTEXT_BYTES) if card.kind == "cuda" else 0
        return replace(card, context_bytes=context), device.name
    known = _unnamed(asked.gpu) or cards.find(asked.gpu)
    card = Card(
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
    return card, "none"


def _unnamed(text: str) -> KnownCard | None:
    """A card of which only the memory is known, such as "8 GiB"; it is taken for one from 2020 on."""
    try:
        size = parse_bytes(text)
    except UsageError:
        return None
    return KnownCard(
        title=f"a card with {format_bytes(size)}",
        total_bytes=size,
        capability=UNNAMED_CAPABILITY,
        rates=cards.UNKNOWN_RATES,
    )


def more_held(asked: Asked) -> int:
    """Bytes that this process, which goes on to train by what is `asked`, holds beyond the one in which libraries were
    measured: it has prepared data, or planned more. 0 beside a card, whose memory is not the process's.
    """
    if devices.choose(asked.device).kind != devices.CPU:
        return 0
    devices.free_cached()
    techniques = compose.read(asked.always if asked.techniques is None else asked.techniques)
    return max(0, devices.used_bytes() - libraries.held(techniques).begin)


def with_more(ladder: Ladder, more: int) -> Ladder:
    """The plans of a process that holds so many bytes more; see `more_held`."""

    def raised(plan: Plan) -> Plan:
        return replace(plan, library_bytes=plan.library_bytes + more, process_bytes=plan.process_bytes + more)

    return replace(ladder, plan=raised(ladder.plan), next=tuple(map(raised, ladder.next))) if more else ladder


def describe(plan: Plan) -> str:
    """One line for people."""
    kind = "exact" if plan.exact else "not exact"
    host = f", {format_bytes(plan.host_bytes)} of host memory" if plan.host_bytes else ""
    most, tensors = format_bytes(plan.process_bytes), format_bytes(plan.allocator_bytes)
    return (
        f"{planner.names(plan)}: the process will hold at most {most} (of it the training's tensors {tensors}){host}, "
        f"{plan.time_factor:.2f} × time, {kind}"
    )
