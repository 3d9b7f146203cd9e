"""What changes the weights: one optimizer after backward, or one for each parameter inside it; and what they remember.

Inside backward an update cannot be undone. So the loss is looked at before backward, and a parameter whose gradient is
not finite is left as it is, while others may have been updated already: `spared` counts them.

The hooks of a build (`Build.gradients`, `Build.updated`) are called here and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import is_traceable_wrapper_subclass
from torch.utils.hooks import RemovableHandle

from fullfield.techniques.build import Build, Parameters
from fullfield.train.reduced import Reduced, Statistics

PREFIX = "optimizer"


class Update:
    """The optimizer of a build. `spared`: parameters of this step that were left alone, see above."""

    def __init__(self, build: Build) -> None:
        self._named = dict(build.network.named_parameters())
        self._owners = build.owners
        self._owned = {
            name: one for name, one in self._named.items() if build.owners is None or build.owners.mine(name)
        }
        self._scaler = build.scaler
        self._inside = build.in_backward
        self._gradients, self._updated = tuple(build.gradients), tuple(build.updated)
        self._joint = build.joint is not None
        self._statistics = Statistics(build.replicas, build.network) if build.replicas.size > 1 else None
        self._norms: list[Tensor] = []
        self._changed: Parameters = []
        self._hooks: list[RemovableHandle] = []
        self.spared = 0
        if self._inside:
            optimizers = {parameter: build.optimizer([parameter]) for parameter in self._owned.values()}
            self._optimizers = list(optimizers.values())
            self._summed = Reduced(
                build.replicas, self._trained(), update=lambda parameter: self._make(parameter, optimizers[parameter])
            )
        else:
            self._optimizers = [build.optimizer(list(self._owned.values()))] if self._owned else []
            self._summed = Reduced(build.replicas, self._trained())
        if self._inside or build.replicas.size > 1:
            for parameter in self._trained():
                self._hooks.append(parameter.register_post_accumulate_grad_hook(self._summed.take))  # type: ignore[no-untyped-call]

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
        for optimizer in self._optimizers:
            optimizer.zero_grad(set_to_none=True)

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

    def end_backward(self) -> None:
        """After the last backward of a step, or without one where no image of the batch is this rank's."""
        self._summed.finish()

    def gradient(self) -> Tensor:
        """The norm of all gradients after backward, a scalar; from here on they are in the loss's own scale, and what
        hooks have made of them."""
        if self._inside:  # in fp64, for updates that were made from finite gradients must not be taken for a bad step
            return torch.linalg.vector_norm(torch.stack(self._norms).double()) if self._norms else torch.zeros(())
        if self._scaler is not None:
            self._scaler.unscale_(self._optimizers[0])
            self._scaler.update()
        there = self._with_gradients()
        for hook in self._gradients:
            hook(there)
        return nn.utils.get_total_norm([parameter.grad for parameter in there if parameter.grad is not None])

    def finish(self, share: float = 1.0) -> None:
        """Update the weights, where backward has not done it, and call the hooks that follow an update. `share`: of the
        batch's images, those of this rank."""
        if not self._inside:
            self._optimizers[0].step()
            self._changed = self._with_gradients()
        if self._changed:
            for hook in self._updated:
                hook(self._changed)
        if self._statistics is not None:
            self._statistics.merge(share)

    def tensors(self) -> dict[str, Tensor]:
        """What the optimizers of this rank remember, by name: the very tensors, quantized ones as those inside them."""
        states: dict[Tensor, dict[str, Any]] = {}
        for optimizer in self._optimizers:
            states |= optimizer.state
        return {
            f"{PREFIX}.{key}.{name}": tensor
            for name, parameter in self._owned.items()
            for item, value in states.get(parameter, {}).items()
            for key, tensor in _inner(item, value)
        }

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Remember what was saved; restore the weights afterwards. Raises KeyError for another optimizer's tensors.

        An optimizer makes what it remembers in its first step: one is made with zeros for gradients, parameter by
        parameter, and then overwritten.
        """
        if not any(name.startswith(f"{PREFIX}.") for name in tensors):
            return
        self.begin(0.0)
        for optimizer in self._optimizers:
            for parameter in (one for group in optimizer.param_groups for one in group["params"]):
                parameter.grad = torch.zeros_like(parameter)
                optimizer.step()
                parameter.grad = None
        for name, tensor in self.tensors().items():
            tensor.copy_(tensors[name])

    def _with_gradients(self) -> Parameters:
        return [parameter for parameter in self._named.values() if parameter.grad is not None]

    def _trained(self) -> Parameters:
        """From the end of the network to its beginning, as backward has them."""
        return [parameter for parameter in reversed(self._named.values()) if parameter.requires_grad]

    def _make(self, parameter: nn.Parameter, optimizer: torch.optim.Optimizer) -> None:
        """The update of one parameter, inside backward."""
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
    if isinstance(value, Tensor) and is_traceable_wrapper_subclass(value):
        names, _ = value.__tensor_flatten__()
        for name in names:
            yield from _inner(f"{key}.{name}", getattr(value, name))
    elif isinstance(value, Tensor):
        yield key, value
