"""Which build of torch comes, for the CPU or for a card: what the driver allows decides, unless the user does.

On Linux the usual index has the build for cards, on Windows the one for the CPU; the other one lies in PyTorch's own
index, which is asked for torch and torchvision alone. Where pip is set to an index of its own, by an administrator as a
rule, that is asked for all and decides: nobody else is asked past it. A Mac has one build.
"""

from __future__ import annotations

from dataclasses import dataclass

from fullfield import system
from fullfield.errors import UsageError
from fullfield.training_part.driver import Driver

CPU, CUDA = "cpu", "cuda"
CUDA_MAJOR = 13  # of the builds for cards: of the lock's, and of PyTorch's for Windows
HOST = "download.pytorch.org"
PYTORCH = f"https://{HOST}/whl"
_ELSEWHERE = {(CPU, "linux"): "cpu", (CUDA, "windows"): "cu130"}  # what PyTorch's index calls them
# Megabytes to fetch, and on the disk once installed: measured on Linux (lock of November 2026), others by their wheels.
_SIZES = {
    (CPU, "linux"): (400, 1700),
    (CUDA, "linux"): (3100, 6500),
    (CPU, "windows"): (330, 1500),
    (CUDA, "windows"): (2800, 6000),
    (CPU, "mac"): (340, 1300),
}
_OWN = "Your own package index is asked alone, and decides which build comes."


@dataclass(frozen=True, kw_only=True)
class Build:
    """`name`: cpu or cuda; `why`: it was chosen, a sentence. `index`: the address of PyTorch's index that has it; "":
    the usual one has it, or decides. `megabytes` to fetch and `disk_megabytes` once installed, both roughly."""

    name: str
    why: str
    index: str
    megabytes: int
    disk_megabytes: int


def choose(driver: Driver | None, *, wanted: str = "", own_index: bool = False) -> Build:
    """The build for this computer; `wanted`: cpu or cuda, whatever the driver allows. `own_index`: see above.

    Raises UsageError where there is no such build for this system.
    """
    name, why = _decided(driver, wanted)
    place = "mac" if system.MAC else "windows" if system.WINDOWS else "linux"
    if (name, place) not in _SIZES:
        raise UsageError(
            f"Cannot install a build for {name} on this computer.",
            detail="There is one build for a Mac.",
            hint="Leave the choice out.",
        )
    label = _ELSEWHERE.get((name, place))
    index = f"{PYTORCH}/{label}" if label and not own_index else ""
    if label and own_index:
        why = f"{why} {_OWN}"
    fetched, disk = _SIZES[name, place]
    return Build(name=name, why=why, index=index, megabytes=fetched, disk_megabytes=disk)


def _decided(driver: Driver | None, wanted: str) -> tuple[str, str]:
    if wanted in (CPU, CUDA):
        return wanted, "You asked for it."
    if system.MAC:
        return CPU, "There is one build for a Mac."
    if driver is None:
        return CPU, "No NVIDIA card with a driver was found."
    card = ", ".join(dict.fromkeys(driver.cards))
    if driver.cuda[0] < CUDA_MAJOR:
        allowed = ".".join(map(str, driver.cuda))
        return CPU, (
            f"The driver {driver.version} of {card} allows CUDA up to {allowed}, and CUDA {CUDA_MAJOR} is needed: "
            "update it first to train on the card."
        )
    return CUDA, f"The driver {driver.version} of {card} allows CUDA {'.'.join(map(str, driver.cuda))}."
