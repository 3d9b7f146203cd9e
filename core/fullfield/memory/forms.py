"""What an operation makes of tensors without values: found out once for each form of what it is given.

On the meta device an operation computes forms alone, so what it returns follows from the shapes, strides and dtypes
that come in. Torch finds it in Python, step by step, which takes ten times as long as to make the tensors; and a trace
runs the same operations on the same forms again and again, band by band and technique by technique.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from fullfield.memory import operations
from fullfield.memory.operations import Operation

aten = torch.ops.aten
MOST = 50_000  # calls that are remembered: a plan has some ten thousand, of 1 KiB
_META = torch.device("meta")


@dataclass(frozen=True, kw_only=True, slots=True)
class Effect:
    """What a call does. `operation`: None where it makes nothing new. `starts`, `moved`, `flops`: see `costs.Work`."""

    operation: Operation | None
    starts: int
    moved: int
    flops: int


@dataclass(frozen=True, kw_only=True, slots=True)
class _Known:
    """A call that was made. `returns`: its new tensors, by shape, stride and dtype (None: none at that place), as a
    tuple of them where `several`; empty: it returns its first argument; None: torch has to be asked.
    """

    effect: Effect
    returns: tuple[tuple[Any, ...] | None, ...] | None = None
    several: bool = False


_NOTHING = Effect(operation=None, starts=0, moved=0, flops=0)
_known: dict[Any, _Known] = {}


def run(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Sequence[Tensor], Effect]:
    """The call's result, the new tensors in it, and what it does."""
    if func.is_view:
        return func(*args, **kwargs), (), _NOTHING
    try:
        key: Any = (func, _form(args), _form(tuple(kwargs.items())) if kwargs else ())
        known = _known.get(key)
    except (_NoForm, TypeError):  # a tensor with values, or a value that has no hash
        key = known = None
    if known is None:
        return _first(key, func, args, kwargs)
    if known.returns is None:
        return func(*args, **kwargs), (), known.effect
    if not known.returns:
        return args[0], (), known.effect
    result: tuple[Any, ...] = tuple([None if form is None else _empty(form) for form in known.returns])
    if known.several:
        return result, [value for value in result if value is not None], known.effect
    return result[0], result, known.effect


def forget() -> None:
    """Remember nothing: forms of one size tell nothing of another."""
    _known.clear()


def tensors(values: Iterable[Any]) -> list[Tensor]:
    """The tensors among `values` and in lists of them."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, list | tuple):
            found += tensors(value)
    return found


class _NoForm(Exception):
    """A tensor is more than its form."""


def _form(value: Any) -> Any:
    """What decides what is made of a value on the meta device. Raises _NoForm."""
    kind = value.__class__
    if kind is Tensor or kind is nn.Parameter:
        if not value.is_meta:
            raise _NoForm
        return value.shape, value.stride(), value.dtype
    if kind is tuple or kind is list:
        return tuple([_form(one) for one in value])
    if isinstance(value, Tensor):
        raise _NoForm
    return kind, value  # for 1, 1.0 and True are equal


def _first(key: Any, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Tensor], Effect]:
    given = tensors((*args, *kwargs.values()))
    storages = set(map(_storage, given))
    form = _AS_KERNELS.get(func, func) if args and getattr(args[0], "is_meta", False) else func
    result = form(*args, **kwargs)
    returned = tensors((result,))
    made = [value for value in returned if _storage(value) not in storages]  # a view of a weight is nothing new
    effect = Effect(
        operation=operations.of(func, args) if made else None,
        starts=int(operations.starts(func)),
        moved=operations.moved(func, [*given, *returned]),
        flops=operations.flops(func, args, result),
    )
    known = _repeatable(key, args, result, made, effect) if key else None
    if known is not None:
        if len(_known) >= MOST:
            _known.clear()
        _known[key] = known
    return result, made, effect


def _repeatable(key: Any, args: tuple[Any, ...], result: Any, made: list[Tensor], effect: Effect) -> _Known | None:
    """How the next such call is answered; None where torch has to be asked each time."""
    if not made:
        written = bool(args) and result is args[0] and _form(result) == key[1][0]
        return _Known(effect=effect, returns=() if written else None)
    several = isinstance(result, tuple)
    values = result if several else (result,)
    whole = len(set(map(_storage, made))) == len(made) == sum(value is not None for value in values)
    if not whole or not all(map(_fills_its_storage, made)):
        return None
    returns = tuple(None if value is None else _form(value) for value in values)
    return _Known(effect=effect, returns=returns, several=several)


def _fills_its_storage(tensor: Tensor) -> bool:
    return tensor.is_meta and _empty(_form(tensor)).untyped_storage().nbytes() == tensor.untyped_storage().nbytes()


def _empty(form: tuple[Any, ...]) -> Tensor:
    shape, stride, dtype = form
    return torch.empty_strided(shape, stride, dtype=dtype, device=_META)


def _storage(tensor: Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


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


_AS_KERNELS = {
    aten.native_batch_norm.default: _batch_norm,
    aten.native_batch_norm_backward.default: _batch_norm_backward,
}
"""What kernels return where torch's meta device returns more: statistics that nobody keeps."""
