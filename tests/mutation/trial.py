"""A fault on trial: in a copy of the sources, whether the tests of the fault's own room notice it.

The working tree is read once and never written. The copy is put first on PYTHONPATH, and its own pytest runs in a
process of its own: first the tests of the file's name, and where they notice nothing, those of the whole room. Real
data that lie beside the project are not beside the copy: the same faults are noticed everywhere.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from mutation.faults import Fault

_COPIED = ("core", "app", "tests", "resources", "packaging", ".ci")
_PACKAGES = {"fullfield", "fullfield_app"}
_NOTICED = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.MULTILINE)
_NONE_COLLECTED = 5  # pytest's exit code
TOO_LONG = "the time limit"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Which test failed ("" if none did), and how long it took, seconds."""

    by: str
    seconds: float


class Copy:
    """A copy of the sources of `root` in the empty folder `folder`. `options`: more of pytest's."""

    def __init__(self, root: Path, folder: Path, *, options: tuple[str, ...] = ()) -> None:
        self._tree, self._temporary, self._log = folder / "tree", folder / "temporary", folder / "pytest.txt"
        self._options = options
        self._usual: dict[tuple[str, ...], float] = {}
        self._temporary.mkdir()
        for name in _COPIED:
            if (root / name).exists():
                shutil.copytree(root / name, self._tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        for path in root.iterdir():
            if path.is_file() and path.name != ".git":  # a file in a second working tree of one repository
                shutil.copy2(path, self._tree / path.name)

    def tests(self, path: str) -> list[tuple[str, ...]]:
        """What is asked one after another about the source file `path`: the tests of its name, those of its room.
        Raises FileNotFoundError where the room has none."""
        source = Path(path)
        below = source.parts[next(i for i, part in enumerate(source.parts) if part in _PACKAGES) + 1 :]
        room = self._tree / "tests" / (below[0] if len(below) > 1 else "")
        if not room.is_dir():
            raise FileNotFoundError(f"{path} belongs to a room without tests: tests/{room.name} is missing.")
        files = sorted(room.glob("test_*.py") if len(below) == 1 else room.rglob("test_*.py"))
        own = [one for one in files if re.match(rf"test_{source.stem}(_|\.)", one.name)]
        stages = [own, files] if len(below) == 1 else [own, [room]]
        return [tuple(one.relative_to(self._tree).as_posix() for one in stage) for stage in stages if stage]

    def tried(self, fault: Fault) -> Outcome:
        """Make the fault, ask the tests, and take it back. Raises ValueError where they fail without any fault."""
        seconds = 0.0
        for tests in self.tests(fault.path):
            limit = self._limit(tests)
            with self._with(fault):
                found = self._asked(tests, limit)
            seconds += found.seconds
            if found.by:
                return Outcome(by=found.by, seconds=seconds)
        return Outcome(by="", seconds=seconds)

    def _limit(self, tests: tuple[str, ...]) -> float:
        """Seconds that these tests may take with a fault: three times as long as without one, and a minute."""
        if tests not in self._usual:
            found = self._asked(tests, None)
            if found.by:
                raise ValueError(f"The tests fail without any fault: {found.by}")
            self._usual[tests] = found.seconds
        return 60.0 + 3 * self._usual[tests]

    @contextlib.contextmanager
    def _with(self, fault: Fault) -> Iterator[None]:
        path = self._tree / fault.path
        source = path.read_bytes()
        try:
            self._write(path, fault.applied(source))
            yield
        finally:
            self._write(path, source)

    def _write(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        # Python knows a changed source by its size and the second of its time: both may be as they were.
        for optimization in ("", 1, 2):
            Path(importlib.util.cache_from_source(path, optimization=optimization)).unlink(missing_ok=True)

    def _asked(self, tests: tuple[str, ...], limit: float | None) -> Outcome:
        sources = os.pathsep.join(str(self._tree / name) for name in ("core", "app"))
        folders = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(self._temporary))
        outer = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment = outer | folders | {"PYTHONPATH": sources, "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *self._options, *tests]
        begun = time.monotonic()
        with self._log.open("wb") as log:
            process = subprocess.Popen(
                command, cwd=self._tree, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
            try:
                code = process.wait(limit)
                by = self._by(code)
            except subprocess.TimeoutExpired:
                by = TOO_LONG
            finally:
                _end(process)
        seconds = time.monotonic() - begun
        for left in self._temporary.iterdir():
            shutil.rmtree(left, ignore_errors=True)
        return Outcome(by=by, seconds=seconds)

    def _by(self, code: int) -> str:
        """What pytest says of the first test that failed."""
        if code in (0, _NONE_COLLECTED):
            return ""
        found = _NOTICED.search(self._log.read_text("utf-8", errors="replace"))
        return found[1] if found else f"pytest's end with {code}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it, and all that it has started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for one in (*psutil.Process(process.pid).children(recursive=True), process):
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()
    process.wait()
