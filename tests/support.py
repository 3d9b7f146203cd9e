"""What several tests share. Not a second implementation of anything."""

from __future__ import annotations

import contextlib
import importlib.util
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from fullfield.hardware import compiler

ROOT = Path(__file__).resolve().parent.parent


def packaged(name: str) -> ModuleType:
    """A script of `packaging`, loaded anew. What lies beside it is found where that folder is on Python's path."""
    found = importlib.util.spec_from_file_location(f"packaging_{name}", ROOT / "packaging" / f"{name}.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module  # a dataclass looks itself up
    found.loader.exec_module(module)
    return module


def without_compiler(patch: pytest.MonkeyPatch) -> None:
    """While `patch` holds, the loss in bands runs operation by operation, in the same rows and with the same result:
    compiling its kernel takes longer than most steps."""
    patch.setattr(compiler, "missing", lambda: "The loss is computed without a compiler.")


@contextlib.contextmanager
def small_files(count: int) -> Iterator[None]:
    """While it holds, no file of this process grows beyond so many bytes (ulimit -f). Windows has no such limit."""
    import resource

    before, ignored = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (count, before[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def shared(part: str) -> Path:
    """A folder of the real test data that lie beside the project; the test is skipped where they are absent."""
    path = ROOT.parent / "shared" / part
    if not path.exists():
        pytest.skip(f"the real test data are not beside the project: shared/{part} is missing")
    return path
