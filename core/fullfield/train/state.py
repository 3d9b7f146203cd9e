"""Everything that a training is at one moment, and how it becomes a checkpoint and back, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from fullfield.model.network import Network

_MOMENTS = ("exp_avg", "exp_avg_sq")  # of Adam, by parameter
_STEP = "step"


@dataclass(frozen=True, kw_only=True)
class Best:
    """The best validation so far: the epoch (from 1), its loss, and its model file among the checkpoints."""

    epoch: int
    validation_loss: float
    file: str
    sha256: str


@dataclass(kw_only=True)
class Progress:
    """Where a training stands. `epoch` and `batch` (both from 0) are the next to be done.

    `losses`: the sum over this epoch's steps of 100·(1 − MS-SSIM), and their number. `history`: one record an epoch.
    """

    step: int = 0
    epoch: int = 0
    batch: int = 0
    loss_sum: float = 0.0
    loss_count: int = 0
    epoch_seconds: float = 0.0
    bad_steps: int = 0
    skipped: int = 0
    best: Best | None = None
    history: list[dict[str, float]] = field(default_factory=list)


@dataclass(kw_only=True)
class State:
    """The network, its optimizer, and where they stand. `threads`: sums depend on how many there are."""

    network: Network
    optimizer: torch.optim.Optimizer
    progress: Progress
    threads: int
    data: str
    start: str

    def tensors(self) -> dict[str, Tensor]:
        """All tensors by name: the network's, Adam's moments and steps, torch's generators."""
        named = {f"network.{name}": value for name, value in self.network.state_dict().items()}
        for name, parameter in self._parameters():
            for key, value in self.optimizer.state.get(parameter, {}).items():
                named[f"optimizer.{key}.{name}"] = value
        named["generator.cpu"] = torch.get_rng_state()
        if torch.cuda.is_available():
            named["generator.cuda"] = torch.cuda.get_rng_state()
        return named

    def fields(self) -> dict[str, Any]:
        """All that is no tensor, as plain values."""
        return {"progress": asdict(self.progress), "threads": self.threads, "data": self.data, "start": self.start}

    def restore(self, tensors: Mapping[str, Tensor], fields: Mapping[str, Any]) -> None:
        """Become what was saved. Copied into the tensors that are there, so that their layout stays."""
        own = self.network.state_dict()
        self.network.load_state_dict({name: tensors[f"network.{name}"] for name in own})
        for name, parameter in self._parameters():
            if f"optimizer.{_STEP}.{name}" not in tensors:
                continue
            saved = self.optimizer.state[parameter]
            saved[_STEP] = tensors[f"optimizer.{_STEP}.{name}"].clone()
            if _fused_on_cuda(self.optimizer, parameter):
                saved[_STEP] = saved[_STEP].to(parameter.device)
            for key in _MOMENTS:
                moment = torch.empty_like(parameter, memory_format=torch.preserve_format)
                saved[key] = moment.detach().copy_(tensors[f"optimizer.{key}.{name}"])
        torch.set_rng_state(tensors["generator.cpu"].clone())
        if "generator.cuda" in tensors and torch.cuda.is_available():
            torch.cuda.set_rng_state(tensors["generator.cuda"].clone())
        values = dict(fields["progress"])
        values["best"] = Best(**values["best"]) if values["best"] else None
        self.progress = Progress(**values)
        self.threads, self.start = int(fields["threads"]), str(fields["start"])

    def _parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        return self.network.named_parameters()


def _fused_on_cuda(optimizer: torch.optim.Optimizer, parameter: Tensor) -> bool:
    return parameter.is_cuda and any(group.get("fused") for group in optimizer.param_groups)
