"""torch.compile for functions of maps, made when a function first runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from fullfield.kernels.traced import traced

Run = Callable[..., Tensor]

_MOST_FORMS = 64  # of one function: each stage, in training mode and with frozen statistics, at each shape


def compiled(run: Run, *, backend: str, budget: float) -> Run:
    """`run` compiled for each shape and mode that it meets; in a trace run as it is, keeping what the compiler
    would keep for backward (`_keeping_less`).

    `budget`: the share of the maps that backward would keep without recomputation which it may keep (torch's
    `activation_memory_budget`): below 1 cheap operations are computed again, and towards 0 dear ones too.
    """
    fast = torch.compile(run, backend=_limited(backend, budget), dynamic=False)

    def run_compiled(*maps: Tensor) -> Tensor:
        if traced(maps[0]):
            return _keeping_less(run, maps)
        with torch._dynamo.config.patch(recompile_limit=_MOST_FORMS):
            made: Tensor = fast(*maps)
        return made

    return run_compiled


class _Kept:
    """A tensor that is kept for backward, until something smaller is kept in its place."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor, self._form = tensor, (tensor.shape, tensor.dtype, tensor.device)
        self.storage = tensor.untyped_storage()._cdata

    def keep_instead(self, dtype: torch.dtype | None) -> None:
        """As many values of `dtype`, or nothing at all."""
        shape, _, device = self._form
        self._tensor = torch.empty(shape if dtype else (), dtype=dtype, device=device)
        self.storage = 0

    def take(self) -> Tensor:
        """The tensor; where less is kept, one of its form that takes no memory: kernels read what is kept itself."""
        if self.storage:
            return self._tensor
        shape, dtype, device = self._form
        return torch.empty((), dtype=dtype, device=device).expand(shape)


def _keeping_less(run: Run, maps: tuple[Tensor, ...]) -> Tensor:
    """`run`, keeping what inductor keeps, as was seen in what its graphs save.

    Of a ReLU whose result is given out: where that is above zero. Of a max pooling: the place in each window as int8,
    and not the map, unless torch computes the same from the same: then its own backward pass reads the map again.
    """
    kept: list[_Kept] = []

    def pack(tensor: Tensor) -> _Kept:
        kept.append(_Kept(tensor))
        return kept[-1]

    with torch.autograd.graph.saved_tensors_hooks(pack, _Kept.take):
        made = run(*maps)
    last: Any = made.grad_fn
    for node in _graph(made):
        if node is last and node.name() == "ReluBackward0":
            _replace(kept, node._saved_result, torch.bool)
        elif node.name() == "MaxPool2DWithIndicesBackward0":
            _replace(kept, node._saved_result1, torch.int8)
            if not torch.are_deterministic_algorithms_enabled():
                _replace(kept, node._saved_self, None)
    kept.clear()  # a cell of `pack` would hold them until garbage is collected
    return made


def _replace(kept: list[_Kept], tensor: Tensor, dtype: torch.dtype | None) -> None:
    """Where nobody else keeps the same map."""
    same = [one for one in kept if one.storage == tensor.untyped_storage()._cdata]
    if len(same) == 1:
        same[0].keep_instead(dtype)


def _graph(made: Tensor) -> Iterator[Any]:
    """The nodes of the graph that made it, each once."""
    waiting: list[Any] = [made.grad_fn]
    seen: set[Any] = set()
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            yield node
            waiting += [following for following, _ in node.next_functions]


def _limited(backend: str, budget: float) -> Callable[..., Any]:
    """The backend under a budget. A function of its own each time, so that torch takes no code made under another."""
    from torch._dynamo import lookup_backend  # seconds to import, with all of the compiler
    from torch._functorch import config as functorch
    from torch._inductor.compile_fx import compile_fx

    def limited(graph: torch.fx.GraphModule, inputs: list[Tensor]) -> Any:
        with functorch.patch(activation_memory_budget=budget):
            if backend == "inductor":
                # Left to itself it keeps a second copy of every convolution's input, in another layout.
                return compile_fx(graph, inputs, config_patches={"layout_optimization": False})
            return lookup_backend(backend)(graph, inputs)

    return limited
