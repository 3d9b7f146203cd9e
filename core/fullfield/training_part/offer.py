"""What an installation would bring, from where and how much: said before, for nothing is fetched without consent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fullfield.errors import MissingPart
from fullfield.training_part import build as builds
from fullfield.training_part import driver, pip, place, pythons
from fullfield.training_part.build import Build
from fullfield.training_part.pip import Settings
from fullfield.training_part.pythons import Python


@dataclass(frozen=True, kw_only=True)
class Offer:
    """`wheels`: the folder that replaces the network; None: it is asked. `kept_megabytes`: fetched before, and kept."""

    python: Python
    build: Build
    settings: Settings
    wheels: Path | None
    wheels_megabytes: int
    kept_megabytes: int

    def sentences(self) -> tuple[str, ...]:
        """What there is to say before; where it lies is told beside it: saved texts hold no paths."""
        build = self.build
        what = "It brings PyTorch for NVIDIA cards." if build.name == builds.CUDA else "It brings PyTorch for the CPU."
        kept = f"{self.kept_megabytes:,} MB of them are here already." if self.kept_megabytes else ""
        where = f"It is installed for Python {self.python.version}, and takes about {build.disk_megabytes:,} MB then."
        return tuple(filter(None, (what, build.why, self._source(), kept, where)))

    def _source(self) -> str:
        size, host = f"{self.build.megabytes:,}", self.settings.host
        if self.wheels is not None:
            return (
                f"Its wheels come from the folder ({self.wheels_megabytes:,} MB are there), and nothing over a network."
            )
        if self.settings.own and host:
            return f"About {size} MB come from the package index that pip is set to ({host}). Nothing of yours is sent."
        if self.settings.own:
            return f"About {size} MB come from where pip is set to. Nothing of yours is sent."
        if self.build.index:
            return f"About {size} MB come from the Python Package Index and {builds.HOST}. Nothing of yours is sent."
        return f"About {size} MB come from the Python Package Index. Nothing of yours is sent."


def make(*, wanted: str = "", wheels: Path | None = None) -> Offer:
    """The offer for this computer; `wanted`: cpu or cuda, else what the driver allows. Takes seconds: it asks Pythons.

    Raises MissingPart where there is no Python for it, or no wheel in the folder; UsageError where `wanted` cannot be.
    """
    there = _megabytes(wheels) if wheels is not None else 0
    if wheels is not None and not any(wheels.glob("*.whl")):
        raise MissingPart(
            "Cannot install the training part.",
            detail="There are no wheels in the folder." if wheels.is_dir() else "There is no such folder.",
            hint="Name the folder that holds the files whose names end in .whl.",
        )
    python = pythons.find()
    settings = pip.settings(python.path)
    build = builds.choose(driver.ask(), wanted=wanted, own_index=settings.own)
    kept = _megabytes(store(python, build)) if wheels is None else 0
    return Offer(
        python=python, build=build, settings=settings, wheels=wheels, wheels_megabytes=there, kept_megabytes=kept
    )


def store(python: Python, build: Build) -> Path:
    """Where what is fetched is kept until it is installed: what fits one Python and build is of no use to another."""
    return place.folder() / f"wheels-{build.name}-{python.version}"


def _megabytes(folder: Path) -> int:
    return round(sum(path.stat().st_size for path in folder.glob("*.whl")) / 1e6)
