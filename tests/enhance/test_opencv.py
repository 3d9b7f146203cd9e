"""The map network without torch: the same picture as torch's, strip by strip, and where torch is not installed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from safetensors import numpy as safetensors

import map_file
from fullfield import parts
from fullfield.bench import guard_faults
from fullfield.enhance.backends.opencv import OpenCvBackend, open_backend
from fullfield.enhance.map_network import MapNetwork
from fullfield.enhance.portions import divided
from fullfield.errors import DeviceUnavailable, ModelError
from fullfield.image.declared import Declared
from fullfield.image.image import HighValues, Image, InputKind
from fullfield.model import card as cards
from light import hidden, require

require(*parts.NETWORK)

import torch  # noqa: E402

from fullfield.model import seeded, weights  # noqa: E402
from fullfield.model.card import Card  # noqa: E402
from fullfield.model.families.gain_map import MAPS  # noqa: E402
from fullfield.model.network import Network, build  # noqa: E402
from fullfield.model.phantom import phantom  # noqa: E402
from fullfield.model.spec import NetworkSpec, named  # noqa: E402

USED = """
import json, sys
from pathlib import Path
from fullfield.enhance.choose import open_choice
from fullfield.image import phantom
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.phantom import PhantomKind

said = []
enhancer = open_choice(sys.argv[1], device="auto", notice=said.append)
image = phantom.raw(PhantomKind.CHEST, longer=700, seed=2)
rows, columns = image.pixels.shape
size = {"rows": rows, "columns": columns, "bits_stored": image.bits}
header = Header(source_format="dicom", sha256="0" * 64, photometric="MONOCHROME2", **size)
enhanced = enhancer.enhance(Decoded(image=image, header=header, folder=Path("none")))
print(json.dumps({"recipe": enhanced.recipe.parameters, "warnings": enhanced.warnings, "said": said,
    "spread": int(enhanced.pixels.max()) - int(enhanced.pixels.min()), "heavy": "torch" in sys.modules}))
"""


@pytest.fixture(scope="module")
def network() -> Network:
    """With weights that say something everywhere."""
    torch.manual_seed(0)
    made = build(named("map")).eval()
    for parameter in made.parameters():
        if not parameter.any():
            torch.nn.init.normal_(parameter, std=0.1)
    return made


@pytest.fixture
def engine(network: Network) -> OpenCvBackend:
    tensors = {name.removeprefix(f"stages.{MAPS}."): one.numpy() for name, one in network.state_dict().items()}
    return OpenCvBackend(MapNetwork(tensors))


@pytest.mark.parametrize("shape", [(200, 192), (512, 640), (1000, 777), (700, 333), (31, 1000)])
def test_that_strips_of_opencv_are_the_picture_of_torch(
    network: Network, engine: OpenCvBackend, shape: tuple[int, int]
) -> None:
    plane = np.ascontiguousarray(phantom(max(shape), max(shape), seed=4)[: shape[0], : shape[1]])
    with torch.no_grad():
        wanted = network(torch.from_numpy(plane)[None, None])[0, 0].numpy()
    found, after = np.empty(shape, np.float32), 0
    for low, part in engine.run(lambda low, high: plane[low:high], *shape):
        assert low == after
        after = low + len(part)
        found[low:after] = part
    assert after == shape[0] and np.ptp(wanted) > 0.1
    assert np.abs(found - wanted).max() < 1e-4


@pytest.mark.parametrize("shape", [(200, 192), (512, 640), (700, 333), (31, 1000)])
def test_that_what_it_says_that_it_did_is_the_picture(engine: OpenCvBackend, shape: tuple[int, int]) -> None:
    pixels = (phantom(max(shape), max(shape), seed=4)[: shape[0], : shape[1]] * 65535).astype(np.uint16)
    table = np.linspace(0, 1, 1 << 16, dtype=np.float32)
    made = np.empty(shape, np.float32)
    declared: list[Declared | None] = []

    def parts() -> Iterator[tuple[int, np.ndarray]]:
        declared.append((yield from engine.run(lambda low, high: table[pixels[low:high]], *shape)))

    for low, part in parts():
        made[low : low + len(part)] = part
    (said,) = declared
    assert said is not None and said.shape == shape and np.ptp(said.gains[0]) > 0.01
    image = Image(pixels=pixels, bits=16, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)
    assert np.abs(guard_faults.rebuilt(image, table, said) - made).max() < 1e-5


def test_that_a_portion_of_an_image_is_refused(engine: OpenCvBackend) -> None:
    first, _ = divided([(0, 32), (32, 64)])
    with pytest.raises(ValueError, match="a portion of 64 rows is wanted of a map network"):
        next(engine.run(lambda low, high: np.zeros((high - low, 32), np.float32), 64, 32, first))


def test_that_a_model_file_enhances_where_torch_is_not_installed(tmp_path: Path) -> None:
    model = tmp_path / "map.safetensors"
    seeded.make(model, NetworkSpec(family="map"), seed=0)
    environment = hidden(tmp_path / "hidden", parts.PACKAGES)
    done = subprocess.run([sys.executable, "-c", USED, str(model)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert not found["heavy"] and found["spread"] > 1000
    assert "map network, fp32, any input" in found["recipe"] and "the tone of the general preset" in found["recipe"]
    assert not any("finer" in text or "coarser" in text for text in found["warnings"])  # it has no scale
    assert found["said"][0].startswith("The map network computes on the CPU")


def test_that_what_is_no_map_network_and_a_graphics_card_are_refused(network: Network, tmp_path: Path) -> None:
    spec = NetworkSpec(family="map")
    short = {name: one for name, one in network.state_dict().items() if "bottom" not in name}
    weights.save(tmp_path / "short.safetensors", network, Card(name="short", network=spec), short)
    with pytest.raises(ModelError, match="Cannot use the model file") as refused:
        open_backend(tmp_path / "short.safetensors", device="cpu", precision="fp32")
    assert "not those of a map network" in refused.value.detail
    with pytest.raises(DeviceUnavailable, match="cuda:0"):
        open_backend(tmp_path / "short.safetensors", device="cuda:0", precision="fp32")


def test_that_it_takes_an_image_of_any_size_on_the_cpu(engine: OpenCvBackend) -> None:
    assert (engine.title, engine.precision) == ("the CPU", "fp32")
    assert engine.capacity() > 1 << 50 and engine.capacity(1) > 1 << 50


def test_that_memory_that_ran_out_is_known_in_any_of_its_words(engine: OpenCvBackend) -> None:
    full, odd = cv2.error(), cv2.error()
    full.code, odd.code = cv2.Error.StsNoMem, cv2.Error.StsBadArg
    found = [engine.is_out_of_memory(error) for error in (MemoryError(), full, odd, ValueError())]
    assert found == [True, True, False, False]


def test_that_a_device_that_it_knows_is_taken_and_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    for device in ("auto", "cpu"):
        map_file.write(tmp_path / "map.safetensors")
        opened = open_backend(tmp_path / "map.safetensors", device=device)
        assert len(opened.backends) == 1 and opened.card.name == "flat map"
        assert opened.said == "The map network computes on the CPU, in little memory at any size."
    tensors = map_file._tensors()
    tensors["maps.gain.bias"] = np.full_like(tensors["maps.gain.bias"], np.nan)
    content = bytearray(safetensors.save(tensors, metadata=cards.metadata(opened.card)))
    cards.seal(content)
    (tmp_path / "nan.safetensors").write_bytes(content)
    with pytest.raises(ModelError) as refused:
        open_backend(tmp_path / "nan.safetensors", device="cpu")
    assert "not finite" in refused.value.detail
    tensors["maps.gain.bias"] = np.zeros(3, np.float32)
    content = bytearray(safetensors.save(tensors, metadata=cards.metadata(opened.card)))
    cards.seal(content)
    (tmp_path / "odd.safetensors").write_bytes(content)
    with pytest.raises(ModelError) as refused:
        open_backend(tmp_path / "odd.safetensors", device="cpu")
    assert "not those of a map network" in refused.value.detail
