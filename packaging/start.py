"""One line from a fresh machine to a working program: Python 3.11 or later, pip, and nothing else.

    python packaging/start.py try         set up, and enhance the sample radiographs
    python packaging/start.py test        set up for development, and pass all checks and tests
    python packaging/start.py translate   collect the texts for translators, and compile what they wrote
    python packaging/start.py lock        choose versions anew and pin them with their hashes

Everything is installed into `.venv` beside this repository's README; nothing else on the machine is touched.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {"try": "requirements.txt", "test": "requirements-develop.txt", "translate": "requirements-develop.txt"}
# Each lock, the whole one first: what the others pin is taken from it. With which options uv finds what belongs to it.
LOCK_OPTIONS = {
    "requirements-develop.txt": ("--extra=all", "--group=develop"),
    "requirements-train.txt": ("--extra=train", "--group=build"),
    "requirements-test-light.txt": ("--group=light",),
    "requirements.txt": ("--group=build",),
}
WINDOWS = sys.platform == "win32"
# What PySide6's wheel expects of the system on Linux, as Debian and Ubuntu name it.
QT_LIBRARIES = "libdbus-1-3 libegl1 libfontconfig1 libgl1 libglib2.0-0 libxkbcommon0"


def main() -> int:
    """Do what the only argument says; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("try", "test", "translate", "lock"))
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="where to install (default .venv)")
    values = parser.parse_args()
    if sys.version_info < (3, 11):  # noqa: UP036 - said to those who have an older one
        sys.exit(f"Fullfield needs Python 3.11 or later; this is {sys.version.split()[0]}.")
    if values.what == "lock":
        return lock(values.venv)
    python = set_up(values.venv, LOCKS[values.what])
    check_qt(python)
    if values.what == "translate":
        return subprocess.run([str(python), str(ROOT / "packaging" / "translate.py")], cwd=ROOT).returncode
    return try_it(python) if values.what == "try" else test(python)


def set_up(folder: Path, lock_name: str) -> Path:
    """A virtual environment with the pinned dependencies and this project; returns its Python."""
    python = folder / ("Scripts/python.exe" if WINDOWS else "bin/python")
    if not python.exists():
        # Without pip inside: a bare Debian has no ensurepip. The pip that is there installs from outside.
        venv.create(folder, with_pip=False, symlinks=not WINDOWS)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--disable-pip-version-check", "--quiet"]
    print(f"Setting up {folder.name} (the first time this takes some minutes) …", flush=True)
    run([*pip, "--require-hashes", "--requirement", str(ROOT / "packaging" / lock_name)])
    run([*pip, "--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT)])
    return python


def check_qt(python: Path) -> None:
    """Qt needs a few system libraries that a bare Linux lacks: install them where we may, else say the line."""
    probe = [str(python), "-c", "import PySide6.QtWidgets"]
    if subprocess.run(probe, capture_output=True).returncode == 0 or not sys.platform.startswith("linux"):
        return
    install = ["apt-get", "install", "--yes", "--quiet", *QT_LIBRARIES.split()]
    if os.geteuid() == 0 and Path("/usr/bin/apt-get").exists():
        subprocess.run(["apt-get", "update", "--quiet"], stdout=subprocess.DEVNULL)
        subprocess.run(install, stdout=subprocess.DEVNULL)
    if subprocess.run(probe, capture_output=True).returncode != 0:
        print(f"The window needs system libraries that are not here; install them with:\n  sudo {' '.join(install)}")


def try_it(python: Path) -> int:
    """Enhance the sample radiographs; says where the results and the picture lie."""
    out = ROOT / "build" / "first-look"
    samples = ROOT / "resources" / "phantoms"
    code = subprocess.run(
        [str(python), "-m", "fullfield_app", "--batch", str(samples), "-o", str(out), "--contact-sheet"], cwd=ROOT
    ).returncode
    if code == 0:
        command = python.parent / ("fullfield.exe" if WINDOWS else "fullfield")
        print(f"\nThe enhanced radiographs lie in    {out}")
        print(f"Before and after, side by side:    {out / 'contact-sheet.png'}")
        print(f"Open the window with:              {command}")
    return code


def test(python: Path) -> int:
    """Style, types, arrows and tests; stops at the first that fails."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    processes = str(min(4, os.cpu_count() or 1))
    for name, *arguments in (
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "--quiet", "."),
        ("mypy",),
        ("importlinter.cli", "lint"),
        ("pytest", "-q", "-n", processes, "--dist", "loadgroup", "--durations", "15", "--ignore=tests/tasks"),
        ("pytest", "-q", "--durations", "5", "tests/tasks"),  # one after another: two windows would fight for the keys
    ):
        print(f"\n== {' '.join([name, *arguments])}", flush=True)
        module = ["-m", name] if name != "importlinter.cli" else ["-c", _LINT]
        before = screen(python) if "tests/tasks" in arguments else []
        platform = {"QT_QPA_PLATFORM": "xcb"} if before else {}
        command = [*before, str(python), *module, *arguments]
        code = subprocess.run(command, cwd=ROOT, env=os.environ | platform).returncode
        if code != 0:
            print(f"\n{name} failed.")
            return code
    return 0


def screen(python: Path) -> list[str]:
    """What a command is begun with to have a real X screen without a monitor; empty where there is none."""
    if shutil.which("xvfb-run") is None:
        return []
    begin = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1600x1000x24"]
    probe = [*begin, str(python), "-c", "from PySide6.QtGui import QGuiApplication as A; A([])"]
    found = subprocess.run(probe, capture_output=True, env=os.environ | {"QT_QPA_PLATFORM": "xcb"}).returncode == 0
    print(f"The window's tasks are played {'on a screen of Xvfb' if found else 'offscreen: Xvfb lacks libraries'}.")
    return begin if found else []


_LINT = "import sys; from importlinter.cli import lint_imports_command as c; sys.argv = ['lint-imports']; sys.exit(c())"


def lock(folder: Path) -> int:
    """Pin names, versions and hashes for every system; no address of any index is written."""
    python = set_up(folder, LOCKS["test"])
    run([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "uv"])
    whole = ROOT / "packaging" / next(iter(LOCK_OPTIONS))
    flags = ["--universal", "--generate-hashes", "--python-version=3.11", "--no-header", "--no-annotate", "--quiet"]
    for name, options in LOCK_OPTIONS.items():
        target = ROOT / "packaging" / name
        constraint = [] if target == whole else ["--constraint", whole]
        run([python, "-m", "uv", "pip", "compile", *flags, *options, *constraint, "pyproject.toml", "-o", target])
    return 0


def run(command: list[object]) -> None:
    """Run to the end, or end with its code."""
    code = subprocess.run([str(part) for part in command], cwd=ROOT).returncode
    if code != 0:
        sys.exit(code)


if __name__ == "__main__":
    sys.exit(main())
