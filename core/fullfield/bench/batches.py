"""Batches of files, DICOM to DICOM, beside a script that does the same with OpenCV's CLAHE.

Twenty uncompressed files of one picture, whose contents differ. The script reads by pydicom, gives new UIDs, writes
uncompressed and flushes to disk; ours is the command line with all that it does. Processor's seconds are those of all
processes, and so is the highest sum of resident memory, in which what processes share counts in each.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from fullfield import system
from fullfield.bench import radiographs
from fullfield.bench import usage as usages
from fullfield.bench.usage import Usage
from fullfield.checked import Fields
from fullfield.errors import FullfieldError

COUNT = 20
GOAL, GOAL_BYTES = 1.5, 300 << 20
"""How many times the script's seconds a batch may take, and how much memory."""
SCRIPT = "script"
TITLES = {
    SCRIPT: "OpenCV CLAHE in a script",
    "preset": "Fullfield, by presets",
    "learned": "Fullfield, --model shipped",
}


def run(folder: Path, *, repeat: int, size: int, count: int = COUNT) -> list[Fields]:
    """Of each way the least of `repeat` alternating runs, the first ones not counted. Raises FullfieldError."""
    source = folder / "source"
    radiographs.make(source, count, longer=size, bodies=1)
    taken: dict[str, list[Usage]] = {name: [] for name in TITLES}
    for turn in range(repeat + 1):
        for name in TITLES:
            used = _measure(name, source, folder / "work")
            if turn:
                taken[name].append(used)
    least = {name: min(one.cpu_seconds for one in used) for name, used in taken.items()}
    return [
        {
            "name": name,
            "cpu_seconds": least[name],
            "ratio": least[name] / least[SCRIPT],
            "together_bytes": max(one.together_bytes for one in used),
        }
        for name, used in taken.items()
    ]


def _measure(name: str, source: Path, work: Path) -> Usage:
    shutil.rmtree(work, ignore_errors=True)
    target = work / "out"
    command = [*system.python_command("fullfield_app"), "--batch", str(source), "-o", str(target)]
    if name == SCRIPT:
        command = [*system.python_command("fullfield.bench.route"), SCRIPT, str(source), str(target)]
    elif name == "learned":
        command += ["--model", "shipped"]
    own = {f"FULLFIELD_{what}": str(work / what.lower()) for what in ("CACHE", "RUNS", "SETTINGS")}
    compiling = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    used = usages.measure(command, environment={**compiling, **own})
    if used.code or len(list(target.glob("*.dcm"))) != len(list(source.glob("*.dcm"))):
        raise FullfieldError(
            f"Cannot measure {TITLES[name]}.",
            detail=f"Its process ended with code {used.code}, or files are missing.",
            hint="Run the command by itself to see why.",
        )
    shutil.rmtree(work)
    return used


__all__ = ["COUNT", "GOAL", "GOAL_BYTES", "SCRIPT", "TITLES", "run"]
