"""The devices of this computer that a training can run on, all of them: nothing is chosen here, and none is taken."""

from __future__ import annotations

from fullfield.hardware import devices
from fullfield.hardware.meter import Meter
from fullfield.protocol.setup_events import Present


def found() -> tuple[Present, ...]:
    """Cards in torch's order, the processor last. What is free is asked of the driver's library: torch would take some
    hundred MB of each card before it answers."""
    free, total = devices.free_bytes(devices.CPU), devices.total_host_bytes()
    processor = Present(name=devices.CPU, title=devices.CPU_TITLE, total_bytes=total, free_bytes=free)
    if devices.cuda_obstacle():
        return (processor,)
    return (*map(_card, range(devices.cards())), processor)


def _card(number: int) -> Present:
    import torch

    name = f"cuda:{number}"
    properties, meter = torch.cuda.get_device_properties(name), Meter(name)
    try:
        meter.look_at_card()
        used = meter.read().device_bytes
    finally:
        meter.close()
    total = int(properties.total_memory)
    free = None if used is None else max(0, total - used)
    return Present(name=name, title=str(properties.name), total_bytes=total, free_bytes=free)
