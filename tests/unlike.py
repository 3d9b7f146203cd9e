"""Which files of tests can come out otherwise where the training part is not installed: seen where it is.

That every light module is imported there is proven by the rules. While a test runs, three things alone can tell one
installation from the other: an import of a package or module of the training part, a question whether there is one,
and another process, which does either unseen. A test that does none of them runs through the same code in both. So do
the child that decodes, which can reach neither (`decoder_reaches`), and the programs of others that judge its files.
`start.py test` has it noted of every file, and `start.py test --light` leaves out those of such tests alone.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import importlib.metadata
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fullfield import parts
from fullfield.dicom.read import CHILD

NOTES = "FULLFIELD_TESTS_NOTES"  # the folder to note in; where it is not set nothing is seen
PROCESSES = frozenset({"subprocess.Popen", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "os.exec"})
JUDGES = frozenset({"dciodvfy", "dcmdump", "dcm2pnm", "gdcminfo", "gdcmconv"})
_NAMES = frozenset({*parts.PACKAGES, *parts.PACKAGES.values()})
_seen = False
_noted: set[tuple[str, bool]] = set()


def watch() -> None:
    """From now on see what `seen` tells of, where that is to be noted."""
    if NOTES in os.environ:
        builtins.__import__ = _asking(builtins.__import__)
        importlib.import_module = _asking(importlib.import_module)
        importlib.util.find_spec = _asking(importlib.util.find_spec)
        importlib.metadata.Distribution.from_name = staticmethod(  # type: ignore[method-assign,assignment]
            _asking(importlib.metadata.Distribution.from_name)
        )
        sys.addaudithook(_receive)


def seen() -> bool:
    """Whether anything was done since the last call that can come out otherwise."""
    global _seen
    found, _seen = _seen, False
    return found


def tell(found: bool) -> None:
    """Have `seen` tell what it had told already."""
    global _seen
    _seen = found or _seen


def note(file: str, *, unlike: bool) -> None:
    """Of a test in `file` that has run; the same is noted once."""
    if NOTES in os.environ and (file, unlike) not in _noted:
        _noted.add((file, unlike))
        with (Path(os.environ[NOTES]) / f"{os.getpid()}.txt").open("a", encoding="utf-8") as stream:
            stream.write(f"{'unlike' if unlike else 'alike'} {file}\n")


def _asking(function: Callable[..., Any]) -> Callable[..., Any]:
    def asked(name: str, *given: Any, **named: Any) -> Any:
        if not _seen:
            taken = (given[2] if len(given) > 2 else named.get("fromlist")) or ()  # of `__import__`
            tell(any(map(_is_asked, (name, *(f"{name}.{one}" for one in taken)))))
        return function(name, *given, **named)

    return asked


@functools.cache
def _is_asked(name: str) -> bool:
    return name.partition(".")[0] in _NAMES or not parts.is_light(name)


def _receive(event: str, given: tuple[Any, ...]) -> None:
    if event in PROCESSES and not (event == "subprocess.Popen" and _is_alike(given[1])):
        tell(True)


def _is_alike(command: Any) -> bool:
    """Whether a process runs in both installations through the same code."""
    words = list(command) if isinstance(command, (list, tuple)) else []
    return (words[:1] == [sys.executable] and words[1:4] == ["-P", "-m", CHILD]) or bool(JUDGES.intersection(words[:1]))


def decoder_reaches() -> set[str]:
    """All modules of ours, and packages of others, that are imported anywhere in what the child that decodes imports,
    and in what that imports."""
    found, next_ones = set[str](), [CHILD]
    while next_ones:
        name = next_ones.pop()
        source = _source(name)
        if source is None:
            found.add(name.partition(".")[0])
        elif name not in found:
            found.add(name)
            for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    next_ones += [one.name for one in node.names]
                elif isinstance(node, ast.ImportFrom) and node.module:
                    next_ones += [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
    return found


def _source(module: str) -> Path | None:
    base = Path(parts.__file__).parents[1].joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.exists()), None)
