"""What an installation consists of: the light part, which every one has, and the training part, which a user adds.
A server may have the engine alone, which is the light part without its window.

Here, and here alone, is written which packages and which modules belong to the training part; all others are light. A
rule test hides the packages and imports every light module; nothing that is light may import them but inside a function
whose callers have asked `require` first, or which end where `missing` is told.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util

from fullfield import system
from fullfield.errors import MissingPart

# By the name that Python imports, the name that pip installs.
PACKAGES = {
    "torch": "torch",
    "torchvision": "torchvision",
    "torchao": "torchao",
    "segmentation_models_pytorch": "segmentation-models-pytorch",
    "timm": "timm",
    "huggingface_hub": "huggingface-hub",
    "pytorch_msssim": "pytorch-msssim",
    "momentumnet": "momentumnet",
    "pynvml": "nvidia-ml-py",
    "SimpleITK": "SimpleITK",
    "matplotlib": "matplotlib",
}
NETWORK = ("torch", "segmentation_models_pytorch")  # what applies a model to an image
TRAINING = (*NETWORK, "torchao", "pytorch_msssim", "momentumnet")
REPORTS = ("matplotlib",)
WINDOW = ("PySide6", "pyqtgraph")
_WINDOW_ROOM = "fullfield_app.gui"  # what the engine does not have
_ENGINE, _WHOLE = "fullfield-engine", "fullfield"  # distributions

ROOMS = tuple(
    f"fullfield.{name}"
    for name in (
        "bands",
        "host_tier",
        "kernels",
        "optim",
        "quantize",
        "recomputation",
        "saved_tensors",
        "train",
        "tuning",
    )
)
"""Rooms that are of the training part as a whole."""

MODULES = frozenset(
    f"fullfield.{name}"
    for name in (
        *(
            f"bench.{name}"
            for name in ("apart", "card", "devices", "enhance", "exact", "exact_ranks", "lively", "loss", "memory")
        ),
        *(f"bench.{name}" for name in ("native", "reckoned", "single")),
        *(f"bench.{name}" for name in ("starts", "step", "stepping", "tiles", "time", "trained")),
        "data.loader",
        "distribution.compressed",
        *(f"enhance.{name}" for name in ("backends.pytorch", "bands", "halo_exchange")),
        *(f"memory.{name}" for name in ("allocator", "forms", "operations", "stand_ins")),
        *(f"memory.{name}" for name in ("temporaries", "trace", "tracker")),
        *(f"model.{name}" for name in ("autocast", "chain", "halo", "initial")),
        *(f"model.{name}" for name in ("map_network", "map_pyramid", "unet")),
        *(f"model.{name}" for name in ("modules", "network", "placed", "seeded", "tensor_file", "weights")),
        *(f"report.{name}" for name in ("figures", "fonts", "pdf")),
        *(f"techniques.{name}" for name in ("build", "costing")),
    )
)
"""Modules of other rooms that are of the training part."""


def is_light(module: str) -> bool:
    """True for a module that every installation can import."""
    return module not in MODULES and not any(f"{module}.".startswith(f"{room}.") for room in ROOMS)


def is_here(package: str) -> bool:
    """Whether a package, by the name that Python imports, is installed; it is not imported."""
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):  # a half of a package
        return False


def absent(*packages: str) -> tuple[str, ...]:
    """Those of `packages` that are not installed."""
    return tuple(package for package in packages if not is_here(package))


def require(*packages: str) -> None:
    """Raise MissingPart where one of `packages` is not installed: before anything is begun that needs it."""
    gone = absent(*packages)
    if gone:
        raise _error(gone)


def missing(error: BaseException) -> MissingPart | None:
    """What to tell of an import that failed because a part is not installed; None for others.

    Something may have wrapped the error on its way: its causes are looked through, too.
    """
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, ModuleNotFoundError):
            name = (found.name or "").partition(".")[0]
            if name in PACKAGES:
                return _error((name,))
            if name in WINDOW or (found.name or "").startswith(_WINDOW_ROOM):
                return MissingPart(
                    "This needs the window of Fullfield.",
                    detail="It is not installed: an engine for servers enhances by fullfield --batch.",
                    hint="Install fullfield, which adds the window to the engine.",
                )
        found = found.__cause__
    return None


def has_window() -> bool:
    """False where the engine is installed alone, as on servers and nodes, and not the window."""
    return _distribution(_WHOLE) or not _distribution(_ENGINE)


def _distribution(name: str) -> bool:
    try:
        importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def version(package: str) -> str:
    """The version of a package that is here, by the name that Python imports; "" where that is not known."""
    try:
        return importlib.metadata.version(PACKAGES.get(package, package)) if is_here(package) else ""
    except importlib.metadata.PackageNotFoundError:
        return ""


def remedy() -> str:
    """What brings the training part, a sentence."""
    line = "fullfield install training"
    if not system.FROZEN:  # a frozen program has no pip
        line += f', or pip install "{_WHOLE if has_window() else _ENGINE}[train]"'
    return f"Install it with “Install…” on the page that trains, or with the command: {line}"


def _error(gone: tuple[str, ...]) -> MissingPart:
    names = ", ".join(PACKAGES[package] for package in gone)
    return MissingPart(
        "This needs the training part of Fullfield.",
        detail=f"This is a light installation, which enhances with presets. Not installed: {names}.",
        hint=remedy(),
    )


__all__ = [
    "MODULES",
    "NETWORK",
    "PACKAGES",
    "REPORTS",
    "ROOMS",
    "TRAINING",
    "WINDOW",
    "absent",
    "has_window",
    "is_here",
    "is_light",
    "missing",
    "remedy",
    "require",
    "version",
]
