"""Parts that are run twice: the second run makes the values of the first, and no statistic moves twice."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from fullfield.model.chain import Part
from fullfield.model.network import Layer
from fullfield.recomputation import replay

Run = Callable[[Tensor], Tensor]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


class Small(nn.Module):
    """Two convolutions with BatchNorm and ReLU in place, as in a residual block."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4)
        self.conv2, self.bn2 = nn.Conv2d(4, 3, 3, padding=1, bias=False), nn.BatchNorm2d(3)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        y += x
        return torch.as_tensor(self.relu(y))


def small(dtype: torch.dtype = torch.float64) -> Small:
    torch.manual_seed(3)
    module = Small().to(dtype)
    for norm in (module.bn1, module.bn2):
        nn.init.uniform_(norm.weight, 0.5, 1.5)
        nn.init.uniform_(norm.bias, -0.3, 0.3)
    return module


def images(batch: int = 2, dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.rand(batch, 3, 8, 10, dtype=dtype, generator=torch.Generator().manual_seed(5))


def step(module: nn.Module, run: Run, x: Tensor) -> dict[str, Tensor]:
    """Output, gradients and buffers after forward and backward of Σ y³."""
    module.zero_grad()
    x = x.clone().requires_grad_()
    y = run(x)
    y.double().pow(3).sum().backward()
    assert x.grad is not None
    gradients = {f"∂{name}": one.grad.clone() for name, one in module.named_parameters() if one.grad is not None}
    return {"y": y.detach(), "∂x": x.grad, **gradients, **{name: one.clone() for name, one in module.named_buffers()}}


def assert_equal(one: dict[str, Tensor], other: dict[str, Tensor], *, most: float = 1e-12) -> None:
    assert one.keys() == other.keys()
    for name, value in other.items():
        assert (one[name].double() - value.double()).norm() <= most * value.double().norm(), name


def nested(module: Small) -> Run:
    return replay.checkpointed(replay.checkpointed(module, [module]), [module])


def once(module: Small) -> Run:
    return replay.checkpointed(module, [module])


@pytest.mark.parametrize("wrap", [once, nested])
@pytest.mark.parametrize("momentum", [0.1, None])
@pytest.mark.parametrize("batch", [1, 2])
def test_that_several_steps_leave_what_plain_steps_leave(
    wrap: Callable[[Small], Run], momentum: float | None, batch: int
) -> None:
    plain = small()
    for norm in (plain.bn1, plain.bn2):
        norm.momentum = momentum
    twice = copy.deepcopy(plain)
    for number in range(3):
        x = images(batch) + number
        assert_equal(step(twice, wrap(twice), x), step(plain, plain, x))
    assert twice.bn1.num_batches_tracked == 3


def test_that_checkpointing_alone_would_update_twice() -> None:
    plain, naive, ours = small(), small(), small()
    step(plain, plain, images())
    step(naive, lambda x: checkpoint(naive, x, use_reentrant=False), images())
    step(ours, once(ours), images())
    assert naive.bn1.num_batches_tracked == 2  # pytorch#96136: what the replay is for
    assert naive.bn1.running_mean is not None and ours.bn1.running_mean is not None
    assert plain.bn1.running_mean is not None
    assert not torch.allclose(naive.bn1.running_mean, plain.bn1.running_mean)
    assert ours.bn1.num_batches_tracked == 1
    assert torch.allclose(ours.bn1.running_mean, plain.bn1.running_mean, rtol=1e-12, atol=0)


def test_that_both_runs_make_the_same_bits() -> None:
    module = small(torch.float32)
    seen: list[Tensor] = []

    def run(x: Tensor) -> Tensor:
        y = torch.as_tensor(module.bn1(module.conv1(x)))
        seen.append(y.detach().clone())
        return module.conv2(y).sin()  # type: ignore[no-any-return]

    step(module, replay.checkpointed(run, [module]), images(dtype=torch.float32))
    assert len(seen) == 2 and torch.equal(*seen)


def test_that_batchnorm_in_eval_mode_is_left_alone() -> None:
    plain = small()
    plain.bn1.eval()
    twice = copy.deepcopy(plain)
    assert_equal(step(twice, once(twice), images()), step(plain, plain, images()))
    assert twice.bn1.num_batches_tracked == 0 and twice.bn2.num_batches_tracked == 1


def test_that_a_module_may_be_called_twice_in_a_part() -> None:
    plain, twice = small(), small()
    assert_equal(
        step(twice, replay.checkpointed(lambda x: twice(twice(x)), [twice]), images()),
        step(plain, lambda x: torch.as_tensor(plain(plain(x))), images()),
    )


def test_that_backward_can_be_run_again_on_a_kept_graph() -> None:
    plain, twice = small(), small()
    for run in (plain, nested(twice)):
        loss = run(images()).pow(3).sum()
        loss.backward(retain_graph=True)
        loss.backward()
    for one, other in zip(twice.parameters(), plain.parameters(), strict=True):
        assert one.grad is not None and other.grad is not None
        assert torch.allclose(one.grad, other.grad, rtol=1e-12, atol=1e-14)
    assert twice.bn1.num_batches_tracked == 1


def test_that_a_part_that_raised_leaves_its_modules_as_they_were() -> None:
    module = small()

    def fails(x: Tensor) -> Tensor:
        module(x)
        raise MemoryError

    with pytest.raises(MemoryError):
        replay.checkpointed(replay.checkpointed(fails, [module]), [module])(images())
    assert "forward" not in vars(module.bn1)
    plain = copy.deepcopy(module)
    assert_equal(step(module, once(module), images()), step(plain, plain, images()))


def test_that_names_and_state_stay_as_they_are() -> None:
    module = small()
    names = list(module.state_dict())
    during: list[list[str]] = []

    def run(x: Tensor) -> Tensor:
        during.append(list(module.state_dict()))
        return torch.as_tensor(module(x))

    step(module, replay.checkpointed(run, [module]), images())
    assert during == [names, names] and list(module.state_dict()) == names
    assert not {"forward"} & {*vars(module.bn1), *vars(module.bn2)}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_that_autocast_of_the_first_run_holds_in_the_second(dtype: torch.dtype) -> None:
    plain, twice = small(torch.float32), small(torch.float32)
    found = []
    for module, run in ((twice, once(twice)), (plain, plain)):

        def cast(x: Tensor, run: Run = run) -> Tensor:
            with torch.autocast("cpu", dtype, enabled=dtype == torch.bfloat16):
                return run(x)

        found.append(step(module, cast, images(dtype=torch.float32)))
    # In bf16 a value whose rounding differs may flip a ReLU: the plain step's own distance to fp32 is larger.
    assert_equal(found[0], found[1], most=1e-5 if dtype == torch.float32 else 3e-2)


@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last])
def test_that_the_layout_of_maps_stays(layout: torch.memory_format) -> None:
    plain, twice = small(), small()
    x = images().contiguous(memory_format=layout)
    plain.to(memory_format=layout)  # type: ignore[call-overload]
    twice.to(memory_format=layout)  # type: ignore[call-overload]
    one, other = step(twice, once(twice), x), step(plain, plain, x)
    assert one["y"].is_contiguous(memory_format=layout)
    assert_equal(one, other)


def test_that_a_frozen_weight_gets_no_gradient() -> None:
    plain, twice = small(), small()
    for module in (plain, twice):
        module.bn1.weight.requires_grad_(False)
        module.bn2.bias.requires_grad_(False)
    one, other = step(twice, once(twice), images()), step(plain, plain, images())
    assert "∂bn1.weight" not in one
    assert_equal(one, other)


def test_that_several_parts_are_run_as_one_and_drop_what_is_spent() -> None:
    torch.manual_seed(0)
    convs = [nn.Conv2d(3, 3, 3, padding=1).double() for _ in range(3)]
    takes = {"a": ("x",), "b": ("a", "y"), "c": ("b", "x")}
    parts = [
        Part(name=name, takes=takes[name], stages=(), run=lambda *maps, conv=conv: conv(sum(maps)))
        for name, conv in zip(takes, convs, strict=True)
    ]
    x, y = images(), images() + 1
    a = convs[0](x)
    wanted = convs[2](convs[1](a + y) + x)
    assert torch.equal(replay.one_after_another(parts, ("x", "y"))(x, y), wanted)


def test_that_a_layer_in_blocks_pools_once_and_is_exact() -> None:
    def layer() -> Layer:
        return Layer(nn.Sequential(small(), small(), small()), pool=True).double()

    plain, twice = layer(), layer()
    assert_equal(step(twice, replay.in_blocks(twice), images()), step(plain, plain, images()))


def test_that_nothing_but_what_a_part_takes_is_kept_between_forward_and_backward() -> None:
    module = small()
    kept: list[int] = []

    def pack(x: Tensor) -> Tensor:
        kept.append(x.untyped_storage().data_ptr())
        return x

    x = images().requires_grad_()
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda one: one):
        once(module)(x)
    assert set(kept) <= {x.untyped_storage().data_ptr()}
