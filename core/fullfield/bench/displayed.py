"""What each method puts on a display, in 8 bits: the source as it is, equalised, by a preset, by a model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fullfield import files
from fullfield.data.scenes.latent import PARTS
from fullfield.image import clahe, collimation, multiscale, presets, tone, window
from fullfield.image.cache import Decoded
from fullfield.image.header import Header, Patient, Subject
from fullfield.image.image import Enhanced, Image, InputKind
from fullfield.image.phantoms.shapes import Plane
from fullfield.image.presets import AUTO

SOURCE, CLAHE, GENERAL = "source", "CLAHE", "general"
USUAL = (SOURCE, CLAHE, GENERAL, AUTO)
_CLIP, _TILES = 2.0, 8
_DIGITS = 8


@dataclass(frozen=True, kw_only=True)
class Way:
    """A method by its name; `show` gives fractions, 0 black … 1 white, of an image of a part of the body."""

    name: str
    show: Callable[[Image, str], Plane]

    def picture(self, image: Image, part: str) -> NDArray[np.uint8]:
        """The display's grey levels. Raises InputRefused where the method is not for such an image."""
        levels = np.rint(np.clip(self.show(image, part), 0, 1) * np.float32(255))
        return np.asarray(levels, np.uint8)


def ways(model: Path | None = None) -> tuple[Way, ...]:
    """The usual methods, and the model of a file. Raises MissingPart, ModelError."""
    found = [
        Way(name=SOURCE, show=lambda image, part: source(image)),
        Way(name=CLAHE, show=lambda image, part: clahe.equalise(source(image), clip=_CLIP, tiles=_TILES)),
        Way(name=GENERAL, show=lambda image, part: preset(image, part, GENERAL)),
        Way(name=AUTO, show=lambda image, part: preset(image, part, AUTO)),
    ]
    if model is not None:
        found.append(Way(name=named([model])[0], show=of_model(model)))
    return tuple(found)


def named(models: Sequence[Path], taken: Collection[str] = USUAL) -> tuple[str, ...]:
    """What models are called in a table: as their files are, with digits of their SHA-256 behind it where a method
    (`taken`) or another of them is called so. Only copies of one file have one name."""
    stems = [model.stem for model in models]
    return tuple(
        f"{stem}-{files.sha256(model)[:_DIGITS]}" if stem in taken or stems.count(stem) > 1 else stem
        for stem, model in zip(stems, models, strict=True)
    )


def source(image: Image) -> Plane:
    """A picture as its file is shown; a raw one, which no file shows, as its field's logarithm, a straight line."""
    if image.kind is InputKind.PROCESSED:
        return np.asarray(window.source(image)[image.pixels])
    curve = tone.curve(image)
    field = collimation.find(image, curve)
    scale = tone.measure(image, presets.load(presets.GENERAL[InputKind.RAW]), curve, field)
    return np.clip(scale.apply(image.pixels), 0, 1)


def preset(image: Image, part: str, choice: str) -> Plane:
    """By a preset, in its variant for the kind of input; a mammogram always by the one that is meant for it."""
    of = subject(part)
    choice = AUTO if of["modality"] == "MG" else choice
    return fractions(multiscale.enhance(image, presets.fitting(choice, kind=image.kind, **of)))


def subject(part: str) -> Subject:
    """What a header says of a scene of this part."""
    made = PARTS[part]
    return Subject(body_part=made.words, species=made.species, modality=made.modality)


def fractions(result: Enhanced) -> Plane:
    """An enhanced image's values as fractions of white."""
    return result.pixels.astype(np.float32) / np.float32((1 << result.bits) - 1)


def of_model(model: Path) -> Callable[[Image, str], Plane]:
    """By the model of a file, whatever its guards say. Raises MissingPart, ModelError."""
    from fullfield.enhance.choose import open_choice
    from fullfield.enhance.guarded import Policy

    enhancer = open_choice(str(model), device="cpu", notice=lambda text: None, policy=Policy(force=True))

    return lambda image, part: fractions(enhancer.enhance(decoded(image, subject(part))))


def decoded(image: Image, of: Subject) -> Decoded:
    """An image as if it had been read from a file whose header says this of it."""
    header = Header(
        source_format="dicom",
        sha256="",
        rows=image.pixels.shape[0],
        columns=image.pixels.shape[1],
        bits_stored=image.bits,
        photometric="MONOCHROME2",
        modality=of["modality"],
        body_part=of["body_part"],
        patient=Patient(species=of["species"]),
    )
    return Decoded(image=image, header=header, folder=Path())


__all__ = [
    "CLAHE",
    "GENERAL",
    "SOURCE",
    "USUAL",
    "Way",
    "decoded",
    "fractions",
    "named",
    "of_model",
    "preset",
    "source",
    "subject",
    "ways",
]
