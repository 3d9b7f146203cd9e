"""Environments that are copies of the first one: Python takes eight seconds to bring pip into one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from fullfield.training_part import needs
from fullfield.training_part.pip import Pip

_make, _check = Pip.make_environment, needs.check
COPIES = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from training_part import made
del sys.path[0]
made.Pip.make_environment = made.copies(Path({first!r}))
made.needs.check = made.unlabelled
"""


def copies(first: Path) -> Callable[[Pip, Path, Path], None]:
    """In place of `Pip.make_environment`, which has made `first`, or is to make it there."""

    def copy(pip: Pip, python: Path, to: Path) -> None:
        if not first.exists():
            _make(pip, python, first)
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(first, to, symlinks=True, copy_function=os.link)

    return copy


def unlabelled(wheels: Iterable[Path], text: str) -> None:
    """In place of `needs.check`: passes over the tiny builds, of which the lock has no hashes."""
    _check([path for path in wheels if "+test" not in path.name], text)


def in_processes(site: Path, first: Path) -> None:
    """Have the processes whose `sitecustomize` lies in `site` make copies of `first`."""
    with (site / "sitecustomize.py").open("a", encoding="utf-8") as stream:
        stream.write(COPIES.format(tests=os.fspath(Path(__file__).parents[1]), first=os.fspath(first)))
