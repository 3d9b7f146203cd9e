"""Shorter numbers: where they are used, where never, and on which devices."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from torch import Tensor

from fullfield.hardware import devices
from fullfield.kernels import full_precision
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.techniques import compose, here, registry
from fullfield.techniques.base import Effect
from techniques.exactness import built, gradients, reference, worst
from techniques.stepping import go, resumes_bit_for_bit, site, state

OLD, NEW = (7, 5), (8, 0)


@pytest.mark.parametrize("format", ["bf16", "fp16"])
def test_that_maps_are_short_and_what_comes_out_and_the_loss_are_not(format: str) -> None:
    network, x, _ = reference(height=64, width=64, by=1)
    build = built(network.float(), registry.read(f"precision:format={format}"))
    saved: dict[torch.dtype, int] = {}

    def note(tensor: Tensor) -> Tensor:
        if tensor.dim() == 4 and tensor.shape[-1] > 7:  # a map, and no weight
            saved[tensor.dtype] = saved.get(tensor.dtype, 0) + tensor.numel()
        return tensor

    with build.around[0](), torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        prediction = build.chain(x.float())
    short = torch.bfloat16 if format == "bf16" else torch.float16
    assert prediction.dtype == torch.float32
    assert saved[short] > 0.9 * sum(saved.values())
    assert all(parameter.dtype == torch.float32 for parameter in build.network.parameters())


def test_that_the_gradients_of_bf16_point_where_those_of_fp32_do() -> None:
    network, x, y = reference(height=192, width=192, by=1)
    network.float()
    wanted = gradients(built(network), x.float(), y.float())
    found = gradients(built(network, registry.read("precision")), x.float(), y.float())
    one, other = (torch.cat([gradient.flatten() for gradient in each.gradients.values()]) for each in (found, wanted))
    assert torch.nn.functional.cosine_similarity(one, other, dim=0) > 0.6
    assert found.value == pytest.approx(float(wanted.value), rel=0.1)


def squared(prediction: Tensor, wanted: Tensor) -> Tensor:
    return (prediction - wanted).square().mean()


def test_that_fp32_and_on_a_cpu_tf32_change_nothing() -> None:
    network, x, y = reference(height=64, width=64, by=1)
    wanted = gradients(built(network), x, y, squared)
    for format in ("fp32", "tf32"):
        build = built(network, registry.read(f"precision:format={format}"))
        assert worst(gradients(build, x, y, full_precision.protected(squared)), wanted) < 1e-13


@pytest.mark.parametrize(("format", "scaled"), [("fp16", True), ("bf16", False), ("tf32", False), ("fp32", False)])
def test_that_the_loss_is_scaled_for_fp16_whose_small_gradients_would_be_zero_and_for_no_other(
    format: str, scaled: bool
) -> None:
    assert (state(f"precision:format={format}").build.scaler is not None) is scaled


def test_that_it_learns_in_bf16() -> None:
    found = go(state("precision"), 5)
    assert found[-1].loss < 0.8 * found[0].loss


@pytest.mark.parametrize("format", ["bf16", "fp16"])
def test_that_a_restored_training_goes_on_bit_for_bit(format: str) -> None:
    resumes_bit_for_bit(f"precision:format={format}", steps=1)


def test_that_tf32_is_on_throughout_a_step_off_in_the_loss_and_off_afterwards() -> None:
    seen: list[tuple[str, bool]] = []

    def allowed() -> bool:
        return torch.backends.cudnn.allow_tf32

    def structure(one: Tensor, other: Tensor) -> Tensor:
        seen.append(("loss", allowed()))
        value = (one - other).square().mean()
        value.register_hook(lambda _: seen.append(("loss backward", allowed())))
        return value

    with full_precision.tf32(allowed=False):
        fast = state("precision:format=tf32")
        fast.build.structure = full_precision.protected(structure)
        next(fast.network.parameters()).register_hook(lambda _: seen.append(("backward", allowed())))
        go(fast, 1)
        assert seen == [("loss", False), ("loss backward", False), ("backward", True)]
        assert not allowed()


@pytest.mark.parametrize(
    ("format", "kind", "capability", "possible"),
    [
        ("bf16", "cuda", NEW, True),
        ("bf16", "cuda", OLD, False),
        ("fp16", "cuda", OLD, True),
        ("tf32", "cuda", NEW, True),
        ("tf32", "cuda", OLD, False),
        ("tf32", "cpu", (0, 0), False),
        ("fp32", "cpu", (0, 0), True),
        ("bf16", "cpu", (0, 0), True),
    ],
)
def test_that_the_units_of_a_device_decide(format: str, kind: str, capability: tuple[int, int], possible: bool) -> None:
    found = registry.read(f"precision:format={format}").refuse(site(kind, capability))
    assert (found is None) == possible


def test_that_a_cpu_without_units_is_refused() -> None:
    from dataclasses import replace

    able = site()
    slow = replace(able, devices=tuple(replace(card, slow=("bf16", "fp16")) for card in able.devices))
    reason = registry.read("precision").refuse(slow)
    assert reason is not None and "no bf16 units" in reason.text
    assert here._slow_on_the_cpu({"avx2": True}) == ("bf16", "fp16")
    assert here._slow_on_the_cpu({"amx_tile": True, "avx512_bf16": True}) == ("fp16",)


@pytest.mark.parametrize(("tile", "short", "slow"), [(True, False, ("fp16",)), (False, False, ("bf16", "fp16"))])
def test_that_torch_without_a_list_of_a_cpus_units_is_asked_for_each(
    monkeypatch: pytest.MonkeyPatch, tile: bool, short: bool, slow: tuple[str, ...]
) -> None:
    """Torch 2.10 has none."""
    old = SimpleNamespace(
        _is_amx_tile_supported=lambda: tile,
        _is_amx_fp16_supported=lambda: False,
        _is_avx512_bf16_supported=lambda: short,
    )
    device = devices.choose("cpu")
    monkeypatch.setattr(torch, "cpu", old)
    assert here.card(device).slow == slow


def test_that_fp32_alone_is_exact() -> None:
    effects = {f: compose.effect(compose.read([f"precision:format={f}"]), site()) for f in ("fp32", "tf32", "bf16")}
    assert effects == {"fp32": Effect.EXACT, "tf32": Effect.APPROXIMATE, "bf16": Effect.APPROXIMATE}


def test_that_the_format_of_maps_is_predicted() -> None:
    before = MemoryEstimate(shape=Shape(height=64, width=64))
    assert registry.read("precision").predict(before, site("cuda", NEW)).precision == "bf16"


@pytest.mark.parametrize("format", ["fp32", "tf32", "bf16", "fp16"])
def test_that_a_card_says_that_its_time_is_not_known_and_a_cpu_has_a_measured_one(format: str) -> None:
    before = MemoryEstimate(shape=Shape(height=64, width=64))
    there, here = (registry.read(f"precision:format={format}").predict(before, one) for one in (site("cuda"), site()))
    assert bool(there.notes) == (format != "fp32") and not here.notes
    assert (here.time < 1) == (format == "bf16")
