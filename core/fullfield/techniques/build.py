"""What techniques change: everything that a training step is made of, before its first run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from fullfield.distribution import pieces
from fullfield.distribution.compressed import Summing
from fullfield.distribution.gathered import Gathered
from fullfield.distribution.joint import Joint
from fullfield.distribution.owners import Owners, leading
from fullfield.distribution.team import ALONE, Team
from fullfield.kernels import plain_loss
from fullfield.model import chain as chains
from fullfield.model.chain import Chain
from fullfield.model.network import Network
from fullfield.model.placed import Placed

if TYPE_CHECKING:  # torchao takes seconds to import
    from fullfield.quantize.int8 import Int8Model

Parameters = list[nn.Parameter]
Hook = Callable[[Sequence[nn.Parameter]], None]
Rate = Callable[[float, float, int], float]
"""The learning rate of a step: of the schedule's rate, the epochs that are done, and the images of a batch."""


def adam(parameters: Parameters) -> torch.optim.Optimizer:
    """Adam as it is without techniques. The learning rate is set before every step."""
    return torch.optim.Adam(parameters, fused=True)


@dataclass(kw_only=True)
class Build:
    """A training step in parts. Techniques replace them in the order of `Stage`.

    `network`: owns parameters and buffers; its modules keep their names, for checkpoints and model files need them.
    `chain`: how its forward is run, in evaluation too; a training for int8 evaluates `network` itself.
    `structure`: 1 − MS-SSIM of a prediction and a reference of one size, a scalar with a gradient, in fp32.
    `stored_input`, `stored_reference`: `chain`, `structure` take images as they are stored too (`kernels.stored`), so
    only bands of them ever are floats. `away`: the prediction of one image lies in the host tier (`kernels.away`), from
    which a `structure` in bands takes it.
    `around`: opened around forward and loss, in order; `throughout`: around the whole step, its backward and update
    too; `in_evaluation`: around the forward of an evaluation, inside of `around`. `layout`: the memory format of the
    images that go in. `optimizer`: makes the optimizer of a list of parameters.
    `rates`: change the learning rate of every step, in order.
    `gradients`: called with the parameters whose gradients are those of the whole batch, in the loss's own scale and
    before their norm is taken: once a step with all of them, inside backward with each as soon as it is there. They may
    change the gradients. Those may be anything but finite; the update is then not made, so what a hook makes of a
    gradient that is not finite must not be finite either.
    `updated`: called with the parameters that an update has changed, when the step is done; not where it was skipped.
    `kept`: tensors that techniques remember from step to step, by name; checkpoints hold them.
    `as_result`: opened around every evaluation and every model file that is written: what the network's parameters and
    buffers are inside is what is evaluated and exported.
    `scaler`: scales the loss before backward. `micro`: images of one forward; 0: the whole batch at once.
    `in_bands`: maps are computed in bands of rows, so a step is very many operations.
    `in_backward`: every parameter is updated, and its gradient let go of, as soon as backward has it.
    `int8`: makes an int8 model of a network's weights, where the training is for one. `ranges`: what the training
    follows beside the network's tensors, by part; checkpoints hold its buffers.
    `counted`: it will only be traced with tensors without values, so nothing needs to be compiled.
    `notices`: sentences for the user. `unsaved`: sentences on what no checkpoint holds, for who goes on from one.
    `device`: of this rank. `team`: those among whom the rows of every image are divided; a rank gives `chain` and
    `structure` its own rows, and `structure_of_whole` images that it has whole all the same. Techniques of bands can do
    that, with `banded_loss`. `replicas`: those among whom the images of every batch are divided; gradients are summed
    over them, by `summing` where it is not None, before anything is made of them, and after an update BatchNorm's
    running statistics are those of all images. `joint`: BatchNorm counts the images of all of them together, so a rank
    without an image runs a stand-in. `ranks`: all processes of the training, of whom a technique makes the one or the
    other. `owners`: who alone updates which parameter, where they do not all update all of them, and what else one of
    them alone keeps. `gathered`: brings weights to the part that uses them; a rank without an image takes part in that.
    `backward_sums`: backward leaves gradients that are summed over the replicas already, so every rank runs each one,
    with images or with a stand-in. `local`: of an optimizer that divides among the ranks what it remembers, the one
    that remembers this rank's share.
    `placed`: each of them runs some parts of `chain`, on one image of the batch after another.
    """

    network: Network
    device: torch.device
    ranks: Team = ALONE
    team: Team = ALONE
    replicas: Team = ALONE
    owners: Owners | None = None
    gathered: Gathered | None = None
    backward_sums: bool = False
    local: Callable[[torch.optim.Optimizer], torch.optim.Optimizer] | None = None
    chain: Chain
    structure: Callable[..., Tensor] = plain_loss.structure
    structure_of_whole: Callable[..., Tensor] = plain_loss.structure
    stored_input: bool = False
    stored_reference: bool = False
    away: bool = False
    around: list[Callable[[], AbstractContextManager[object]]] = field(default_factory=list)
    throughout: list[Callable[[], AbstractContextManager[object]]] = field(default_factory=list)
    in_evaluation: list[Callable[[], AbstractContextManager[object]]] = field(default_factory=list)
    layout: torch.memory_format = torch.contiguous_format
    optimizer: Callable[[Parameters], torch.optim.Optimizer] = adam
    rates: list[Rate] = field(default_factory=list)
    summing: Summing | None = None
    joint: Joint | None = None
    placed: Placed | None = None
    gradients: list[Hook] = field(default_factory=list)
    updated: list[Hook] = field(default_factory=list)
    kept: dict[str, Tensor] = field(default_factory=dict)
    as_result: list[Callable[[], AbstractContextManager[object]]] = field(default_factory=list)
    scaler: torch.amp.GradScaler | None = None
    micro: int = 0
    in_bands: bool = False
    in_backward: bool = False
    int8: Callable[[Network], Int8Model] | None = None
    ranges: nn.ModuleDict = field(default_factory=nn.ModuleDict)
    counted: bool = False
    notices: list[str] = field(default_factory=list)
    unsaved: list[str] = field(default_factory=list)

    def norm(self, parameters: Sequence[nn.Parameter]) -> Tensor:
        """Of the gradients of `parameters`, with those of the parameters that other ranks alone update."""
        found = nn.utils.get_total_norm([one.grad for one in parameters if one.grad is not None])
        own = pieces.whole(found).to(self.device, next(self.network.parameters()).dtype)  # also where there is none
        return own if self.owners is None else self.owners.norm(own)

    def normalised(self, batch: int) -> int:
        """How many images of a batch BatchNorm sees together, at most."""
        if self.joint is not None:
            return batch
        share = 1 if self.placed is not None else max(self.replicas.counts(batch))
        return min(self.micro or share, share)

    def replace_parts(self, names: Iterable[str], make: Callable[[chains.Part], chains.Part]) -> None:
        """Replace each of the named parts by `make(part)`."""
        for name in names:
            self.chain = self.chain.replaced(name, make(self.chain.part(name)))


def begin(network: Network, device: torch.device, team: Team = ALONE, ranks: Team = ALONE) -> Build:
    """The step without techniques. Ranks that would find other last bits of an update than one another, and in time
    other weights, have it from the first of them."""
    owners = (
        None if ranks.alike else Owners(ranks=ranks, by_name=leading(name for name, _ in network.named_parameters()))
    )
    return Build(network=network, device=device, team=team, ranks=ranks, owners=owners, chain=chains.plain(network))
