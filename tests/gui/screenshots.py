"""Pictures of every scene, in three palettes and two languages, at 1366×768 and at 200 % of 2560×1440.

    python tests/gui/screenshots.py FOLDER [--scenes train,runs] [--palettes light] [--languages es] [--scales 2]

Real workers, real radiographs (the shipped phantoms, or `--radiographs FOLDER`), runs that are played
(`--run FOLDER`: a copy of a real one among them), offscreen unless QT_QPA_PLATFORM says otherwise. Text that is cut is
told on stdout, and the exit code is 1 then. Folders of the user are not touched.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIZES = {"1": (1366, 768), "2": (1280, 720)}  # of the window, in pixels of the desktop before scaling
PRIVATE = ("SETTINGS", "CACHE", "RUNS", "MODELS", "PRESETS", "GRADINGS", "REVIEWS")


def main() -> int:
    """One process for each scale and language: both are settled when a program starts."""
    values = _parser().parse_args()
    if values.inside:
        return _take(values)
    code = 0
    for scale in values.scales.split(","):
        for language in values.languages.split(","):
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as private:
                given = [*sys.argv[1:], "--inside", "--scales", scale, "--languages", language]
                environment = {
                    "QT_QPA_PLATFORM": "offscreen",
                    **os.environ,
                    "QT_SCALE_FACTOR": scale,
                    "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("core", "app", "tests")),
                    **{f"FULLFIELD_{name}": str(Path(private) / name.lower()) for name in PRIVATE},
                }
                code |= subprocess.run([sys.executable, __file__, *given], env=environment).returncode
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scenes", default="", help="names between commas; all where it is left out")
    parser.add_argument("--palettes", default="reading-room,dark,light")
    parser.add_argument("--languages", default="en,es")
    parser.add_argument("--scales", default="1,2")
    parser.add_argument("--radiographs", type=Path, default=ROOT / "resources" / "phantoms")
    parser.add_argument("--run", type=Path, help="the folder of a training, to be shown as the one that ended")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser


def _take(values: argparse.Namespace) -> int:
    from dataclasses import replace

    from PySide6.QtCore import QSize

    from fullfield import files
    from fullfield_app import settings
    from fullfield_app.gui import application as program
    from fullfield_app.gui import theme
    from gui.clipping import clipped
    from gui.scenes import SCENES
    from gui.scenes_runs import ENDED
    from gui.stage import Stage

    settings.update(lambda now: replace(now, language=values.languages))
    if values.run is not None:
        shutil.copytree(values.run, files.runs_folder() / ENDED)
    application, window = program.build()
    size = QSize(*SIZES[values.scales])
    stage = Stage(
        application=application,
        window=window,
        store=window._store,
        size=size,
        radiographs=sorted(values.radiographs.iterdir())[:6],
    )
    window.resize(size)
    window.show()
    faults = 0
    for name in values.scenes.split(",") if values.scenes else SCENES:
        widget = SCENES[name](stage)
        for palette in values.palettes.split(","):
            theme.apply(application, palette)
            stage.wait(0.1)
            place = values.folder / f"{values.languages}-{values.scales}00" / f"{name}-{palette}.png"
            place.parent.mkdir(parents=True, exist_ok=True)
            widget.grab().save(str(place))
        found = clipped(widget)
        if widget.width() > size.width() or widget.height() > size.height():
            found.append(f"is {widget.width()}×{widget.height()}: larger than the screen")
        sys.stdout.write("".join(f"{values.languages} {values.scales}00 % {name}: {fault}\n" for fault in found))
        sys.stdout.flush()
        faults += len(found)
        stage.clear()
    window.shut_down()
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
