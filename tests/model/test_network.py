"""The chain of stages against smp's own U-Net."""

from __future__ import annotations

import copy
import functools
import weakref
from collections.abc import Callable

import pytest
import segmentation_models_pytorch as smp
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from fullfield.model.card import ENCODERS, FULL_HALO, NetworkSpec
from fullfield.model.network import STAGES, Network, build, from_smp, to_smp


def both(encoder: str) -> tuple[Network, nn.Module]:
    """Our network and smp's with the same weights."""
    return copy.deepcopy(_both(encoder))


@functools.cache
def _both(encoder: str) -> tuple[Network, nn.Module]:
    torch.manual_seed(5)
    ours = build(NetworkSpec(encoder=encoder))
    theirs = smp.Unet(encoder, encoder_weights=None, in_channels=1, classes=1, activation="sigmoid")
    theirs.load_state_dict(to_smp(ours.state_dict(), ours.spec.encoder), strict=True)
    return ours, theirs


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("mode", [True, False], ids=["training", "evaluation"])
def test_that_the_stages_compute_what_smps_unet_computes(encoder: str, mode: bool) -> None:
    ours, theirs = both(encoder)
    x = torch.rand(2, 1, 64, 96)
    wanted, got = theirs.train(mode)(x), ours.train(mode)(x)
    assert torch.equal(got, wanted)
    assert got.min() >= 0 and got.max() <= 1


def test_that_the_gradients_are_those_of_smps_unet() -> None:
    ours, theirs = both("resnet18")
    x = torch.rand(1, 1, 64, 64)
    for network in (ours, theirs):
        network(x).square().mean().backward()
    wanted = {name: parameter.grad for name, parameter in theirs.named_parameters()}
    made = {name: parameter.grad for name, parameter in ours.named_parameters() if parameter.grad is not None}
    got = to_smp(made, "resnet18")
    assert got.keys() == wanted.keys()
    assert all(torch.equal(got[name], wanted[name]) for name in wanted)


def test_that_names_travel_to_smp_and_back() -> None:
    ours, theirs = both("resnet18")
    assert from_smp(theirs.state_dict(), "resnet18").keys() == ours.state_dict().keys()
    assert from_smp(to_smp(ours.state_dict(), "resnet18"), "resnet18").keys() == ours.state_dict().keys()


class Recomputed(nn.Module):
    """A stage that forgets what it computed until the backward pass."""

    def __init__(self, stage: nn.Module) -> None:
        super().__init__()
        self.stage = stage

    def forward(self, *taken: Tensor) -> Tensor:
        result: Tensor = checkpoint(self.stage, *taken, use_reentrant=False)
        return result


def test_that_any_stage_can_be_wrapped_from_outside() -> None:
    network = build(NetworkSpec(encoder="resnet18")).eval()
    x = torch.rand(1, 1, 32, 32)
    wanted = network(x)
    for name in STAGES:
        network.stages[name] = Recomputed(network.stages[name])
    assert torch.equal(network(x), wanted)


def test_that_no_map_is_kept_longer_than_it_is_needed() -> None:
    network = build(NetworkSpec(encoder="resnet18")).eval()
    made: dict[str, weakref.ref[Tensor]] = {}
    at_d3: set[str] = set()

    def remember(name: str) -> Callable[[nn.Module, tuple[Tensor, ...], Tensor], None]:
        return lambda _, taken, result: made.update({name: weakref.ref(result)})

    for name, stage in network.stages.items():
        stage.register_forward_hook(remember(name))
    network.stages["d3"].register_forward_pre_hook(
        lambda _, taken: at_d3.update(name for name, map_ in made.items() if map_() is not None)
    )
    with torch.inference_mode():
        network(torch.rand(1, 1, 32, 32))
    assert at_d3 == {"stem", "layer1", "d2"}


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_that_head_and_sigmoid_stay_in_fp32_under_autocast(dtype: torch.dtype) -> None:
    network = build(NetworkSpec(encoder="resnet18")).eval()
    seen: list[torch.dtype] = []

    def note(_: nn.Module, taken: tuple[Tensor, ...], result: Tensor) -> None:
        seen.extend((taken[0].dtype, result.dtype))

    network.stages["head"].conv.register_forward_hook(note)
    with torch.inference_mode(), torch.autocast("cpu", dtype=dtype):
        assert network(torch.rand(1, 1, 32, 32)).dtype == torch.float32
    assert seen == [torch.float32, torch.float32]


def test_that_the_network_can_be_built_and_measured_without_memory() -> None:
    with torch.device("meta"):
        network = build(NetworkSpec())
        result = network(torch.empty(1, 1, 4288, 4288))
    assert result.shape == (1, 1, 4288, 4288)
    assert sum(parameter.numel() for parameter in network.parameters()) == 24_430_097


@pytest.mark.parametrize("make", [lambda: NetworkSpec(encoder="vgg16"), lambda: NetworkSpec(encoder="")])
def test_that_another_encoder_is_refused(make: Callable[[], NetworkSpec]) -> None:
    with pytest.raises(ValueError, match="wanted one of"):
        make()


@pytest.mark.parametrize("encoder", ENCODERS)
def test_that_the_whole_reach_of_an_output_pixel_lies_within_the_full_halo(encoder: str) -> None:
    halo = FULL_HALO[encoder]
    network = build(NetworkSpec(encoder=encoder)).eval().double()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.fill_(1e-3)  # all positive: nothing cancels, every path shows
    x = torch.rand(1, 1, 32, 2 * halo + 64, dtype=torch.float64, requires_grad=True)
    logits: list[Tensor] = []
    network.stages["head"].conv.register_forward_hook(lambda _, taken, result: logits.append(result))
    network(x)
    reach = 0
    for pixel in (halo, halo + 31):
        (gradient,) = torch.autograd.grad(logits[0][0, 0, 16, pixel], x, retain_graph=True)
        touched = gradient[0, 0].abs().sum(dim=0).nonzero().flatten()
        reach = max(reach, pixel - int(touched[0]), int(touched[-1]) - pixel)
    assert halo - 64 < reach <= halo
