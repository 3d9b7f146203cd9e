"""Every test runs without a screen, without this user's folders, and without a GPU unless it is marked.

Where the training part is not installed, what tests it is skipped, saying so: a file that imports it, and a test that
is marked `training` (with the packages that it needs, else all that train). All others must pass there.
"""

from __future__ import annotations

import builtins
import functools
import gc
import itertools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable
from pathlib import Path

import pydicom  # noqa: F401 - whole, for tests that judge by it: fullfield.dicom loads it without decoders
import pytest
from hypothesis import HealthCheck, settings

import drawn
import light
import unlike
import warm
from fullfield import heap, parts
from fullfield.image import phantom
from fullfield.plan import libraries
from fullfield.plan.libraries import Libraries

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
_OF_PROCESSES = ("flows", "cli", "jobs", "nodes", "tasks", "gui")  # rooms whose tests compute in others alone
_OF_WINDOWS = ("gui", "tasks")
_OF_PHANTOMS = ("test_phantom.py", "test_phantom_files.py")
_NOTHING_COMPILED = "TORCHDYNAMO_DISABLE"
_WARM = ("flows", "bench", "cli", "tasks", "jobs", "nodes")  # whose processes find imported and traced what others have
_numbers = itertools.count()
settings.register_profile("on a busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("on a busy machine")


@pytest.fixture(scope="session")
def measured_libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which lies what libraries hold: measured once by a process of some ten seconds, not in every test."""
    folder = tmp_path_factory.mktemp("measured")
    if parts.is_here("torch"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FULLFIELD_CACHE", str(folder))
            for more in ((), ("optimizer_4bit",), ("optimizer_8bit",), ("quantization",)):
                libraries.keep(more, Libraries(begin=800 << 20, whole=900 << 20))
                libraries.keep((*libraries.USUAL, *more), Libraries(begin=800 << 20, whole=900 << 20))
    unlike.seen()  # the house of the tests has asked, not a test
    return folder


@pytest.fixture(scope="module", autouse=True)
def freed(request: pytest.FixtureRequest) -> Generator[None]:
    """What a file's own caches hold ends with its tests, and what they have freed goes back to the system: of hundreds
    of files it were gigabytes."""
    yield
    name = request.module.__name__
    for found in list(vars(request.module).values()):
        if isinstance(found, functools._lru_cache_wrapper) and found.__module__ == name:
            found.cache_clear()
    heap.return_freed_memory()


@pytest.fixture(scope="module", autouse=True)
def of_processes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, measured_libraries: Path
) -> Generator[None]:
    """Those that a file's tests and fixtures begin compile nothing, where they compute in others alone; see `warm`.
    What a file's own fixtures keep is not this user's, either."""
    room = request.path.parent.name
    with pytest.MonkeyPatch.context() as patch:
        base = tmp_path_factory.getbasetemp() / f"file-{next(_numbers)}"
        _set_apart(patch, base)
        _link(measured_libraries, base / "cache")
        if room in _OF_PROCESSES:
            patch.setenv(_NOTHING_COMPILED, "1")
        if room in _WARM and sys.platform == "linux":
            patch.setattr(subprocess, "Popen", warm.Asked)
        if room not in _OF_WINDOWS:  # PySide's own takes twenty times as long
            patch.setattr(builtins, "__import__", getattr(builtins, "__orig_import__", builtins.__import__))
        yield


def _set_apart(patch: pytest.MonkeyPatch, base: Path) -> None:
    """Whatever is kept is kept in `base`."""
    for name in ("models", "weights", "presets", "cache", "runs", "reviews", "settings", "gradings", "training"):
        patch.setenv(f"FULLFIELD_{name.upper()}", str(base / name))
    patch.setenv("HF_HUB_CACHE", str(base / "hub"))


def _link(measured: Path, cache: Path) -> None:
    """The cache replaces its files, and never writes into one."""
    cache.mkdir(parents=True)
    for known in measured.iterdir():
        (cache / known.name).hardlink_to(known)


@pytest.fixture(scope="session")
def of_all(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run of tests share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def exposes_once(of_all: Path) -> drawn.Expose:
    """Exposes a phantom that no process of this run of tests has exposed."""
    folder = of_all / "phantoms"
    folder.mkdir(exist_ok=True)
    return drawn.once(phantom._expose, folder)


@pytest.fixture(scope="module", autouse=True)
def phantoms_of_all(request: pytest.FixtureRequest, exposes_once: drawn.Expose) -> Generator[None]:
    """A chest takes a second of a core to expose: tests share it, but for those of phantoms."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.name not in _OF_PHANTOMS:
            patch.setattr(phantom, "_expose", exposes_once)
        yield


@pytest.fixture(autouse=True)
def own_signals() -> Generator[None]:
    """What a command that runs in this process does with signals ends with its test."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        if signal.getsignal(number) is not handler:
            signal.signal(number, handler)


@pytest.fixture(scope="session")
def traced_costs(of_all: Path) -> Generator[Path]:
    """Where lies what processes of tests have traced: of a step it takes two seconds, and each would do it anew."""
    yield of_all / "traced-by-others"
    warm.end()


@pytest.fixture(autouse=True)
def traced_before(request: pytest.FixtureRequest, private_folders: Path, traced_costs: Path) -> Generator[None]:
    """What processes of an earlier test have traced is known to those of this one."""
    if request.path.parent.name not in _WARM:
        yield
        return
    cache = private_folders / "cache"
    traced = traced_costs / os.environ.get(warm.NARROW, "whole")  # of a narrow network, other costs
    traced.mkdir(parents=True, exist_ok=True)
    for known in traced.glob("costs-*.json"):
        shutil.copy(known, cache)
    yield
    for found in cache.glob("costs-*.json"):
        if not (known := traced / found.name).exists() or known.stat().st_size < found.stat().st_size:
            shutil.copy(found, whole := known.with_suffix(f".{os.getpid()}"))
            whole.replace(known)  # at once: another process may be reading it


@pytest.fixture(autouse=True)
def private_folders(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    measured_libraries: Path,
) -> Generator[Path]:
    """Cache, models, runs and settings of this test alone; also for the processes that it starts. Removed after it: all
    that thousands of tests write is more than a small disk has."""
    if request.node.get_closest_marker("compiles") is not None:
        monkeypatch.delenv(_NOTHING_COMPILED, raising=False)
    if request.node.get_closest_marker("whole") is not None:
        monkeypatch.delenv(warm.NARROW, raising=False)
    base = tmp_path_factory.getbasetemp() / f"private-{next(_numbers)}"
    _link(measured_libraries, base / "cache")
    _set_apart(monkeypatch, base)
    yield base
    kernel = sys.modules.get("fullfield.kernels.msssim_kernel")
    if kernel is not None and _NOTHING_COMPILED in os.environ:
        kernel._compiled.cache_clear()  # it keeps that nothing shall be compiled
    shutil.rmtree(base, ignore_errors=True)


def pytest_configure() -> None:
    unlike.watch()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note whether the test can come out otherwise without the training part, by itself or by what others share."""
    unlike.seen()
    try:
        return (yield)
    finally:
        _keep_what_was_imported()
        shared = not _unlike.isdisjoint(getattr(item, "fixturenames", ()))
        unlike.note(item.location[0].replace(os.sep, "/"), unlike=unlike.seen() or shared or item.nodeid in _skipped)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
    """What one test has made is unlike for all that share it."""
    before = unlike.seen()
    try:
        return (yield)
    finally:
        found = unlike.seen()
        if found and fixturedef.scope in ("session", "package"):
            _unlike.add(fixturedef.argname)
        unlike.tell(before or found)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped:  # something else may run in the other installation
        _skipped.add(report.nodeid)


_unlike: set[str] = set()
_skipped: set[str] = set()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported and collected stays to the end: garbage is not looked for in it, then or ever."""
    gc.disable()
    try:
        return (yield)
    finally:
        _keep()
        gc.enable()


def _keep() -> None:
    global _imported
    gc.freeze()
    _imported = len(sys.modules)


def _keep_what_was_imported() -> None:
    """Nor in what a test has imported: a look through torch's compiler takes longer than most tests."""
    if len(sys.modules) > _imported + _MANY:
        gc.collect()
        _keep()


_imported, _MANY = 0, 200  # modules


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first: a process that meets one of them last would keep the others waiting."""
    slow = {item.location[0] for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.location[0] not in slow)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    return _Module.from_parent(parent, path=module_path)  # type: ignore[no-any-return]


class _Module(pytest.Module):
    """A file of tests; skipped where it imports a package of the training part that is not installed."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        try:
            return super().collect()
        except self.CollectError as error:
            if parts.missing(error) is None:
                raise
            light.require(*parts.PACKAGES)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("training"):
        light.require(*mark.args)
