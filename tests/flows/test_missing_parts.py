"""Every command where a package of the training part is not installed: it works, or says what is missing and what
brings it. Nothing ends in an error that nobody foresaw."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import card_file
import samples
from flows.command import Result, fullfield, python
from fullfield import parts
from fullfield.errors import ExitCode
from fullfield_app.cli.bench import BENCHES
from gui import fake_run
from gui.fake_run import begun, epoch
from light import hidden

UNFORESEEN = ("did not foresee", "Traceback", "ModuleNotFoundError", "ImportError")
SMALL = ("--size", 192, "--encoder", "resnet18", "--weights", "none", "--device", "cpu", "--threads", 1)
PLAIN = ("--no-calibrate-halo", "--techniques", "none")
EXPORT = """
import sys
from pathlib import Path
import numpy as np
from fullfield.image.delivery import Delivery
from fullfield.image.export import OutputFormat, write
from fullfield.image.image import Enhanced, HighValues, Image, InputKind, Recipe
pixels = np.arange(64 * 64, dtype=np.uint16).reshape(64, 64)
image = Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)
enhanced = Enhanced(pixels=pixels, bits=12, recipe=Recipe(method="preset", name="x", version="1", sha256="0" * 64))
write(image, enhanced, Path(sys.argv[1]), format=OutputFormat.PNG16, delivery=Delivery(mark="No apta, según…"))
"""

EACH = """
import contextlib, io, json, sys, traceback
from fullfield_app.__main__ import main
told = []
for words in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = int(main(words))
        except BaseException:
            traceback.print_exc()
            code = 1
    told.append({"code": code, "out": out.getvalue(), "err": err.getvalue()})
print(json.dumps(told))
"""
"""Commands one after the other in a process."""


@dataclass(frozen=True)
class Command:
    """`words`: with {out} for an empty folder, {image} for a radiograph, {model} for a model file, {run} for a run,
    {data} for radiographs. `needs`: the package whose absence it must tell; "": none, it works without them all."""

    words: tuple[object, ...]
    needs: tuple[str, ...] = ()


COMMANDS = {
    "batch": Command(("--batch", "{image}", "-o", "{out}")),
    "batch to PNG with a contact sheet": Command(
        ("--batch", "{image}", "-o", "{out}", "--format", "png16", "--contact-sheet")
    ),
    "batch with a model": Command(("--batch", "{image}", "-o", "{out}", "--model", "{model}"), ("torch",)),
    "plan": Command(("plan", "--size", 192, "--budget", "4GiB", "--techniques", "none"), ("torch",)),
    "train": Command(
        ("train", "--data", "{data}", "--epochs", 1, "--out", "{out}/run", *SMALL, *PLAIN),
        ("torch",),
    ),
    "resumed train": Command(("train", "--out", "{run}", "--resume"), ("torch",)),
    "report": Command(("report", "{run}", "-o", "{out}/report.html"), ("matplotlib",)),
    "report as PDF": Command(("report", "{run}", "-o", "{out}/report.pdf"), ("matplotlib",)),
    "weights": Command(("weights",)),
    "weights fetch": Command(("weights", "fetch"), ("torch",)),
    "doctor": Command(("doctor",)),
    **{f"bench {name}": Command(("bench", name), bench.needs) for name, bench in BENCHES.items() if bench.needs},
    "marked export": Command(("-c", EXPORT, "{out}/marked.png")),
}
BOTH = "matplotlib and SimpleITK"
MISSING = {
    "torch": ("torch",),
    "matplotlib": ("matplotlib",),
    BOTH: ("matplotlib", "SimpleITK"),
    "all but matplotlib": tuple(name for name in parts.PACKAGES if name != "matplotlib"),
    "all": tuple(parts.PACKAGES),
}
LONG = {"resumed train", "weights fetch", *(f"bench {name}" for name in BENCHES)}
"""Run to their end only where they refuse: what they do else has tests of its own."""


def sets(command: Command) -> list[str]:
    """What is hidden from a command: what works without all that it does not need, the same process shows, works
    without each."""
    if command is COMMANDS["doctor"]:  # tells of each
        return ["torch", BOTH, "all"]
    if not command.needs:
        return ["all"]
    if command.needs == ("matplotlib",):
        return ["matplotlib", "all but matplotlib", "all"]
    return ["torch", *(["matplotlib"] if "matplotlib" in command.needs else [BOTH]), "all"]


ROWS = [
    pytest.param(name, missing, marks=pytest.mark.slow if name == "train" else ())
    for name, command in COMMANDS.items()
    for missing in sets(command)
    if name not in LONG or set(command.needs) & set(MISSING[missing])
]


def run() -> Path:
    """The folder of a training that has ended."""
    return fake_run.training(reported=[*begun(), *epoch(1)])


def data(folder: Path) -> Path:
    """A folder of a few radiographs."""
    for name in ("chest-cr.dcm", "hand-dx.dcm", "skull-sc.dcm"):
        samples.write(folder, name, by=2)
    return folder


def words(name: str, folder: Path) -> list[str]:
    model_file = card_file.write(folder / "small.safetensors")
    image = samples.write(folder / "in", "hand-dx.dcm")
    places = {"out": folder / "out", "image": image, "model": model_file, "run": run(), "data": data(folder / "data")}
    return [str(word).format(**places) if word is not EXPORT else EXPORT for word in COMMANDS[name].words]


def reported(name: str, missing: str, folder: Path) -> Result:
    (folder / "out").mkdir()
    asked = words(name, folder)
    return (python if asked[0] == "-c" else fullfield)(*asked, **hidden(folder / "hidden", MISSING[missing]))


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Result]]:
    """What all commands say that need what is missing, by their names: nothing of them begins."""

    @functools.cache
    def refused(missing: str) -> dict[str, Result]:
        folder = tmp_path_factory.mktemp("refused")
        names = [name for name, command in COMMANDS.items() if set(command.needs) & set(MISSING[missing])]
        asked = json.dumps([words(name, folder) for name in names])
        each = python("-c", EACH, asked, **hidden(folder / "hidden", MISSING[missing]))
        assert not list(Path(os.environ["FULLFIELD_RUNS"]).glob("*-plan-*"))
        return {name: Result(**one) for name, one in zip(names, json.loads(each.out), strict=True)}

    return refused


@pytest.mark.parametrize(("name", "missing"), ROWS, ids=lambda text: text.replace(" ", "-"))
def test_that_a_command_works_without_a_package_or_says_what_brings_it(
    name: str, missing: str, tmp_path: Path, refusals: Callable[[str], dict[str, Result]]
) -> None:
    needed = set(COMMANDS[name].needs) & set(MISSING[missing])
    if COMMANDS[name].needs and not needed and parts.absent(*parts.PACKAGES):
        pytest.skip("tests the training part, which is not installed")
    result = refusals(missing)[name] if needed else reported(name, missing, tmp_path)
    said = result.out + result.err
    assert not any(word in said for word in UNFORESEEN), said
    if needed:
        assert result.code == ExitCode.PART_MISSING, said
        assert 'pip install "fullfield[train]"' in result.err
        assert all(parts.PACKAGES[package] in result.err for package in needed)
        assert result.err.count("training part") == 1
    elif name == "batch with a model":
        assert result.code == ExitCode.MODEL  # its tensors are none of a network: it was opened
    else:
        assert result.code == ExitCode.ALL_DONE, said
    assert not list(Path(os.environ["FULLFIELD_RUNS"]).glob("*-plan-*"))


@pytest.mark.parametrize("words", [(), ("bench", "window", "--quick")], ids=["window", "bench"])
def test_that_an_engine_without_qt_says_so_where_a_window_is_asked_for(words: tuple[str, ...], tmp_path: Path) -> None:
    result = fullfield(*words, **hidden(tmp_path, parts.WINDOW))
    assert result.code == ExitCode.PART_MISSING and "This needs the window of Fullfield." in result.err
    assert not any(word in result.err for word in UNFORESEEN)
