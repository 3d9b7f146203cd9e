"""Everything that a training is at one moment, and how it becomes a checkpoint and back, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import torch
from torch import Tensor

from fullfield.checked import Fields
from fullfield.distribution import pieces
from fullfield.distribution.owners import is_there, united
from fullfield.model.network import Network
from fullfield.techniques.build import Build
from fullfield.train.update import Update

_BEST_RANGES = "best_ranges."
_KEPT = "kept."


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

    `loss_sum`, `loss_count`: of 100·(1 − MS-SSIM) over this epoch's images, and of how many. `history`:
    one record an epoch.
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
    """The step's parts with their network, what updates it, and where they stand.

    `threads`: of the process that has most; sums depend on how many there are. `best_ranges`: the ranges of int8 that
    belong to the best model. `seen`: hashes of the images that the first weights were made or chosen by.
    """

    build: Build
    update: Update
    progress: Progress
    threads: int
    data: str
    start: str
    seen: tuple[str, ...] = ()
    best_ranges: dict[str, Tensor] = field(default_factory=dict)

    @property
    def network(self) -> Network:
        """What is trained."""
        return self.build.network

    def weights(self) -> dict[str, Tensor]:
        """The network's tensors by name: all of them on rank 0, on others those that they have. All ranks call it
        together."""
        owners = self.build.owners
        named = pieces.united(self.network.state_dict(), writes=self.build.ranks.writes)
        if owners is None or not owners.ranks.any(not all(map(is_there, named.values()))):
            return named
        common = {name: value for name, value in named.items() if name not in owners.weights}
        own = {name: value for name, value in named.items() if name in owners.weights and owners.mine(name)}
        return common | united(owners.ranks, own, self.build.device)

    def tensors(self) -> dict[str, Tensor]:
        """All tensors by name: the network's, what techniques and optimizer remember, torch's generators. Of ranks that
        each keep some of them, all on rank 0, and on others those that they have. All ranks call it together."""
        named = {f"network.{name}": value for name, value in self.weights().items()}
        named |= {f"ranges.{name}": value for name, value in self.build.ranges.state_dict().items()}
        named |= {f"{_BEST_RANGES}{name}": value for name, value in self.best_ranges.items()}
        named |= {f"{_KEPT}{name}": value for name, value in self.build.kept.items()}
        remembered = pieces.united(self.update.tensors(), writes=self.build.ranks.writes)
        divided = self.build.owners is not None or self.build.local is not None
        named |= united(self.build.ranks, remembered, self.build.device) if divided else remembered
        named["generator.cpu"] = torch.get_rng_state()
        if torch.cuda.is_available():
            named["generator.cuda"] = torch.cuda.get_rng_state()
        return named

    def fields(self) -> Fields:
        """All that is no tensor, as plain values."""
        return {
            "progress": asdict(self.progress),
            "threads": self.threads,
            "ranks": self.build.ranks.size,
            "replicas": self.build.replicas.size,
            "data": self.data,
            "start": self.start,
            "seen": list(self.seen),
            "scaler": self.build.scaler.state_dict() if self.build.scaler else {},
        }

    def ranges(self) -> dict[str, Tensor]:
        """Copies of what the training has found of ranges for int8; nothing where it is not for int8."""
        return {name: value.clone() for name, value in self.build.ranges.state_dict().items()}

    def set_ranges(self, ranges: Mapping[str, Tensor]) -> None:
        """Take these in their place."""
        known = self.build.ranges.state_dict()  # with its versions, without which torch takes it for an old one
        known.update(ranges)
        self.build.ranges.load_state_dict(known)

    def restore(self, tensors: Mapping[str, Tensor], fields: Mapping[str, Any]) -> None:
        """Become what was saved, or the share of it that this rank keeps. Copied into the tensors that are there, so
        that their layout stays."""
        self.update.restore(tensors)
        owners = self.build.owners
        named = self.network.state_dict()
        own = {name: one for name, one in named.items() if owners is None or owners.keeps(name)}
        with torch.no_grad():
            for name, tensor in own.items():  # one at a time: what was saved is never in memory as a whole
                pieces.fill(tensor, tensors[f"network.{name}"])
        for name, tensor in self.build.kept.items():
            tensor.copy_(tensors[f"{_KEPT}{name}"])
        self.set_ranges({name: tensors[f"ranges.{name}"] for name in self.build.ranges.state_dict()})
        best = (name for name in tensors if name.startswith(_BEST_RANGES))
        self.best_ranges = {name.removeprefix(_BEST_RANGES): tensors[name].clone() for name in best}
        if self.build.scaler:
            self.build.scaler.load_state_dict(fields["scaler"])
        torch.set_rng_state(tensors["generator.cpu"].clone())
        if "generator.cuda" in tensors and torch.cuda.is_available():
            torch.cuda.set_rng_state(tensors["generator.cuda"].clone())
        values = dict(fields["progress"])
        values["best"] = Best(**values["best"]) if values["best"] else None
        self.progress = Progress(**values)
        self.start = str(fields["start"])
        self.seen = tuple(fields.get("seen", ()))  # an earlier version kept none
