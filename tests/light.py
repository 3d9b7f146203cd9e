"""Tests and the training part: `require` skips where it is not installed, `hidden` hides it where it is.

`hidden(folder, …)` gives the environment of a process, which its own processes inherit, to which packages are not
installed. The finder stands in a `sitecustomize` that Python imports at its start.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from fullfield import parts

_FINDER = """
import importlib.abc, sys

class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
"""


def require(*packages: str) -> None:
    """Skip the test, saying so, where one of `packages` (none named: of all that train) is not installed."""
    gone = parts.absent(*(packages or parts.TRAINING))
    if gone:
        pytest.skip(f"tests the training part, which is not installed: {', '.join(gone)}", allow_module_level=True)


def hidden(folder: Path, packages: Iterable[str]) -> dict[str, str]:
    """The environment of a process to which `packages` are not installed. `folder`: an empty one for the finder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(_FINDER.format(names=set(packages)), encoding="utf-8")
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
