"""What the driver of NVIDIA allows, asked of its own library: no torch and no package of ours is needed for that."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from fullfield import system

_TEXT = 96  # bytes: NVML's longest name of a card (nvml.h, NVML_DEVICE_NAME_V2_BUFFER_SIZE)


@dataclass(frozen=True, kw_only=True)
class Driver:
    """`version`: its own; `cuda`: the highest CUDA whose programs it runs, as major and minor; `cards`: their names."""

    version: str
    cuda: tuple[int, int]
    cards: tuple[str, ...]


def ask() -> Driver | None:
    """The driver that is loaded; None where there is none, or it sees no card."""
    if system.MAC:
        return None
    try:
        nvml = ctypes.CDLL(_library())
    except OSError:
        return None
    try:
        if nvml.nvmlInit_v2() != 0:
            return None
        found = _ask(nvml)
        nvml.nvmlShutdown()
    except AttributeError:  # a library from before 2012, or none of NVIDIA's
        return None
    return found


def _library() -> str:
    return "nvml.dll" if system.WINDOWS else "libnvidia-ml.so.1"


def _ask(nvml: ctypes.CDLL) -> Driver | None:
    text = ctypes.create_string_buffer(_TEXT)
    cuda, count = ctypes.c_int(0), ctypes.c_uint(0)
    if nvml.nvmlSystemGetCudaDriverVersion_v2(ctypes.byref(cuda)) or nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)):
        return None
    version = text.value.decode("ascii", "replace") if nvml.nvmlSystemGetDriverVersion(text, _TEXT) == 0 else ""
    cards = []
    for number in range(count.value):
        card = ctypes.c_void_p()
        if nvml.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(number), ctypes.byref(card)) == 0:
            named = nvml.nvmlDeviceGetName(card, text, _TEXT) == 0
            cards.append(text.value.decode("utf-8", "replace") if named else "NVIDIA")
    # CUDA 13.2 is told as 13020 (nvml.h, NVML_CUDA_DRIVER_VERSION_MAJOR).
    return (
        Driver(version=version, cuda=(cuda.value // 1000, cuda.value % 1000 // 10), cards=tuple(cards))
        if cards
        else None
    )
