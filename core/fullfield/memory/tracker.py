"""Which storages are alive after every operation: a dispatch mode that follows each from its making to its end.

With tensors that have no values it tells what a step will hold before a byte is taken. It sees what operations return,
not what kernels take for themselves meanwhile: those are in `fullfield.memory.temporaries`, by `operation`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode

from fullfield.host_tier.host import ledger
from fullfield.kernels import rows
from fullfield.memory import forms
from fullfield.memory.costs import Work
from fullfield.memory.operations import Operation

_DEVICE = torch.ops.prim.device.default


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

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Torch's guard of every call against its compiler costs as much as the call, and nothing is compiled here."""
        return False

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
        result, made, effect = forms.run(func, args, kwargs or {})
        weight = rows.weight()
        self._starts += effect.starts * weight
        self._moved += effect.moved * weight
        if effect.operation is None:  # no more is alive than before it
            return result
        for value in made:
            self._follow(value)
        self.flops += effect.flops * weight
        self.events.append(
            Event(
                live=self.live,
                alive=self.alive(),
                operation=effect.operation,
                gradients=self.gradients,
                host=self.host,
            )
        )
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
