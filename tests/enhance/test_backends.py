"""The seam of the engines: a second one is one file and one line of the registry."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from fullfield import parts
from fullfield.enhance.backends import registry
from fullfield.enhance.backends.registry import Engine
from fullfield.errors import MissingPart
from fullfield.image.normalise import Normalisation
from fullfield.model import card as cards
from fullfield.model.card import Card, NetworkSpec
from light import hidden

ENGINE = '''
"""An engine that multiplies by the square of the model's one weight; it has no room for a whole image."""

from safetensors.numpy import load

from fullfield.enhance.backends.base import Opened
from fullfield.model import card as cards


class Full(Exception):
    """This engine's own word for memory that ran out."""


class Own:
    title, precision = "an engine of its own", "fp64"

    def __init__(self, weight):
        self._weight = weight

    def capacity(self, budget=None):
        return 10**9

    def run(self, image, rows, columns, portion=None):
        if rows * columns > 1280 * 1280:
            raise Full
        for low in range(0, rows, 32):
            yield low, image(low, low + 32) * self._weight**2

    def is_out_of_memory(self, error):
        return isinstance(error, Full)

    def free(self):
        pass


def open_backend(path, *, device, precision, member):
    content = path.read_bytes()
    return Opened((Own(load(content)["weight"][0]),), cards.verify(content), f"On {device}, by an engine of its own.")
'''
USED = """
import json, sys
from pathlib import Path
import numpy as np
from fullfield.enhance.backends import registry
from fullfield.enhance.backends.registry import Engine
from fullfield.enhance.choose import open_choice
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image, InputKind

registry.ENGINES = (Engine(module="own_engine", families=("unet",)), *registry.ENGINES)
said = []
enhancer = open_choice(sys.argv[1], device="cpu", notice=said.append)
ramp = np.add.outer(np.arange(1500), np.arange(1400)).astype(np.uint16)
image = Image(pixels=ramp, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)
size = {"rows": 1500, "columns": 1400, "bits_stored": 12}
header = Header(source_format="png", sha256="0" * 64, photometric="MONOCHROME2", **size)
enhanced = enhancer.enhance(Decoded(image=image, header=header, folder=Path("none")))
part = enhanced.pixels[100:1400, 100:1300] / 4095
wanted = np.clip((ramp - ramp.min()) / (ramp.max() - ramp.min()), 0, 1)[100:1400, 100:1300] * 0.81
print(json.dumps({
    "said": said, "recipe": enhanced.recipe.parameters, "fault": float(np.abs(part - wanted).max()),
    "heavy": [name for name in ("torch", "segmentation_models_pytorch") if name in sys.modules],
}))
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model of one number, sealed; made without torch."""
    card = Card(
        name="one number",
        network=NetworkSpec(encoder="resnet18"),
        halo=32,
        normalisation=Normalisation(low_percent=0, high_percent=100).to_json(),
        for_tests=True,
    )
    content = bytearray(save({"weight": np.array([0.9], np.float32)}, metadata=cards.metadata(card)))
    cards.seal(content)
    path = tmp_path / "one.safetensors"
    path.write_bytes(content)
    return path


def test_that_an_engine_of_one_file_and_one_line_computes_where_torch_is_not_installed(
    tmp_path: Path, model: Path
) -> None:
    environment = hidden(tmp_path / "hidden", parts.PACKAGES)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "own_engine.py").write_text(ENGINE, encoding="utf-8")
    environment["PYTHONPATH"] = os.pathsep.join((environment["PYTHONPATH"], str(tmp_path / "own")))
    command = [sys.executable, "-c", USED, str(model)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["heavy"] == [] and "fp64" in found["recipe"]
    assert found["fault"] < 1 / 4095  # a count of the result
    assert found["said"][0] == "On cpu, by an engine of its own."
    assert "Memory ran out on an engine of its own: trying tiles of half the size." in found["said"]


def test_that_every_engine_beside_the_protocol_has_its_line() -> None:
    there = {path.stem for path in Path(registry.__file__).parent.glob("*.py")} - {"__init__", "base", "registry"}
    assert {engine.module.rpartition(".")[2] for engine in registry.ENGINES} == there


def test_that_the_first_engine_that_is_installed_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    other, unet = ("map",), ("unet",)
    absent, of_another = Engine(module="a", families=unet, needs=("no_such",)), Engine(module="d", families=other)
    first, second = Engine(module="b", families=unet), Engine(module="c", families=(*unet, *other))
    monkeypatch.setattr(registry, "ENGINES", (absent, of_another, first, second))
    assert registry.find("unet") is first and registry.find("map") is of_another
    monkeypatch.setattr(registry, "ENGINES", (absent, second))
    assert registry.find("unet") is registry.find("map") is second


def test_that_where_no_engine_is_installed_it_is_said_what_brings_the_last_one(
    monkeypatch: pytest.MonkeyPatch, without: Callable[[str], None]
) -> None:
    monkeypatch.setattr(
        registry, "ENGINES", (Engine(module="a", families=("unet",), needs=("no_such",)), registry.ENGINES[-1])
    )
    without("torch")
    with pytest.raises(MissingPart, match="training part") as missing:
        registry.find("unet")
    assert "torch" in missing.value.detail and "no_such" not in missing.value.detail


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Has a package taken for one that is not installed."""
    here = parts.is_here
    return lambda package: monkeypatch.setattr(parts, "is_here", lambda name: name != package and here(name))
