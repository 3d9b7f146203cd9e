"""What a technique makes another of a step: of what it is made, by which options, and what it leaves as it is."""

from __future__ import annotations

import copy
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

import narrow
from fullfield.distribution.joint import Joint
from fullfield.distribution.owners import is_there
from fullfield.distribution.team import ALONE, Team
from fullfield.kernels import msssim
from fullfield.kernels.msssim_shares import SharedStructure
from fullfield.model.network import Network
from fullfield.model.stages import LAYERS, STAGES, STRIDES
from fullfield.optim.host_adam import HostAdam
from fullfield.saved_tensors import compressed, offloaded
from fullfield.techniques import build as builds
from fullfield.techniques import fsdp, registry
from fullfield.techniques.build import Build
from support import without_compiler
from teams import Member, together


@cache
def network() -> Network:
    """Made once: to copy it takes less."""
    return narrow.network().float()


def built(text: str = "", ranks: Team = ALONE, **changes: Any) -> Build:
    """The step of a small network with a technique."""
    build = builds.begin(copy.deepcopy(network()), torch.device("cpu"), ranks=ranks)
    build.counted = True  # nothing is compiled
    for name, value in changes.items():
        setattr(build, name, value)
    if text:
        registry.read(text).apply(build)
    return build


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("accumulate:images=3", {"micro": 3}),
        ("optimizer_in_backward", {"in_backward": True}),
        ("channels_last", {"layout": torch.channels_last}),
        ("gradient_clipping", {"gradients": 1}),
        ("rate_scaling", {"rates": 1}),
        ("compressed_activations", {"around": 1}),
        ("precision", {"around": 1}),
        ("precision:format=fp32", {}),
        ("hybrid_bands", {"in_bands": True, "stored_input": True}),
        ("full_bands", {"in_bands": True, "stored_input": True}),
        ("recompute", {}),
        ("momentum", {}),
    ],
)
def test_that_it_changes_this_of_the_step_and_nothing_else(text: str, changed: dict[str, Any]) -> None:
    before, after = built(), built(text)
    for name, value in vars(before).items():
        if name not in ("network", "chain", "optimizer", "structure"):
            found = getattr(after, name)
            wanted = changed.get(name, value)
            if name == "ranges":
                assert list(found) == list(wanted)
            else:
                assert (len(found) if isinstance(wanted, int) and isinstance(found, list) else found) == wanted, name
    methods = {part.method for part in after.chain.parts}
    assert (methods == {"plain"}) is not text.startswith(("hybrid_bands", "full_bands", "recompute", "momentum"))


def test_that_images_and_weights_have_their_channels_side_by_side() -> None:
    for name, one in built("channels_last").network.named_parameters():
        assert one.dim() < 4 or one.is_contiguous(memory_format=torch.channels_last), name


@pytest.mark.parametrize(("stored", "ranks", "away"), [(True, 1, True), (False, 1, False), (True, 2, False)])
def test_that_a_prediction_is_left_in_the_host_tier_where_one_process_has_it_and_its_loss_takes_it_there(
    stored: bool, ranks: int, away: bool
) -> None:
    build = built("full_bands:tier=host,rows=32", team=Team(0, ranks), stored_reference=stored)
    assert build.away is away and build.chain.parts[0].method.endswith(":away") is away
    assert not built("full_bands", stored_reference=True).away


@pytest.mark.parametrize(("bits", "name"), [(4, "optimizer_4bit"), (8, "optimizer_8bit")])
def test_that_an_optimizer_of_short_numbers_has_as_many_bits_as_it_says(
    bits: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fullfield.optim.low_bit_adam.chosen", lambda *given: given)
    assert built(name).optimizer == (bits, torch.device("cpu"))


def test_that_the_options_of_an_optimizer_reach_it() -> None:
    weights = [torch.nn.Parameter(torch.ones(4, 3))]
    lars = built("lars:trust=0.5,momentum=0.25,decay=0.125").optimizer(weights)
    assert {name: lars.param_groups[0][name] for name in ("trust", "momentum", "decay")} == {
        "trust": 0.5,
        "momentum": 0.25,
        "decay": 0.125,
    }
    assert built("lamb:decay=0.125").optimizer(weights).param_groups[0]["decay"] == 0.125
    optimizer = cast(Any, built("optimizer_offload:chunk=3").optimizer)
    assert (optimizer.func, optimizer.keywords) == (HostAdam, {"chunk_bytes": 3 << 20})


def test_that_what_is_kept_for_backward_is_packed_or_moved_as_the_options_say(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def made(**options: Any) -> Any:
        asked.append(options)
        raise NotImplementedError

    monkeypatch.setattr(compressed, "Compressed", made)
    monkeypatch.setattr(offloaded, "Offloaded", made)
    for text in ("compressed_activations:bits=4,block=64", "offload_activations:smallest=0.5,ahead=3"):
        build = built(text)
        with pytest.raises(NotImplementedError), build.around[0]():
            pass
    assert asked == [{"bits": 4, "block": 64}, {"smallest": 1 << 19, "ahead": 3}]


@pytest.mark.parametrize("ranks", [1, 2])
def test_that_ranks_that_share_rows_share_the_loss_in_bands_and_each_takes_whole_images_alone(
    ranks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_compiler(monkeypatch)
    team = Team(0, ranks)
    build = built("banded_loss:rows=40", team=team)
    alone = msssim.Structure(variant=msssim.UNCOMPILED, band_rows=40)
    assert build.structure_of_whole == alone and build.stored_reference
    assert build.structure == (alone if ranks == 1 else SharedStructure(of=alone, team=team))
    assert len(build.notices) == 1


def test_that_of_quantization_every_stage_is_prepared_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it prepares takes seconds; here a stand-in does."""
    asked: dict[str, list[tuple[int, int]]] = {}

    class Prepared:
        def __init__(self, stage: torch.nn.Module, takes: list[tuple[int, int]]) -> None:
            self.ranges = torch.nn.Module()
            asked[next(name for name, one in stages.items() if one is stage)] = takes

    from fullfield.quantize import int8  # imports torchao

    monkeypatch.setattr("fullfield.quantize.quantized.Quantized", Prepared)
    plain = built()
    stages = plain.network.stages
    registry.read("quantization").apply(plain)
    assert list(asked) == [part.name for part in plain.chain.parts] == list(plain.ranges)
    assert {part.method for part in plain.chain.parts} == {"quantized"}
    assert asked["layer1"] == [(plain.network.channels("stem"), STRIDES["stem"])]
    assert [stride for _, stride in asked["d1"]] == [STRIDES["layer4"], STRIDES["layer3"]]
    make = cast(Any, plain.int8)
    assert make.func is int8.convert and make.args == (plain.chain.parts,)
    assert all(plain.ranges[part.name] is cast(Any, part.run).ranges for part in plain.chain.parts)


@pytest.mark.parametrize(
    ("text", "size", "replicas", "portions"),
    [
        ("data_parallel", 4, 4, (1, 1, 1, 1)),
        ("data_parallel:portions=3+1", 2, 2, (3, 1)),
        ("data_parallel:batch_norm=joint,portions=2+1+1", 3, 3, (2, 1, 1)),
    ],
)
def test_that_replicas_have_images_by_their_portions(
    text: str, size: int, replicas: int, portions: tuple[int, ...]
) -> None:
    build = built(text, Team(1, size))
    assert (build.replicas.size, build.replicas.rank, build.replicas.portions) == (replicas, 1, portions)
    assert (build.joint is not None) is ("joint" in text)
    if build.joint is not None:
        assert build.joint.team is build.replicas and build.joint.images == (1,) * replicas


def test_that_groups_that_share_rows_are_replicas_of_one_another() -> None:
    def rank(member: Member) -> tuple[Any, ...]:
        build = built("spatial:processes=2,portions=3+1", member)
        registry.read("data_parallel:portions=4+2+1+1").apply(build)
        return build.team.rank, build.team.portions, build.replicas.rank, build.replicas.portions

    assert together(4, rank) == [
        (0, (3, 1), 0, (6, 2)),
        (1, (3, 1), 0, (6, 2)),
        (0, (3, 1), 1, (6, 2)),
        (1, (3, 1), 1, (6, 2)),
    ]
    alone = built("spatial", Team(2, 3))
    assert (alone.team.size, alone.team.rank, alone.team.portions, alone.replicas.size) == (3, 2, (1, 1, 1), 1)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_that_every_tensor_has_an_owner_who_alone_keeps_what_the_level_says(level: int) -> None:
    build = built(f"zero:level={level}", Team(1, 2))
    assert build.owners is not None
    named = dict(build.network.named_parameters())
    assert build.owners.by_name.keys() == named.keys() and {*build.owners.by_name.values()} == {0, 1}
    loads = [sum(one.nbytes for name, one in named.items() if build.owners.by_name[name] == rank) for rank in (0, 1)]
    assert abs(loads[0] - loads[1]) <= max(one.nbytes for one in named.values())
    assert build.owners.gradients is (level > 1) and build.owners.ranks is build.ranks
    assert build.owners.weights == (frozenset(named) if level == 3 else frozenset())
    assert (build.gathered is not None) is (level == 3) and len(build.as_result) == (level == 3)
    there = {name for name, one in named.items() if is_there(one)}
    assert there == ({name for name in named if build.owners.mine(name)} if level == 3 else set(named))


@pytest.mark.parametrize(("last", "second"), [("layer2", LAYERS[2]), ("d5", "head")])
def test_that_each_rank_has_the_weights_of_its_stages_alone_as_the_first_one_says(last: str, second: str) -> None:
    def rank(member: Member) -> tuple[dict[str, int], set[str], list[str]]:
        other = "stem" if member.rank else last  # what rank 1 has found counts for nothing
        build = built("", member)
        registry.read(f"model_parallel:last={other},schedule=gpipe").apply(build)
        assert build.owners is not None and build.placed is not None and build.owners.gradients
        assert build.owners.weights == frozenset(build.owners.by_name)
        buffers = dict(build.network.named_buffers()).keys()
        assert build.owners.by_name.keys() == dict(build.network.named_parameters()).keys() | buffers
        there = {name.split(".")[1] for name, one in build.network.named_parameters() if is_there(one)}
        return dict(build.placed.by_stage), there, build.notices

    (by_stage, first, _), (others, rest, _) = together(2, rank)
    names = list(STAGES)
    place = names.index(second)
    assert by_stage == others == {name: int(number >= place) for number, name in enumerate(names)}
    assert first == set(names[:place]) and rest == set(names[place:])


@pytest.mark.parametrize(
    ("batch", "replicas", "micro", "joint", "placed", "found"),
    [
        (4, 1, 0, False, False, 4),
        (4, 2, 0, False, False, 2),
        (5, 2, 0, False, False, 3),
        (5, 2, 1, False, False, 1),
        (5, 2, 9, False, False, 3),
        (5, 2, 1, True, False, 5),
        (5, 1, 0, False, True, 1),
        (5, 1, 2, False, True, 1),
    ],
)
def test_that_so_many_images_are_normalised_together(
    batch: int, replicas: int, micro: int, joint: bool, placed: bool, found: int
) -> None:
    build = built(replicas=Team(0, replicas), micro=micro)
    build.joint = Joint(team=build.replicas, images=(1,) * replicas) if joint else None
    build.placed = cast(Any, SimpleNamespace()) if placed else None
    assert build.normalised(batch) == found


def test_that_the_norm_is_of_all_gradients_and_nothing_where_there_is_none() -> None:
    build = built()
    parameters = list(build.network.parameters())
    assert build.norm(parameters).item() == 0.0 and build.norm([]).dtype == torch.float32
    parameters[0].grad, parameters[3].grad = torch.zeros_like(parameters[0]), torch.zeros_like(parameters[3])
    parameters[0].grad.view(-1)[0], parameters[3].grad.view(-1)[-1] = 3.0, -4.0
    assert build.norm(parameters).item() == pytest.approx(5.0)
    assert build.norm(parameters[:1]).item() == pytest.approx(3.0)


@pytest.mark.parametrize("alike", [True, False])
def test_that_unlike_ranks_have_every_update_from_the_first_of_them(alike: bool) -> None:
    team = Team(1, 2)
    team.alike = alike
    owners = built("", team).owners
    assert (owners is None) is alike
    assert owners is None or (set(owners.by_name.values()) == {0} and not owners.gradients and not owners.weights)


def test_that_a_step_without_techniques_does_nothing_of_theirs() -> None:
    build = Build(
        network=network(), device=torch.device("cpu"), chain=builds.begin(network(), torch.device("cpu")).chain
    )
    for name, value in vars(build).items():
        if name not in ("network", "device", "chain", "structure", "structure_of_whole", "optimizer", "layout"):
            assert value is ALONE if name in ("ranks", "team", "replicas") else not value or name == "ranges", name
    assert len(build.ranges) == 0 and build.layout == torch.contiguous_format
    optimizer = build.optimizer(list(build.network.parameters()))
    assert isinstance(optimizer, torch.optim.Adam) and optimizer.param_groups[0]["fused"]


def test_that_pytorchs_divided_optimizer_is_a_fused_adam_whose_weights_are_told_after_each_update(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Divided:
        """In the place of PyTorch's, which needs processes."""

        def __init__(self, *given: Any, **more: Any) -> None:
            self.given, self.more, self.optim = given, more, "what this rank remembers"

        def register_step_post_hook(self, hook: Any) -> None:
            """See torch.optim.Optimizer."""
            self.hook = hook

    monkeypatch.setattr("torch.distributed.optim.ZeroRedundancyOptimizer", Divided)
    told: list[object] = []
    team = Team(0, 2)
    monkeypatch.setattr(team.traffic, "tell_one", told.append)
    build, weights = built("zero_optimizer", team), [torch.nn.Parameter(torch.ones(2)) for _ in range(2)]
    made = cast(Any, build.optimizer(weights))
    assert made.given == (weights, torch.optim.Adam) and made.more == {"fused": True}
    made.hook(made, (), {})
    assert len(told) == 2 and all(one is other for one, other in zip(told, weights, strict=True))
    assert build.local is not None and cast(Any, build.local(made)) == "what this rank remembers"


def test_that_a_network_in_pieces_is_whole_while_it_is_a_result() -> None:
    done: list[tuple[str, object]] = []

    class Stage:
        """In the place of one of PyTorch's."""

        def __getattr__(self, name: str) -> Any:
            return lambda *given: done.append((name, *given))  # type: ignore[arg-type]

    with pytest.raises(KeyError), fsdp._whole([cast(Any, Stage())]):
        assert done == [("set_reshard_after_forward", False), ("unshard",)]
        done.clear()
        raise KeyError
    assert done == [("reshard",), ("set_reshard_after_forward", True)]
