"""Checkpointing: keep some maps only, and compute what lies between them a second time when backward needs it.

A plan cuts the chain into segments (see `fullfield.memory.chain_dp`). In `Options.parts` and in the table of costs it
is written so; `name` is the map that the segment makes:

    layer2          method "checkpoint"                 the part is run again as a whole
    layer2.blocks   method "checkpoint-blocks"          a layer of the encoder, each of its residual blocks by itself
    layer4..d2      method "checkpoint-from-layer4"     several parts are run again as one; its name is d2

A part that another technique already runs in its own way is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING

from fullfield.errors import UsageError
from fullfield.memory.account import LOSS, MemoryEstimate, PartPlan
from fullfield.memory.chain_dp import Chain, Plan, Way
from fullfield.memory.costs import Costs, Key, PartCost
from fullfield.memory.estimate import PLAIN
from fullfield.model.stages import HEAD, LAYERS, STEM
from fullfield.techniques.base import Candidate, Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.model.chain import Part
    from fullfield.techniques.build import Build

BY = ("stage", "block", "everything", "periodic", "optimal", "parts")
ENDS = (STEM, HEAD)
MIB = 2**20


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which parts are run twice. "optimal" asks for a plan; `Checkpointing.with_plan` gives it as "parts"."""

    by: str = option("everything", "Which parts are computed twice", choices=BY)
    segments: int = option(0, "For periodic: how many segments; 0 takes the root of the number of parts", least=0)
    budget: int = option(0, "For optimal: MiB for maps and gradients together; 0 takes as little as can be", least=0)
    parts: tuple[str, ...] = option((), "For parts: which, such as layer1.blocks+layer4..d2+d5")


@dataclass(frozen=True, kw_only=True)
class Segment:
    """The parts `first` … `last` (positions, inclusive), run twice; `blocks`: a layer's blocks each by itself."""

    first: int
    last: int
    blocks: bool = False


class Checkpointing(Technique):
    """See the module."""

    name = "checkpointing"
    title = "Checkpointing"
    sentence = "Keeps only some of the images in between and computes the others again: less memory, more time."
    source = (
        "Chen, Xu, Zhang, Guestrin 2016, Training Deep Nets with Sublinear Memory Cost; Beaumont et al. 2019, Optimal "
        "checkpointing for heterogeneous chains; Hong et al. 2025, GPU Memory Usage Optimization for Backward "
        "Propagation in Deep Network Training"
    )
    stage = Stage.ACTIVATIONS
    effect = Effect.EXACT
    Options = Options

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """Everything twice."""
        return (Candidate(technique=cls()),)

    @classmethod
    def running(cls, key: Key) -> Checkpointing | None:
        """By "parts"."""
        options = options_with(key)
        return None if options is None else cls(options)

    @property
    def needs_plan(self) -> bool:
        """By "optimal"."""
        options: Options = self.options
        return options.by == "optimal"

    def refuse(self, site: Site) -> Reason | None:
        """An option is given that nobody would look at."""
        options: Options = self.options
        if options.parts and options.by != "parts":
            text = f"Parts are named, and by={options.by} chooses others."
            return Reason(text=text, hint="Say by=parts, or name none.")
        for name, by in (("budget", "optimal"), ("segments", "periodic")):
            if getattr(options, name) and options.by != by:
                text = f"{name} does nothing with by={options.by}, which does not look at it."
                return Reason(text=text, hint=f"Say by={by}, or leave it out.")
        return None

    def with_plan(self, before: MemoryEstimate, site: Site) -> Checkpointing:
        """With `parts` in the place of "optimal": the plan of fewest FLOPs within the budget, else the smallest."""
        if not self.needs_plan:
            return self
        return Checkpointing(optimal(before, site.costs, budget_mib=self.options.budget))

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """The same segments as `apply` makes."""
        if self.needs_plan:
            return self.with_plan(before, site).predict(before, site)
        segments = self._segments(before.parts)
        return replace(before, parts=tuple(plan for _, plan in _covered(before.parts, segments)))

    def apply(self, build: Build) -> None:
        """Replace the parts of each segment by one that is run twice. Raises UsageError for parts that cannot be."""
        from fullfield.model.chain import Chain as Parts

        parts = build.chain.parts
        plans = [PartPlan(name=one.name, takes=one.takes, stages=one.stages, method=one.method) for one in parts]
        made = []
        for segment, plan in _covered(plans, self._segments(plans)):
            inside = parts[segment.first : segment.last + 1]
            run_twice = plan != plans[segment.first]
            made.append(_run_twice(build, inside, plan, blocks=segment.blocks) if run_twice else inside[0])
        build.chain = Parts(made)

    def _segments(self, parts: Sequence[PartPlan]) -> list[Segment]:
        options: Options = self.options
        if options.by == "optimal":
            raise UsageError(
                "Cannot checkpoint by optimal before its plan is known.",
                hint="Take the plan that the prediction names, with checkpointing:by=parts.",
            )
        if options.by == "parts":
            return _read(options.parts, parts)
        if options.by == "periodic":
            return _periodic(parts, options.segments)
        blocks = options.by != "stage"
        return [
            Segment(first=place, last=place, blocks=blocks and part.name in LAYERS)
            for place, part in enumerate(parts)
            if part.method == PLAIN and (options.by == "everything" or part.name not in ENDS)
        ]


def optimal(before: MemoryEstimate, costs: Costs, *, budget_mib: int) -> Options:
    """The plan of fewest FLOPs within `budget_mib` beyond weights, optimizer and images; the smallest where none fits.

    Ways whose costs are neither known nor can be traced are left out. Raises KeyError where a plain part's is missing.
    """
    chain = chain_of(before, costs)
    plan = chain.cheapest(budget_mib * MIB) or list(chain.frontier())[-1]
    return options_of(plan, before.parts)


def options_of(plan: Plan, parts: Sequence[PartPlan]) -> Options:
    """The options that run a plan of these parts."""
    changed = [way for way in plan.ways if way.plan not in parts and way.plan.name != LOSS]
    return Options(by="parts", parts=tuple(_written(way.first, way.last, way.plan, parts) for way in changed))


def chain_of(before: MemoryEstimate, costs: Costs) -> Chain:
    """The chain and its loss with every way in which checkpointing can run them."""
    loss = PartPlan(name=LOSS, takes=(before.parts[-1].name,), stages=(), method=before.loss)
    parts = (*before.parts, loss)
    ways = []
    for place, part in enumerate(parts):
        cost = costs.of(Key(part=part.name, method=part.method, variant=before.variant))
        ways.append(Way(first=place, last=place, plan=part, cost=cost))
    for segment in every(before.parts):
        plan = _plan(parts, segment)
        known = _known(costs, Key(part=plan.name, method=plan.method, variant=before.variant))
        if known is not None:
            ways.append(Way(first=segment.first, last=segment.last, plan=plan, cost=known))
    return Chain(parts, ways)


def every(parts: Sequence[PartPlan]) -> Iterator[Segment]:
    """All segments that can be run twice."""
    for first, part in enumerate(parts):
        if part.method == PLAIN and part.name in LAYERS:
            yield Segment(first=first, last=first, blocks=True)
        for last in range(first, len(parts)):
            if parts[last].method != PLAIN:
                break
            if mergeable(parts, first, last):
                yield Segment(first=first, last=last)


def merged(parts: Sequence[PartPlan], method: str) -> PartPlan:
    """Consecutive parts as one that makes the last one's map."""
    made = {part.name for part in parts}
    takes = dict.fromkeys(name for part in parts for name in part.takes if name not in made)
    stages = tuple(stage for part in parts for stage in part.stages)
    return PartPlan(name=parts[-1].name, takes=tuple(takes), stages=stages, method=method)


def mergeable(parts: Sequence[PartPlan], first: int, last: int) -> bool:
    """Whether no part outside `first` … `last` takes a map that is made inside, but the last one."""
    inner = {part.name for part in parts[first:last]}
    return not any(inner & set(part.takes) for part in parts[last + 1 :])


def options_with(key: Key) -> Options | None:
    """Options whose chain has the part of `key`, for whoever traces it; None for a method of another technique."""
    method = key.method
    if method == "checkpoint":
        return Options(by="parts", parts=(key.part,))
    if method == "checkpoint-blocks":
        return Options(by="parts", parts=(f"{key.part}.blocks",))
    if method.startswith("checkpoint-from-"):
        return Options(by="parts", parts=(f"{method.removeprefix('checkpoint-from-')}..{key.part}",))
    return None


def _known(costs: Costs, key: Key) -> PartCost | None:
    try:
        return costs.of(key)
    except KeyError:
        return None


def _run_twice(build: Build, parts: Sequence[Part], plan: PartPlan, *, blocks: bool) -> Part:
    from fullfield.model.chain import Part
    from fullfield.recomputation import replay

    modules = [build.network.stages[stage] for stage in plan.stages]
    if blocks:
        run = replay.in_blocks(modules[0])
    else:
        whole = parts[0].run if len(parts) == 1 else replay.one_after_another(parts, plan.takes)
        run = replay.checkpointed(whole, modules)
    return Part(name=plan.name, takes=plan.takes, stages=plan.stages, run=run, method=plan.method)


def _covered(parts: Sequence[PartPlan], segments: Sequence[Segment]) -> Iterator[tuple[Segment, PartPlan]]:
    """Every part of the chain with these segments. Parts outside of them are as they were."""
    by_first = {segment.first: segment for segment in segments}
    place = 0
    while place < len(parts):
        segment = by_first.get(place)
        if segment is None:
            yield Segment(first=place, last=place), parts[place]
        else:
            yield segment, _plan(parts, segment)
        place = place + 1 if segment is None else segment.last + 1


def _plan(parts: Sequence[PartPlan], segment: Segment) -> PartPlan:
    inside = parts[segment.first : segment.last + 1]
    if len(inside) > 1:
        return merged(inside, f"checkpoint-from-{inside[0].name}")
    return replace(inside[0], method="checkpoint-blocks" if segment.blocks else "checkpoint")


def _periodic(parts: Sequence[PartPlan], segments: int) -> list[Segment]:
    """Segments of length n/k, shorter where a map is taken by a later part or a part has its own method."""
    length = -(-len(parts) // (segments or isqrt(len(parts))))
    found: list[Segment] = []
    first = 0
    while first < len(parts):
        last = first
        if parts[first].method == PLAIN:
            fits = [s.last for s in every(parts) if s.first == first and s.last < first + length]
            last = max(fits)
            found.append(Segment(first=first, last=last))
        first = last + 1
    return found


def _written(first: int, last: int, plan: PartPlan, parts: Sequence[PartPlan]) -> str:
    if first < last:
        return f"{parts[first].name}..{plan.name}"
    return f"{plan.name}.blocks" if plan.method == "checkpoint-blocks" else plan.name


def _read(texts: Sequence[str], parts: Sequence[PartPlan]) -> list[Segment]:
    """Raises UsageError with what can be named, or where a part is named twice."""
    possible = {_written(one.first, one.last, _plan(parts, one), parts): one for one in every(parts)}
    wrong = [text for text in texts if text not in possible]
    if wrong:
        raise UsageError(f"Cannot checkpoint {wrong[0]!r}.", hint=f"Choose from {', '.join(possible)}.")
    segments = sorted((possible[text] for text in texts), key=lambda one: one.first)
    for one, other in pairwise(segments):
        if other.first <= one.last:
            raise UsageError(f"Cannot checkpoint {parts[other.first].name!r} twice.", hint="Name every part once.")
    return segments
