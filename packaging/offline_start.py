"""Installs Fullfield from the folder in which this file lies; nothing is asked of any network.

    python start.py                  into the folder `fullfield` beside this one's files
    python start.py --venv FOLDER    into another

Run it with the version of Python that the folder was made with; another is refused before anything is made. Every file
is checked against its SHA-256 by pip before it is unpacked.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
IN_PART = "This folder is not whole: copy all of it once more, or have it made anew. Nothing was installed."

try:
    import environment
except ModuleNotFoundError:
    sys.exit(IN_PART)


def main() -> int:
    """Install, and try it; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--venv", type=Path, default=HERE / "fullfield", help="where to install")
    folder = parser.parse_args().venv.absolute()
    refuse_another_python()
    again = environment.program(folder).exists()
    try:
        python = environment.prepare(folder)
    except OSError as error:
        sys.exit(f"Cannot write into {folder}: {error.strerror}. Name a folder: python start.py --venv FOLDER")
    pip = [sys.executable, "-m", "pip", "--isolated", "--python", str(python), "install", "--disable-pip-version-check"]
    options = ["--quiet", "--no-index", "--no-deps", "--require-hashes", "--requirement", "requirements.txt"]
    print(f"Installing into {folder} …", flush=True)
    code = subprocess.run([*pip, *options], cwd=HERE).returncode
    if code == 0 and again:  # pip leaves what is there of the same version, which Fullfield's own wheels always have
        code = subprocess.run([*pip, *options[:3], "--force-reinstall", *own_wheels()], cwd=HERE).returncode
    if code != 0:
        print("It could not be installed, see above.")
        return code
    code = subprocess.run([str(python), "-P", "-m", "fullfield_app", "doctor"]).returncode
    print(f"Open the window with: {environment.program(folder)}")
    return code


def refuse_another_python() -> None:
    """End with a sentence where wheels of the folder are for other versions of Python than the one that runs here."""
    try:
        names = (HERE / "requirements.txt").read_text(encoding="utf-8")
    except FileNotFoundError:
        sys.exit(IN_PART)
    wanted = {(int(major), int(minor)) for major, minor in re.findall(r"-cp(\d)(\d+)-cp\d+t?-", names)}
    here = sys.version_info[:2]
    if wanted and here not in wanted:
        needed = " or ".join(f"{major}.{minor}" for major, minor in sorted(wanted))
        sys.exit(
            f"This folder is for Python {needed}, and this is Python {here[0]}.{here[1]}. Run start.py with "
            f"Python {needed}, or have a folder made with Python {here[0]}.{here[1]}. Nothing was installed."
        )


def own_wheels() -> list[str]:
    """Addresses of Fullfield's own wheels, with the SHA-256 that pip checks."""
    lines = (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines()
    found = [line.split(" --hash=sha256:") for line in lines if line.startswith("./wheels/fullfield")]
    return [f"{(HERE / wheel).as_uri()}#sha256={digest}" for wheel, digest in found]


if __name__ == "__main__":
    sys.exit(main())
