"""Whether torch.compile can work here: it writes C++ (for a GPU, a small C launcher) and has it compiled. No torch."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

from fullfield import system


def missing() -> str:
    """What torch.compile lacks on this machine, a sentence; empty where nothing.

    Looks for what torch would call, without asking torch, whose own search takes seconds to import.
    """
    if shutil.which(system.cpp_compiler()) is None:
        return f"torch.compile needs a C++ compiler, and {system.cpp_compiler()} is not installed."
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        return "torch.compile needs Python's C headers (Python.h), and they are not installed."
    return ""
