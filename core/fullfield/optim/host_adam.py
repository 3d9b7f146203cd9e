"""Adam with its moments in the host tier: the numbers of torch's fused Adam, computed in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.adam import adam

from fullfield.host_tier.host import HostTensor

_MOMENTS = ("exp_avg", "exp_avg_sq")


class HostAdam(torch.optim.Optimizer):
    """Adam (Kingma and Ba 2015) without weight decay. `chunk_bytes`: of each moment on the device at once.

    The state of a parameter holds `step`, and both moments as tensors of the host with the parameter's shape, which lie
    in memory as the parameter does.
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        *,
        chunk_bytes: int,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
    ) -> None:
        super().__init__(list(parameters), {"lr": lr, "betas": betas, "eps": eps})
        self._chunk_bytes = chunk_bytes
        self._rooms: dict[Tensor, list[HostTensor]] = {}

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        """Update every parameter that has a gradient."""
        assert closure is None
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._update(parameter, parameter.grad, group)

    def _update(self, parameter: nn.Parameter, gradient: Tensor, group: dict[str, Any]) -> None:
        state = self.state[parameter]
        if not state:
            self._begin(parameter)
        if gradient.stride() != parameter.stride():
            gradient = torch.empty_like(parameter).copy_(gradient)
        flat = _as_it_lies(parameter), _as_it_lies(gradient)
        size = max(1, self._chunk_bytes // parameter.element_size())
        for first in range(0, parameter.numel(), size):
            piece = slice(first, min(first + size, parameter.numel()))
            self._update_piece(parameter, flat[0][piece], flat[1][piece], piece, group)
        state["step"] += 1

    def _update_piece(
        self, parameter: nn.Parameter, values: Tensor, gradient: Tensor, piece: slice, group: dict[str, Any]
    ) -> None:
        rooms = self._rooms[parameter]
        moments = [room.read(piece.start, piece.stop, axis=0) for room in rooms]
        adam(
            [values],
            [gradient],
            [moments[0]],
            [moments[1]],
            [],
            [self.state[parameter]["step"].clone()],  # counted up once for each piece
            fused=True,
            amsgrad=False,
            beta1=group["betas"][0],
            beta2=group["betas"][1],
            lr=group["lr"],
            weight_decay=0.0,
            eps=group["eps"],
            maximize=False,
        )
        for room, moment in zip(rooms, moments, strict=True):
            room.write(piece.start, piece.stop, moment, axis=0)

    def _begin(self, parameter: nn.Parameter) -> None:
        flat = torch.Size([parameter.numel()])
        rooms = [HostTensor(flat, parameter.dtype, parameter.device) for _ in _MOMENTS]
        self._rooms[parameter] = rooms
        self.state[parameter]["step"] = torch.zeros((), device=parameter.device)
        for name, room in zip(_MOMENTS, rooms, strict=True):
            self.state[parameter][name] = room.tensor.zero_().as_strided(parameter.shape, parameter.stride())


def _as_it_lies(tensor: Tensor) -> Tensor:
    """All elements in the order of memory, whatever the layout; the same storage."""
    return tensor.detach().as_strided((tensor.numel(),), (1,))
