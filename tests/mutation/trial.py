"""A fault on trial: in a copy of the sources, whether the tests of the fault's own room notice it.

The working tree is read once and never written. The copy is put first on PYTHONPATH, and its own pytest runs in a
process of its own (`asked.py`): once over the whole room, to learn which tests reach which lines, and then for each
fault over the tests that could notice it (`reach.py`). Real data that lie beside the project are not beside the copy:
the same faults are noticed everywhere.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
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
from mutation.reach import Map, Mapped, place

_COPIED = ("core", "app", "tests", "resources", "packaging", ".ci")
_PACKAGES = {"fullfield", "fullfield_app"}
_NOTICED = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.MULTILINE)
_PASSED, _FAILED, _NONE_COLLECTED = 0, 1, 5  # pytest's exit codes
_ASKED = Path(__file__).with_name("asked.py")
_BEGIN = 180.0  # seconds that imports and the collection may take
_LEAST = 20.0  # seconds that a test may take, beside three times what it took without a fault
TOO_LONG = "the time limit"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Which test failed ("" if none did), how long it took, seconds, and how many tests reach the fault's lines."""

    by: str
    seconds: float
    reached: int


class Copy:
    """A copy of the sources of `root` in the empty folder `folder`. `options`: more of pytest's."""

    def __init__(self, root: Path, folder: Path, *, options: tuple[str, ...] = ()) -> None:
        folder = folder.resolve()  # as Python knows the files that it imports
        self._tree, self._temporary, self._log = folder / "tree", folder / "temporary", folder / "pytest.txt"
        self._order, self._answer = folder / "order.json", folder / "answer.json"
        self._options = options
        self._maps: dict[Path, Map] = {}
        self._temporary.mkdir()
        for name in _COPIED:
            if (root / name).exists():
                shutil.copytree(root / name, self._tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        for path in root.iterdir():
            if path.is_file() and path.name != ".git":  # a file in a second working tree of one repository
                shutil.copy2(path, self._tree / path.name)

    def map(self, path: str) -> Map:
        """Which tests of its room reach which lines of the source file `path`, and of the others beside it; known after
        the first time. Raises FileNotFoundError where the room has no tests, ValueError where they cannot be run."""
        source = Path(path)
        below = source.parts[next(i for i, part in enumerate(source.parts) if part in _PACKAGES) + 1 :]
        room = self._tree / "tests" / (below[0] if len(below) > 1 else "")
        if not room.is_dir():
            raise FileNotFoundError(f"{path} belongs to a room without tests: tests/{room.name} is missing.")
        if room not in self._maps:
            inside = self._tree.joinpath(*source.parts[: -len(below)])
            sources = inside.glob("*.py") if len(below) == 1 else (inside / below[0]).rglob("*.py")
            tests = room.glob("test_*.py") if len(below) == 1 else room.rglob("test_*.py")
            self._maps[room] = self._mapped(sorted(sources), sorted(tests))
        return self._maps[room]

    def tried(self, fault: Fault) -> Outcome:
        """Make the fault, ask the tests, and take it back. Raises what `map` does."""
        known = self.map(fault.path)
        path = self._tree / fault.path
        line, at_import = place(path.read_bytes(), fault.line)
        reached, asked = known.asked(str(path), line, at_import=at_import)
        if not asked:
            return Outcome(by="", seconds=0.0, reached=reached)
        begun = time.monotonic()
        with self._with(fault):
            by = self._noticed(asked)
        return Outcome(by=by, seconds=time.monotonic() - begun, reached=reached)

    def _mapped(self, sources: list[Path], tests: list[Path]) -> Map:
        files = [one.relative_to(self._tree).as_posix() for one in tests]
        with self._running({"sources": [str(one) for one in sources]}, files) as process:
            code = process.wait()
        if code not in (_PASSED, _FAILED, _NONE_COLLECTED):
            reported = self._log.read_text("utf-8", errors="replace")
            raise ValueError(f"The tests cannot be run without any fault: {reported[-2000:]}")
        found = Map.read(json.loads(self._answer.read_text("utf-8")))
        for test in found.failing:
            print(f"fails without any fault, and is not asked: {test}", file=sys.stderr)
        if not found.tests:
            raise ValueError(f"No test passes without any fault: {', '.join(found.failing) or 'there are none'}")
        return found

    def _noticed(self, asked: list[Mapped]) -> str:
        """The first of these tests that fails."""
        usual = {test.name: test.seconds for test in asked}
        files = [*dict.fromkeys(test.file for test in asked)]
        self._answer.unlink(missing_ok=True)
        with self._running({"tests": [*usual]}, ["-x", *files]) as process:
            now, since = "", time.monotonic()
            while True:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    return self._by(process.wait(0.2))
                with contextlib.suppress(OSError, ValueError):  # not yet there, or half written
                    at = json.loads(self._answer.read_text("utf-8"))
                    now, since = at, since if at == now else time.monotonic()
                if time.monotonic() - since > (_LEAST + 3 * usual[now] if now else _BEGIN):
                    return TOO_LONG

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

    @contextlib.contextmanager
    def _running(self, order: dict[str, list[str]], options: list[str]) -> Iterator[subprocess.Popen[bytes]]:
        """Pytest in the copy; whatever of it still runs at the end is ended, and its temporary files deleted."""
        sources = os.pathsep.join(str(self._tree / name) for name in ("core", "app"))
        folders = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(self._temporary))
        outer = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment = outer | folders | {"PYTHONPATH": sources, "QT_QPA_PLATFORM": "offscreen"}
        self._order.write_text(json.dumps(order), "utf-8")
        command = [sys.executable, str(_ASKED), str(self._order), str(self._answer)]
        command += ["-q", "--rootdir=.", "-p", "no:cacheprovider", *self._options, *options]
        with self._log.open("wb") as log:
            process = subprocess.Popen(
                command, cwd=self._tree, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
            try:
                yield process
            finally:
                _end(process)
        for left in self._temporary.iterdir():
            shutil.rmtree(left, ignore_errors=True)

    def _by(self, code: int) -> str:
        """What pytest says of the first test that failed."""
        if code in (_PASSED, _NONE_COLLECTED):
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
