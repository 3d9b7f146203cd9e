"""What torchao looks for in a graph, a convolution with its BatchNorm: each pattern exported once, of what is there.

For every graph that it prepares or converts, torchao exports its patterns anew, and those of three kinds of convolution
that no network of ours has among them: 120 exports for the eleven stages, which were nine tenths of the time. A
conversion has 24 patterns more, of which 20 are of other roundings than ours or of a BatchNorm that still trains.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from torch.fx import GraphModule
from torch.nn import functional
from torchao.quantization.pt2e import qat_utils

_SEARCHES = ("_fuse_conv_bn_qat_helper", "_fold_conv_bn_qat_helper")
_EXPORT = "_get_aten_graph_module_for_pattern"
_OPTIONS = "itertools"  # of which it asks for every combination of what a pattern may have
_export: Callable[..., GraphModule] = getattr(qat_utils, _EXPORT)
_exported: dict[Any, GraphModule] = {}


@contextmanager
def kept() -> Iterator[None]:
    """In the block, torchao looks for 2-d convolutions alone, by patterns that it has exported at most once."""
    whole = {name: getattr(qat_utils, name) for name in (*_SEARCHES, _EXPORT, _OPTIONS)}
    for name in _SEARCHES:
        setattr(qat_utils, name, _of_2d(whole[name]))
    setattr(qat_utils, _EXPORT, _once)
    setattr(qat_utils, _OPTIONS, SimpleNamespace(product=_ours))
    try:
        yield
    finally:
        for name, function in whole.items():
            setattr(qat_utils, name, function)


def _once(pattern: Any, example_inputs: tuple[Any, ...], is_cuda: bool = False, **named: Any) -> GraphModule:
    """A pattern is a function within a function: what that was given decides it, and which tensors it takes."""
    given = tuple(cell.cell_contents for cell in pattern.fn.__closure__)
    key = pattern.fn.__qualname__, given, is_cuda, tuple(named)
    if key not in _exported:
        _exported[key] = _export(pattern, example_inputs, is_cuda, **named)
    return copy.deepcopy(_exported[key])


def _ours(*options: tuple[bool, ...]) -> Iterator[tuple[bool, ...]]:
    """Those that we make: weights rounded by channel, a bias that is not rounded or none, BatchNorm in evaluation."""
    for by_channel, bias, bias_rounded, training in itertools.product(*options):
        if by_channel and not bias_rounded and not training:
            yield by_channel, bias, bias_rounded, training


def _of_2d(search: Callable[..., GraphModule]) -> Callable[..., GraphModule]:
    def searched(graph: GraphModule, conv_fn: Callable[..., Any], *given: Any, **named: Any) -> GraphModule:
        return search(graph, conv_fn, *given, **named) if conv_fn is functional.conv2d else graph

    return searched
