"""torch's autocast, and what stands for it on the meta device, where steps are traced and torch has none.

There a function mode does what a CPU's or a card's does to what the network calls (pytorch.org/docs, "Autocast Op
Reference"): convolutions in the short format, concatenation in the widest format of its maps, all else as it comes.
fp64 is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar, Token
from functools import partial, reduce
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

_META = "meta"


def on(kind: str, dtype: torch.dtype) -> AbstractContextManager[object]:
    """Autocast to `dtype` on torch's device type `kind`.

    Without autocast's cache: it is for weights that are used twice in a forward, of which there are none, and it would
    hold a short copy of all weights until the end of the forward, also where a part drops its own at once.
    """
    return _OnMeta(dtype) if kind == _META else torch.autocast(kind, dtype=dtype, cache_enabled=False)


def off(kind: str) -> AbstractContextManager[object]:
    """No autocast on `kind`: every operation in the dtype of its operands."""
    return _off_meta() if kind == _META else torch.autocast(kind, enabled=False)


def dtype(kind: str) -> torch.dtype | None:
    """What `kind` computes convolutions in now; None without autocast."""
    if kind == _META:
        return _wanted.get()
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else None


def as_now(kind: str) -> Callable[[], AbstractContextManager[object]]:
    """The autocast that is on or off now, to be opened again later, as in backward."""
    now = dtype(kind)
    return partial(off, kind) if now is None else partial(on, kind, now)


_wanted: ContextVar[torch.dtype | None] = ContextVar("wanted", default=None)


@contextmanager
def _off_meta() -> Iterator[None]:
    """Without a mode of its own, which every call would have to pass."""
    token = _wanted.set(None)
    try:
        yield
    finally:
        _wanted.reset(token)


class _OnMeta(TorchFunctionMode):
    """See the module. Of several inside one another the innermost decides."""

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()
        self._dtype = dtype
        self._token: Token[torch.dtype | None]

    def __enter__(self) -> _OnMeta:
        self._token = _wanted.set(self._dtype)
        super().__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, *raised: object) -> None:
        super().__exit__(*raised)  # type: ignore[no-untyped-call]
        _wanted.reset(self._token)

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        short = _wanted.get()
        named = kwargs or {}
        if short is not None and func is torch.conv2d:
            args = tuple(_as(short, value) for value in args[::-1])[::-1]  # the last first, as torch's compiler does
            named = {key: _as(short, value) for key, value in named.items()}
        elif short is not None and func is torch.cat and args:
            widest = reduce(torch.promote_types, (one.dtype for one in args[0]))
            args = ([_as(widest, one) for one in args[0]], *args[1:])
        return func(*args, **named)


def _as(dtype: torch.dtype, value: Any) -> Any:
    cast = isinstance(value, Tensor) and value.is_floating_point() and value.dtype != torch.float64
    return value.to(dtype) if cast else value
