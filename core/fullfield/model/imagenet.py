"""The ImageNet weights of the encoders: where a hub keeps them, and whether they are on this computer. No network here.

smp pins them to a revision of a repository, and huggingface_hub keeps what was fetched in this user's cache:

    models--OWNER--NAME/snapshots/REVISION/model.safetensors → ../../blobs/SHA-256

Other programs use the same cache; what they have fetched of this revision is taken. Imports no torch, and not
huggingface_hub either, which takes most of a second.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from fullfield import files
from fullfield.errors import ModelError
from fullfield.model.encoders.registry import ENCODERS

HOST = "huggingface.co"
FILE = "model.safetensors"
_SHA256 = re.compile("[0-9a-f]{64}")


SOURCES = {name: one.imagenet for name, one in ENCODERS.items() if one.imagenet is not None}
"""Of the encoders whose weights are known."""


def cache() -> Path:
    """The folder of huggingface_hub's cache, as its own variables and its documentation say."""
    home = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")) / "huggingface"
    usual = Path(os.environ.get("HF_HOME", home)) / "hub"
    chosen = os.environ.get("HF_HUB_CACHE", os.environ.get("HUGGINGFACE_HUB_CACHE", str(usual)))
    return Path(os.path.expandvars(chosen)).expanduser()


def repository(encoder: str) -> Path:
    """The folder in the cache for the weights of an encoder of `SOURCES`; it may not exist."""
    return cache() / f"models--{SOURCES[encoder].repository.replace('/', '--')}"


def find(encoder: str) -> Path | None:
    """The file of an encoder's weights; None where it is not on this computer, or no hub has any."""
    if encoder not in SOURCES:
        return None
    path = repository(encoder) / "snapshots" / SOURCES[encoder].revision / FILE
    return path if path.is_file() else None


def is_whole(path: Path) -> bool:
    """False where the content is not what its name in the cache says; that is known where the cache has links.

    Raises OSError.
    """
    name = Path(os.path.realpath(path)).name
    return not _SHA256.fullmatch(name) or files.sha256(path) == name


def megabytes(encoder: str) -> int:
    """What a fetch brings, in millions of bytes."""
    return round(SOURCES[encoder].bytes / 1e6)


def fetch_command(encoder: str) -> str:
    """What to type to fetch them."""
    return "fullfield weights fetch" + ("" if encoder == "resnet34" else f" --encoder {encoder}")


def missing(encoder: str) -> ModelError:
    """The error where they are asked for by name and are not here."""
    if encoder not in SOURCES:
        return ModelError(
            "Cannot start from ImageNet weights.",
            detail=f"Fullfield knows of none for {encoder} whose content it could check.",
            hint="Give torchvision's file of this encoder, or start without (--weights none).",
        )
    return ModelError(
        "Cannot start from ImageNet weights.",
        detail=f"Those of {encoder} are not on this computer, and nothing is fetched without being asked for.",
        hint=f"Fetch them ({fetch_command(encoder)}), give a file, or start without (--weights none).",
    )


def damaged(encoder: str) -> ModelError:
    """The error where the file that is here has changed."""
    return ModelError(
        "Cannot start from ImageNet weights.",
        detail=f"Those of {encoder} on this computer are damaged.",
        hint=f"Fetch them again ({fetch_command(encoder)}).",
    )
