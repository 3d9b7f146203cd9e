"""One line from a fresh machine to a working program: Python 3.11 to 3.14, pip, and nothing else.

    python packaging/start.py try           enhance the sample radiographs; then bring the training part, train a small
                                            network for about a minute, and enhance the samples with it
    python packaging/start.py try --light   enhance the sample radiographs, and install no more than that takes
    python packaging/start.py test          set up for development, and pass all checks and tests
    python packaging/start.py test --fast   style, types, and the tests that take moments: before each commit
    python packaging/start.py test --light  pass the tests of what works without the training part; behind `test`, those
                                            that can come out otherwise there
    python packaging/start.py set-up        set up for development, and no more; --light: for the tests without training
    python packaging/start.py translate     collect the texts for translators, and compile what they wrote
    python packaging/start.py lock          choose versions anew and pin them with their hashes

Everything is installed into `.venv` (`test --light`: `.venv-light`) beside this repository's README; nothing else on
the machine is touched.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import environment
import lanes

ROOT = Path(__file__).resolve().parent.parent
LIGHT, TRAINING, TESTED_LIGHT, DEVELOPED = (
    f"requirements{name}.txt" for name in ("", "-train", "-test-light", "-develop")
)
# Each lock, the whole one first: what the others pin is taken from it. With which options uv finds what belongs to it.
LOCK_OPTIONS = {
    DEVELOPED: ("--extra=all", "--group=develop"),
    TRAINING: ("--extra=train", "--group=build"),
    TESTED_LIGHT: ("--group=light",),
    LIGHT: ("--group=build",),
}
# What PySide6's wheel expects of the system on Linux, as Debian and Ubuntu name it.
QT_LIBRARIES = "libdbus-1-3 libegl1 libfontconfig1 libgl1 libglib2.0-0 libxkbcommon0"
PYTHONS, GLIBC, MACOS_ARM = ((3, 11), (3, 14)), (2, 34), 14  # of the wheels that are pinned
BUDGET = "2GiB"  # of the small training
TRAIN = ("--size=192", "--encoder=resnet18", "--weights=none", "--device=cpu", "--epochs=12", f"--fit={BUDGET}")
_FETCHED = re.compile(r"\s*(?:Downloading|Using cached) (\S+\.(?:whl|tar\.gz)) \(([\d.]+) ([kMG])B\)")
_MEGABYTES = {"k": 1e-3, "M": 1.0, "G": 1e3}


def main() -> int:
    """Do what the first argument says; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("try", "test", "set-up", "translate", "lock"))
    parser.add_argument("--light", action="store_true", help="without the training part")
    parser.add_argument("--fast", action="store_true", help="test: no more than takes two minutes")
    parser.add_argument("--venv", type=Path, help="where to install (default .venv)")
    values = parser.parse_args()
    if values.fast and (values.light or values.what != "test"):
        parser.error("--fast is an option of test alone, and not of test --light.")
    obstacle = why_not_here()
    if obstacle:
        sys.exit(obstacle)
    tests_light = values.light and values.what in ("test", "set-up")
    folder: Path = (values.venv or ROOT / (".venv-light" if tests_light else ".venv")).absolute()
    if values.what == "lock":
        return lock(folder)
    if values.what == "try":
        return try_it(folder, light=values.light)
    python = set_up(folder, TESTED_LIGHT if tests_light else DEVELOPED)
    if values.what == "set-up":
        return 0
    check_qt(python)
    if values.what == "translate":
        return subprocess.run([str(python), str(ROOT / "packaging" / "translate.py")], cwd=ROOT).returncode
    lanes.lower_priority()
    return lanes.light(python) if tests_light else lanes.test(python, fast=values.fast)


def why_not_here() -> str:
    """Why the pinned packages cannot be installed on this system, a sentence that pip would not say; "": they can."""
    here = sys.version_info[:2]
    if not PYTHONS[0] <= here <= PYTHONS[1]:
        wanted = " to ".join(".".join(map(str, one)) for one in PYTHONS)
        return f"Fullfield needs Python {wanted}; this is {sys.version.split()[0]}."
    if sys.platform.startswith("linux"):
        name, version = platform.libc_ver()
        found = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
        if name != "glibc" or found < GLIBC:
            library = f"glibc {version}" if name == "glibc" else "another C library"
            return f"The window needs a Linux with glibc {GLIBC[0]}.{GLIBC[1]} or later (2021); here is {library}."
    if sys.platform == "darwin" and platform.machine() == "arm64":
        major = int(platform.mac_ver()[0].partition(".")[0] or MACOS_ARM)
        if major < MACOS_ARM:
            return f"Fullfield needs macOS {MACOS_ARM} or later on Apple silicon; this is {platform.mac_ver()[0]}."
    if environment.WINDOWS and sys.getwindowsversion().major < 10:
        return "Fullfield needs Windows 10 or later."
    return ""


def set_up(folder: Path, lock_name: str, *, reported: bool = False) -> Path:
    """A virtual environment with the pinned dependencies and this project; returns its Python. `reported`: what is
    fetched is named, with its megabytes."""
    python = environment.prepare(folder)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--disable-pip-version-check"]
    print(f"Setting up {folder.name} (the first time this takes a while) …", flush=True)
    # A lock names all that is needed, and leaves out what a package asks for in vain. Python compiles a module when it
    # is first imported; all of torch's, most of which nobody imports, take half of the time of an installation.
    packages = ["--no-compile", "--no-deps", "--require-hashes", "--requirement"]
    lock = ROOT / "packaging" / lock_name
    if reported:
        run_told([*pip, "--progress-bar=off", *packages, str(lock)])
    else:
        with tempfile.TemporaryDirectory() as room:
            run_at_once([[*pip, "--quiet", *packages, part] for part in divided(lock, Path(room))])
    own = [word for folder in (ROOT / "core", ROOT) for word in ("--editable", str(folder))]
    run([*pip, "--quiet", "--no-deps", "--no-build-isolation", "--no-index", *own])
    return python


def divided(lock: Path, room: Path) -> list[Path]:
    """A lock in two, written into `room`: NVIDIA's packages, as many megabytes as all others are, and the others; the
    lock itself where it has none of them. pip unpacks on one core."""
    pins = re.split(r"\n(?=\w)", lock.read_text("utf-8").rstrip())
    large = [pin for pin in pins if pin.startswith("nvidia-")]
    if not large:
        return [lock]
    parts = room / "nvidia.txt", room / "others.txt"
    for part, chosen in zip(parts, (large, [pin for pin in pins if pin not in large]), strict=True):
        part.write_text("\n".join(chosen) + "\n", "utf-8")
    return list(parts)


def run_told(command: list[str]) -> None:
    """Run pip, and tell of each package that it fetches how large it is, and when it unpacks."""
    fetched = 0.0
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        assert process.stdout is not None
        for line in process.stdout:
            match = _FETCHED.match(line)
            if match is not None:
                megabytes = float(match[2]) * _MEGABYTES[match[3]]
                fetched += megabytes
                print(f"  {fetched:6.0f} MB  {match[1]} ({megabytes:.1f} MB)", flush=True)
            elif line.startswith("Installing collected"):
                print(f"  {fetched:6.0f} MB are here; unpacking them …", flush=True)
    if process.returncode != 0:
        sys.exit(process.returncode)


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


def try_it(folder: Path, *, light: bool) -> int:
    """Enhance the sample radiographs; then, unless `light`, train on them. Says where everything lies."""
    begun = time.monotonic()
    out, samples = ROOT / "build" / "first-look", ROOT / "resources" / "phantoms"
    python = set_up(folder, LIGHT)
    check_qt(python)
    fullfield = [str(python), "-m", "fullfield_app"]
    shutil.rmtree(out, ignore_errors=True)  # of the last time
    run([*fullfield, "--batch", samples, "-o", out, "--contact-sheet"])
    print(f"\nThe enhanced radiographs lie in    {out}")
    print(f"Before and after, side by side:    {out / 'contact-sheet.png'}")
    print(f"Open the window with:              {environment.program(folder)}")
    print(f"First results after {time.monotonic() - begun:.0f} seconds.", flush=True)
    if light:
        return 0
    print("\nBringing the training part: PyTorch and what belongs to it (on Linux 2 to 3 GB, with CUDA).")
    set_up(folder, TRAINING, reported=True)
    trained, report, enhanced = out / "training", out / "training.html", out / "by-the-network"
    print(f"\nTraining a small network on the samples for about a minute, in at most {BUDGET}:", flush=True)
    run([*fullfield, "train", "--data", samples, "--out", trained, "--no-calibrate-halo", *TRAIN])
    run([*fullfield, "report", trained, "-o", report, "--quiet"])
    model = ["--model", trained / "model.safetensors", "--force-result", "--overwrite", "--device=cpu"]
    run([*fullfield, "--batch", samples, "-o", enhanced, "--contact-sheet", *model])
    print(f"\nThe training's report:             {report}")
    print(f"The model:                         {trained / 'model.safetensors'}")
    print(f"The samples, enhanced by it:       {enhanced / 'contact-sheet.png'}")
    print("A minute on six phantoms makes no useful network: this shows that everything works here.")
    print(f"All of it after {time.monotonic() - begun:.0f} seconds.")
    return 0


def run_at_once(commands: list[list[object]]) -> None:
    """Run all of them to their ends, or end with the code of the first that failed."""
    begun = [subprocess.Popen([str(part) for part in command], cwd=ROOT) for command in commands]
    codes = [process.wait() for process in begun]
    if any(codes):
        sys.exit(next(filter(None, codes)))


def lock(folder: Path) -> int:
    """Pin names, versions and hashes for every system; no address of any index is written."""
    python = set_up(folder, DEVELOPED)
    run([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "uv"])
    whole = ROOT / "packaging" / next(iter(LOCK_OPTIONS))
    flags = ["--universal", "--generate-hashes", "--python-version=3.11", "--no-header", "--no-annotate", "--quiet"]
    flags.append("--no-emit-package=fullfield-engine")  # it lies here, and what it needs is pinned
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
