"""A map model that learns from nothing but the program: `python packaging/scene_model.py FOLDER`.

Its training images are drawn (`fullfield scenes`), so there is nothing to download and nobody to ask. One thread: the
same machine gives the same file, byte for byte. Some 10 CPU-minutes; what is there of an interrupted call is gone on
with. Decision 075 has what it reaches, and why it does not ship yet.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from fullfield import files

COUNT, EPOCHS, RATE = 154, 6, 2e-3
SIZES = "512,1024,512,512,1024,512,512"
LICENCE = "MIT, as the program: all images are drawn by it"


def make(folder: Path) -> Path:
    """The model file, in `folder`. Raises CalledProcessError."""
    scenes, run = folder / "scenes", folder / "run"
    _fullfield("scenes", str(scenes), "--count", str(COUNT), "--size", SIZES, "--quiet")
    settings = ["--network", "map", "--size", "native", "--epochs", str(EPOCHS), "--batch", "1", "--weights", "none"]
    settings += ["--learning-rate", str(RATE), "--validation", "0.12", "--threads", "1", "--device", "cpu"]
    settings += ["--checkpoint-seconds", "0", "--data-licence", LICENCE]
    _fullfield("train", "--data", str(scenes), "--out", str(run), *settings, *_resumed(run))
    return run / "model.safetensors"


def _resumed(run: Path) -> Sequence[str]:
    return ["--resume"] if any(run.glob("checkpoints/step-*")) else []


def _fullfield(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "fullfield_app", *arguments], check=True)


if __name__ == "__main__":
    made = make(Path(sys.argv[1]))
    sys.stdout.write(f"{files.sha256(made)}  {made}\n")
