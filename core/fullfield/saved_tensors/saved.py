"""What becomes of the tensors that autograd saves between forward and backward: hooks around forward and loss.

Every storage is kept once, however many operations save it or views of it, for as long as one of them may ask for it;
each operation gets it back as its own tensor with its own shape and strides. Parameters and buffers stay what they
are: they are alive anyway. How a storage is kept is a `Keeper`'s business.
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensor


class Kept(ABC):
    """The values of one storage, kept some other way."""

    @abstractmethod
    def take(self) -> Tensor:
        """All values, 1-D, in a tensor that nobody else has."""

    @abstractmethod
    def fetch(self) -> None:
        """Prepare for a `take` that comes soon."""


class Keeper(ABC):
    """A way to keep storages, for one step. `ahead`: how many are fetched before they are asked for."""

    ahead: int = 0

    @abstractmethod
    def wants(self, tensor: Tensor) -> bool:
        """Whether a saved tensor is kept this way; else it is left to autograd."""

    @abstractmethod
    def keep(self, values: Tensor) -> Kept:
        """`values`: a whole storage, 1-D."""

    @abstractmethod
    def settle(self) -> None:
        """A part of the step is over."""


def found(tensor: Tensor) -> Kept | None:
    """How the step that is open keeps the storage of `tensor`; None where it leaves it to autograd."""
    hooks = _open.get()
    return hooks.found(tensor) if hooks is not None else None


def keep(tensor: Tensor) -> Kept:
    """The storage of `tensor` as the step that is open keeps it, as though an operation had saved it."""
    hooks = _open.get()
    assert hooks is not None
    return hooks.keep(tensor)


class Saving:
    """Keepers, one for each step. `network`: parameters and buffers that stay as they are; `make`: makes a keeper."""

    def __init__(self, network: nn.Module, make: Callable[[], Keeper]) -> None:
        self._network, self._make = network, make
        self._hooks: _Hooks | None = None

    @contextmanager
    def step(self) -> Iterator[None]:
        """Around forward and loss: what `Build.around` wants."""
        self._hooks = _Hooks(self._make(), self._network)
        token = _open.set(self._hooks)
        try:
            with torch.autograd.graph.saved_tensors_hooks(self._hooks.pack, self._hooks.unpack):
                yield
        finally:
            _open.reset(token)
            self._hooks.begin()
            self._hooks = None

    def apart(self, run: Callable[..., Tensor]) -> Callable[..., Tensor]:
        """`run`, with what it saves sent away before anything else runs, and fetched no earlier than it is its turn.

        So a part takes in the whole step what it takes alone.
        """

        def alone(*maps: Tensor) -> Tensor:
            hooks = self._hooks
            if hooks is not None:
                hooks.begin()
            made = run(*maps)
            if hooks is not None:
                hooks.begin()
            return made

        return alone


@dataclass(frozen=True, kw_only=True)
class _View:
    """What an operation saved: a place in a kept storage. `number`: in the order of saving, in which the part of the
    step that saved it began with `first`.
    """

    kept: Kept
    number: int
    first: int
    shape: torch.Size
    strides: tuple[int, ...]
    offset: int


_Key = tuple[int, torch.dtype, int]


def _key(tensor: Tensor) -> _Key:
    return tensor.untyped_storage()._cdata, tensor.dtype, tensor._version


class _Hooks:
    """The hooks of one step."""

    def __init__(self, keeper: Keeper, network: nn.Module) -> None:
        self._keeper = keeper
        own = [*network.parameters(), *network.buffers()]
        self._own = {tensor.untyped_storage()._cdata for tensor in own}
        # Autocast saves copies of weights in half precision: they are no maps, and count like the weights.
        self._own_shapes = {tensor.shape for tensor in own}
        # By storage, type and version. Two things must be alive for a second look: what was kept, and the storage
        # itself, for its address may be another's later.
        self._kept: weakref.WeakValueDictionary[_Key, Kept] = weakref.WeakValueDictionary()
        self._storages: dict[_Key, weakref.ref[torch.UntypedStorage]] = {}
        self._order: list[weakref.ref[Kept]] = []
        self._first = 0

    def begin(self) -> None:
        """A part of the step begins, or the last one has ended."""
        self._first = len(self._order)
        self._keeper.settle()

    def found(self, tensor: Tensor) -> Kept | None:
        """How the storage of `tensor` is kept; None where it is not."""
        key = _key(tensor)
        kept = self._kept.get(key)
        return kept if kept is not None and self._storages[key]() is tensor.untyped_storage() else None

    def keep(self, tensor: Tensor) -> Kept:
        """The storage of `tensor`, kept."""
        kept = self.found(tensor)
        if kept is None:
            storage, key = tensor.untyped_storage(), _key(tensor)
            with torch.no_grad():
                count = storage.nbytes() // tensor.element_size()
                kept = self._keeper.keep(tensor.detach().as_strided((count,), (1,), 0))
            self._kept[key], self._storages[key] = kept, weakref.ref(storage)
        return kept

    def pack(self, tensor: Tensor) -> Tensor | _View:
        """The tensor itself, or where it is kept."""
        if not self._is_map(tensor) or not self._keeper.wants(tensor):
            return tensor
        kept = self.keep(tensor)
        self._order.append(weakref.ref(kept))
        return _View(
            kept=kept,
            number=len(self._order) - 1,
            first=self._first,
            shape=tensor.shape,
            strides=tensor.stride(),
            offset=int(tensor.storage_offset()),
        )

    def unpack(self, saved: Tensor | _View) -> Tensor:
        """What was saved, or what came of it."""
        if isinstance(saved, Tensor):
            return saved
        with torch.no_grad():
            values = saved.kept.take()
            for earlier in reversed(self._order[max(saved.first, saved.number - self._keeper.ahead) : saved.number]):
                kept = earlier()  # backward asks for the last one first
                if kept is not None:
                    kept.fetch()
            return values.as_strided(saved.shape, saved.strides, saved.offset)

    def _is_map(self, tensor: Tensor) -> bool:
        return (
            type(tensor) in (Tensor, FakeTensor)
            and tensor.is_floating_point()
            and tensor.untyped_storage()._cdata not in self._own
            and tensor.shape not in self._own_shapes
        )


_open: ContextVar[_Hooks | None] = ContextVar("open", default=None)
