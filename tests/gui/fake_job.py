"""A run that answers at once, from this process: the seam between window and worker, for tests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from fullfield import array_file
from fullfield.image import cache
from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image, InputKind, Pixels
from fullfield.image.values import Window
from fullfield.protocol.commands import Command
from fullfield.protocol.events import (
    Event,
    ItemClosed,
    ItemDecoded,
    ItemDone,
    ItemEnhanced,
    ItemFailed,
    ItemPreviewed,
    ItemSkipped,
    ItemStarted,
    Notice,
    RunEnded,
    RunFailed,
    RunStarted,
)


def radiograph(rows: int = 240, columns: int = 180, *, seed: int = 0) -> Pixels:
    """A smooth body with a few edges, 12 bit."""
    generator = np.random.default_rng(seed)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    body = 2600 * np.exp(-(((x - columns / 2) / columns * 2.4) ** 2) - ((y - rows / 2) / rows * 2.2) ** 2)
    bones = 500 * (np.sin(y / rows * 40) > 0.6) * (abs(x - columns / 2) < columns / 5)
    noise = generator.normal(0, 20, (rows, columns))
    return np.clip(300 + body + bones + noise, 0, 4095).astype(np.uint16)


def leave_decoded(folder: Path, pixels: Pixels | None = None, **changes: Any) -> Path:
    """A cache folder as the decode child leaves one."""
    folder.mkdir(parents=True, exist_ok=True)
    values: dict[str, Any] = {
        "pixels": radiograph() if pixels is None else pixels,
        "bits": 12,
        "high": HighValues.BRIGHT,
        "kind": InputKind.PROCESSED,
        "kind_reason": "The file says that it is for presentation.",
        "spacing_mm": (0.15, 0.15),
        "voi": (Window(low=300, high=3400),),
    }
    image = Image(**{**values, **changes})
    rows, columns = image.pixels.shape
    header = Header(
        source_format="dicom",
        sha256=hashlib.sha256(image.pixels.tobytes()).hexdigest(),
        rows=rows,
        columns=columns,
        bits_stored=image.bits,
        photometric="MONOCHROME2",
        modality="DX",
        body_part="CHEST",
    )
    cache.save(folder, image, header)
    return folder


class FakeJob:
    """Answers commands by the next poll. `hold`: commands it leaves unanswered; names with "bad" are refused."""

    def __init__(self, folder: Path, *, hold: frozenset[str] = frozenset()) -> None:
        self.folder, self.hold = folder, set(hold)
        self.posted: list[dict[str, Any]] = []
        self.reported: list[Event] = [
            RunStarted(job="session", pid=1),
            Notice(text="On the CPU: no NVIDIA GPU with a driver was found."),
        ]
        self.stopped = self.killed = self.ended = False

    def poll(self) -> list[Event]:
        """See JobHandle."""
        reported, self.reported = self.reported, []
        if reported and isinstance(reported[-1], RunEnded):
            self.ended = True
        return reported

    def events(self) -> Iterator[Event]:
        """See JobHandle."""
        while not self.ended:
            yield from self.poll()

    def post(self, asked: Command, /) -> None:
        """See JobHandle."""
        command = asked.to_fields()
        self.posted.append(command)
        if command["command"] not in self.hold:
            self.reported += getattr(self, f"_{command['command']}")(command)

    def stop(self) -> None:
        """See JobHandle."""
        self.stopped = self.ended = True

    def kill(self) -> None:
        """See JobHandle."""
        self.killed = self.ended = True

    def alive(self) -> bool:
        """See JobHandle."""
        return not self.ended

    def die(self) -> None:
        """The worker is gone without a word of its own."""
        error = {
            "title": "The worker that did this run ended unexpectedly.",
            "detail": "It was killed, or the system had no memory left.",
            "hint": "Start again: everything that was finished is kept.",
        }
        self.reported += [RunFailed(error=error), RunEnded(reason="died")]

    def _open(self, command: dict[str, Any]) -> list[Event]:
        index = command["index"]
        if "bad" in command["source"]:
            error = {"title": "Cannot read the file.", "detail": "It ends too early.", "hint": "Copy it anew."}
            return [ItemFailed(index=index, error=error)]
        folder = self.folder / f"decoded-{index}"
        if not (folder / "pixels.npy").exists():  # as in the cache: what the window may map is never written over
            leave_decoded(folder, radiograph(seed=index))
        return [ItemDecoded(index=index, decoded=str(folder))]

    def _enhance(self, command: dict[str, Any]) -> list[Event]:
        index = command["index"]
        pixels = array_file.load(self.folder / f"decoded-{index}" / "pixels.npy").astype(np.float64)
        path = self.folder / f"enhanced-{index}-{len(self.posted)}.npy"
        np.save(path, ((pixels / 4095) ** 0.7 * 65535).astype(np.uint16))
        recipe = f"preset {command['choice']} 1"
        digest = f"{recipe} {command['kind']} {command['changes']}"
        return [
            ItemStarted(index=index),
            ItemEnhanced(index=index, enhanced=str(path), bits=16, recipe=recipe, seconds=0.4, digest=digest),
        ]

    def _close(self, command: dict[str, Any]) -> list[Event]:
        return [ItemClosed(index=index) for index in command["indexes"]]

    def _export(self, command: dict[str, Any]) -> list[Event]:
        target = Path(command["target"])
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(b"exported")
        return [ItemDone(index=command["index"], output="", seconds=0.1, peak_bytes=1)]

    def _cancel(self, command: dict[str, Any]) -> list[Event]:
        return [ItemSkipped(index=index, reason="cancelled") for index in command["indexes"]]

    def _preview(self, command: dict[str, Any]) -> list[Event]:
        """A part that is all of one value: ten times the detail's gain."""
        index, (top, bottom, left, right) = command["index"], command["region"]
        gain = dict(command["changes"]).get("detail.gain", 0.0)
        path = self.folder / f"preview-{len(self.posted)}.npy"
        np.save(path, np.full((bottom - top, right - left), round(10 * gain), np.uint16))
        place = {"level": command["level"], "top": top, "left": left}
        return [ItemPreviewed(index=index, serial=command["serial"], preview=str(path), bits=16, **place)]
