"""What `start.py test` runs in the environment that it has set up: every check, or the tests of the light part."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MEMORY, ROOM = Path("/dev/shm"), 6 << 30  # Linux's disk in memory, and what must be free of it
NOTES = ROOT / "build" / "notes-of-tests"
# Among processes of pytest: a file is one's, for its tests may share what takes long to make. One that ends before its
# tests is not begun again: it would play the whole file again, and that as often as it hangs.
ONCE = ("--max-worker-restart", "0")
SHARED_OUT = ("--dist", "loadfile", "--no-loadscope-reorder", *ONCE)
LIGHT_ROOMS = ("dicom", "image", "inputs", "enhance", "gui", "flows", "cli", "jobs", "runs", "diagnosis")
# Whose tests begin no worker, draw no window, and compute neither an image nor a training.
FAST_ROOMS = ("inputs", "grading", "runs", "diagnosis", "rules")
_LINT = "import sys; from importlinter.cli import lint_imports_command as c; sys.argv = ['lint-imports']; sys.exit(c())"


def test(python: Path, *, fast: bool = False) -> int:
    """Style, arrows and tests, those that are `fast` or all, and types beside them; stops at the first that fails."""
    top = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/test_*.py"))
    chosen = ("-m", "not slow", *top, *(f"tests/{room}" for room in FAST_ROOMS))
    whole = ("--durations", "15", "--ignore=tests/tasks")
    shutil.rmtree(NOTES, ignore_errors=True)
    NOTES.mkdir(parents=True)
    with quick_disk(), beside("mypy", python=python) as typed:
        code = reads(python)
        if code != 0:
            return code
        if fast:
            return first(passes("pytest", *several(), *chosen, python=python), typed())
        with screens(python, 1 if (os.cpu_count() or 1) < 3 else 2) as places:
            tasks = ("-q", "--dist", "worksteal", *ONCE, *places, "--durations", "5", "tests/tasks")
            with beside("pytest", *tasks, python=python) as ended:
                codes = passes("pytest", *several(), *whole, python=python), ended(), typed()
        if not any(codes):
            (NOTES / "sources").write_text(sources())
        return first(*codes)


def reads(python: Path) -> int:
    """Style, arrows, and whether all tests can be collected, all at once; the code of the first that fails. What Python
    compiles to read the tests, their processes find compiled."""
    checks = (
        ("-m", "ruff", "check", "."),
        ("-m", "ruff", "format", "--check", "--quiet", "."),
        ("-c", _LINT),
        ("-m", "pytest", "--collect-only", "-qq"),
    )
    with tempfile.TemporaryDirectory() as folder:
        begun = []
        for number, words in enumerate(checks):
            said = Path(folder) / str(number)
            with said.open("w") as out:
                command = [str(python), *words]
                begun.append((subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=out, stderr=out), said))
        codes = [process.wait() for process, _ in begun]
        for (_, *words), code, (_, said) in zip(checks, codes, begun, strict=True):
            name = "importlinter.cli lint" if words == [_LINT] else " ".join(words)
            reported = said.read_text() if code != 0 or words[0] != "pytest" else ""
            print(f"\n== {name}\n{reported}{f'{name} failed.' if code != 0 else ''}", flush=True)
    return first(*codes)


def first(*codes: int) -> int:
    """The code of the first that failed; 0: none did."""
    return next((code for code in codes if code != 0), 0)


@contextlib.contextmanager
def quick_disk() -> Iterator[None]:
    """Tests write into memory where there is room: they make and remove thirty thousand folders, and a disk is waited
    for at each."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < ROOM or not os.access(MEMORY, os.W_OK):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="fullfield-tests-", dir=MEMORY, ignore_cleanup_errors=True) as folder:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
        yield
        del os.environ["PYTEST_DEBUG_TEMPROOT"]


def passes(module: str, *arguments: str, python: Path) -> int:
    """Run a check, having told which; its exit code."""
    print(f"\n== {' '.join((module, *arguments))}", flush=True)
    code = subprocess.run([str(python), "-m", module, *arguments], cwd=ROOT, env=noting()).returncode
    if code != 0:
        print(f"\n{module} failed.")
    return code


@contextlib.contextmanager
def beside(module: str, *arguments: str, python: Path) -> Iterator[Callable[[], int]]:
    """A check beside others, for one that often waits; what tells of it when it has ended, as `passes` does."""
    with tempfile.TemporaryFile("w+") as said:
        command = [str(python), "-m", module, *arguments]
        process = subprocess.Popen(command, cwd=ROOT, env=noting(), stdout=said, stderr=said)

        def ended() -> int:
            code = process.wait()
            said.seek(0)
            print(f"\n== {' '.join((module, *arguments))}\n{said.read()}", flush=True)
            if code != 0:
                print(f"\n{module} failed.")
            return code

        try:
            yield ended
        finally:
            process.wait()


def lower_priority() -> None:
    """As low as that of what tests begin: a worker, for which a test waits, would come after the tests of others."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, max(10, os.getpriority(os.PRIO_PROCESS, 0)))


def processes() -> int:
    """Of pytest at once: on few cores one more than those, for tests often wait for what they have begun. Each holds
    2 to 4 GiB in the end."""
    return min(4, (os.cpu_count() or 1) + 1)


def several() -> tuple[str, ...]:
    """What shares tests out among processes."""
    return ("-q", "-n", str(processes()), *SHARED_OUT)


def environment() -> dict[str, str]:
    """The environment of tests: a process of them has a core, and its threads of torch would take others' time. Modules
    are compiled once, not by each of hundreds of processes. Pages of glibc's heap are large, as a worker's are, where
    the system has them."""
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    usual = {"QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
    return usual | given


def noting() -> dict[str, str]:
    """The environment of tests that note what they can tell apart (tests/unlike.py)."""
    return environment() | {"FULLFIELD_TESTS_NOTES": str(NOTES)}


def light(python: Path) -> int:
    """The tests of the rooms that a light installation has; not of files of which `test` has just seen that they run
    through the same code here."""
    alike = seen_alike()
    if alike:
        print(f"{len(alike)} files of tests have passed where all is installed, and run through the same code here.")
    left_out = [f"--ignore={file}" for file in alike]
    tests = [*several(), "--durations", "15", *left_out, *(f"tests/{room}" for room in LIGHT_ROOMS)]
    with quick_disk():
        return subprocess.run([str(python), "-m", "pytest", *tests], cwd=ROOT, env=environment()).returncode


def seen_alike() -> list[str]:
    """Files of which no test did what can come out otherwise without the training part (tests/unlike.py): as `test`
    has had it noted of the very sources that lie here now, else none."""
    reported = NOTES / "sources"
    if not reported.exists() or reported.read_text() != sources():
        return []
    lines = {line for file in NOTES.glob("*.txt") for line in file.read_text().splitlines()}
    found = {line.removeprefix("alike ") for line in lines if line.startswith("alike ")}
    return sorted(found - {line.removeprefix("unlike ") for line in lines})


def sources() -> str:
    """A digest of all that decides how a test runs."""
    digest = hashlib.sha256()
    for room in ("core", "app", "tests", "packaging", "resources"):
        for path in sorted((ROOT / room).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(
                    f"{path.relative_to(ROOT).as_posix()} {path.stat().st_size} ".encode() + path.read_bytes()
                )
    return digest.hexdigest()


@contextlib.contextmanager
def screens(python: Path, count: int) -> Iterator[list[str]]:
    """How pytest begins `count` processes that play at windows, each before an X screen of its own without a monitor:
    before one, two windows would fight for the keys. Offscreen where Xvfb is not here or lacks libraries."""
    started: list[subprocess.Popen[bytes]] = []
    found: list[str] = []
    try:
        while shutil.which("Xvfb") is not None and len(started) < count:
            ready, tell = os.pipe()
            command = ["Xvfb", "-displayfd", str(tell), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
            started.append(subprocess.Popen(command, pass_fds=[tell], stderr=subprocess.DEVNULL))
            os.close(tell)
            with open(ready) as stream:  # noqa: PTH123 - no path
                found.append(stream.readline().strip())
        places = [{"QT_QPA_PLATFORM": "xcb", "DISPLAY": f":{number}"} for number in found]
        probe = [str(python), "-c", "from PySide6.QtGui import QGuiApplication as A; A([])"]
        if not all(
            subprocess.run(probe, capture_output=True, env=environment() | place).returncode == 0 for place in places
        ):
            print("The window's tasks are played offscreen: Xvfb lacks libraries.")
            places = []
        each = places or [{"QT_QPA_PLATFORM": "offscreen"}] * count
        specs = ["//".join(["popen", *(f"env:{name}={value}" for name, value in place.items())]) for place in each]
        yield [word for spec in specs for word in ("--tx", spec)]
    finally:
        for process in started:
            process.terminate()
            process.wait()
