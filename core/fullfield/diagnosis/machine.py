"""The computer and the installed packages: processor, memory, language, compiler, versions. No torch."""

from __future__ import annotations

import importlib.metadata
import locale
import platform
import sys
from collections.abc import Iterator

import psutil

from fullfield import __version__, parts, system
from fullfield.diagnosis.check import bad, good, install_line, warn
from fullfield.hardware import compiler
from fullfield.protocol.checks import CheckMade, Verdict
from fullfield.training_part import install, place
from fullfield.units import format_bytes

LEAST_MEMORY = 4 << 30  # of the whole machine: a 4288×4288 radiograph is enhanced within 1.5 GiB
LEAST_FREE = 1 << 30
OF_THE_WINDOW = ("PySide6-Essentials", "pyqtgraph")
PACKAGES = (
    "numpy",
    "pydicom",
    "python-gdcm",
    "pylibjpeg-openjpeg",
    "pylibjpeg-rle",
    "opencv-python-headless",
    "pillow",
    "tifffile",
    "safetensors",
)
"""Of the light part; those of the training part are `parts.PACKAGES`."""


def checks() -> Iterator[CheckMade]:
    """The computer itself."""
    yield good("system", "System", f"{platform.platform()}, {platform.machine()}, Python {platform.python_version()}.")
    threads = system.usable_threads()
    cores = psutil.cpu_count(logical=False)
    yield good(
        "processor", "Processor", f"{system.processor()}, {cores or '?'} cores, {threads} threads for Fullfield."
    )
    yield _memory()
    yield _language()
    if parts.is_here("torch"):  # what compiles is training
        yield _compiler()


def packages() -> Iterator[CheckMade]:
    """What is installed, in which version."""
    found, missing = [], []
    for name in (*(OF_THE_WINDOW if parts.has_window() else ()), *PACKAGES):
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    text = f"Fullfield {__version__} with {', '.join(found)}."
    if missing and not system.FROZEN:  # a frozen program carries no lists of its packages
        yield bad("packages", "Packages", f"{', '.join(missing)} not found. {text}", "Install Fullfield anew.")
    else:
        yield good("packages", "Packages", text)
    yield _training_part()


def _training_part() -> CheckMade:
    """Whole, not installed, which is no fault, or in part."""
    key, title = "training_part", "Training part"
    gone = parts.absent(*parts.PACKAGES)
    here = [f"{parts.PACKAGES[name]} {parts.version(name)}".strip() for name in parts.PACKAGES if name not in gone]
    if not gone:
        return good(key, title, f"{', '.join(here)}.")
    if "torch" in gone and (found := place.installed()) is not None:
        return good(key, title, f"In an environment of its own. {install.said(found)}")
    before = place.others()
    if "torch" in gone and before:
        text = f"It was installed for Fullfield {before[-1].version}, and this is {__version__}."
        return warn(key, title, text, f"Install it again: {place.COMMAND}")
    if "torch" in gone:
        text = "Not installed: a light installation, which enhances with presets. Models and training need it."
        return CheckMade(key=key, title=title, verdict=Verdict.GOOD, text=text, hint=parts.remedy())
    names = ", ".join(parts.PACKAGES[name] for name in gone)
    return warn(key, title, f"{names} not found: not all of it works. Installed: {', '.join(here)}.", parts.remedy())


def _memory() -> CheckMade:
    memory = psutil.virtual_memory()
    text = f"{format_bytes(memory.total)}, of which {format_bytes(memory.available)} are free."
    if memory.total < LEAST_MEMORY:
        return warn("memory", "Memory", text, "Large radiographs and training need 8 GiB or more.")
    if memory.available < LEAST_FREE:
        return warn("memory", "Memory", text, "Close other programs before you enhance or train.")
    return good("memory", "Memory", text)


def _language() -> CheckMade:
    language, encoding = locale.getlocale()
    text = f"{language or 'C'}, {encoding or 'no encoding'}; file names in {sys.getfilesystemencoding()}."
    if sys.getfilesystemencoding().replace("-", "").lower() != "utf8":
        hint = "Set the environment variable LANG to a UTF-8 language, such as C.UTF-8."
        return warn("language", "Language", f"{text} Names with accents may not be found.", hint)
    return good("language", "Language", text)


def _compiler() -> CheckMade:
    missing = compiler.missing()
    title = "Compiler"
    if not missing:
        return good("compiler", title, "The fast loss of training and torch.compile can be compiled.")
    line = install_line(apt=("g++", "python3-dev"), dnf=("gcc-c++", "python3-devel"))
    hint = _COMPILERS.get(system.cpp_compiler(), line)
    return warn("compiler", title, f"{missing} Training works without it, with a slower loss.", hint)


_COMPILERS = {  # by the command that torch looks for
    "cl": "Install the Build Tools for Visual Studio, with C++.",
    "clang++": "Run this line in a terminal: xcode-select --install",
}
