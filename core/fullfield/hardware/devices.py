"""Which device computes, why, and how much memory it has left. torch is imported inside the functions alone.

A GPU is taken where there is one that this torch can use. Where there is none, the reason is a sentence for people:
no NVIDIA card or driver, a torch built without CUDA, a driver too old for it, a card too old for it. Works without a
GPU and without NVIDIA's management library.
"""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import psutil

from fullfield import heap, torch_errors
from fullfield.errors import DeviceUnavailable, UsageError
from fullfield.hardware import cgroup, named
from fullfield.units import format_bytes

AUTO, CPU = named.AUTO, named.CPU
CPU_TITLE = "the CPU"
_FILL = "fill_uninitialized_memory"  # a property of the module torch.utils.deterministic
is_out_of_memory = torch_errors.is_out_of_memory


@dataclass(frozen=True, kw_only=True)
class Device:
    """A device to compute on.

    `name`: torch's name, "cpu" or "cuda:0". `kind`: "cpu" or "cuda". `title`: the card's name, or "the CPU".
    `why`: one plain sentence on the choice. `free_bytes`: memory that was free when it was chosen.
    """

    name: str
    kind: str
    title: str
    why: str
    free_bytes: int


@dataclass(frozen=True, kw_only=True)
class Driver:
    """What NVIDIA's management library says. `cuda`: the newest CUDA that the driver runs, (major, minor)."""

    version: str
    cuda: tuple[int, int]
    cards: tuple[str, ...]


def choose(device: str = AUTO, *, rank: int = 0) -> Device:
    """The device for "auto" (a GPU where one can be used, else the CPU, saying why), "cpu", "cuda", "cuda:N", or of
    several such as "cuda:0,cuda:2" or "cuda:0,cpu".

    `rank`: of processes that train together; they take what is named in turn, and where nothing is named by its number,
    the cards that are here. Raises DeviceUnavailable where a named GPU cannot be used, UsageError for any other
    name.
    """
    if named.is_several(device):
        device = named.of_rank(device, rank)
    if device == CPU:
        return _cpu("The CPU was asked for.")
    if device == AUTO:
        obstacle = cuda_obstacle()
        if obstacle:
            return _cpu(f"On the CPU: {obstacle}")
        try:
            return _cuda(rank % cards(), "A GPU is here.")
        except DeviceUnavailable as error:
            return _cpu(f"On the CPU: {error.detail}")
    match = re.fullmatch(r"cuda(?::(\d{1,9}))?", device)
    if match is None:
        raise UsageError(
            f"Cannot compute on {device[:40]!r}.",
            hint="Choose auto, cpu, cuda or cuda:0 (cuda:1 …); for several processes cuda:0,cuda:1 or cuda:0,cpu.",
        )
    obstacle = cuda_obstacle()
    if obstacle:
        raise DeviceUnavailable(f"Cannot compute on {device}.", detail=obstacle, hint="Choose the device auto or cpu.")
    count = cards()
    number = rank % count if match[1] is None else int(match[1])
    if number >= count:
        there = "one GPU, cuda:0" if count == 1 else f"{count} GPUs, cuda:0 to cuda:{count - 1}"
        raise DeviceUnavailable(
            f"Cannot compute on {device}.", detail=f"This machine has {there}.", hint="Choose one of them, or auto."
        )
    return _cuda(number, f"{device} was asked for.")


def every(device: str = AUTO) -> tuple[Device, ...]:
    """All that a name means, for work that is no training: every GPU that answers for "auto" and "cuda", else the one
    or those that it names. Raises as `choose`, and UsageError for a card and the CPU."""
    there = cards() if device in (AUTO, "cuda") and not cuda_obstacle() else 1
    count = named.meant(device, there)
    if named.beside_cards(device, count):
        raise UsageError(
            f"Cannot compute on {device}.",
            detail="The CPU goes beside a card in a training alone.",
            hint="Name the card, or the CPU.",
        )
    found = [choose(device, rank=rank) for rank in range(count)]
    return tuple(one for one in found if one.kind != CPU) or (found[0],)


def shares(device: str, ranks: int) -> tuple[int, ...]:
    """Of each of so many processes, how many compute on the device that `choose` gives to it, with itself."""
    in_turn = ranks > 1 and device in (AUTO, "cuda") and choose(device).kind != CPU
    return named.shares(device, ranks, cards() if in_turn else 0)


def sharing(device: str, ranks: int) -> int:
    """How many of so many processes compute on one device, at most."""
    return max(shares(device, ranks))


def cards() -> int:
    """How many cards torch finds."""
    import torch

    return torch.cuda.device_count()


def compute_with(threads: int) -> None:
    """As many threads of the CPU: what kernels take for themselves depends on it too."""
    import torch

    torch.set_num_threads(threads)


def compute_alike(name: str) -> None:
    """Torch computes the same from the same from now on, where that is promised: on "cpu".

    What is kept for backward depends on it too: a max pooling that is compiled keeps its map.
    """
    import torch

    torch.use_deterministic_algorithms(name == CPU)


@contextlib.contextmanager
def computing_alike(name: str) -> Iterator[None]:
    """Within it as `compute_alike`; then as before."""
    import torch

    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    filled = getattr(torch.utils.deterministic, _FILL)
    compute_alike(name)
    _fill(False)  # it takes no memory, and a trace a fifth of its time
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before[0], warn_only=before[1])
        _fill(filled)


def _fill(whether: bool) -> None:
    import torch

    setattr(torch.utils.deterministic, _FILL, whether)


def free_bytes(name: str) -> int:
    """The memory that is free now on "cpu" (what can be had without swapping, in this container) or "cuda:N"."""
    if name == CPU:
        available, limit = int(psutil.virtual_memory().available), cgroup.memory()
        return available if limit is None else min(available, limit.left)
    import torch

    free, _ = torch.cuda.mem_get_info(torch.device(name))
    # What torch's own pool holds unused is free for torch.
    return int(free) + torch.cuda.memory_reserved(name) - torch.cuda.memory_allocated(name)


def total_host_bytes() -> int:
    """The memory that this machine has, or this container of it."""
    total, limit = int(psutil.virtual_memory().total), cgroup.memory()
    return total if limit is None else min(total, limit.total)


def free_cached() -> None:
    """Give back what was only kept for reuse: after a run that ran out of memory, before one that takes less."""
    import gc

    import torch

    gc.collect()
    heap.return_freed_memory()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def used_bytes() -> int:
    """The resident memory of this process."""
    return int(psutil.Process().memory_info().rss)


def cuda_obstacle() -> str:
    """Why no GPU can be used, as a sentence; empty where one can."""
    import torch

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        usable = torch.cuda.is_available() and torch.cuda.device_count() > 0
        too_old = _card_too_old() if usable else ""
    if usable:
        return too_old
    said = str(caught[0].message).split(". ")[0] if caught else ""
    return explain_absence(driver(), built_for=torch.version.cuda, said=said)


def explain_absence(found: Driver | None, *, built_for: str | None, said: str = "") -> str:
    """Why torch finds no GPU. `built_for`: the CUDA version that torch was built for; `said`: torch's own warning."""
    if found is None:
        return "no NVIDIA GPU with a driver was found."
    if not found.cards:
        return f"the NVIDIA driver {found.version} is here, but it finds no GPU."
    card = found.cards[0]
    if built_for is None:
        return f"there is a GPU ({card}), but this torch was built without CUDA; install a build with CUDA to use it."
    major = int(built_for.split(".")[0])
    if found.cuda[0] < major:
        return (
            f"there is a GPU ({card}), but its driver {found.version} is too old: it runs CUDA "
            f"{found.cuda[0]}.{found.cuda[1]}, this torch needs {built_for}. Update the NVIDIA driver."
        )
    return f"there is a GPU ({card}), but torch cannot use it{f' ({said})' if said else ''}."


def driver() -> Driver | None:
    """What the management library says; None where it or the driver is not here."""
    import pynvml

    try:
        pynvml.nvmlInit()
    except (pynvml.NVMLError, OSError):
        return None
    try:
        cuda = int(pynvml.nvmlSystemGetCudaDriverVersion_v2())
        handles = [pynvml.nvmlDeviceGetHandleByIndex(number) for number in range(pynvml.nvmlDeviceGetCount())]
        cards = tuple(str(pynvml.nvmlDeviceGetName(handle)) for handle in handles)
        return Driver(
            version=str(pynvml.nvmlSystemGetDriverVersion()), cuda=(cuda // 1000, cuda % 1000 // 10), cards=cards
        )
    except pynvml.NVMLError:
        return None
    finally:
        pynvml.nvmlShutdown()


def _card_too_old() -> str:
    """torch finds a card that it was not built for: its first kernel would fail."""
    import torch

    capability = torch.cuda.get_device_capability(0)
    built = [int(digits) for name in torch.cuda.get_arch_list() if (digits := name.rpartition("_")[2]).isdigit()]
    if built and capability[0] * 10 + capability[1] < min(built):
        title = torch.cuda.get_device_name(0)
        return (
            f"there is a GPU ({title}), but it is too old for this torch (compute capability "
            f"{capability[0]}.{capability[1]}, needed {min(built) / 10:.1f})."
        )
    return ""


def _cpu(why: str) -> Device:
    return Device(name=CPU, kind=CPU, title=CPU_TITLE, why=why, free_bytes=free_bytes(CPU))


def _cuda(number: int, why: str) -> Device:
    import torch

    name = f"cuda:{number}"
    try:
        free = free_bytes(name)
    except RuntimeError as error:  # the driver is there, but no context can be made: a dead or exclusive card
        raise DeviceUnavailable(
            f"Cannot compute on {name}.",
            detail="The GPU does not answer: it is in use exclusively, or needs a restart.",
            hint="Choose the device cpu, or restart the computer.",
        ) from error
    title = str(torch.cuda.get_device_name(number))
    return Device(
        name=name, kind="cuda", title=title, why=f"{why} {title}, {format_bytes(free)} free.", free_bytes=free
    )
