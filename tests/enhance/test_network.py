"""A model applied to images: whole, in tiles, and when memory runs out."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from fullfield import files
from fullfield.bench import tiles as measure
from fullfield.enhance.backends import pytorch
from fullfield.enhance.backends.base import Rows, Unit
from fullfield.enhance.backends.pytorch import TorchBackend
from fullfield.enhance.network import NetworkEnhancer, open_model
from fullfield.enhance.portions import Portion
from fullfield.errors import DeviceUnavailable, InputRefused, ModelError, OutOfMemory
from fullfield.hardware import devices
from fullfield.image import normalise
from fullfield.image.cache import Decoded
from fullfield.image.image import HighValues, InputKind, Recipe
from fullfield.image.normalise import Normalisation
from fullfield.model import weights
from fullfield.model.card import FULL_HALO, Card, NetworkSpec

MakeDecoded = Callable[..., Decoded]
HALO = 288  # calibrated for the seeded resnet18


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def enhancer(model_file: Path, said: list[str]) -> NetworkEnhancer:
    opened = open_model(model_file, device="cpu", notice=said.append)
    torch.set_num_threads(1)
    return opened


def test_that_opening_says_device_and_precision_and_names_the_model(
    enhancer: NetworkEnhancer, model_file: Path, said: list[str]
) -> None:
    assert said == ["The CPU was asked for. Precision: fp32."]
    assert (enhancer.recipe.method, enhancer.recipe.name) == ("model", "seeded-resnet18-3")
    assert enhancer.recipe.sha256 == files.sha256(model_file)
    assert "U-Net resnet18, fp32, processed input" in enhancer.recipe.parameters


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (1, 2048), (2048, 1), (33, 31), (100, 130)])
def test_that_an_image_of_any_size_keeps_its_matrix(
    enhancer: NetworkEnhancer, radiograph: MakeDecoded, shape: tuple[int, int]
) -> None:
    enhanced = enhancer.enhance(radiograph(*shape))
    assert enhanced.pixels.shape == shape
    assert enhanced.bits == 12
    assert enhanced.pixels.max() <= 4095


def test_that_the_result_is_that_of_the_plain_network_on_the_padded_image(
    enhancer: NetworkEnhancer, radiograph: MakeDecoded, model_file: Path
) -> None:
    decoded = radiograph(70, 100)
    padded = np.pad(normalise.to_input(decoded.image), ((0, 26), (0, 28)), mode="edge")
    with torch.inference_mode():
        output = weights.load(model_file).network(torch.from_numpy(padded)[None, None])[0, 0, :70, :100]
    wanted = normalise.to_pixels(output.numpy(), 12)
    assert np.abs(enhancer.enhance(decoded).pixels.astype(int) - wanted).max() <= 1


def test_that_a_whole_image_is_said_once_for_many(
    enhancer: NetworkEnhancer, radiograph: MakeDecoded, said: list[str]
) -> None:
    for _ in range(3):
        enhancer.enhance(radiograph(40, 40))
    assert said[1:] == ["Enhancing on the CPU in fp32, the whole image at once."]


@pytest.fixture(scope="module")
def backend(model_file: Path) -> TorchBackend:
    made = TorchBackend(weights.load(model_file).network, devices.choose("cpu"))
    torch.set_num_threads(1)
    return made


@pytest.mark.parametrize("shape", [(64, 1400), (1401, 50)])
def test_that_tiles_equal_the_whole_image_and_with_a_halo_of_64_do_not(
    backend: TorchBackend, shape: tuple[int, int]
) -> None:
    pixels = (measure.phantom(*shape, seed=8) * 65535).astype(np.uint16)
    whole = measure.output(backend, pixels, core=2048, halo=0)
    assert np.abs(measure.output(backend, pixels, core=256, halo=HALO) - whole).max() <= 1e-3
    assert np.abs(measure.output(backend, pixels, core=256, halo=64) - whole).max() > 1e-3


def test_that_little_memory_means_tiles_of_the_whole_reach_and_the_same_picture(
    model_file: Path, radiograph: MakeDecoded, said: list[str], enhancer: NetworkEnhancer
) -> None:
    budget = (192 << 20) + 80 * 64 * 1000
    small = open_model(model_file, device="cpu", notice=said.append, budget=budget)
    torch.set_num_threads(1)
    decoded = radiograph(64, 1600)
    tiled, whole = small.enhance(decoded).pixels, enhancer.enhance(decoded).pixels
    assert np.abs(tiled.astype(int) - whole).max() <= 4  # 1e-3 of 4095
    halo = FULL_HALO["resnet18"]
    assert any(f"tiles of up to 64 × 960 pixels with a halo of {halo} (the network's whole reach)" in t for t in said)


def test_that_a_calibrated_halo_is_used(radiograph: MakeDecoded, backend: TorchBackend, said: list[str]) -> None:
    small = around(FakeBackend(limit=64 * 1000), said, halo=HALO)
    small.enhance(radiograph(64, 1600))
    assert "a halo of 288 (calibrated for this model)" in said[0]


class FakeBackend:
    """Gives back its input; has memory for `limit` pixels at once whatever it promises."""

    def __init__(self, *, limit: int, promised: int | None = None, error: type[Exception] = MemoryError) -> None:
        self.title, self.precision = "the CPU", "fp32"
        self._limit, self._promised, self._error = limit, promised or limit, error
        self.freed = 0

    def capacity(self, budget: int | None = None) -> int:
        return self._promised

    def run(self, image: Rows, rows: int, columns: int, portion: Portion | None = None) -> Iterator[tuple[int, Unit]]:
        for low in range(0, rows, 16):
            if low and rows * columns > self._limit:
                raise self._error("no memory left")
            yield low, image(low, min(low + 16, rows))

    def is_out_of_memory(self, error: Exception) -> bool:
        return isinstance(error, MemoryError | torch.OutOfMemoryError)

    def free(self) -> None:
        self.freed += 1


def around(
    backend: FakeBackend, said: list[str], *, halo: int = 32, spec: NetworkSpec | None = None
) -> NetworkEnhancer:
    card = Card(name="knee", network=spec or NetworkSpec(encoder="resnet18"), halo=halo, long_side=300)
    recipe = Recipe(method="model", name="knee", version="1", sha256="0" * 64)
    all_of_it = Normalisation(low_percent=0, high_percent=100)
    return NetworkEnhancer((backend,), card, all_of_it, recipe, notice=said.append, off_scale=True)


@pytest.mark.parametrize("shape", [(300, 401), (31, 33), (1, 500), (257, 255)])
@pytest.mark.parametrize("limit", [10**9, 40_000, 12_000])
def test_that_tiles_put_every_pixel_back_in_its_place(
    radiograph: MakeDecoded, said: list[str], shape: tuple[int, int], limit: int
) -> None:
    decoded = radiograph(*shape)
    enhanced = around(FakeBackend(limit=limit), said).enhance(decoded)
    wanted = normalise.to_pixels(normalise.to_input(decoded.image, Normalisation(low_percent=0, high_percent=100)), 12)
    assert np.array_equal(enhanced.pixels, wanted)


@pytest.mark.parametrize("error", [MemoryError, torch.OutOfMemoryError])
def test_that_memory_running_out_means_smaller_tiles_and_says_so(
    radiograph: MakeDecoded, said: list[str], error: type[Exception]
) -> None:
    backend = FakeBackend(limit=50_000, promised=10**9, error=error)
    enhanced = around(backend, said).enhance(radiograph(300, 400))
    assert enhanced.pixels.shape == (300, 400)
    assert backend.freed == 2
    assert said[0] == "Enhancing on the CPU in fp32, the whole image at once."
    assert said[1] == "Memory ran out on the CPU: trying tiles of half the size."
    assert "tiles of up to" in said[-1]


def test_that_no_memory_at_all_is_an_error_that_says_what_to_do(radiograph: MakeDecoded, said: list[str]) -> None:
    with pytest.raises(OutOfMemory) as error:
        around(FakeBackend(limit=10, promised=10**9), said).enhance(radiograph(300, 400))
    assert error.value.exit_code == 10
    assert "preset" in error.value.hint


def test_that_a_network_that_looks_at_the_whole_image_is_never_given_tiles(
    radiograph: MakeDecoded, said: list[str]
) -> None:
    backend = FakeBackend(limit=50_000, promised=10**9)
    with pytest.raises(OutOfMemory) as error:
        around(backend, said, spec=NetworkSpec(family="map")).enhance(radiograph(300, 400))
    assert "whole image" in error.value.detail and not any("tiles" in text for text in said)


def test_that_another_fault_is_not_taken_for_a_lack_of_memory(radiograph: MakeDecoded, said: list[str]) -> None:
    class Broken(RuntimeError):
        pass

    with pytest.raises(Broken):
        around(FakeBackend(limit=10, promised=10**9, error=Broken), said).enhance(radiograph(40, 40))


def test_that_padding_stays_black_and_out_of_the_statistics(radiograph: MakeDecoded, said: list[str]) -> None:
    pixels = np.full((40, 40), 1000, np.uint16)
    pixels[10:] = np.linspace(1000, 2000, 40).astype(np.uint16)
    pixels[:5] = 4000
    enhanced = around(FakeBackend(limit=10**9), said).enhance(radiograph(40, 40, pixels=pixels, padding=(4000, 4095)))
    assert not enhanced.pixels[:5].any()
    assert enhanced.pixels[20, 39] == 4095


def test_that_a_negative_stays_a_negative(radiograph: MakeDecoded, said: list[str]) -> None:
    decoded = radiograph(40, 40, beam=HighValues.BRIGHT)
    enhanced = around(FakeBackend(limit=10**9), said).enhance(decoded)
    correlation = np.corrcoef(enhanced.pixels.ravel(), decoded.image.pixels.ravel())[0, 1]
    assert correlation > 0.99


def test_that_a_constant_image_stays_constant_inside(radiograph: MakeDecoded, enhancer: NetworkEnhancer) -> None:
    enhanced = enhancer.enhance(radiograph(40, 40, pixels=np.full((40, 40), 77, np.uint16)))
    assert np.isfinite(enhanced.pixels).all()


def test_that_warnings_travel_with_the_result(radiograph: MakeDecoded, said: list[str]) -> None:
    enhanced = around(FakeBackend(limit=10**9), said).enhance(radiograph(40, 40))
    assert "times coarser" in enhanced.warnings[0]


def test_that_a_raw_image_is_refused_by_a_model_for_processed_ones(
    radiograph: MakeDecoded, enhancer: NetworkEnhancer
) -> None:
    with pytest.raises(InputRefused, match="for raw images"):
        enhancer.enhance(radiograph(40, 40, kind=InputKind.RAW))


def test_that_several_threads_take_turns(radiograph: MakeDecoded, enhancer: NetworkEnhancer) -> None:
    decoded = [radiograph(64, 64 + 32 * number) for number in range(3)]
    wanted = [enhancer.enhance(each).pixels for each in decoded]
    got: dict[int, np.ndarray] = {}
    threads = [
        threading.Thread(target=lambda n=number: got.update({n: enhancer.enhance(decoded[n]).pixels}))
        for number in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(got[number], wanted[number]) for number in range(3))


def test_that_bf16_is_told_in_the_recipe(model_file: Path, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytorch, "bf16_gain", lambda device: 4.0)
    opened = open_model(model_file, device="cpu", notice=said.append, precision="bf16")
    torch.set_num_threads(1)
    assert "bf16" in opened.recipe.parameters
    assert "Computing in bf16, as asked" in said[0]


def test_that_a_gpu_that_is_not_there_is_an_error(
    model_file: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(DeviceUnavailable):
        open_model(model_file, device="cuda:0", notice=said.append)


def test_that_a_card_with_an_unknown_normalisation_is_refused(
    model_file: Path, tmp_path: Path, said: list[str]
) -> None:
    loaded, _ = weights.load(model_file)
    card = Card(name="x", network=NetworkSpec(encoder="resnet18"), normalisation={"gamma": 2.0})
    weights.save(tmp_path / "x.safetensors", loaded, card)
    with pytest.raises(ModelError, match="normalisation"):
        open_model(tmp_path / "x.safetensors", device="cpu", notice=said.append)


def test_that_a_damaged_model_is_refused(model_file: Path, tmp_path: Path, said: list[str]) -> None:
    damaged = Path(shutil.copy(model_file, tmp_path / "x.safetensors"))
    content = bytearray(damaged.read_bytes())
    content[-5] ^= 4
    damaged.write_bytes(content)
    with pytest.raises(ModelError, match="damaged or changed"):
        open_model(damaged, device="cpu", notice=said.append)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_rows_shared_by_two_lanes_of_a_gpu_give_its_picture(
    model_file: Path, radiograph: MakeDecoded, said: list[str]
) -> None:
    decoded = radiograph(1280, 900)
    one, two = (open_model(model_file, device=name, notice=said.append) for name in ("cuda:0", "cuda:0,cuda:0"))
    difference = one.enhance(decoded).pixels.astype(int) - two.enhance(decoded).pixels
    assert np.abs(difference).max() <= 1 and "of the image's rows" in said[-1]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_a_gpu_gives_the_picture_of_the_cpu(
    model_file: Path, radiograph: MakeDecoded, enhancer: NetworkEnhancer, said: list[str]
) -> None:
    decoded = radiograph(500, 600)
    on_gpu = open_model(model_file, device="cuda:0", notice=said.append).enhance(decoded).pixels
    assert np.abs(on_gpu.astype(int) - enhancer.enhance(decoded).pixels).max() <= 2
