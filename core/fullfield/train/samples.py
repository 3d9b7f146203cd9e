"""The watched radiograph: what the network makes of one of the images that are held back, after each epoch.

    samples/image-000/input.npy, reference.npy     once by each process: in its folder another training may have begun
    samples/image-000/epoch-00012.npy              the network's, after that epoch

16-bit greys of 0…1 at most `LONGEST` pixels a side, readable by this user alone. Some `MOST` epochs of an image are
kept: when there are more, every second one makes room, but the first, the best and the newest stay. The pixels are the
evaluation's own, which are computed anyway: the training's numbers are the same without.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fullfield import array_file, files
from fullfield.data.loader import Batch
from fullfield.data.prepared import Unit, View
from fullfield.image import resample
from fullfield.kernels import stored
from fullfield.protocol.training_events import SampleWritten

FOLDER = "samples"
LONGEST = 1024
MOST = 32
WHITE = 65535


class Samples:
    """The files of the image at place `image` of `images`, those of the evaluation. Beyond the last is the last.

    Per epoch: `look` at each image of the evaluation, then `write`.
    """

    def __init__(self, run: Path, *, image: int, images: Sequence[View]) -> None:
        self._run, self._images = run, images
        self._seen: tuple[Unit, Unit, Unit] | None = None
        self._begun: set[int] = set()  # places whose input and reference are this training's
        self.choose(image)

    @property
    def image(self) -> int:
        """The place of the one that is watched."""
        return self._image

    def choose(self, image: int) -> None:
        """Watch this one from now on."""
        self._image, self._seen = min(max(image, 0), len(self._images) - 1), None
        self._folder = self._run / FOLDER / f"image-{self._image:03d}"

    def look(self, place: int, output: Unit, batch: Batch) -> None:
        """The evaluation has made `output` of the image at `place`; kept small where it is the watched one."""
        if place == self._image:
            rows, columns = output.shape
            planes = map(stored.values, (batch.x_NCHW, batch.y_NCHW))
            given = (plane[0, 0, :rows, :columns].numpy() for plane in planes)
            source, reference = (_small(plane) for plane in given)
            self._seen = (source, reference, _small(output))

    def write(self, epoch: int, *, best: int | None) -> SampleWritten | None:
        """Leave what was seen as that of `epoch`, and make room; None where nothing was seen. Raises CannotWrite."""
        if self._seen is None:
            return None
        (source, reference, output), self._seen = self._seen, None
        if self._image not in self._begun:
            _save(self._folder / "input.npy", source)
            _save(self._folder / "reference.npy", reference)
            self._begun.add(self._image)
        _save(self._file(epoch), output)
        removed = self._make_room(epoch, keep={epoch, best})
        here = self._folder.relative_to(self._run).as_posix()
        return SampleWritten(
            epoch=epoch,
            image=self._image,
            images=len(self._images),
            sample=f"{here}/{self._file(epoch).name}",
            input=f"{here}/input.npy",
            reference=f"{here}/reference.npy",
            removed=removed,
            pixel_size=self._images[self._image][0].pixel_size,
        )

    def _file(self, epoch: int) -> Path:
        return self._folder / f"epoch-{epoch:05d}.npy"

    def _make_room(self, newest: int, keep: set[int | None]) -> list[int]:
        there = sorted(int(path.stem.removeprefix("epoch-")) for path in self._folder.glob("epoch-*.npy"))
        removed = decimated([epoch for epoch in there if epoch <= newest], keep=keep)
        removed += [epoch for epoch in there if epoch > newest]  # of a training that left no checkpoint of them
        for epoch in removed:
            with contextlib.suppress(OSError):  # a reader has it open on Windows; the next time it goes
                self._file(epoch).unlink()
        return removed


def decimated(epochs: list[int], *, keep: set[int | None]) -> list[int]:
    """Which of these rising epochs make room: all but the first, `keep`, and the multiples of the smallest power of
    two of which at most `MOST` reach the newest."""
    stride = 1
    while epochs[-1] // stride > MOST:
        stride *= 2
    return [epoch for epoch in epochs if epoch % stride and epoch != epochs[0] and epoch not in keep]


def _small(plane: Unit) -> Unit:
    side = min(LONGEST, max(plane.shape))
    return resample.resample(np.ascontiguousarray(plane), resample.fitted((plane.shape[0], plane.shape[1]), side))


def _save(path: Path, plane: Unit) -> None:
    grey = np.nan_to_num(np.clip(plane, 0.0, 1.0)) * WHITE + 0.5
    with files.atomic_write(path, private=True) as stream:
        array_file.write(stream, grey.astype(np.uint16))
