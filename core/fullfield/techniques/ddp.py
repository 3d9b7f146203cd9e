"""torch.nn.parallel.DistributedDataParallel in the place of `data_parallel`: for sites that want it, and to compare.

It has its own copy of all gradients, in which it sums them inside backward. Left to itself it takes the mean over
processes, which is wrong where they have different numbers of images (measured: off by 0.84 of the largest gradient),
and its processes wait for ever for one that has none. So its sums are sums here, of losses that are weighed by images,
and a process without an image runs a stand-in that counts for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from fullfield.distribution import buckets
from fullfield.memory.account import MemoryEstimate
from fullfield.memory.costs import Work
from fullfield.techniques.base import ONE_KIND, ONE_PROCESS, Effect, Reason, Stage, Technique
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from torch import Tensor, futures

    from fullfield.distribution.traffic import Traffic
    from fullfield.model.chain import Chain
    from fullfield.techniques.build import Build

BUCKETS = 1 << 20, 25 << 20  # bytes of PyTorch's first bucket of gradients, and of the others


class Ddp(Technique):
    """See the module."""

    name = "ddp"
    title = "PyTorch's data parallel"
    sentence = "Several processes learn together as PyTorch does it by itself: the same, in more memory."
    source = "Li et al. 2020, PyTorch Distributed; torch.nn.parallel.DistributedDataParallel"
    stage = Stage.REPLICAS
    effect = Effect.MODEL
    excludes: ClassVar[Mapping[str, str]] = {
        "data_parallel": "Both share the images of a batch. Choose one.",
        "optimizer_in_backward": "PyTorch sums gradients when updates inside backward have used them: without an error "
        "each process would train a network of its own. Use data_parallel.",
        "accumulate": "PyTorch sums gradients after every few images, and would sum again what it has summed. "
        "Use data_parallel.",
        "quantization": "Each process would find other ranges of numbers in its own images.",
        "momentum": "It makes several backwards of one, and PyTorch counts one. Use data_parallel.",
        "compile": "The compiler would have to see PyTorch's own sums. Use data_parallel.",
    }

    def refuse(self, site: Site) -> Reason | None:
        """One process, or a card and the CPU."""
        if site.ranks == 1:
            return ONE_PROCESS
        return ONE_KIND if site.mixed else None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """A share of the images; its copy of the gradients is there from the first step to the last."""
        facts = site.costs.facts
        sizes = [size for _, size in facts.backward()]
        summed = Work(shared=sum(sizes), collectives=len([*buckets.divided(sizes, BUCKETS)]))
        return replace(
            before,
            shape=replace(before.shape, batch=-(-before.shape.batch // site.ranks)),
            beside=before.beside + 1.0,
            exchanged=before.exchanged + summed + facts.statistics,
        )

    def apply(self, build: Build) -> None:
        """The chain is run as a module, which it wraps, wherever gradients are wanted."""
        build.replicas = build.ranks
        build.backward_sums = True
        build.chain = _wrapped(build)


def _wrapped(build: Build) -> Chain:
    import inspect

    import torch
    from torch import nn
    from torch.nn.parallel import DistributedDataParallel

    from fullfield.model.chain import Chain

    chain = build.chain

    class Whole(nn.Module):
        """The chain as a module, whose parameters are the network's."""

        def __init__(self) -> None:
            super().__init__()
            self.network = build.network

        def forward(self, x_NCHW: Any) -> Any:
            return chain(x_NCHW)

    # BatchNorm's statistics are merged after every update, and not those of the first process alone.
    known = inspect.signature(DistributedDataParallel).parameters
    name = "forward_sync_buffers" if "forward_sync_buffers" in known else "broadcast_buffers"  # as torch 2.11 has it
    alone: dict[str, Any] = {name: False}
    wrapped = DistributedDataParallel(Whole(), **alone)
    wrapped.register_comm_hook(build.ranks.traffic, lambda traffic, bucket: _sum(traffic, bucket))

    class Wrapped(Chain):
        """The same parts, which are run through DistributedDataParallel where gradients are wanted."""

        def __call__(self, x_NCHW: Any) -> Any:
            return wrapped(x_NCHW) if torch.is_grad_enabled() else super().__call__(x_NCHW)

    return Wrapped(chain.parts)


def _sum(traffic: Traffic, bucket: Any) -> futures.Future[Tensor]:
    """The sum over all processes, where DistributedDataParallel by itself makes their mean."""
    from torch import distributed

    traffic.tell_all(bucket.buffer())
    summing = distributed.all_reduce(bucket.buffer(), async_op=True)
    return summing.get_future().then(lambda done: done.value()[0])
