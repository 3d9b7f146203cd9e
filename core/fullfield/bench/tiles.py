"""How the network's ways of computing compare: whole, folded, in bands, in tiles. Faults, ratios and bytes per pixel.

Alternating runs and medians, for the machine is shared; ratios travel, seconds do not. Memory is the growth of the
resident set over a forward, in a process that has done nothing else large (so: one size per process).
"""

from __future__ import annotations

import copy
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from fullfield import array_file
from fullfield.enhance import bands, network, tiles
from fullfield.enhance.backends.pytorch import TorchBackend, fold
from fullfield.enhance.portions import Portion
from fullfield.hardware import devices
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image, InputKind, Pixels
from fullfield.model import weights
from fullfield.model.network import Network
from fullfield.model.phantom import phantom

Unit = NDArray[np.float32]
_TABLE = np.linspace(0.0, 1.0, 1 << 16, dtype=np.float32)
_WATCH_SECONDS = 0.005


@dataclass(frozen=True, kw_only=True)
class Speed:
    """Medians of CPU seconds of one forward, and the largest difference to eager."""

    eager: float
    folded: float
    bands: float
    folded_fault: float
    bands_fault: float

    @property
    def ratio(self) -> float:
        """How many times faster the way that is used is than eager."""
        return self.eager / self.bands


def run(model: Path, *, size: int, core: int, halos: tuple[int, ...], threads: int = 1) -> dict[int, float]:
    """The largest fault of tiles of `core` against the whole image (`size` pixels a side, a phantom), by halo."""
    torch.set_num_threads(threads)
    backend = TorchBackend(weights.load(model).network, devices.choose(devices.CPU))
    torch.set_num_threads(threads)
    pixels = _pixels(size, size)
    wanted = output(backend, pixels, core=max(pixels.shape), halo=0)
    return {halo: float(np.abs(output(backend, pixels, core=core, halo=halo) - wanted).max()) for halo in halos}


def output(backend: TorchBackend, pixels: NDArray[np.uint16], *, core: int, halo: int) -> Unit:
    """The network's output in 0…1 for an image, in tiles with cores of at most `core` pixels (rounded to the grid)."""
    rows, columns = (tiles.padded(side) for side in pixels.shape)
    cut = tiles.by_core(rows, columns, core=tiles.padded(core), halo=halo)
    result = np.full((rows, columns), np.nan, np.float32)

    def store(top: int, left: int, part: Unit) -> None:
        result[top : top + part.shape[0], left : left + part.shape[1]] = part

    network.compute(cut, (backend,), pixels, _TABLE, store)
    return result[: pixels.shape[0], : pixels.shape[1]]


def speed(model: Path, *, size: int = 1024, repeats: int = 3, threads: int = 1) -> Speed:
    """Eager against folded with channels last against bands, alternating, on the CPU."""
    torch.set_num_threads(threads)
    eager = weights.load(model).network
    folded = fold(copy.deepcopy(eager)).to(memory_format=torch.channels_last)
    x = torch.from_numpy(phantom(size, size, seed=1))[None, None]
    ways: dict[str, Callable[[], torch.Tensor]] = {
        "eager": lambda: eager(x),
        "folded": lambda: folded(x.contiguous(memory_format=torch.channels_last)),
        "bands": lambda: _in_bands(folded, x),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    outputs: dict[str, torch.Tensor] = {}
    with torch.inference_mode():
        for _ in range(repeats):
            for name, way in ways.items():
                start = time.process_time()
                outputs[name] = way()
                seconds[name].append(time.process_time() - start)
    median = {name: statistics.median(values) for name, values in seconds.items()}
    fault = {name: float((values - outputs["eager"]).abs().max()) for name, values in outputs.items()}
    return Speed(**median, folded_fault=fault["folded"], bands_fault=fault["bands"])


def growth(model: Path, *, rows: int, columns: int, threads: int = 1) -> tuple[int, int]:
    """(growth, peak) of this process's resident memory in bytes over one whole image, for the memory model."""
    backend = TorchBackend(weights.load(model).network, devices.choose(devices.CPU))
    torch.set_num_threads(threads)
    pixels = _pixels(rows, columns)
    watch = _Watch()
    with watch:
        output(backend, pixels, core=max(rows, columns), halo=0)
    return watch.peak - watch.before, watch.peak


def enhance_phantom(
    model: Path, *, rows: int, columns: int, notice: Callable[[str], None], budget: int | None = None
) -> Pixels:
    """A phantom of 12 bits through `open_model` on the CPU, as any image goes; mapped, as a decoded image is."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pixels.npy"
        subprocess.run([sys.executable, "-c", _LEAVE, str(path), str(rows), str(columns)], check=True)
        pixels = array_file.load(path, "r")
        image = Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)
        header = Header(
            source_format="png", sha256="", rows=rows, columns=columns, bits_stored=12, photometric="MONOCHROME2"
        )
        enhancer = network.open_model(model, device=devices.CPU, notice=notice, budget=budget)
        result = enhancer.enhance(Decoded(image=image, header=header, folder=Path(folder))).pixels
        del pixels, image  # Windows removes no file that is mapped
    return result


# Made in a process of its own: what a phantom takes to make must not count as the enhancer's memory.
_LEAVE = """
import sys, numpy as np
from fullfield.model.phantom import phantom
np.save(sys.argv[1], (phantom(int(sys.argv[2]), int(sys.argv[3]), seed=3) * 4095).astype(np.uint16))
"""


class _Watch:
    """The peak of the resident memory while it is open, sampled by a thread."""

    def __enter__(self) -> _Watch:
        self.before = self.peak = devices.used_bytes()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _loop(self) -> None:
        while not self._stop.wait(_WATCH_SECONDS):
            self.peak = max(self.peak, devices.used_bytes())


def _in_bands(folded: Network, x: torch.Tensor) -> torch.Tensor:
    height, width = x.shape[2:]
    steps = bands.run(folded, lambda low, high: x[:, :, low:high], Portion.whole(height), width, band=1 << 17)
    return torch.cat([part for _, part in steps], dim=2)


def _pixels(rows: int, columns: int) -> NDArray[np.uint16]:
    return (phantom(rows, columns, seed=7) * 65535).astype(np.uint16)
