"""Decoder blocks by hand against the network's own: with a skip, without, with the image for it, with the head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from fullfield.bands import decoder
from fullfield.distribution.team import Team
from teams import together
from techniques.exactness import GRADIENT, Found, agree, found, stage

SHAPES = {"d3": ((128, 6, 8), (64, 12, 16)), "d4": ((64, 6, 8), (64, 12, 16)), "d5": ((32, 6, 8), None)}
KEEP = pytest.mark.parametrize("keep", decoder.Keep)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def stages(*names: str, training: bool = True) -> nn.ModuleDict:
    """Some stages of the reference network, as a whole of their own."""
    return nn.ModuleDict({name: stage(name) for name in names}).train(training)


def maps(name: str, batch: int) -> tuple[Tensor, Tensor | None]:
    torch.manual_seed(4)
    x, skip = (None if shape is None else torch.randn(batch, *shape, dtype=torch.float64) for shape in SHAPES[name])
    assert x is not None
    return x, skip


def gradients(
    module: nn.Module, forward: Callable[..., Tensor], *given: Tensor | None
) -> tuple[Found, list[Tensor | None]]:
    """What the module learns, and the gradients of the maps."""
    leaves = [None if one is None else one.clone().requires_grad_() for one in given]
    value = forward(*leaves).cos().sum()
    value.backward()
    return found(module, value), [None if one is None else one.grad for one in leaves]


def equal(one: list[Tensor | None], other: list[Tensor | None]) -> bool:
    return all(
        a is b if b is None else a is not None and bool((a - b).norm() <= GRADIENT * b.norm())
        for a, b in zip(one, other, strict=True)
    )


@KEEP
@pytest.mark.parametrize("name", ["d3", "d5"])
@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("rows", [5, 99])
def test_that_a_block_has_the_gradients_of_the_plain_one(keep: decoder.Keep, name: str, batch: int, rows: int) -> None:
    block, plain = stage(name), stage(name)
    wanted = gradients(plain, plain, *maps(name, batch))
    got = gradients(block, lambda *given: decoder.run(block, *given, rows=rows, keep=keep), *maps(name, batch))
    agree(got[0], wanted[0])
    assert equal(got[1], wanted[1])


@KEEP
def test_that_running_statistics_are_constants(keep: decoder.Keep) -> None:
    block, plain = stage("d3").eval(), stage("d3").eval()
    wanted = gradients(plain, plain, *maps("d3", 2))
    got = gradients(block, lambda *given: decoder.run(block, *given, rows=4, keep=keep), *maps("d3", 2))
    agree(got[0], wanted[0])
    assert equal(got[1], wanted[1])


@pytest.mark.parametrize("mode", [True, False], ids=["batch statistics", "running statistics"])
@pytest.mark.parametrize("batch", [1, 2])
def test_that_the_skip_may_be_made_of_the_image_again(mode: bool, batch: int) -> None:
    whole, plain = stages("d4", "stem", training=mode), stages("d4", "stem", training=mode)
    before = stage("stem").state_dict()
    image = torch.rand(batch, 1, 24, 32, dtype=torch.float64)
    x, _ = maps("d4", batch)

    def with_stem(x: Tensor) -> Tensor:
        # Whoever else runs the stem updates its statistics; here nobody does.
        return decoder.run(whole["d4"], x, image, rows=6, keep=decoder.Keep.LEAST, stem=whole["stem"])

    wanted = gradients(plain, lambda x: plain["d4"](x, plain["stem"](image)), x)
    got = gradients(whole, with_stem, x)
    of_stem = {name: one for name, one in wanted[0].statistics.items() if name.startswith("stem.")}
    assert all(torch.equal(before[name.removeprefix("stem.")], got[0].statistics[name]) for name in of_stem)
    agree(replace(got[0], statistics=got[0].statistics | of_stem), wanted[0])
    assert equal(got[1], wanted[1])


def test_that_the_head_may_follow_without_a_map_between() -> None:
    whole, plain = stages("d5", "head"), stages("d5", "head")
    x, _ = maps("d5", 2)

    def with_head(x: Tensor) -> Tensor:
        return decoder.run(whole["d5"], x, rows=4, keep=decoder.Keep.CONVOLVED, head=whole["head"])

    wanted = gradients(plain, lambda x: plain["head"](plain["d5"](x)), x)
    got = gradients(whole, with_head, x)
    agree(got[0], wanted[0])
    assert equal(got[1], wanted[1])


@pytest.mark.parametrize(
    ("ranks", "name", "keep", "stem", "head"),
    [
        *((3, "d3", keep, False, False) for keep in decoder.Keep),
        (2, "d4", decoder.Keep.LEAST, True, False),
        (5, "d4", decoder.Keep.NOTHING, True, False),
        (5, "d5", decoder.Keep.CONVOLVED, False, True),
    ],
)
@pytest.mark.parametrize("mode", [True, False], ids=["batch statistics", "running statistics"])
def test_that_ranks_with_uneven_rows_together_have_the_gradients_of_the_plain_block(
    ranks: int, name: str, keep: decoder.Keep, stem: bool, head: bool, mode: bool
) -> None:
    names = (name, *("stem" for _ in range(stem)), *("head" for _ in range(head)))
    torch.manual_seed(4)
    x = torch.randn(2, SHAPES[name][0][0], 7, 8, dtype=torch.float64)
    skip = torch.rand(2, 1, 28, 32) if stem else torch.rand(2, 64, 14, 16)
    given = [x] if name == "d5" else [x, skip.double()]

    def by_hand(team: Team) -> tuple[Found, list[Tensor | None]]:
        whole = stages(*names, training=mode)
        more = {one: whole[one] for one in names[1:]}

        def run(*maps: Tensor) -> Tensor:
            return decoder.run(whole[name], *maps, rows=3, keep=keep, team=team, **more)

        return gradients(whole, run, *(one[:, :, slice(*team.own(one.shape[2]))] for one in given))

    def plainly(*maps: Tensor) -> Tensor:
        out = plain[name](maps[0], *((plain["stem"](maps[1]),) if stem else maps[1:]))
        return plain["head"](out) if head else out

    plain = stages(*names, training=mode)
    wanted, of_maps = gradients(plain, plainly, *given)
    found = together(ranks, by_hand)
    value = torch.stack([each.value for each, _ in found]).sum()
    of_stem = {name: one for name, one in wanted.statistics.items() if name.startswith("stem.")}  # left alone by hand
    for each, _ in found:
        agree(replace(each, value=value, statistics=each.statistics | of_stem), wanted)
        assert all(torch.equal(one, found[0][0].gradients[name]) for name, one in each.gradients.items())
    parts = [torch.cat(part, 2) if part[0] is not None else None for part in zip(*(maps for _, maps in found))]
    assert equal(parts, [one if part is not None else None for one, part in zip(of_maps, parts)])
    assert parts[0] is not None and (stem or None not in parts)


@KEEP
def test_that_a_gradient_that_others_see_is_not_written_over(keep: decoder.Keep) -> None:
    block = stage("d3")
    kept: list[Tensor] = []
    out = decoder.run(block, *maps("d3", 1), rows=4, keep=keep)
    out.register_hook(kept.append)
    beside = torch.zeros_like(out).requires_grad_()
    given = torch.randn_like(out)
    before = given.clone()
    (out + beside).backward(given)
    assert beside.grad is not None
    assert all(torch.equal(seen, before) for seen in (given, beside.grad, *kept))


@KEEP
def test_that_under_autocast_it_computes_as_the_plain_block_does(keep: decoder.Keep) -> None:
    block, plain = stage("d3").float(), stage("d3").float()
    x, skip = (one.bfloat16() for one in maps("d3", 1) if one is not None)
    with torch.autocast("cpu", torch.bfloat16):
        outs = plain(x, skip), decoder.run(block, x, skip, rows=4, keep=keep)
    wanted, got = (out.float() for out in outs)
    assert outs[1].dtype == torch.bfloat16
    assert (got - wanted).norm() <= 1e-2 * wanted.norm()
    for out in (wanted, got):
        out.cos().sum().backward()
    for name, parameter in block.named_parameters():
        theirs = plain.get_parameter(name).grad
        assert theirs is not None and parameter.grad is not None
        assert (parameter.grad - theirs).norm() <= 0.05 * theirs.norm(), name
