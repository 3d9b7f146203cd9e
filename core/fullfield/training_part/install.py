"""The job "install": brings the training part into an environment of its own. Whoever starts it has consented.

What is fetched is kept where it is stopped or fails: the next time goes on with that. The environment is made anew each
time, for a package that was half written would pass for installed; its marker comes last.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

from fullfield import __version__, checked, files, other_python, parts
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.errors import CannotWrite, FullfieldError, MissingPart
from fullfield.protocol.events import Notice, PhaseStarted
from fullfield.protocol.setup_events import BytesFetched
from fullfield.protocol.small import InstallSpec
from fullfield.training_part import build as builds
from fullfield.training_part import needs, offer, own, pip, place
from fullfield.training_part.offer import Offer
from fullfield.training_part.pip import Pip
from fullfield.training_part.place import Installed

MEGABYTE = 1_000_000
_PROBE = """
import importlib, json, platform, sys
for name in {names!r}:
    importlib.import_module(name)
import fullfield, torch
told = dict(version=fullfield.__version__, build="cuda" if torch.version.cuda else "cpu", torch=str(torch.__version__))
with open(sys.argv[1], "w", encoding="utf-8") as stream:
    json.dump(told | dict(python=platform.python_version()), stream)
"""


def run(spec: InstallSpec, context: Context) -> Fields:
    """Install.

    Returns the fields of `Installed`. Raises MissingPart with what to do, CannotWrite, Interrupted, UsageError where
    another installation is at work.
    """
    wheels = Path(spec.wheels) if spec.wheels else None
    place.prepare()
    with place.alone():
        done = place.installed()
        if done is None:
            made = offer.make(wanted=spec.build, wheels=wheels)
            done = _Installation(made, context).run()
        context.emit(Notice(text=said(done)))
        return {"version": done.version, "build": done.build, "torch": done.torch, "python": done.python}


def said(done: Installed) -> str:
    """What is installed, a sentence."""
    if done.build == builds.CUDA:
        return f"The training part is installed: PyTorch {done.torch} for NVIDIA cards, with Python {done.python}."
    return f"The training part is installed: PyTorch {done.torch} for the CPU, with Python {done.python}."


def _missing(folder: Path) -> list[str]:
    """The packages of which there are several builds and `folder` has none."""
    return [name for name in needs.BUILDS if not any(folder.glob(f"{name}-*.whl"))]


class _Installation:
    """One installation, under the lock of its folder."""

    def __init__(self, made: Offer, context: Context) -> None:
        self._offer, self._context = made, context
        self._folder, self._python = place.folder(), place.python()
        self._build = made.build
        self._pip = Pip(self._folder, context)
        self._store = offer.store(made.python, made.build)
        self._lock, self._constraints = needs.lock(), self._folder / "constraints.txt"
        self._bounded = ("--constraint", str(self._constraints))
        self._reported = -1

    def run(self) -> Installed:
        self._pip.keep_fetched(self._store)
        self._check_space()
        (self._folder / place.MARKER).unlink(missing_ok=True)
        files.write_text(self._constraints, needs.constraints(self._lock))
        if self._offer.wheels is not None:
            for name in _missing(self._offer.wheels):
                raise pip.absent(name)
            needs.check(self._offer.wheels.glob("*.whl"), self._lock)
        self._begin(PhaseStarted(name="Preparing an environment for the training part"))
        self._pip.make_environment(self._offer.python.path, place.environment())
        if self._offer.wheels is None:
            if pip.settings(self._python).own:  # files that only the new environment's pip has told of
                self._build = replace(self._build, index="")
            self._fetch()
            needs.check(self._store.glob("*.whl"), self._lock)
        self._install(self._offer.wheels or self._store)
        self._begin(PhaseStarted(name="Trying the training part"))
        done = self._try()
        place.finish(done)
        return done

    # In their order ---------------------------------------------------------------------------------------------

    def _check_space(self) -> None:
        build = self._offer.build
        asked = build.disk_megabytes
        if self._offer.wheels is None:
            asked += max(0, build.megabytes - self._offer.kept_megabytes)
        free = shutil.disk_usage(self._folder).free // MEGABYTE
        if free < asked:
            raise CannotWrite(
                "Cannot install the training part.",
                detail=f"It takes {asked:,} MB while it is installed, and {free:,} MB are free there.",
                hint=f"Free some space, or name a folder on another drive in {place.VARIABLE}.",
            )

    def _fetch(self) -> None:
        build = self._build
        self._begin(PhaseStarted(name="Fetching the training part", total=build.megabytes * MEGABYTE))
        missing = _missing(self._store)
        if build.index and missing:
            # "-i": an index in place of pip's usual one; what torch itself needs is then asked of the usual one.
            self._download("--no-deps", "-i", build.index, *self._bounded, *missing)
            self._refuse_another_build()
        # Wheels that are named one by one are not fetched again.
        self._download(*self._bounded, *needs.BUILDS, *map(str, needs.of_builds(self._store)))
        self._download("--no-deps", *needs.pinned(self._lock, kept=self._store))
        self._look()

    def _download(self, *asked: str) -> None:
        try:
            self._pip.download(self._python, asked, self._store, self._look)
        finally:
            self._pip.keep_fetched(self._store)

    def _refuse_another_build(self) -> None:
        """pip passes over an index that it cannot reach, and takes what others have: gigabytes more, or no card."""
        # The label of a build that is not the usual one stands in its version, as in torch-2.15.0+cpu.
        others = [path for path in needs.of_builds(self._store) if "+" not in path.name]
        for path in others:
            path.unlink()
        if others:
            raise MissingPart(
                "Cannot install the training part.",
                detail=f"This build of PyTorch was not found: {builds.HOST} was not reached, or does not have it.",
                hint="Check the connection and the proxy (HTTPS_PROXY), name a folder of wheels, or choose the other "
                "build.",
            )

    def _look(self) -> None:
        self._tell(self._pip.fetched_bytes(self._store), self._offer.build.megabytes * MEGABYTE)

    def _install(self, source: Path) -> None:
        engine = own.wheel(self._folder / "own")
        others = [str(engine)] if engine is not None else []
        torch, rest = PhaseStarted(name="Installing PyTorch"), PhaseStarted(name="Installing what a training needs")
        for phase, asked in (
            (torch, [*self._bounded, *needs.BUILDS]),
            (rest, ["--no-deps", *needs.pinned(self._lock), *others]),
        ):
            self._begin(phase)
            self._pip.install(self._python, asked, source, lambda: self._look_at_packages(source))

    def _look_at_packages(self, source: Path) -> None:
        """pip names the wheels and that it begins to unpack them, no more: how far it is is seen where they go."""
        reported, packages = self._pip.said(), other_python.packages_of_environment(place.environment())
        if "Installing collected packages" not in reported or packages is None:
            return
        names = set(re.findall(r"^\s*Processing .*?([^/\\\n]+\.whl)", reported, re.MULTILINE))
        sizes = {name: path.stat().st_size for name in names if (path := source / name).exists()}
        there = {path.name.removesuffix(".dist-info").lower() for path in packages.glob("*.dist-info")}
        done = sum(size for name, size in sizes.items() if "-".join(name.split("-")[:2]).lower() in there)
        self._tell(done, sum(sizes.values()))

    def _try(self) -> Installed:
        names = (*parts.NETWORK, "fullfield.jobs.worker")
        try:
            reported = self._pip.probe(self._python, _PROBE.format(names=names), self._pip.temporary / "tried.json")
            done = checked.make(Installed, checked.parse(reported))
        except (MissingPart, OSError, ValueError) as error:
            raise MissingPart(
                "Cannot use the training part that was just installed.",
                detail="PyTorch or the engine cannot be loaded in its environment.",
                hint="On Windows, install Microsoft's Visual C++ runtime, and try again; or choose the other build, "
                "for the CPU or for a card.",
            ) from error
        if done.version != __version__:
            raise FullfieldError(
                "Cannot use the training part that was just installed.", detail="It is another version's."
            )
        return done

    # Telling ----------------------------------------------------------------------------------------------------

    def _begin(self, phase: PhaseStarted) -> None:
        self._reported = -1
        self._context.emit(phase)

    def _tell(self, done: int, total: int) -> None:
        if done != self._reported:
            self._reported = done
            self._context.emit(BytesFetched(done=done, total=max(done, total)))
