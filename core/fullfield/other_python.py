"""Another Python than the one that runs this: where it may be found, what it is started with, what it says."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from fullfield import system
from fullfield.system import FROZEN, LINUX, MAC, WINDOWS

_OF_THIS_PYTHON = frozenset({"PYTHONPATH", "PYTHONHOME", "PYTHONEXECUTABLE", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__"})
GRACE_SECONDS = 10.0  # for a process to end its own children
_NO_CONSOLE = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # Windows alone has it, and others want 0


def commands(versions: Sequence[str]) -> list[list[str]]:
    """The commands by which Pythons of these versions ("3.13") may be found here, in their order; few of them exist.

    First our own, unless the program is frozen. Windows has a launcher; a Mac's own folders are on no window's PATH.
    """
    own = [] if FROZEN else [[sys.executable]]
    if WINDOWS:
        return [*own, *(["py", f"-{version}"] for version in versions), ["python"]]
    names = [*(f"python{version}" for version in versions), "python3"]
    folders = ("/opt/homebrew/bin", "/usr/local/bin") if MAC else ()
    return [*own, *([name] for name in names), *([f"{folder}/{name}"] for folder in folders for name in names)]


def of_environment(folder: Path) -> Path:
    """The Python of a virtual environment."""
    return folder / ("Scripts/python.exe" if WINDOWS else "bin/python")


def packages_of_environment(folder: Path) -> Path | None:
    """Where the packages of a virtual environment lie; None where there is none."""
    return next(iter(folder.glob("Lib/site-packages" if WINDOWS else "lib/python3*/site-packages")), None)


def environment() -> dict[str, str]:
    """The environment for a process of another Python: what was set for this one would lead it to this one's packages
    and libraries. Packages of ours that are not installed, as in a checkout, are found there too; files of the current
    folder are not."""
    values = {name: value for name, value in os.environ.items() if name not in _OF_THIS_PYTHON}
    values["PYTHONSAFEPATH"] = "1"
    if FROZEN and LINUX:  # the bootloader of a frozen program has put its own libraries first
        usual = values.pop("LD_LIBRARY_PATH_ORIG", None)
        values.pop("LD_LIBRARY_PATH", None)
        if usual is not None:
            values["LD_LIBRARY_PATH"] = usual
    source = system.source_folder()
    if source is None:
        return values
    beside = source.parent / "app"
    return values | {"PYTHONPATH": os.pathsep.join(map(str, [source, beside] if beside.is_dir() else [source]))}


def start(command: list[str], values: dict[str, str], log: BinaryIO) -> system.Process:
    """Start `command`, which asks nothing, with all that it says into `log`, and without a console window."""
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=values, creationflags=_NO_CONSOLE
    )


def call(command: list[str]) -> int:
    """Run `command` in this process's terminal, to its end; its exit code. It ends when this process is interrupted."""
    process = subprocess.Popen(command, env=environment())
    try:
        return process.wait()
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                system.kill_tree(process.pid)


def output(command: list[str], *, seconds: float) -> str:
    """What `command` says on its standard output; "" where it fails, is not there, or takes longer."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=environment(),
            timeout=seconds,
            creationflags=_NO_CONSOLE,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout if done.returncode == 0 else ""
