"""A model's card: what a model file says about itself, as plain values. Imports no torch.

    file.safetensors    the tensors, a U-Net's by smp's names; in the header's metadata, under "fullfield", as JSON:
        seal            SHA-256 of the whole file, read with these 64 digits as zeros (`seal`, `verify`)
        card            this card

A file whose card names `members` is an ensemble: its tensors are other models' files, whole (`model.ensemble`).

The seal covers every byte of the file, the header with the card included: whatever bit flips, the digests differ. It
notices damage and careless editing; it is no signature. The public identity of a model is its file's SHA-256.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, BinaryIO

from fullfield import files
from fullfield.checked import Fields
from fullfield.errors import ModelError
from fullfield.model.card_values import check
from fullfield.model.encoders import registry as encoders
from fullfield.model.spec import NetworkSpec as NetworkSpec

INPUT_KINDS = ("raw", "processed", "any")
ENCODERS = tuple(encoders.ENCODERS)
GRID = 32  # pixels; the deepest stage's stride: every size inside the network is a multiple of it
FULL_HALO = {name: one.full_halo for name, one in encoders.ENCODERS.items()}
SUFFIX = ".safetensors"
LARGEST_BYTES = 1 << 30  # of a model file: resnet34 needs 98 MB

_FORMAT = 1
_UNSEALED = "0" * 64
# One key, because safetensors writes several in random order; a file is the same for the same weights and card.
_KEY = "fullfield"
_SEAL = re.compile(rb'"fullfield":"\{\\"seal\\":\\"([0-9a-f]{64})\\"')
_HEADER_BYTES = 16 << 20
_CHUNK = 4 << 20


@dataclass(frozen=True, kw_only=True)
class Card:
    """What a model was made from, for and with.

    `input_kind`: "raw" or "processed", the only kind of image that it enhances, or "any". `modalities`: of the training
    images (CR, DX, MG …); mammograms are enhanced only where MG is among them. `normalisation`: the fields of
    `image.normalise.Normalisation`. `long_side`: the longer side, in pixels, of a typical training image as the network
    saw it; `size`: "native", or the longer side that all were resampled to. `mm_per_pixel`: likewise, None where the
    data did not say. `data_sha256`: of the images that it, or what it began from, was trained or chosen by. `plan`: the
    run's specification. `metrics`: on the validation part; `baselines`: the loss there of what it has to beat, by name
    (see `weakness`). `versions`: of the program and its libraries. `licence`: of the data. `reviewed_by`: who looked at
    the references. `halo`: pixels, calibrated on these weights (None: not calibrated). `seeds`: of every part of
    chance. `start`: the sentence on the initial weights. `for_tests`: true for weights that nobody trained. `members`:
    of an ensemble, the SHA-256 of its members' files; what its card says of figures is their mean. `comparison`: the
    fields of `protocol.comparison.Comparison`, where it was held against the model that it began from; empty where it
    was not. `images`: how many it was trained on, of which each pair is one; 0 where an earlier version did not say it.
    """

    name: str
    network: NetworkSpec = field(default_factory=NetworkSpec)
    input_kind: str = "processed"
    modalities: tuple[str, ...] = ()
    normalisation: Fields = field(default_factory=dict)
    size: str = "native"
    long_side: int | None = None
    mm_per_pixel: float | None = None
    data_sha256: tuple[str, ...] = ()
    licence: str = ""
    reviewed_by: str = ""
    plan: Fields = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)
    baselines: dict[str, float] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    seeds: dict[str, int] = field(default_factory=dict)
    halo: int | None = None
    start: str = ""
    created: str = ""
    for_tests: bool = False
    members: tuple[str, ...] = ()
    comparison: Fields = field(default_factory=dict)
    images: int = 0

    def __post_init__(self) -> None:
        if self.input_kind not in INPUT_KINDS:
            raise ValueError(f"input_kind: {self.input_kind!r}, wanted one of {', '.join(INPUT_KINDS)}")
        if self.mm_per_pixel is not None and not (math.isfinite(self.mm_per_pixel) and self.mm_per_pixel > 0):
            raise ValueError(f"mm_per_pixel: {self.mm_per_pixel}, wanted a positive number")
        if self.long_side is not None and self.long_side < 1:
            raise ValueError(f"long_side: {self.long_side}, wanted a positive number of pixels")
        if self.halo is not None and not (0 <= self.halo <= 4096 and self.halo % GRID == 0):
            raise ValueError(f"halo: {self.halo}, wanted a multiple of {GRID} up to 4096")
        if self.images < 0:
            raise ValueError(f"images: {self.images}, wanted how many there were")

    @property
    def trained_on(self) -> int:
        """How many images; of a card that does not say it as its files tell it, which are two of each known pair."""
        files = len(self.data_sha256)
        return self.images or (-(-files // 2) if self.plan.get("reference") == "pairs" else files)

    @property
    def model_before(self) -> str:
        """The sentence on the model that it began from; empty where that was none of ours."""
        return self.start if self.start.startswith(from_model("").removesuffix(".")) else ""

    def to_json(self) -> Fields:
        """Plain values; a figure that is not finite becomes null."""
        values = {"format": _FORMAT, **asdict(self)}
        if self.network.of.encoders:  # cards of U-Nets are as they were before there was another family
            del values["network"]["family"]
        for name in ("members", "comparison", "images"):  # and where there is none, as before there were any
            if not values[name]:
                del values[name]
        for name in ("metrics", "baselines"):
            numbers = values[name].items()
            values[name] = {key: number if math.isfinite(number) else None for key, number in numbers}
        return values

    @classmethod
    def from_json(cls, values: Any) -> Card:
        """What `to_json` gave. Raises ValueError or TypeError where it is none of ours or of a newer format."""
        if not isinstance(values, dict) or values.get("format") != _FORMAT:
            raise ValueError("the card is of another format")
        check(values)
        known = {item.name for item in fields(cls)}
        given = {key: value for key, value in values.items() if key in known}
        given["network"] = NetworkSpec(**given.get("network", {}))
        for name in ("data_sha256", "modalities", "members"):
            given[name] = tuple(given.get(name, ()))
        for name in ("metrics", "baselines"):
            numbers = given.get(name, {}).items()
            given[name] = {key: math.nan if number is None else float(number) for key, number in numbers}
        return cls(**given)


def from_model(name: str) -> str:
    """What `Card.start` is where a training began from the model whose card has this name."""
    return f"The network starts from the weights of the model {name}."


def read(path: Path) -> Card:
    """The card of a model file, for a list of models: the header alone is read and the seal is *not* checked."""
    with reading(), path.open("rb") as stream:
        return _card_of(_header(stream, path.stat().st_size))


def metadata(card: Card) -> dict[str, str]:
    """The metadata to write beside the tensors, not yet sealed. Raises ModelError for a card that could not be read."""
    values = card.to_json()
    try:
        check(values)
    except ValueError as error:
        raise ModelError(
            "Cannot write the model file.",
            detail="Its card would hold a text that is too long or has control signs, or another value that no "
            "card may.",
            hint="Change the settings that are written into it, such as the licence of the data.",
        ) from error
    return {_KEY: json.dumps({"seal": _UNSEALED, "card": values}, separators=(",", ":"), allow_nan=False)}


def seal(content: bytearray, rest: Iterable[memoryview] = ()) -> None:
    """Write the SHA-256 of a whole, unsealed file into its metadata, in place.

    `content`: the file, or its first bytes with the whole header; then `rest` is what follows.
    """
    place = _seal_at(bytes(content[: 8 + _header_length(bytes(content[:8]), len(content))]))
    digest = hashlib.sha256(content)
    for part in rest:
        digest.update(part)
    content[place : place + 64] = digest.hexdigest().encode()


def verify(content: bytes | bytearray) -> Card:
    """The card of a whole file whose seal holds. Raises ModelError: no model file, cut short, or changed."""
    return verify_stream(io.BytesIO(content), len(content))


def verify_stream(stream: BinaryIO, size: int) -> Card:
    """See `verify`; of a file of `size` bytes at whose begin the stream is, which is read in small pieces."""
    if size > LARGEST_BYTES:
        raise refused("It is far larger than any model of this program.", "Choose a model file made by Fullfield.")
    header = _header(stream, size)
    place = _seal_at(header)
    digest = hashlib.sha256(header[:place] + _UNSEALED.encode() + header[place + 64 :])
    left = size - len(header)
    while left and (chunk := stream.read(min(_CHUNK, left))):
        digest.update(chunk)
        left -= len(chunk)
    if digest.hexdigest().encode() != header[place : place + 64]:
        raise refused(
            "Its content does not match the checksum inside it: it was damaged or changed after it was made.",
            "Copy the file again from where it was made and compare its SHA-256.",
        )
    return _card_of(header)


@contextmanager
def reading() -> Iterator[None]:
    """While a model file is looked at or read: raises ModelError in place of OSError, without its path."""
    try:
        yield
    except OSError as error:
        if files.is_gone(error):
            raise refused(
                "The file is not there: it was deleted, moved or renamed, or its drive is not connected.",
                "Check its name, bring it back, or choose another one.",
            ) from error
        reason = error.strerror or type(error).__name__
        raise refused(f"The system says: {reason}.", "Check the file's name and your permissions.") from error


def sha256(path: Path) -> str:
    """The public identity of a model file. Raises ModelError."""
    with reading():
        return files.sha256(path)


def refused(detail: str, hint: str) -> ModelError:
    """A model file that is not used, and why; without its name, which is the user's."""
    return ModelError("Cannot use the model file.", detail=detail, hint=hint)


def _header(stream: BinaryIO, size: int) -> bytes:
    start = stream.read(8)
    return start + stream.read(_header_length(start, size))


def _header_length(start: bytes, size: int) -> int:
    """The length of the JSON header that the first eight bytes announce. Raises ModelError for other kinds of file."""
    length = int.from_bytes(start, "little") if len(start) == 8 else 0
    if not 2 <= length <= _HEADER_BYTES:  # asked first: the length of a good header may begin with a pickle's byte
        if start[:4] == b"PK\x03\x04" or start[:1] == b"\x80":
            raise refused(
                "It is a PyTorch or pickle file (.pt, .pth, .ckpt), which can carry a program.",
                "Choose a .safetensors file made by Fullfield; weights to start a training from are given to the "
                "training.",
            )
        raise refused("It is not a safetensors file.", "Choose a .safetensors file made by Fullfield.")
    if 8 + length > size:
        raise refused("It is cut short.", "Copy the file again from where it was made.")
    return length


def _seal_at(header: bytes) -> int:
    """Where the 64 digits of the seal begin. A card cannot imitate it: inside the metadata every quote is escaped."""
    match = _SEAL.search(header)
    if match is None:
        raise refused(
            "It carries no card and checksum of Fullfield.",
            "Choose a model made by `fullfield train`; other networks cannot be used.",
        )
    return match.start(1)


def _card_of(header: bytes) -> Card:
    try:
        return Card.from_json(json.loads(json.loads(header[8:])["__metadata__"][_KEY])["card"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise refused(
            "Its card cannot be read, or was written by a newer version of Fullfield.",
            "Update Fullfield, or choose another model.",
        ) from error
