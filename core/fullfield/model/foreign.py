"""Weights from outside: a `.pth` is read in a child that can be killed, and comes back as plain tensors.

    python -m fullfield.model.foreign MEMORY SECONDS FOLDER

torch's unpickler runs no program (`weights_only`), and still takes minutes, gigabytes or unforeseen turns over a
crafted file: in the child (`fullfield.serving`) that costs nothing but the file. There the tensors are checked and left
as safetensors in a folder of ours; a file of safetensors needs no unpickler and is read here.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from fullfield import files, serving
from fullfield.checked import Fields
from fullfield.child_process import Child, Lost
from fullfield.errors import ModelError
from fullfield.model import card as cards

if TYPE_CHECKING:
    from torch import Tensor

MEMORY_BYTES, SECONDS = 4 << 30, 120.0  # beside torch itself; resnet34's weights have 88 MB
MOST_TENSORS = 4096  # resnet34 has 218
MOST_DIMENSIONS = 8
_LEFT = "state.safetensors"
_GIVE = "Give torchvision's .pth of this encoder, or its weights as .safetensors."
_MODULE = "fullfield.model.foreign"


def state(path: Path, *, memory: int = MEMORY_BYTES, seconds: float = SECONDS) -> Mapping[str, Tensor]:
    """The tensors of a file of weights by their names, dense, on the CPU.

    `memory`, `seconds`: what reading it may take. Raises ModelError, in words, whatever the file holds.
    """
    from fullfield.model.weights import read_bytes

    if path.suffix == cards.SUFFIX:
        return _plain(read_bytes(path))
    _check_size(path)
    folder = Path(tempfile.mkdtemp(prefix="weights-", dir=files.cache_folder()))
    child = Child(_MODULE, memory=memory, seconds=seconds, folder=folder)
    try:
        answer = child.ask({"source": str(path.absolute())})
        if answer.get("kind") == "done":
            return _plain(read_bytes(folder / _LEFT))
        raise _refusal(answer)
    except Lost as lost:
        raise cards.refused(f"Reading it was stopped: {lost}.", _GIVE) from lost
    finally:
        child.end()
        shutil.rmtree(folder, ignore_errors=True)


def _plain(content: bytes) -> Mapping[str, Tensor]:
    from safetensors import SafetensorError
    from safetensors import torch as safetensors

    try:
        return safetensors.load(content)
    except (SafetensorError, ValueError, KeyError) as error:
        raise cards.refused("It is no whole safetensors file.", "Fetch the weights again.") from error


def _check_size(path: Path) -> None:
    with cards.reading():
        if path.stat().st_size > cards.LARGEST_BYTES:
            raise cards.refused("It is far larger than any model of this program.", "Choose another file.")
        with path.open("rb"):
            pass


def _refusal(answer: Fields) -> ModelError:
    match answer.get("kind"):
        case "unreadable":
            return ModelError(str(answer["title"]), detail=str(answer["detail"]), hint=str(answer["hint"]))
        case "memory":
            return cards.refused("Its weights need more memory than any network of this program.", _GIVE)
        case "disk":
            return ModelError(
                "Cannot use the model file.",
                detail=f"The system says: {os.strerror(int(answer.get('errno', 0)))}.",
                hint="Free some space on the disk of your home folder, and check that the file is still there.",
            )
    return _no_weights()


def _no_weights() -> ModelError:
    return cards.refused(
        "It is no file of weights alone, or it is damaged; a file that carries a program is never opened.", _GIVE
    )


# In the child -----------------------------------------------------------------------------------------------------


def work(request: Fields) -> Fields:
    """Leave the tensors of a `.pth` in the child's folder. Raises ModelError, and what the unpickler likes to."""
    import torch
    from safetensors import torch as safetensors

    loaded = torch.load(Path(request["source"]), map_location="cpu", weights_only=True)
    tensors = _checked(loaded)
    target = Path(tempfile.gettempdir()) / _LEFT
    safetensors.save_file({name: value.detach().contiguous().clone() for name, value in tensors.items()}, target)
    return {}


def _checked(loaded: object) -> dict[str, Tensor]:
    """The file's tensors, if it holds these alone, under names, and no more of them than a network has."""
    import torch

    if not isinstance(loaded, dict) or not 0 < len(loaded) <= MOST_TENSORS:
        raise cards.refused("It holds more than weights.", "Give torchvision's .pth of this encoder.")
    total = 0
    for name, value in loaded.items():
        if not isinstance(name, str) or not isinstance(value, torch.Tensor):
            raise cards.refused("It holds more than weights.", "Give torchvision's .pth of this encoder.")
        if value.layout is not torch.strided or value.is_quantized or value.ndim > MOST_DIMENSIONS:
            raise cards.refused("Its weights are not plain tensors.", _GIVE)
        total += value.numel() * value.element_size()  # of a stride of 0 too: what it would take when it is used
    if total > cards.LARGEST_BYTES:
        raise cards.refused("Its weights are far larger than those of any network of this program.", _GIVE)
    return loaded


def _main(arguments: list[str]) -> None:
    import torch  # before the memory is limited and the child confined

    torch.set_num_threads(1)
    serving.serve(arguments, work, held=psutil.Process().memory_info().vms)


if __name__ == "__main__":
    _main(sys.argv[1:])
