"""What changes the weights: one optimizer after backward, or one for each parameter inside it; and what they remember.

Inside backward an update cannot be undone. So the loss is looked at before backward, and a parameter whose gradient is
not finite is left as it is, while others may have been updated already: `spared` counts them.

The hooks of a build (`Build.gradients`, `Build.updated`) are called here and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import is_traceable_wrapper_subclass
from torch.utils.hooks import RemovableHandle

from fullfield.distribution import pieces
from fullfield.distribution.compressed import Summing
from fullfield.distribution.owners import Owners
from fullfield.distribution.team import ALONE, Team
from fullfield.techniques.build import Build, Parameters
from fullfield.train.owned import ToOwners, counted, send_weights
from fullfield.train.reduced import Reduced, Statistics

PREFIX = "optimizer"


class Update:
    """The optimizer of a build. `spared`: parameters of this step that were left alone, see above."""

    def __init__(self, build: Build) -> None:
        self._named = dict(build.network.named_parameters())
        self._owners, self._gathered = build.owners, build.gathered
        self._owned = {
            name: one for name, one in self._named.items() if build.owners is None or build.owners.mine(name)
        }
        self._scaler, self._norm = build.scaler, build.norm
        self._nothing = torch.zeros(1, dtype=torch.float64, device=build.device)
        self._inside = build.in_backward
        self._gradients, self._updated = tuple(build.gradients), tuple(build.updated)
        self._joint, self._local = build.joint is not None, build.local or (lambda optimizer: optimizer)
        self._ranks, self._counted = build.ranks, counted(build)
        self._statistics = Statistics(build.replicas, build.network) if build.replicas.size > 1 else None
        self._norms: list[Tensor] = []
        self._changed: Parameters = []
        self._hooks: list[RemovableHandle] = []
        self.spared = 0
        team = ALONE if build.backward_sums else build.replicas
        owned = list(self._owned.values())
        lists = [[one] for one in owned] if self._inside else [owned] if owned else []
        self._optimizers = [build.optimizer(one) for one in lists]
        self._by_parameter = dict(zip(owned, self._optimizers)) if self._inside else {}
        self._summed = self._sums(team, build.summing)
        if self._inside or team.size > 1:
            for parameter in self._trained():
                self._hooks.append(parameter.register_post_accumulate_grad_hook(self.take))  # type: ignore[no-untyped-call]

    def _sums(self, replicas: Team, summing: Summing | None) -> Reduced | ToOwners:
        """Sum gradients over the replicas: for all of them, or for the owner of a parameter alone."""
        update = self._make if self._inside else None
        if self._owners is None or not self._owners.gradients or replicas.size == 1:
            return Reduced(replicas, self._trained(), update=update, summing=summing)
        names = {parameter: name for name, parameter in self._named.items()}
        order = [(one, self._owners.by_name[names[one]]) for one in self._trained()]
        return ToOwners(replicas, order, update=update)

    def begin(self, rate: float) -> None:
        """Without gradients; the learning rate of this step is `rate`."""
        self._norms, self._changed, self.spared = [], [], 0
        self._summed.begin()
        self.free_gradients()
        for optimizer in self._optimizers:
            for group in optimizer.param_groups:
                if isinstance(group["lr"], Tensor):
                    group["lr"].fill_(rate)
                else:
                    group["lr"] = rate

    def free_gradients(self) -> None:
        """Nobody needs the gradients of this step any more."""
        for parameter in self._named.values():
            parameter.grad = None

    def close(self) -> None:
        """No more steps. Hooks on parameters hold the optimizers, and the parameters with them, for ever: no search for
        cycles sees them."""
        for hook in self._hooks:
            hook.remove()

    def last_backward(self) -> None:
        """Before the last backward of a step, of which this rank may have none."""
        # Joint statistics send inside backward, too, and messages are matched by their order: buckets leave after it.
        if self._inside or not self._joint:  # for updates inside they leave in the order of the graph
            self._summed.open()

    def take(self, parameter: nn.Parameter) -> None:
        """Backward is through with a parameter: its gradient is there, or nothing of a rank that has no image."""
        if self._gathered is not None:
            self._gathered.release(parameter)
        self._summed.take(parameter)

    def end_backward(self, *, last: bool) -> None:
        """After each backward of a step, or without one where none of these images is this rank's. `last`: of all."""
        self._summed.finish(last=last)
        if last:
            for name in self._named.keys() - self._owned.keys():
                self._named[name].grad = None

    def gradient(self) -> Tensor:
        """The norm of all gradients after backward, a scalar; from here on they are in the loss's own scale, and what
        hooks have made of them. Ranks that own them call it together."""
        if self._inside:  # in fp64, for updates that were made from finite gradients must not be taken for a bad step
            own = torch.stack(self._norms).double() if self._norms else self._nothing
            norm = torch.linalg.vector_norm(own)
            return norm if self._owners is None else self._owners.norm(norm)
        there = self._with_gradients()
        if self._scaler is not None:
            if self._owners is not None:  # what has overflowed on one rank makes the scale smaller on all
                total = self._norm(there)
                for parameter in there[:1]:
                    cast(Tensor, parameter.grad).mul_(torch.where(total.isfinite(), 1.0, total))
            for optimizer in self._optimizers:
                self._scaler.unscale_(optimizer)
            self._scaler.update()
        for hook in self._gradients:
            hook(there)
        return self._norm(there)

    def finish(self, share: float = 1.0) -> None:
        """Update the weights, where backward has not done it, and call the hooks that follow an update. `share`: of the
        batch's images, those of this rank."""
        if not self._inside:
            for optimizer in self._optimizers:
                optimizer.step()
            self._changed = self._with_gradients()
        if self._owners is not None and not self._owners.weights:
            send_weights(self._owners, self._named)
            self._changed = self._changed_anywhere(self._owners) if self._updated else []
        if self._statistics is not None:
            self._statistics.merge(share)
        if self._counted:
            self._ranks.broadcast(self._counted, 0)
        if self._changed:
            for hook in self._updated:
                hook(self._changed)

    def tensors(self) -> dict[str, Tensor]:
        """What the optimizers of this rank remember, by name: the very tensors, quantized ones as those inside them,
        and what ranks have pieces of as such (`distribution.pieces`)."""
        states: dict[Tensor, dict[str, Any]] = {}
        for optimizer in self._optimizers:
            states |= self._local(optimizer).state
        return {
            f"{PREFIX}.{key}.{name}": tensor
            for name, parameter in self._owned.items()
            for item, value in states.get(parameter, {}).items()
            for key, tensor in _inner(item, value)
        }

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Remember what was saved; restore the weights afterwards. Raises KeyError for another optimizer's tensors.

        An optimizer makes what it remembers in its first step: one is made with zeros for gradients, parameter by
        parameter, and then overwritten. Nothing was saved of one that every step has spared, and it gets nothing.
        """
        kept = [name for name in tensors if name.startswith(f"{PREFIX}.")]
        if not kept:
            return
        self.begin(0.0)
        saved = {one for name, one in self._named.items() if any(key.endswith(f".{name}") for key in kept)}
        for optimizer in map(self._local, self._optimizers):
            for parameter in (one for group in optimizer.param_groups for one in group["params"] if one in saved):
                parameter.grad = torch.zeros_like(parameter)
                optimizer.step()
                parameter.grad = None
        for name, tensor in self.tensors().items():
            values = tensors[name]
            if values.dim() == 1 < tensor.dim() and not pieces.is_piece(tensor):  # earlier versions saved it as it lay
                tensor = tensor.as_strided(values.shape, (1,))
            pieces.fill(tensor, values)

    def _with_gradients(self) -> Parameters:
        return [parameter for parameter in self._named.values() if parameter.grad is not None]

    def _changed_anywhere(self, owners: Owners) -> Parameters:
        """What any rank has changed."""
        changed = set(self._changed)
        found = owners.ranks.agree([float(parameter in changed) for parameter in self._named.values()])
        return [parameter for parameter, flag in zip(self._named.values(), found, strict=True) if flag]

    def _trained(self) -> Parameters:
        """From the end of the network to its beginning, as backward has them."""
        return [parameter for parameter in reversed(self._named.values()) if parameter.requires_grad]

    def _make(self, parameter: nn.Parameter) -> None:
        """The update of one parameter, inside backward, where this rank makes it."""
        optimizer = self._by_parameter.get(parameter)
        if optimizer is None:
            parameter.grad = None
            return
        for hook in self._gradients:
            hook([parameter])
        assert parameter.grad is not None
        norm = torch.linalg.vector_norm(parameter.grad)
        if math.isfinite(norm.item()):
            self._norms.append(norm)
            optimizer.step()
            self._changed.append(parameter)
        else:
            self.spared += 1
        parameter.grad = None


def _inner(key: str, value: Any) -> Iterator[tuple[str, Tensor]]:
    """The plain tensors of a value of an optimizer's state."""
    if isinstance(value, Tensor) and is_traceable_wrapper_subclass(value) and not pieces.is_piece(value):
        names, _ = value.__tensor_flatten__()
        for name in names:
            yield from _inner(f"{key}.{name}", getattr(value, name))
    elif isinstance(value, Tensor):
        yield key, value
