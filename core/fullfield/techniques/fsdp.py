"""torch.distributed.fsdp.fully_shard around every stage of the network, in the place of `data_parallel` with `zero` 3.

Every tensor of weights is cut along its first dimension, and a process keeps its piece, with the gradient and what the
optimizer remembers of it. A stage has its weights whole while it runs, forward and backward.

It knows of a stage by the call of its module alone. So what runs a stage in another way is refused: then its weights
were still pieces. Its sums are sums here and no means, of losses that are weighed by images, and a process without an
image runs a stand-in, as with `ddp`. In an evaluation, in which processes have different numbers of images, all weights
are there; a checkpoint is that of one process.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

from fullfield.memory.account import MemoryEstimate
from fullfield.memory.costs import Work
from fullfield.memory.kept import Moved, Owned
from fullfield.techniques.base import ONE_KIND, ONE_PROCESS, Effect, Reason, Stage, Technique
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    import torch
    from torch import Tensor, distributed
    from torch.distributed import ProcessGroup as Group
    from torch.distributed.fsdp import FSDPModule

    from fullfield.distribution.traffic import Traffic
    from fullfield.techniques.build import Build

BY_CALL = (
    "PyTorch brings the weights of a stage when its module is called, and this runs stages in another way. "
    "Use data_parallel with zero:level=3."
)
BOTH = "Both say what each process keeps of the weights. Choose one."
PIECES = "It looks at whole weights, and each process has pieces of them. Use data_parallel with zero:level=3."
OTHER = "Both say which process does what. Choose one."
KEPT = "It keeps weights for backward, too, which PyTorch takes away until then. Use data_parallel with zero:level=3."
NOBODY = -1  # has all that the process at hand has not


class Fsdp(Technique):
    """See the module."""

    name = "fsdp"
    title = "PyTorch's fully sharded network"
    sentence = "Each of several processes keeps pieces of the network, and has the rest while it needs it, by PyTorch."
    source = "Zhao et al. 2023, PyTorch FSDP: Experiences on Scaling Fully Sharded Data Parallel; fully_shard"
    stage = Stage.REPLICAS
    effect = Effect.MODEL
    excludes: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("spatial", "model_parallel", "data_parallel", "ddp"), OTHER),
        **dict.fromkeys(("zero", "zero_optimizer"), BOTH),
        **dict.fromkeys(("checkpointing", "recompute", "hybrid_bands", "full_bands", "momentum", "compile"), BY_CALL),
        **dict.fromkeys(("optimizer_8bit", "optimizer_4bit", "optimizer_offload", "lars", "lamb", "ema"), PIECES),
        **dict.fromkeys(("compressed_activations", "offload_activations"), KEPT),
        "channels_last": "PyTorch cuts weights of the contiguous layout alone.",
        "optimizer_in_backward": "PyTorch tells of no gradient before those of its stage are summed. "
        "Use data_parallel with zero:level=3.",
        "accumulate": "A process with fewer images than others would count stand-ins among its own, because these "
        "wait for it. Use data_parallel.",
        "gradient_compression": "PyTorch sums the gradients itself. Use data_parallel.",
        "quantization": "Each process would find other ranges of numbers in its own images.",
        "precision:format=fp16": "The scale of the loss is found of whole gradients. Use precision:format=bf16.",
    }

    def refuse(self, site: Site) -> Reason | None:
        """One process, or a card and the CPU."""
        if site.ranks == 1:
            return ONE_PROCESS
        return ONE_KIND if site.mixed else None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """A share of the images, and of everything that weights have; a stage's own come and go around it.

        When they come they lie in the message, too, and so do its gradients when they go, which wait for one another;
        what is padded lies there once more meanwhile, as torch does it on a CPU, and then gloo's copy of the message.
        What is gathered or scattered counts as half of what all sum.
        """
        facts, ranks = site.costs.facts, site.ranks
        kept, padded = dict.fromkeys(facts.weights, 0), dict.fromkeys(facts.weights, 0)
        for name, size in facts.parameters.items():
            piece = _piece(size, facts.lengths[name], ranks)
            kept[facts.stage(name)] += piece
            padded[facts.stage(name)] += ranks * piece if ranks * piece > size else 0
        order = {stage: [(size - kept[stage], NOBODY)] for stage, size in facts.weights.items()}
        going = {
            stage: max(size + ranks * kept[stage] + padded[stage], (2 * ranks + 1) * kept[stage])
            for stage, size in facts.weights.items()
        }
        messages = {stage: Moved(whole=ranks * kept[stage], going=going[stage]) for stage in facts.weights}
        moved, stages = ranks * sum(kept.values()), sum(size > 0 for size in facts.weights.values())
        return replace(
            before,
            shape=replace(before.shape, batch=-(-before.shape.batch // ranks)),
            owned=Owned(by_rank=(kept,) * ranks, gradients=True, weights=True, order=order, moved=messages),
            exchanged=before.exchanged + Work(shared=3 * moved // 2, collectives=3 * stages) + facts.statistics,
        )

    def apply(self, build: Build) -> None:
        """Every stage that has weights is cut; parts run it as they are."""
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard

        mesh = init_device_mesh(build.device.type, (build.ranks.size,))
        cut: list[FSDPModule] = []
        for stage in build.network.stages.values():
            if next(stage.parameters(), None) is not None:
                cut.append(fully_shard(stage, mesh=mesh, reshard_after_forward=True))
                cut[-1].set_gradient_divide_factor(1.0)
                cut[-1].set_force_sum_reduction_for_comms(True)
                cut[-1].set_custom_all_gather(cast("Any", _Gathering(build.ranks.traffic)))
                cut[-1].set_custom_reduce_scatter(cast("Any", _Scattering(build.ranks.traffic)))
        build.replicas = build.ranks
        build.backward_sums = True
        build.as_result.append(partial(_whole, cut))


def _piece(size: int, length: int, ranks: int) -> int:
    """Bytes that each of `ranks` keeps of a tensor that has `size`, and is so long along the dimension that is cut."""
    return -(-length // ranks) * (size // length)


class _Counted:
    """A collective operation as PyTorch makes it by itself, which is counted."""

    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic

    def allocate(self, size: Sequence[int], *, dtype: torch.dtype, device: torch.device) -> Tensor:
        """Room for a message."""
        import torch

        return torch.empty(*size, dtype=dtype, device=device)


class _Gathering(_Counted):
    """The weights of a stage, of which each rank has a piece."""

    def __call__(
        self, output_tensor: Tensor, input_tensor: Tensor, group: Group, async_op: bool = False
    ) -> distributed.Work | None:
        """See `torch.distributed.all_gather_into_tensor`."""
        from torch import distributed

        self._traffic.tell_one(output_tensor)
        return distributed.all_gather_into_tensor(output_tensor, input_tensor, group=group, async_op=async_op)


class _Scattering(_Counted):
    """The sum of the gradients of a stage, of which each rank gets a piece."""

    def __call__(
        self, output_tensor: Tensor, input_tensor: Tensor, group: Group, op: Any, async_op: bool = False
    ) -> distributed.Work | None:
        """See `torch.distributed.reduce_scatter_tensor`."""
        from torch import distributed

        self._traffic.tell_one(input_tensor)
        return distributed.reduce_scatter_tensor(output_tensor, input_tensor, op=op, group=group, async_op=async_op)


@contextlib.contextmanager
def _whole(cut: Sequence[FSDPModule]) -> Iterator[None]:
    """Inside, all weights are there, and no forward asks others for any. All ranks open it together."""
    for stage in cut:
        stage.set_reshard_after_forward(False)
        stage.unshard()
    try:
        yield
    finally:
        for stage in cut:
            stage.reshard()
            stage.set_reshard_after_forward(True)
