"""torch.compile for functions of maps, made when a function first runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch._dynamo import lookup_backend
from torch._functorch import config as functorch
from torch._inductor.compile_fx import compile_fx
from torch._subclasses.fake_tensor import FakeTensor

Run = Callable[..., Tensor]

_MOST_FORMS = 64  # of one function: each stage, in training mode and with frozen statistics, at each shape


def compiled(run: Run, *, backend: str, budget: float) -> Run:
    """`run` compiled for each shape and mode that it meets; under fake tensors partitioned only.

    `budget`: the share of the maps that backward would keep without recomputation which it may keep (torch's
    `activation_memory_budget`): below 1 cheap operations are computed again, and towards 0 dear ones too.
    """
    fast, told = (torch.compile(run, backend=_limited(name, budget), dynamic=False) for name in (backend, "aot_eager"))

    def run_compiled(*maps: Tensor) -> Tensor:
        with torch._dynamo.config.patch(recompile_limit=_MOST_FORMS):
            made: Tensor = (told if isinstance(maps[0], FakeTensor) else fast)(*maps)
        return made

    return run_compiled


def _limited(backend: str, budget: float) -> Callable[..., Any]:
    """The backend under a budget. A function of its own each time, so that torch takes no code made under another."""

    def limited(graph: torch.fx.GraphModule, inputs: list[Tensor]) -> Any:
        with functorch.patch(activation_memory_budget=budget):
            if backend == "inductor":
                # Left to itself it keeps a second copy of every convolution's input, in another layout.
                return compile_fx(graph, inputs, config_patches={"layout_optimization": False})
            return lookup_backend(backend)(graph, inputs)

    return limited
