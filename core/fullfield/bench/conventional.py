"""The conventional processor beside what a user would take instead, each as a whole process from file to file.

CPU seconds (user and system, the decode child's counted) and peak memory of one uncompressed 4096×4096 radiograph,
DICOM in and DICOM out. Alternating runs and medians: the machine is shared, so ratios travel and seconds do not. The
first run of each is not counted: it may compile what an installed program brings compiled.
"""

from __future__ import annotations

import json as jsons
import os
import statistics
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from fullfield import standard_output, system
from fullfield.bench import route
from fullfield.bench import usage as usages
from fullfield.bench.usage import Usage
from fullfield.errors import FullfieldError
from fullfield.units import format_bytes

SIZE = 4096
LIMIT = 4.0
"""How many times OpenCV's CPU time our preset may take (the goal of the first issue)."""

_TITLES = {
    "preset": "Fullfield, preset general",
    "opencv": "OpenCV CLAHE",
    "skimage": "scikit-image equalize_adapthist",
    "simpleitk": "SimpleITK adaptive histogram",
}
_YARDSTICK = "opencv"
_ONCE = frozenset({"simpleitk"})  # a hundred times the yardstick: one run tells as much as five


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method: medians over `runs`; `ratio` of its CPU time to OpenCV's. `reason`: why there are no figures."""

    name: str
    title: str
    cpu_seconds: float | None = None
    peak_bytes: int | None = None
    ratio: float | None = None
    runs: int = 0
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Table:
    """All methods on one image of `size`×`size` pixels."""

    size: int
    rows: tuple[Row, ...]

    def row(self, name: str) -> Row:
        """The row of one method."""
        return next(row for row in self.rows if row.name == name)

    def text(self) -> str:
        """The table for people."""
        lines = [f"{self.size}×{self.size}, DICOM to DICOM, whole process, medians of alternating runs"]
        lines += [f"{'':34}{'CPU s':>8}{'peak':>12}{'× OpenCV':>10}{'runs':>6}"]
        for row in self.rows:
            if row.cpu_seconds is None or row.peak_bytes is None or row.ratio is None:
                lines.append(f"{row.title:34}  {row.reason}")
                continue
            figures = f"{row.cpu_seconds:>8.2f}{format_bytes(row.peak_bytes):>12}{row.ratio:>10.2f}{row.runs:>6}"
            lines.append(f"{row.title:34}{figures}")
        return "\n".join(lines)

    def json(self) -> str:
        """The table for programs."""
        return jsons.dumps({"kind": "conventional", **asdict(self)})


def bench(*, json: bool, repeat: int = 5) -> int:
    """`fullfield bench conventional`: measure and write the table to standard output. The exit code is 0."""
    table = run(repeat=repeat)
    standard_output.write((table.json() if json else table.text()) + "\n")
    return 0


def run(*, repeat: int = 5, size: int = SIZE, methods: tuple[str, ...] = tuple(_TITLES)) -> Table:
    """Measure `methods`, `repeat` alternating runs each (the slow one once), on a phantom of `size` pixels.

    Raises FullfieldError where a method fails for another reason than a missing library.
    """
    measured: dict[str, list[Usage]] = {name: [] for name in methods}
    reasons: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="fullfield-bench-") as name:
        folder = Path(name)
        source = folder / "source.dcm"
        _take("phantom", Path(str(size)), source, cache=folder)
        for turn in range(repeat + 1):
            for method in methods:
                if method in reasons or (turn != 1 and method in _ONCE):
                    continue
                usage = _measure(method, source, folder, turn)
                if usage.code == route.MISSING:
                    reasons[method] = "not installed"
                elif turn:
                    measured[method].append(usage)
    seconds = {method: statistics.median(u.cpu_seconds for u in used) for method, used in measured.items() if used}
    rows = []
    for method, used in measured.items():
        if not used:
            rows.append(Row(name=method, title=_TITLES[method], reason=reasons.get(method, "not measured")))
            continue
        rows.append(
            Row(
                name=method,
                title=_TITLES[method],
                cpu_seconds=seconds[method],
                peak_bytes=int(statistics.median(u.peak_bytes for u in used)),
                ratio=seconds[method] / seconds[_YARDSTICK] if _YARDSTICK in seconds else None,
                runs=len(used),
            )
        )
    return Table(size=size, rows=tuple(rows))


def _measure(method: str, source: Path, folder: Path, turn: int) -> Usage:
    target = folder / f"{method}.dcm"
    usage = _take(method, source, target, cache=folder / f"cache-{turn}")  # never one that holds the decoded file
    target.unlink(missing_ok=True)
    return usage


def _take(method: str, source: Path, target: Path, *, cache: Path) -> Usage:
    command = [*system.python_command("fullfield.bench.route"), method, str(source), str(target)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    usage = usages.measure(command, environment={**environment, "FULLFIELD_CACHE": str(cache)})
    if usage.code not in (0, route.MISSING) or (usage.code == 0 and not target.exists()):
        raise FullfieldError(
            f"Cannot measure {_TITLES.get(method, method)}.",
            detail=f"Its process ended with code {usage.code}.",
            hint="Run the route by itself to see why.",
        )
    return usage


__all__ = ["LIMIT", "SIZE", "Row", "Table", "bench", "run"]
