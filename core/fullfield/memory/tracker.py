"""Which storages are alive after every operation: a dispatch mode that follows each from its making to its end.

With tensors that have no values it tells what a step will hold before a byte is taken. It sees what operations return,
not what kernels take for themselves meanwhile: those are in `fullfield.memory.temporaries`, by `operation`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode

from fullfield.bands import rows
from fullfield.bands.host import ledger
from fullfield.memory.costs import Work

aten = torch.ops.aten
_DEVICE = torch.ops.prim.device.default
_WITHOUT_KERNEL = {
    "aten::detach",
    "aten::_unsafe_view",
    "aten::empty",
    "aten::empty_like",
    "aten::empty_strided",
    "aten::new_empty",
    "aten::new_empty_strided",
    "aten::resize_",
    "aten::set_",
    "aten::sym_size",
}
_CONVOLUTIONS = {aten.convolution.default, aten.convolution_backward.default}


@dataclass(frozen=True, kw_only=True)
class Operation:
    """What decides an operation's temporaries: its name; for convolutions weights, stride, padding, wanted outputs.

    `sliced`: which tensors are rows of larger ones (the image; in backward the gradient, then the image), of which
    torch makes copies. `images`: 1, or 2 for any larger batch, for which torch takes other kernels. `pixels`: N·H·W of
    the image, by the square of the stride, which temporaries grow with.
    """

    name: str
    weight: tuple[int, ...] = ()
    stride: int = 1
    padding: tuple[int, ...] = ()
    outputs: tuple[bool, ...] = ()
    dtype: str = ""
    channels_last: bool = False
    channels: int = 0
    sliced: tuple[bool, ...] = ()
    images: int = 1
    pixels: int = 0


@dataclass(frozen=True, kw_only=True)
class Event:
    """After one operation: `live` bytes of all that is followed, and which `watched` storages are alive.

    `gradients`: of the bytes, those of weights' gradients that have been accumulated. `host`: bytes in the host tier.
    """

    live: int
    alive: tuple[bool, ...]
    operation: Operation
    gradients: int = 0
    host: int = 0


class Tracker(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Follows every storage that is made inside it. `events`: one for each operation, in order; `flops`: so far.

    The stand-ins around a part (an empty map, a gradient) start no kernel, so they are not in `work`.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.live = 0
        self.flops = 0
        self._moved = self._starts = 0
        self._host, self._sent = ledger.live, ledger.sent
        self.gradients = 0
        self.events: list[Event] = []
        self._known: dict[int, tuple[weakref.ref[Any], int]] = {}
        self._watched: list[Callable[[], bool]] = []

    @property
    def host(self) -> int:
        """Bytes that have come into the host tier inside it and are there now."""
        return max(0, ledger.live - self._host)

    @property
    def work(self) -> Work:
        """All that has been asked of the device so far."""
        return Work(flops=self.flops, moved=self._moved, starts=self._starts, sent=ledger.sent - self._sent)

    def watch(self, tensors: Sequence[Tensor]) -> None:
        """From now on events say which storages of these tensors are alive. Their bytes stay in `live`."""
        self._watched = [self._alive(tensor) for tensor in tensors]

    def watch_too(self, tensor: Tensor) -> None:
        """Watch one more."""
        self._watched = [*self._watched, self._alive(tensor)]

    def alive(self) -> tuple[bool, ...]:
        """Which watched storages are alive now."""
        return tuple(alive() for alive in self._watched)

    def ignore(self, tensor: Tensor) -> None:
        """Let go of a tensor's storage: it is no longer in `live`."""
        entry = self._known.pop(tensor.untyped_storage()._cdata, None)
        if entry is not None:
            self.live -= entry[1]

    def forget(self) -> None:
        """Let go of all that is followed now."""
        self._known.clear()
        self.live = 0

    def bytes_of(self, tensor: Tensor) -> int:
        """The bytes of its storage that are in `live`; 0 for one that is not followed."""
        entry = self._known.get(tensor.untyped_storage()._cdata)
        return entry[1] if entry is not None else 0

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if func is _DEVICE:  # every look at a fake tensor's device comes by, which are half of all that come
            return args[0].fake_device if isinstance(args[0], FakeTensor) else func(*args)
        taken = _tensors(args, _tensors(list(kwargs.values()), [])) if kwargs else _tensors(args, [])
        given = set(map(_storage, taken))
        form = _ON_META.get(func)
        result = form(*args) if form is not None and args[0].is_meta else NotImplemented
        if result is NotImplemented:
            result = func(*args, **(kwargs or {}))
        new = False
        made = _tensors((result,), [])
        for value in made:
            if _storage(value) not in given:  # a view of a weight is nothing new
                self._follow(value)
                new = True
        if _starts(func):
            self._starts += rows.weight()
            if func not in _CONVOLUTIONS:
                self._moved += rows.weight() * sum(value.numel() * value.itemsize for value in (*taken, *made))
        if not new:  # no more is alive than before it
            return result
        if func in _CONVOLUTIONS:
            self.flops += _flops(func, args, result) * rows.weight()
        operation = _operation(func, args)
        event = Event(live=self.live, alive=self.alive(), operation=operation, gradients=self.gradients, host=self.host)
        self.events.append(event)
        return result

    def _follow(self, tensor: Tensor) -> None:
        storage = tensor.untyped_storage()
        key, count = storage._cdata, storage.nbytes()
        known = self._known.get(key)
        if known is not None and known[0]() is not None:
            return

        def ended(reference: object) -> None:
            entry = self._known.get(key)
            if entry is not None and entry[0] is reference:
                del self._known[key]
                self.live -= count

        self._known[key] = (weakref.ref(storage, ended), count)
        self.live += count

    def _alive(self, tensor: Tensor) -> Callable[[], bool]:
        reference = weakref.ref(tensor.untyped_storage())
        return lambda: reference() is not None


def _batch_norm(x_NCHW: Tensor, *rest: Any) -> tuple[Tensor | None, ...]:
    """`rest`: weight, bias, running mean and variance, whether the batch's statistics are taken (and kept), …"""
    kept = (_statistic(x_NCHW, wanted=bool(rest[4])) for _ in range(2))
    return torch.empty_like(x_NCHW), *kept


def _batch_norm_backward(g_NCHW: Tensor, x_NCHW: Tensor, *rest: Any) -> tuple[Tensor | None, ...]:
    """`rest`: …, which gradients are wanted: of image, weight, bias."""
    of_image, *others = rest[-1]
    gradients = (_statistic(x_NCHW, wanted=True) if wanted else None for wanted in others)
    return torch.empty_like(x_NCHW) if of_image else None, *gradients


def _statistic(x_NCHW: Tensor, *, wanted: bool) -> Tensor:
    dtype = torch.float64 if x_NCHW.dtype == torch.float64 else torch.float32
    return x_NCHW.new_empty(x_NCHW.shape[1] if wanted else 0, dtype=dtype)


def _elementwise(one: Tensor, other: Any) -> Tensor:
    """Of two tensors that lie alike, or of a tensor and a number; NotImplemented of any others."""
    if isinstance(other, Tensor):
        alike = one.dtype == other.dtype and one.shape == other.shape and one.stride() == other.stride()
    else:
        alike = one.is_floating_point() and isinstance(other, int | float)
    return torch.empty_like(one) if alike else NotImplemented


_ELEMENTWISE = (aten.add, aten.sub, aten.mul, aten.div)
_ON_META: dict[Any, Callable[..., Any]] = {
    **{operation.Tensor: _elementwise for operation in _ELEMENTWISE},
    aten.native_batch_norm.default: _batch_norm,
    aten.native_batch_norm_backward.default: _batch_norm_backward,
}
"""Forms of what torch's meta device computes with shapes, step by step: that takes as long as all else together."""


@cache
def _starts(func: Any) -> bool:
    """Whether it starts a kernel on a card: it is no view, no mark of the profiler, and does more than find memory."""
    name = func._schema.name
    return not func.is_view and name not in _WITHOUT_KERNEL and not name.startswith("profiler::")


def _tensors(values: Sequence[Any], found: list[Tensor]) -> list[Tensor]:
    """`found`, with the tensors among `values` and in lists of them: a tenth of the time of torch's search of trees."""
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, list | tuple):
            _tensors(value, found)
    return found


def _storage(tensor: Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def _flops(func: Any, args: tuple[Any, ...], result: Any) -> int:
    backward = func is aten.convolution_backward.default
    out, weight = (args[0], args[2]) if backward else (result, args[1])
    runs = sum(map(bool, args[10][:2])) if backward else 1
    return 2 * int(out.numel()) * int(weight[0].numel()) * runs


def _operation(func: Any, args: tuple[Any, ...]) -> Operation:
    if func not in _CONVOLUTIONS:
        first = next((value for value in args if isinstance(value, Tensor)), None)
        if first is None or first.dim() != 4:
            return Operation(name=func._schema.name)
        return Operation(
            name=func._schema.name,
            dtype=str(first.dtype).removeprefix("torch."),
            channels=first.shape[1],
            images=min(2, first.shape[0]),
            pixels=first.numel() // max(1, first.shape[1]),
            outputs=tuple(args[-1]) if func is aten.native_batch_norm_backward.default else (),
            channels_last=_channels_last(first),
        )
    backward = func is aten.convolution_backward.default
    image, weight = (args[1], args[2]) if backward else (args[0], args[1])
    stride, padding = args[4:6] if backward else args[3:5]
    return Operation(
        name=func._schema.name,
        weight=tuple(weight.shape),
        stride=stride[0],
        padding=tuple(padding),
        outputs=tuple(map(bool, args[10][:2])) if backward else (),
        dtype=str(image.dtype).removeprefix("torch."),
        channels_last=_channels_last(image) or _channels_last(weight),
        sliced=tuple(map(_sliced, (args[0], image) if backward else (image,))),
        images=min(2, image.shape[0]),
        pixels=image.numel() // max(1, image.shape[1]) // stride[0] ** 2,
    )


def _sliced(tensor: Tensor) -> bool:
    return not tensor.is_contiguous() and not tensor.is_contiguous(memory_format=torch.channels_last)


def _channels_last(tensor: Tensor) -> bool:
    return tensor.is_contiguous(memory_format=torch.channels_last) and not tensor.is_contiguous()
