"""kill −9 of `fullfield --batch` alone, at random moments, started again at once: is every image there, once and whole?

    python tests/flows/kill_batch.py --files 3000 --kills 8

Makes small DICOM files, two of each name in a folder (`0001.dcm`, `0001.ima`), so that results share names. Prints a
line per kill and what is found at the end; exits with 0 when all is as it should be.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
import pydicom

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from flows.command import COMMAND
from originals import bone
from sources import dataset, encoded

UID = "1.2.826.0.1.3680043.10.99.7"
PATIENCE = 120.0  # seconds until a process is taken for one that stays
TICK = 0.01


@dataclass(frozen=True, kw_only=True)
class Kill:
    """One kill: how many results lay there, how long the worker and its children lived on, and how many still do.

    `code`: that of a command which had ended by itself before, refused or done; None: it was killed.
    """

    results: int
    seconds: float
    left: int
    code: int | None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What the kills left, and what is there when a last run has ended with `code`.

    `finished`: workers that came to the end of their run though their command was killed in the midst of it. `whole`:
    results that pydicom reads with their pixels; `sources`: how often each image is the source of one;
    `inputs`: how often each input's SHA-256 is that of a result, by the folder's own list; `other`: names of all else.
    """

    kills: tuple[Kill, ...]
    code: int
    finished: int
    whole: int
    sources: Counter[str]
    inputs: Counter[str]
    other: tuple[str, ...]

    def is_right(self, files: int) -> bool:
        """Each of `files` images is there, once and whole, nothing else is, no command was refused, and no process
        outlived its command."""
        once = all(len(found) == files and set(found.values()) == {1} for found in (self.sources, self.inputs))
        bad = self.finished or any(kill.left or kill.code for kill in self.kills)
        return once and self.whole == files and not (self.code or self.other or bad)


def make_files(folder: Path, count: int) -> None:
    """Small radiographs, each with a UID and pixels of its own."""
    folder.mkdir(parents=True)
    for number in range(count):
        pixels = bone(rows=64 + number % 5, columns=64)
        pixels[:2, :] = np.frombuffer(hashlib.sha256(str(number).encode()).digest() * 8, np.uint16).reshape(2, 64) >> 4
        made = dataset(pixels, SOPInstanceUID=f"{UID}.{number + 1}", InstanceNumber=number + 1)
        name = f"{number // 2:04d}{('.dcm', '.ima')[number % 2]}"
        (folder / name).write_bytes(encoded(made))


def trial(base: Path, *, files: int, kills: int, seed: int = 0) -> Outcome:
    """Make `files` images below `base`, and enhance them with `kills` kills on the way."""
    chance, out = random.Random(seed), base / "out"
    make_files(base / "in", files)
    places = {f"FULLFIELD_{name}": str(base / name.lower()) for name in ("RUNS", "CACHE", "SETTINGS")}
    command = [*COMMAND, "--batch", str(base / "in"), "-o", str(out), "--quiet"]
    share = 0.9 * files / kills  # none is so late that the run may be done
    moments = [round(share * (at + chance.random())) for at in range(kills)]
    with ThreadPoolExecutor() as watchers:  # the command is started again at once, whatever is left of the last one
        watched = [_kill(command, out, moment, chance.uniform(0, 0.2), places, watchers) for moment in moments]
        ended = subprocess.run(command, env={**os.environ, **places}, check=False)
        reported = tuple(kill.result() for kill in watched)
    stories = (path.read_text(encoding="utf-8") for path in (base / "runs").glob("*/events.jsonl"))
    finished = sum('"RunEnded"' in story for story in stories)  # a run that was not killed leaves no folder
    whole, sources = _read(out)
    inputs = _inputs(out)
    unknown = set(inputs) - {hashlib.sha256(path.read_bytes()).hexdigest() for path in (base / "in").iterdir()}
    other = [path.name for path in out.rglob("*") if path.is_file() and path.suffix != ".dcm"]
    other = [name for name in other if name != "results.jsonl"] + sorted(unknown)
    return Outcome(
        kills=reported,
        code=ended.returncode,
        finished=finished,
        whole=whole,
        sources=sources,
        inputs=inputs,
        other=tuple(other),
    )


def _kill(
    command: list[str], out: Path, moment: int, pause: float, places: Mapping[str, str], watchers: ThreadPoolExecutor
) -> Future[Kill]:
    """Start the command, and kill it, but nothing that it has started, a `pause` after `moment` results are there."""
    with subprocess.Popen(command, env={**os.environ, **places}) as front:
        until = time.monotonic() + PATIENCE
        while (done := _count(out)) < moment and time.monotonic() < until and front.poll() is None:
            time.sleep(TICK)
        time.sleep(pause)
        code = front.poll()
        family = psutil.Process(front.pid).children(recursive=True) if code is None else []
        front.kill()
        return watchers.submit(_watch, family, done, code)


def _watch(family: list[psutil.Process], results: int, code: int | None) -> Kill:
    began = time.monotonic()
    while (left := sum(map(_lives, family))) and time.monotonic() - began < PATIENCE:
        time.sleep(TICK)
    kill = Kill(results=results, seconds=time.monotonic() - began, left=left, code=code)
    if code is None:
        print(f"killed at {results} results: {len(family)} processes gone after {kill.seconds:.2f} s", flush=True)
    else:
        print(f"ended by itself at {results} results, with exit code {code}", flush=True)
    return kill


def _lives(process: psutil.Process) -> bool:
    """It runs; one that has ended may stay listed until its new parent looks at it."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _count(out: Path) -> int:
    return sum(entry.name.endswith(".dcm") for entry in os.scandir(out)) if out.exists() else 0


def _read(out: Path) -> tuple[int, Counter[str]]:
    whole, sources = 0, Counter[str]()
    for path in out.glob("*.dcm"):
        made = pydicom.dcmread(path)
        whole += made.pixel_array.shape == (made.Rows, made.Columns)
        sources[str(made.SourceImageSequence[0].ReferencedSOPInstanceUID)] += 1
    return whole, sources


def _inputs(out: Path) -> Counter[str]:
    """Whose results lie there."""
    lines = [json.loads(line) for line in (out / ".fullfield" / "results.jsonl").read_text().splitlines()]
    of = {line["output"]: line["input"] for line in lines}
    return Counter(of.get(hashlib.sha256(path.read_bytes()).hexdigest(), "of none") for path in out.glob("*.dcm"))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--kills", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    values = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = trial(Path(folder), files=values.files, kills=values.kills, seed=values.seed)
    right = outcome.is_right(values.files)
    slowest = max(kill.seconds for kill in outcome.kills)
    print(
        f"{outcome.whole} of {values.files} whole, of {len(outcome.sources)} images and {len(outcome.inputs)} inputs, "
        f"exit code {outcome.code}, other files: {list(outcome.other)}; "
        f"{len(outcome.kills)} kills, {outcome.finished} workers worked on to the end, "
        f"all processes gone after {slowest:.2f} s at most; "
        f"{time.monotonic() - began:.0f} s: {'right' if right else 'WRONG'}"
    )
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
