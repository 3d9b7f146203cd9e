"""One folder from which Fullfield is installed where there is no internet: a hospital's network, a locked-down machine.

    python packaging/offline.py FOLDER            the light part: window, presets, --batch
    python packaging/offline.py FOLDER --train    with the training part (2 to 3 GB on Linux)

Run it on a machine with internet, of the same system and version of Python as the one that it is for. In the folder:

    start.py             installs from here, and asks no network: python start.py
    environment.py       what start.py begins with
    wheels/              every package that the lock pins, and Fullfield itself
    requirements.txt     these files with their SHA-256, which pip checks
    parts.csv            name, version, licence, file, bytes and SHA-256 of each
    licences/            the licence texts that the packages carry
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import astuple, dataclass, fields
from email.parser import HeaderParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START, ENVIRONMENT = (Path(__file__).with_name(name) for name in ("offline_start.py", "environment.py"))
LOCKS = {False: "requirements.txt", True: "requirements-train.txt"}
KEPT = "kept"  # what an attempt that was cut short has fetched
CUT_SHORT = frozenset({"wheels", KEPT, "requirements.txt", "parts.csv", "licences", "environment.py"})
"""What a folder may hold whose making was cut short: it is completed."""
TEXT = re.compile(
    r"[^/]+\.dist-info/(?:licenses/.+|[^/]*(?:licen[cs]e|copying|notice)[^/]*)|fullfield/LICENSE", re.IGNORECASE
)  # the last is our engine's own: the text lies above its project, where a build takes no licence from
CARRIES_NONE = "(no text in its wheel)"


@dataclass(frozen=True)
class Part:
    """A wheel of the folder. `licence`: as its package declares it."""

    name: str
    version: str
    licence: str
    file: str
    bytes: int
    sha256: str


def main() -> int:
    """Make the folder; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a new or empty folder, or one whose making was cut short")
    parser.add_argument("--train", action="store_true", help="with the training part")
    values = parser.parse_args()
    folder: Path = values.folder.absolute()  # pip works elsewhere
    wheels = folder / "wheels"
    try:
        if folder.exists() and (not folder.is_dir() or any(path.name not in CUT_SHORT for path in folder.iterdir())):
            sys.exit(f"{folder.name} is there and not empty: name a new folder.")
        wheels.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sys.exit(f"Cannot make {folder}: {error.strerror}. Name a folder that you may write to.")
    fetch(wheels, LOCKS[values.train])
    parts = write_lists(folder)
    if not parts:
        sys.exit(f"pip has brought no wheel into {wheels}.")
    shutil.copy(ENVIRONMENT, folder)
    shutil.copy(START, folder / "start.py")  # last: a folder without it was cut short
    megabytes = sum(part.bytes for part in parts) / 1e6
    print(f"{len(parts)} packages, {megabytes:.0f} MB. Copy the folder, and there run: python start.py")
    return 0


def fetch(wheels: Path, lock: str) -> None:
    """All wheels that a lock pins for this system and this Python, checked by their hashes, and those of this project.
    What lay there is not fetched again where it is one of them, and else removed: it is of an earlier version, or of
    another Python."""
    pinned_hashes = (ROOT / "packaging" / lock).read_text(encoding="utf-8")
    kept = wheels.with_name(KEPT)
    kept.mkdir(exist_ok=True)
    for wheel in wheels.glob("*.whl"):
        wheel.replace(kept / wheel.name)
    for wheel in kept.glob("*.whl"):
        if hashlib.sha256(wheel.read_bytes()).hexdigest() not in pinned_hashes:
            wheel.unlink()
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    pinned = ["--no-deps", "--only-binary=:all:", "--require-hashes", "-r", str(ROOT / "packaging" / lock)]
    for command in (
        [*pip, "download", "--quiet", "--dest", str(wheels), "-f", str(kept), *pinned],
        [*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels), str(ROOT), str(ROOT / "core")],
    ):
        code = subprocess.run(command, cwd=ROOT, env=os.environ | {"FULLFIELD_RELEASE": "yes"}).returncode
        if code != 0:
            sys.exit(code)
    shutil.rmtree(kept)


def write_lists(folder: Path) -> list[Part]:
    """Requirements with hashes, the list of parts and the licence texts, from the wheels that are there."""
    shutil.rmtree(folder / "licences", ignore_errors=True)
    parts = [look(path, folder / "licences") for path in sorted((folder / "wheels").glob("*.whl"))]
    lines = [f"./wheels/{part.file} --hash=sha256:{part.sha256}\n" for part in parts]
    (folder / "requirements.txt").write_text("".join(lines), encoding="utf-8")
    with (folder / "parts.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(field.name for field in fields(Part))
        writer.writerows(map(astuple, parts))
    return parts


def look(wheel: Path, licences: Path) -> Part:
    """What a wheel says of itself; the licence texts that it carries are laid into `licences`."""
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        metadata = next(name for name in names if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        header = HeaderParser().parsestr(opened.read(metadata).decode("utf-8", "replace"))
        texts = [name for name in names if TEXT.fullmatch(name) and not name.endswith("/")]
        for name in texts:
            target = licences / header["Name"] / name.partition("/")[2].replace("/", "-")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(opened.read(name))
    classified = [text.rpartition(" :: ")[2] for text in header.get_all("Classifier", []) if text.startswith("License")]
    declared = header["License-Expression"] or (header["License"] or "").partition("\n")[0] or "; ".join(classified)
    return Part(
        name=header["Name"],
        version=header["Version"],
        licence=f"{declared or 'unknown'}{'' if texts else f' {CARRIES_NONE}'}",
        file=wheel.name,
        bytes=wheel.stat().st_size,
        sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
    )


if __name__ == "__main__":
    sys.exit(main())
