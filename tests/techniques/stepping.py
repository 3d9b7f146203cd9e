"""Real optimizer steps with techniques on a small network: what tests of optimizers and formats share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from fullfield.data.loader import Batch
from fullfield.memory.account import Shape
from fullfield.memory.costs import Costs, Facts
from fullfield.model import network as networks
from fullfield.model.chain import Chain
from fullfield.model.network import Network, NetworkSpec
from fullfield.model.phantom import phantom
from fullfield.techniques import compose
from fullfield.techniques.build import Build
from fullfield.techniques.site import Card, Site
from fullfield.train.state import Progress, State
from fullfield.train.step import Step, train_step
from fullfield.train.update import Update

WEIGHTS = 57_287_748  # bytes of resnet18's network
LARGEST = 512 * 512 * 3 * 3 * 4  # of its largest weight, a convolution of the deepest layer
SIDE = 96  # mirrored up to what MS-SSIM needs


def batch(count: int = 1, dtype: torch.dtype = torch.float32) -> Batch:
    """Phantoms, and the same through a gradation."""
    x = torch.stack([torch.from_numpy(phantom(SIDE, SIDE, seed=seed))[None] for seed in range(count)]).to(dtype)
    return Batch(x_NCHW=x, y_NCHW=x.sqrt(), shapes=((SIDE, SIDE),) * count)


def state(*techniques: str, dtype: torch.dtype = torch.float32) -> State:
    """A seeded network of two hidden layers, one of which has weights enough to be quantized; no step made yet."""
    torch.manual_seed(0)
    network = nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(),
        nn.Conv2d(32, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(),
        nn.Conv2d(32, 1, 3, padding=1), nn.Sigmoid(),
    ).to(dtype)  # fmt: skip
    build = Build(network=cast(Network, network), device=torch.device("cpu"), chain=cast(Chain, network))
    compose.apply(compose.read(techniques), build)
    return State(build=build, update=Update(build), progress=Progress(), threads=1, data="", start="")


def go(one: State, count: int, images: Batch | None = None, *, rate: float = 0.01) -> list[Step]:
    """`count` steps."""
    images = images or batch()
    return [train_step(one.build, one.update, images, loss="ms_ssim", l1=False, rate=rate) for _ in range(count)]


def copied(one: State) -> dict[str, Tensor]:
    """All tensors of a state, as they are now."""
    return {name: value.clone() for name, value in one.tensors().items()}


def equal(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    """Bit for bit."""
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def resumes_bit_for_bit(*techniques: str, steps: int = 2, rate: float = 0.01) -> None:
    """Assert that a training that is saved and restored goes on as if it had not been."""
    images = batch(2 if "accumulate" in techniques else 1)
    whole = state(*techniques)
    go(whole, steps, images, rate=rate)
    saved = copied(whole), whole.fields()
    go(whole, steps, images, rate=rate)
    resumed = state(*techniques)
    resumed.restore(*saved)
    assert equal(resumed.tensors(), saved[0])
    go(resumed, steps, images, rate=rate)
    assert equal(whole.tensors(), resumed.tensors())


def operations(update: Callable[[], object]) -> int:
    """How many operations `update` asks of the device: a kernel each, views left out."""
    with _Counted() as counted:
        update()
    return counted.count


class _Counted(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += not (func.is_view or func is torch.ops.aten.detach.default)
        return func(*args, **(kwargs or {}))


def site(kind: str = "cpu", capability: tuple[int, int] = (0, 0), **changes: object) -> Site:
    """A machine with one device, and resnet18's weights known."""
    card = Card(kind=kind, title="a device", total_bytes=1 << 33, free_bytes=1 << 33, capability=capability)
    values = {
        "devices": (card,),
        "shape": Shape(height=SIDE, width=SIDE, encoder="resnet18"),
        "costs": Costs(Facts(weights={"all": WEIGHTS}, buffers=0, largest=LARGEST)),
        **changes,
    }
    return Site(**values)  # type: ignore[arg-type]


def whole_network() -> Network:
    """resnet18's network with PyTorch's initial weights."""
    torch.manual_seed(0)
    return networks.build(NetworkSpec(encoder="resnet18")).train()
