"""What is built in, for people to read: the cards as their driver describes them, and the build of torch.

Unlike `devices`, nothing is chosen here, and CUDA is not initialised.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class InstalledCard:
    """A GPU by NVIDIA's management library (NVML). `capability`: compute capability; None: the driver does not tell."""

    title: str
    total_bytes: int
    free_bytes: int
    capability: tuple[int, int] | None


@dataclass(frozen=True, kw_only=True)
class TorchBuild:
    """`cuda`: the version that torch was built for; "" for a build without."""

    version: str
    cuda: str
    threads: int


def cards() -> tuple[InstalledCard, ...]:
    """The GPUs that the driver sees; none where there is no driver."""
    import pynvml

    try:
        pynvml.nvmlInit()
    except (pynvml.NVMLError, OSError):
        return ()
    try:
        return tuple(_card(pynvml.nvmlDeviceGetHandleByIndex(number)) for number in range(pynvml.nvmlDeviceGetCount()))
    except pynvml.NVMLError:
        return ()
    finally:
        pynvml.nvmlShutdown()


def torch_build() -> TorchBuild:
    """What torch says of itself. Raises ImportError or OSError where it cannot be loaded."""
    import torch

    return TorchBuild(version=str(torch.__version__), cuda=torch.version.cuda or "", threads=torch.get_num_threads())


def _card(handle: object) -> InstalledCard:
    import pynvml

    memory = pynvml.nvmlDeviceGetMemoryInfo(handle)
    try:
        major, minor = pynvml.nvmlDeviceGetCudaComputeCapability(handle)
        capability: tuple[int, int] | None = (int(major), int(minor))
    except pynvml.NVMLError:
        capability = None
    return InstalledCard(
        title=str(pynvml.nvmlDeviceGetName(handle)),
        total_bytes=int(memory.total),
        free_bytes=int(memory.free),
        capability=capability,
    )
