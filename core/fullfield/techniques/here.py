"""The site that this machine is, for techniques to say whether they are possible on it. Imports no torch by itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fullfield.hardware import cards, compiler, devices
from fullfield.hardware.devices import Device
from fullfield.memory.account import Shape
from fullfield.memory.costs import Costs
from fullfield.techniques.site import Card, Site


def site(
    device: Device, shape: Shape, costs: Costs, ranks: int = 1, on_cpu: Collection[int] = (), lowest: int = 0
) -> Site:
    """So many ranks, each on one like `device`, but for those `on_cpu` beside it. `lowest`: as in `Site`."""
    own, cpu = card(device), card(devices.choose(devices.CPU)) if on_cpu else None
    each = tuple(cpu if cpu and rank in on_cpu else own for rank in range(ranks))
    return Site(devices=each, shape=shape, costs=costs, compiler=compiler.missing(), lowest=lowest)


def card(device: Device) -> Card:
    """A device that was chosen on this machine."""
    import torch

    if device.kind == "cpu":
        return Card(
            kind=device.kind,
            title=device.title,
            total_bytes=devices.total_host_bytes(),
            free_bytes=device.free_bytes,
            slow=_slow_on_the_cpu(_units()),
        )
    properties, rates = torch.cuda.get_device_properties(device.name), cards.rates(device.title)
    return Card(
        kind=device.kind,
        title=device.title,
        total_bytes=int(properties.total_memory),
        free_bytes=device.free_bytes,
        capability=(int(properties.major), int(properties.minor)),
        flops_per_second=rates[0],
        bytes_per_second=rates[1],
    )


def _units() -> Mapping[str, object]:
    """Torch's list of what this CPU has; of torch 2.10, which has none, what decides here."""
    from torch import cpu

    if hasattr(cpu, "get_capabilities"):
        return cpu.get_capabilities()
    return {name: getattr(cpu, f"_is_{name}_supported")() for name in ("amx_tile", "amx_fp16", "avx512_bf16")}


def _slow_on_the_cpu(units: Mapping[str, object]) -> tuple[str, ...]:
    """The formats for which a CPU has no units of its own, of torch's list of what it has."""
    bf16 = any(units.get(name) for name in ("amx_bf16", "amx_tile", "avx512_bf16", "bf16"))
    fp16 = any(units.get(name) for name in ("amx_fp16", "fp16"))  # with avx512_fp16 alone torch is forty times slower
    return tuple(name for name, there in (("bf16", bf16), ("fp16", fp16)) if not there)
