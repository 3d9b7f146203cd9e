"""Checkpointing: exact gradients, statistics that move once, less memory, and a prediction of what is applied."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest
import torch
from torch import Tensor

import narrow
from fullfield.errors import UsageError
from fullfield.memory import allocator
from fullfield.memory.account import LOSS, MemoryEstimate, PartPlan, Shape, account, plain_parts
from fullfield.memory.costs import Costs, Facts, Key, Moment, PartCost
from fullfield.model.chain import Chain, Part
from fullfield.model.network import Network, NetworkSpec
from fullfield.model.network import build as network_of
from fullfield.techniques import build as builds
from fullfield.techniques import checkpointing, compose, registry
from fullfield.techniques.checkpointing import Checkpointing, Segment
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Card, Site
from techniques.exactness import Found, agree, built, gradients, reference

MIXED = "checkpointing:by=parts,parts=layer1.blocks+layer2+layer4..d2+d4..head"
EVERY = ["by=stage", "by=block", "by=everything", "by=periodic", "by=periodic,segments=2", MIXED.partition(":")[2]]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@cache
def plain_step(encoder: str, batch: int) -> tuple[Network, Tensor, Tensor, Found]:
    network, x, y = reference(encoder, batch, by=8)
    return network, x, y, gradients(built(network), x, y)


@pytest.mark.parametrize(
    ("text", "encoder", "batch"),
    [
        ("checkpointing:by=stage", "resnet18", 1),
        ("checkpointing:by=everything", "resnet18", 2),
        (MIXED, "resnet18", 1),
        ("checkpointing:by=periodic", "resnet18", 2),
        ("checkpointing:by=block", "resnet34", 1),
    ],
)
def test_that_gradients_and_statistics_are_those_of_the_plain_step(text: str, encoder: str, batch: int) -> None:
    network, x, y, plain = plain_step(encoder, batch)
    agree(gradients(built(network, registry.read(text)), x, y), plain)


def test_that_the_real_peak_is_smaller_and_falls_with_every_part_that_is_run_twice() -> None:
    def release(parameter: Tensor) -> None:
        parameter.grad = None

    def peak(*texts: str) -> int:
        torch.manual_seed(1)
        with narrow.everywhere():
            build = built(network_of(NetworkSpec(encoder="resnet18")).train(), *map(registry.read, texts))
        for parameter in build.network.parameters():  # their gradients would hide what maps take at so small a size
            parameter.register_post_accumulate_grad_hook(release)
        x = torch.rand(1, 1, 256, 256)

        def step() -> None:
            # A loss without maps of its own: those of MS-SSIM would hide what the network takes.
            build.chain(x).square().mean().backward()

        return allocator.peak(step, torch.device("cpu")).peak

    plain, stage, everything = peak(), peak("checkpointing:by=stage"), peak("checkpointing:by=everything")
    print(f"plain {plain / 2**20:.1f}, stage {stage / 2**20:.1f}, everything {everything / 2**20:.1f} MiB")
    assert everything < stage < 0.7 * plain


@pytest.mark.parametrize("text", EVERY)
@pytest.mark.parametrize("encoder", ["resnet18", "resnet34"])
def test_that_the_prediction_has_the_parts_that_are_applied(text: str, encoder: str) -> None:
    technique = registry.read(f"checkpointing:{text}")
    build = meta_build(encoder)
    technique.apply(build)
    predicted = technique.predict(MemoryEstimate(shape=shape(encoder)), site()).parts
    assert [(one.name, one.takes, one.stages, one.method) for one in build.chain.parts] == [
        (one.name, one.takes, one.stages, one.method) for one in predicted
    ]
    assert any(one.method.startswith("checkpoint") for one in predicted)


def test_that_a_part_with_a_method_of_its_own_is_left_as_it_is() -> None:
    build = meta_build("resnet18")

    def momentum(part: Part) -> Part:
        return Part(name=part.name, takes=part.takes, stages=part.stages, run=part.run, method="momentum")

    build.replace_parts(["layer2", "d1"], momentum)
    before = MemoryEstimate(shape=shape()).run("momentum", "layer2", "d1")
    kept = {name: build.chain.part(name) for name in ("layer2", "d1")}
    for by in ("everything", "periodic"):
        technique = registry.read(f"checkpointing:by={by}")
        build_of = builds.begin(build.network, build.device)
        build_of.chain = Chain(build.chain.parts)
        technique.apply(build_of)
        assert {name: build_of.chain.part(name) for name in kept} == kept
        assert [one.method for one in technique.predict(before, site()).parts if one.name in kept] == ["momentum"] * 2
    with pytest.raises(UsageError, match="Cannot checkpoint"):
        registry.read("checkpointing:by=parts,parts=layer4..d1").apply(build)


def test_that_methods_name_costs_apart() -> None:
    made: dict[tuple[str, str], PartPlan] = {}
    parts = plain_parts()
    for segment in checkpointing.every(parts):
        plan = checkpointing._plan(parts, segment)
        assert made.setdefault((plan.name, plan.method), plan) == plan
        options = checkpointing.options_with(Key(part=plan.name, method=plan.method, variant=""))
        assert plan in Checkpointing(options).predict(MemoryEstimate(shape=shape()), site()).parts
    assert checkpointing.options_with(Key(part="d1", method="plain", variant="")) is None


@pytest.mark.parametrize("parts", ["d9", "layer5.blocks", "stem..layer1", "d1.blocks", "d2..d1", "d4..head+d5"])
def test_that_parts_that_cannot_be_run_twice_are_refused(parts: str) -> None:
    technique = registry.read(f"checkpointing:by=parts,parts={parts}")
    with pytest.raises(UsageError, match="Cannot checkpoint"):
        technique.predict(MemoryEstimate(shape=shape()), site())


def test_that_periodic_keeps_the_root_of_the_maps_but_for_skips() -> None:
    parts = registry.read("checkpointing:by=periodic").predict(MemoryEstimate(shape=shape()), site()).parts
    assert [part.name for part in parts] == ["stem", "layer1", "layer2", "d2", "head"]
    assert parts[-1].stages == ("d3", "d4", "d5", "head") and parts[-1].takes == ("d2", "layer1", "stem")


def test_that_the_optimal_plan_fits_its_budget_and_costs_less_than_a_smaller_one() -> None:
    where = site(costs(3))
    before = MemoryEstimate(shape=shape(), precision="bf16")
    chain = checkpointing.chain_of(before, where.costs)
    frontier = list(chain.frontier())
    assert len(frontier) > 3
    for plan in (frontier[0], frontier[len(frontier) // 2], frontier[-1]):
        budget = -(-plan.peak // 2**20)
        technique = registry.read(f"checkpointing:by=optimal,budget={budget}").with_plan(before, where)
        found = account(technique.predict(before, where), where.costs)
        fixed = sum(account(before, where.costs).fullest.at_peak[kind] for kind in ("weights", "optimizer", "input"))
        assert max(found.fullest.forward, found.fullest.backward) - fixed <= budget * 2**20
        assert found.flops <= plan.flops
        assert registry.read(str(technique)).options == technique.options
    assert frontier[0].flops < frontier[-1].flops


def test_that_the_sums_of_a_plan_are_those_of_the_account() -> None:
    where = site(costs(5))
    before = MemoryEstimate(shape=shape(), precision="bf16")
    for plan in checkpointing.chain_of(before, where.costs).frontier():
        after = Checkpointing(checkpointing.options_of(plan, before.parts)).predict(before, where)
        found = account(after, where.costs)
        fixed = sum(found.fullest.at_peak[kind] for kind in ("weights", "optimizer", "input"))
        assert max(found.fullest.forward, found.fullest.backward) - fixed == plan.peak
        assert found.flops == plan.flops


def test_that_a_trace_sees_nothing_but_the_taken_maps_kept_and_no_weight_counted_twice() -> None:
    costing = Costing("resnet18", "none")
    where = site(costing.costs)
    found = {}
    for texts in ([], ["checkpointing:by=stage"], ["checkpointing:by=everything"]):
        estimate, _ = costing.account([registry.read(text) for text in texts], where)
        for part in estimate.parts:
            found[part] = costing.costs.of(Key(part=part.name, method=part.method, variant=estimate.variant))
    for part, cost in found.items():
        plain = found[replace(part, method="plain")]
        assert cost.left.bytes == plain.left.bytes
        assert cost.gradients == plain.gradients
        if part.method == "checkpoint":
            assert cost.saved.bytes < 2**20 and cost.saved.holds == tuple(True for _ in part.takes)
            assert cost.flops_backward == plain.flops_backward + plain.flops_forward


def test_that_no_plan_that_fits_means_the_smallest_one() -> None:
    where = site(costs(4))
    before = MemoryEstimate(shape=shape(), precision="bf16")
    smallest = list(checkpointing.chain_of(before, where.costs).frontier())[-1]
    for budget in (0, 1):
        chosen = checkpointing.optimal(before, where.costs, budget_mib=budget)
        assert chosen == checkpointing.options_of(smallest, before.parts)


def test_that_a_plan_is_found_for_the_step_as_all_techniques_leave_it() -> None:
    asked = registry.read("checkpointing:by=optimal,budget=100")
    with pytest.raises(UsageError, match="optimal"):
        asked.apply(meta_build("resnet18"))
    where = site(costs(3, precision="fp32"))
    (found,) = compose.with_plans([asked], where)
    assert isinstance(found, Checkpointing) and found.options.by == "parts"
    assert compose.with_plans([found], where) == (found,)
    build = meta_build("resnet18")
    found.apply(build)
    assert [part.method for part in build.chain.parts] == [
        part.method for part in compose.predict([asked], where).parts
    ]


@cache
def traced() -> dict[str, PartCost]:
    """What is known after the plan was looked for without another technique."""
    costing = Costing("resnet18", "none")
    costing.account([registry.read(OPTIMAL)], replace(site(costing.costs), shape=shape(batch=2)))
    return dict(costing.costs.known)


OPTIMAL = "checkpointing:by=optimal"
OTHERS = {name: registry.read(name) for name in registry.all_techniques() if name != "checkpointing"}
EXCLUDED = [name for name, other in OTHERS.items() if compose.exclusions([registry.read(OPTIMAL), other])]
OF_RANKS = [name for name, other in OTHERS.items() if other.stage.of_ranks]


@pytest.fixture
def few_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first segments alone: each one more is traced in each variant."""

    def few(parts: Sequence[PartPlan], whole: Any = checkpointing.every) -> Iterator[Segment]:
        return islice(whole(parts), 3)

    monkeypatch.setattr(checkpointing, "every", few)


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
@pytest.mark.parametrize("other", [name for name in OTHERS if name not in (*EXCLUDED, *OF_RANKS)])
def test_that_optimal_is_predicted_and_applied_beside_any_technique_of_one_process(
    other: str, warm: bool, few_ways: None
) -> None:
    costing = Costing("resnet18", "none")
    where = replace(site(costing.costs), shape=shape(batch=2))
    if warm:
        costing.costs.known.update(traced())
    techniques = compose.read([OPTIMAL, other])
    assert compose.refusals(techniques, where) == []
    estimate, _ = costing.account(techniques, where)
    found = costing.with_plans(techniques, where)
    (chosen,) = (one for one in found if isinstance(one, Checkpointing))
    assert chosen.options.by == "parts"
    assert f"For checkpointing:by=optimal this plan was found: {chosen}." in estimate.notes
    build = meta_build("resnet18")
    build.counted = True
    compose.apply(found, build)
    assert [(part.name, part.method) for part in build.chain.parts] == [
        (part.name, part.method) for part in estimate.parts
    ]


@pytest.mark.parametrize("other", EXCLUDED)
def test_that_what_does_not_go_with_checkpointing_is_refused_with_the_reason(other: str) -> None:
    with pytest.raises(UsageError) as refused:
        compose.read([OPTIMAL, other])
    _, _, why = refused.value.detail.partition(f"{other} does not go with checkpointing: ")
    assert len(why) > 20, refused.value.detail


@pytest.mark.parametrize("other", OF_RANKS)
def test_that_what_several_processes_share_is_refused_where_there_is_one(other: str) -> None:
    (reason,) = compose.refusals([registry.read(OPTIMAL), OTHERS[other]], site())
    assert reason.startswith(f"{other}: There is one process")


def shape(encoder: str = "resnet18", batch: int = 1) -> Shape:
    return Shape(height=192, width=224, batch=batch, encoder=encoder)


def meta_build(encoder: str) -> builds.Build:
    """A step that is never run."""
    with torch.device("meta"):
        return builds.begin(network_of(NetworkSpec(encoder=encoder)), torch.device("meta"))


def site(costs: Costs | None = None) -> Site:
    facts = Facts(weights={"stem": 100}, buffers=10)
    card = Card(kind="cpu", title="", total_bytes=2**34, free_bytes=2**34)
    return Site(devices=(card,), shape=shape(), costs=costs or Costs(facts))


def costs(seed: int, *, precision: str = "bf16") -> Costs:
    """Made-up costs of every way: twice-run parts save less and take more FLOPs."""
    chance = random.Random(seed)
    parts = (*plain_parts(), PartPlan(name=LOSS, takes=("head",), stages=(), method="pytorch_msssim"))
    maps = {part.name: chance.randint(1, 30) * 2**20 for part in parts}
    weights = {part.name: chance.randint(1, 4) * 2**20 for part in parts}
    weights[LOSS] = maps[LOSS] = 0
    variant = MemoryEstimate(shape=shape(), precision=precision).variant

    def cost(plan: PartPlan) -> PartCost:
        plain = plan.method in ("plain", "pytorch_msssim")
        own, size = (
            sum(weights[stage] for stage in plan.stages),
            chance.randint(10, 80) * 2**20 * max(1, len(plan.stages)),
        )
        forward, holds = len(plan.stages) * 10**9, tuple(not plain or chance.random() < 0.5 for _ in plan.takes)

        def moment(count: int, *, makes: bool = False) -> Moment:
            return Moment(bytes=count, holds=holds, makes=makes)

        return PartCost(
            forward=(moment(size // 2 + maps[plan.name]),),
            saved=moment(size if plain else 0, makes=plain),
            backward=(moment(size + own, makes=plain), moment(own + maps[plan.name])),
            left=Moment(bytes=own, holds=tuple(False for _ in plan.takes), makes=False),
            in_place=tuple(False for _ in plan.takes),
            gradients=tuple(maps.get(name, 0) for name in plan.takes),
            map_bytes=maps[plan.name],
            flops_forward=forward,
            flops_backward=(2 if plain else 3) * forward,
        )

    known = {}
    twice = [checkpointing._plan(parts[:-1], segment) for segment in checkpointing.every(parts[:-1])]
    for plan in (*parts, *twice):
        known[str(Key(part=plan.name, method=plan.method, variant=variant))] = cost(plan)
    return Costs(Facts(weights=weights, buffers=10), known)


@pytest.mark.parametrize(
    ("options", "by"),
    [("budget=100", "optimal"), ("by=block,budget=100", "optimal"), ("by=optimal,segments=9", "periodic")],
)
def test_that_an_option_that_nobody_would_look_at_is_refused(options: str, by: str) -> None:
    refused = registry.read(f"checkpointing:{options}").refuse(site())
    assert refused is not None and refused.hint == f"Say by={by}, or leave it out."
    for fine in ("by=optimal,budget=100", "by=periodic,segments=9"):
        assert registry.read(f"checkpointing:{fine}").refuse(site()) is None
