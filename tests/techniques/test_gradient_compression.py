"""Gradients that processes send in fewer bytes: what it goes with, what it takes, and steps with it."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import pytest
import torch
from torch import Tensor, nn

from fullfield.distribution import buckets
from fullfield.distribution.buckets import Summed
from fullfield.distribution.team import Team
from fullfield.errors import UsageError
from fullfield.memory.account import MemoryEstimate
from fullfield.techniques import compose, registry
from fullfield.techniques.build import Build
from fullfield.train import step as steps
from fullfield.train.update import Update
from teams import Member, together
from techniques import exactness
from techniques.test_data_parallel import of_ranks
from train.ranks import batch, small_network
from train.test_joint import stepped

NAME = "gradient_compression"
FORMATS = ("fp16", "bf16", "int8", "topk", "powersgd")


def test_that_it_needs_processes_that_share_images_and_where_it_remembers_a_loss_in_its_own_scale() -> None:
    with pytest.raises(UsageError, match="needs another one"):
        compose.read([NAME])
    for name in FORMATS:
        together = ["data_parallel", f"{NAME}:format={name}"]
        assert compose.read([*together, "precision:format=bf16"])
        if name in ("fp16", "bf16"):
            assert compose.read([*together, "precision:format=fp16"])
        else:
            with pytest.raises(UsageError, match="do not go together"):
                compose.read([*together, "precision:format=fp16"])


@pytest.mark.parametrize(
    ("text", "ranks", "words"),
    [
        ("", 1, "one process"),
        (":rank=2", 2, "option of powersgd"),
        (":format=int8,share=0.1", 2, "option of topk"),
        (":format=int8", 8, "as many bytes"),
        (":format=topk,share=0.2", 5, "as many bytes"),
        (":format=int8", 7, ""),
        (":format=topk,share=0.2", 4, ""),
        (":format=powersgd,rank=2", 64, ""),
    ],
)
def test_that_what_would_save_nothing_is_refused_with_what_to_do(text: str, ranks: int, words: str) -> None:
    reason = registry.read(NAME + text).refuse(of_ranks(ranks, {"a": 1}))
    assert (reason is not None) == bool(words)
    assert reason is None or (words in reason.text and reason.hint)


@pytest.mark.parametrize("format_", FORMATS)
def test_that_what_is_remembered_is_predicted(format_: str) -> None:
    here = of_ranks(2, {"a": 1 << 20})
    before = MemoryEstimate(shape=here.shape, summed=Summed(gradients=(("a", 1 << 20),)))
    after = registry.read(f"{NAME}:format={format_}").predict(before, here)
    kept = format_ in FORMATS[2:]
    assert (after.beside >= 1.0) == kept and after.beside < 1.02
    assert after.summed is not None and before.summed is not None and after.summed.bytes < before.summed.bytes
    assert after.summed.beside(released=False)["a"] == (3 << 20 if kept else 1 << 19)


def wide(team: Team, *texts: str) -> Build:
    """The small network with a weight that every format compresses."""
    build = small_network(ranks=team)
    layers = [cast(nn.Module, layer) for layer in cast(Any, build.network)]
    with torch.no_grad():
        middle = [nn.Conv2d(4, 24, 3, padding=1), nn.Conv2d(24, 24, 3, padding=1), nn.Conv2d(24, 4, 1)]
        for layer in middle:
            for parameter in layer.parameters():
                parameter.copy_(torch.sin(torch.arange(parameter.numel()) + 1.0).reshape(parameter.shape) / 9)
    network = nn.Sequential(*layers[:3], *middle, *layers[3:])
    build.network = cast(Any, network)
    build.chain = cast(Any, network)
    compose.apply(compose.read(texts), build)
    build.optimizer = lambda parameters: torch.optim.SGD(parameters, lr=1.0)
    return build


def trained(team: Team, *texts: str, images: int = 2) -> dict[str, Tensor]:
    """The weights after three steps."""
    build = wide(team, *texts)
    update = Update(build)
    for step in range(3):
        seeds = range(images * step, images * (step + 1))
        own = batch(list(seeds)[team.rank :: team.size], whole=images)
        done = steps.train_step(build, update, own, loss="ms_ssim+l1", l1=True, rate=0.3, team=team)
        assert not done.skipped and not done.spared
    update.close()
    return {name: value.detach().clone() for name, value in build.network.named_parameters()}


@cache
def uncompressed() -> dict[str, Tensor]:
    """What all formats come close to."""
    return together(2, lambda team: trained(team, "data_parallel"))[0]


@pytest.mark.parametrize("format_", FORMATS)
def test_that_ranks_keep_the_same_weights_whenever_buckets_leave_and_updates_are_made(
    monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:
    texts = ("data_parallel", f"{NAME}:format={format_}" + (",rank=2" if format_ == "powersgd" else ""))
    begun = {name: value.detach() for name, value in wide(Team(0, 1)).network.named_parameters()}

    def rank(team: Member, *more: str, images: int = 2) -> dict[str, Tensor]:
        return trained(team, *texts, *more, images=images)

    plain = uncompressed()
    found = together(2, rank)
    moved = sum(float((plain[name] - begun[name]).square().sum()) for name in plain) ** 0.5
    off = sum(float((plain[name] - found[0][name]).square().sum()) for name in plain) ** 0.5
    assert 0 < off < {"fp16": 1e-3, "bf16": 1e-2, "int8": 2e-2}.get(format_, 1.0) * moved
    for others in (found[1], *together(2, lambda team: rank(team, "optimizer_in_backward"))):
        assert all(torch.equal(value, found[0][name]) for name, value in others.items())
    monkeypatch.setattr(buckets, "BUCKET_BYTES", 1)
    for others in together(2, rank):
        assert all(torch.equal(value, found[0][name]) for name, value in others.items())
    first, second = together(2, lambda team: rank(team, "accumulate", images=3))  # 2 and 1
    assert all(torch.equal(value, second[name]) for name, value in first.items())


@pytest.mark.parametrize("other", ["checkpointing", "hybrid_bands"])
def test_that_parts_of_the_network_may_be_run_in_any_way(other: str) -> None:
    torch.set_num_threads(1)
    given = exactness.reference("resnet18", 2, 96, 96)
    texts = ("data_parallel", f"{NAME}:format=int8", other)
    (first, one), (second, _) = together(2, lambda team: stepped(given, texts, 2, team))
    wanted, _ = together(2, lambda team: stepped(given, ("data_parallel",), 2, team))[0]
    assert one.loss < 100 and not one.skipped
    begun = given[0].state_dict()
    for name, value in first.items():
        assert torch.equal(value, second[name]), name
        change = float((wanted[name] - begun[name]).abs().max())
        assert float((value - wanted[name]).abs().max()) <= change / 127 + 1e-12, name
    assert any(not torch.equal(value, wanted[name]) for name, value in first.items())
