"""A map model that learns from nothing but the program, and the way by which it ships.

    python packaging/scene_model.py FOLDER         makes FOLDER/run/model.safetensors
    python packaging/scene_model.py --ship FILE    puts such a file into resources/weights, with its facts and limits

Its training images are drawn (`fullfield scenes`), so there is nothing to download and nobody to ask. One thread: the
same machine gives the same file, byte for byte. Some 17 CPU-minutes; what is there of an interrupted call is gone on
with. Decision 084 has what it reaches, 079 how it ships. In between it is tried, and two files are left beside it:

    fullfield bench guards RADIOGRAPHS --model FILE --limits …/model.guards.json      limits; else those of its kind
    fullfield bench detect --everywhere --model FILE --tried …/model.tried.json       which images it leaves to presets

and somebody looks at its results beside those of the presets; the presets that were better to read are named with
`--worse`, and have their images, too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from fullfield import files
from fullfield.errors import FullfieldError, ModelError
from fullfield.image import guards, presets
from fullfield.image.method import SHIPPED
from fullfield.model import registry, shipped, tried, weakness
from fullfield.model.card import SUFFIX
from fullfield.model.shipped import Facts

COUNT, EPOCHS, RATE = 308, 12, 2e-3
SIZES = "512,1024,512,512,1024,512,512"
LICENCE = "MIT, as the program: all images are drawn by it"
MADE_BY = "python packaging/scene_model.py FOLDER"
REFUSED = "This model does not ship."


def make(folder: Path) -> Path:
    """The model file, in `folder`. Raises CalledProcessError."""
    scenes, run = folder / "scenes", folder / "run"
    _fullfield("scenes", str(scenes), "--count", str(COUNT), "--size", SIZES, "--quiet")
    settings = ["--network", "map", "--size", "native", "--epochs", str(EPOCHS), "--batch", "1", "--weights", "none"]
    settings += ["--learning-rate", str(RATE), "--validation", "0.12", "--threads", "1", "--device", "cpu"]
    settings += ["--checkpoint-seconds", "0", "--data-licence", LICENCE]
    _fullfield("train", "--data", str(scenes), "--out", str(run), *settings, *_resumed(run))
    return run / "model.safetensors"


def ship(model: Path, resources: Path, worse: Sequence[str] = ()) -> bool:
    """Let the program bring this model: its file and facts into `resources`/weights, the limits that lie beside it into
    the guards' file there, in place of those of the model before. Whether it has any. `worse`: presets that were better
    to read.

    Raises ModelError for a file that cannot ship, CannotWrite.
    """
    card = registry.inspect(model)
    weakness.refuse(card, doing=REFUSED, hint="Train it longer.")
    if model.stat().st_size > shipped.LARGEST_BYTES:
        raise ModelError(REFUSED, detail=f"It is larger than {shipped.LARGEST_BYTES:,} bytes.")
    if card.for_tests or not card.licence or not card.network.of.any_scale:
        raise ModelError(
            REFUSED,
            detail="It is no trained map network whose card says what the owner of its data allows.",
            hint="Take what this command makes.",
        )
    unknown = sorted(set(worse) - set(presets.names()))
    if unknown:
        raise ModelError(REFUSED, detail=f"There is no preset {unknown[0]!r}.", hint=f"Among {presets.names()}.")
    found = tried.read(model)
    if not found:
        raise ModelError(
            REFUSED, detail="It was not tried.", hint=f"Leave what is found in {model.stem}{tried.BESIDE}."
        )
    folder, sha256 = resources / "weights", files.sha256(model)
    beside = model.with_suffix(guards.OWN)
    own = guards.limits_in(beside, guards.MAP) if beside.exists() else None
    guards.keep_limits(resources / guards.FILE, sha256, own, instead=_before(folder / shipped.FACTS))
    files.write_bytes(folder / f"{SHIPPED}{SUFFIX}", model.read_bytes())
    facts = Facts(sha256=sha256, data_licence=card.licence, made_by=MADE_BY, tried=found, worse=tuple(worse))
    files.write_text(folder / shipped.FACTS, json.dumps(asdict(facts), indent=1) + "\n")
    return own is not None


def _before(facts: Path) -> str:
    """The SHA-256 of the model that ships so far; "" where there is none."""
    return shipped.read_facts(facts).sha256 if facts.exists() else ""


def _resumed(run: Path) -> Sequence[str]:
    return ["--resume"] if any(run.glob("checkpoints/step-*")) else []


def _fullfield(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "fullfield_app", *arguments], check=True)


def main() -> int:
    """Make, or ship; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("folder", nargs="?", type=Path, help="where the model is made, or its run resumed")
    what.add_argument("--ship", type=Path, metavar="FILE", help="let the program bring this model")
    parser.add_argument(
        "--worse", nargs="+", default=(), metavar="PRESET", help="of those whose results are better to read, a name"
    )
    values = parser.parse_args()
    if values.ship is None:
        made = make(values.folder)
        sys.stdout.write(f"{files.sha256(made)}  {made}\n")
        return 0
    try:
        has_own = ship(values.ship, files.resource(guards.FILE).parent, values.worse)
    except FullfieldError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    guarded = "limits of its own" if has_own else f"the limits of its kind: there is no {guards.OWN} beside it"
    sys.stdout.write(f"{files.sha256(values.ship)} ships now, with {guarded}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
