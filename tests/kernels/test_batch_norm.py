"""BatchNorm by hand against nn.BatchNorm2d."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from fullfield.kernels import batch_norm, batch_norm_backward


def _layer(
    *, momentum: float | None = 0.1, training: bool = True, dtype: torch.dtype = torch.float64
) -> nn.BatchNorm2d:
    torch.manual_seed(1)
    bn = nn.BatchNorm2d(5, momentum=momentum).to(dtype)
    nn.init.uniform_(bn.weight, 0.5, 1.5)
    nn.init.uniform_(bn.bias, -0.3, 0.3)
    assert bn.running_mean is not None and bn.running_var is not None
    nn.init.uniform_(bn.running_mean, -1, 1)
    nn.init.uniform_(bn.running_var, 0.5, 2)
    return bn.train(training)


def _map(*, batch: int = 2, dtype: torch.dtype = torch.float64, seed: int = 2) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return (3 + 2 * torch.randn(batch, 5, 13, 7, generator=generator, dtype=torch.float64)).to(dtype)


def _by_hand(bn: nn.BatchNorm2d, z: Tensor, g: Tensor, *, relu: bool) -> tuple[Tensor, ...]:
    weight, bias = bn.weight.detach(), bn.bias.detach()
    statistics = batch_norm.measured(bn, z)
    y = batch_norm.normalised(z, weight, bias, statistics, relu=relu)
    found = batch_norm_backward.sums(z, g, weight, bias, statistics, relu=relu)
    along = batch_norm_backward.line(weight, statistics, found)
    dz = batch_norm_backward.backward_(z, g.clone(), weight, bias, statistics, along, relu=relu)
    return y, dz, found.weight_C.to(weight), found.bias_C.to(weight)


def _by_torch(bn: nn.BatchNorm2d, z: Tensor, g: Tensor, *, relu: bool) -> tuple[Tensor, ...]:
    z = z.clone().requires_grad_()
    y = bn(z).relu() if relu else bn(z)
    return (y.detach(), *torch.autograd.grad(y, (z, bn.weight, bn.bias), g))


def _distance(one: Tensor, other: Tensor) -> float:
    return float((one - other).norm() / other.norm())


@pytest.mark.parametrize("relu", [True, False])
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("batch", [1, 2])
def test_that_values_gradients_and_running_statistics_are_those_of_torch(
    monkeypatch: pytest.MonkeyPatch, relu: bool, training: bool, batch: int
) -> None:
    monkeypatch.setattr(batch_norm, "CHUNK", 150)  # so that a map of this size is several chunks
    bn, z, g = _layer(training=training), _map(batch=batch), _map(batch=batch, seed=3)
    other = copy.deepcopy(bn)
    for mine, theirs in zip(_by_hand(bn, z, g, relu=relu), _by_torch(other, z, g, relu=relu), strict=True):
        assert _distance(mine, theirs) < 1e-13
    for mine, theirs in zip(bn.buffers(), other.buffers(), strict=True):
        assert torch.allclose(mine, theirs, rtol=1e-13, atol=0)
    assert torch.equal(bn.num_batches_tracked, other.num_batches_tracked)


def test_that_without_a_momentum_the_running_statistics_are_the_mean_of_all_batches() -> None:
    bn = _layer(momentum=None)
    other = copy.deepcopy(bn)
    for seed in (4, 5, 6):
        batch_norm.measured(bn, _map(seed=seed))
        other(_map(seed=seed))
    for mine, theirs in zip(bn.buffers(), other.buffers(), strict=True):
        assert torch.allclose(mine, theirs, rtol=1e-13, atol=0)


def test_that_moments_of_bands_merge_to_those_of_the_map() -> None:
    z = _map()
    parts = [batch_norm.moments(z[:, :, first:last]) for first, last in ((0, 1), (1, 8), (8, 13))]
    merged = batch_norm.merged(batch_norm.merged(parts[0], parts[1]), parts[2])
    whole = batch_norm.moments(z)
    assert merged.count == whole.count == 2 * 13 * 7
    assert all(_distance(one, other) < 1e-14 for one, other in zip(merged.whole, whole.whole, strict=True))


@pytest.mark.parametrize("half", [torch.bfloat16, torch.float16])
def test_that_half_precision_maps_are_normalised_as_torch_does_with_statistics_in_fp32(half: torch.dtype) -> None:
    bn, z, g = _layer(dtype=torch.float32), _map(dtype=half), _map(dtype=half, seed=3)
    other = copy.deepcopy(bn)
    mine, theirs = _by_hand(bn, z, g, relu=True), _by_torch(other, z, g, relu=True)
    assert mine[0].dtype == mine[1].dtype == half and mine[2].dtype == torch.float32
    assert all(_distance(one.float(), two.float()) < 1e-2 for one, two in zip(mine, theirs, strict=True))
    assert torch.allclose(bn.running_var, other.running_var, rtol=1e-5)  # type: ignore[arg-type]


def test_that_channels_last_maps_stay_so() -> None:
    bn = _layer()
    z = _map().to(memory_format=torch.channels_last)
    y, dz, *_ = _by_hand(bn, z, _map(seed=3).to(memory_format=torch.channels_last), relu=True)
    assert y.is_contiguous(memory_format=torch.channels_last) and dz.is_contiguous(memory_format=torch.channels_last)
    assert _distance(y, _by_torch(_layer(), z, z, relu=True)[0]) < 1e-13


def test_that_a_single_value_per_channel_is_refused_in_training_alone() -> None:
    point = torch.zeros(1, 5, 1, 1, dtype=torch.float64)
    with pytest.raises(ValueError, match="more than 1 value"):
        batch_norm.measured(_layer(), point)
    assert batch_norm.measured(_layer(training=False), point).fixed


def test_that_moments_of_bands_are_merged_without_a_product_of_matrices_for_which_a_card_would_keep_a_workspace() -> (
    None
):
    called: list[str] = []

    class Listening(TorchDispatchMode):
        def __torch_dispatch__(
            self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
        ) -> Any:
            called.append(func._schema.name.removeprefix("aten::"))
            return func(*args, **(kwargs or {}))

    z = _map()
    bands = [z[:, :, :4], z[:, :, 4:]]
    moments = batch_norm.Moments(
        counts=tuple(band[:, 0].numel() for band in bands),
        means=tuple(band.mean((0, 2, 3)) for band in bands),
        vars=tuple(band.var((0, 2, 3), correction=0) for band in bands),
    )
    with Listening():
        mean, var = moments.whole
    torch.testing.assert_close((mean, var), (z.mean((0, 2, 3)), z.var((0, 2, 3), correction=0)), rtol=1e-12, atol=0)
    assert called and not {"mm", "mv", "dot", "bmm", "addmm", "addmv"} & set(called)
