"""Whether a model is meant for an image: its kind is a condition, its scale a warning. Nothing is ever resized."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fullfield.errors import InputRefused
from fullfield.image.image import Image, InputKind
from fullfield.model.card import Card

LARGEST_RATIO = 1.5
ANY, MAMMOGRAM = "any", "MG"
_CHOICES = (
    "Choose a model trained at this scale, train one with `fullfield train --size native`, or use a preset; "
    "the image was not resized."
)
_KINDS = {"raw": "raw images, as the detector gives them", "processed": "images that are processed for display"}


@dataclass(frozen=True, kw_only=True)
class Served:
    """The images that a model is meant for, as its card has it: see `Card`."""

    input_kind: str
    modalities: tuple[str, ...] = ()
    for_tests: bool = False

    def why_not(self, kind: InputKind, *, modality: str = "", kind_reason: str = "") -> str:
        """Why the model cannot serve an image of this kind and modality: raw against processed, or a mammogram; "":
        it can."""
        if self.input_kind not in (ANY, kind):
            reason = f" {kind_reason}" if kind_reason else ""
            return f"The model is for {_KINDS[self.input_kind]}; this image is one of the {kind} ones.{reason}"
        if modality == MAMMOGRAM and MAMMOGRAM not in self.modalities and not self.for_tests:
            return "The model was not trained on mammograms."
        return ""


def served(card: Card) -> Served:
    """What a model's card says of the images that it is meant for."""
    return Served(input_kind=card.input_kind, modalities=card.modalities, for_tests=card.for_tests)


def refuse_other_kind(image: Image, card: Card, *, modality: str = "") -> None:
    """Raises InputRefused where the model is not meant for such an image, see `Served`. Nothing is computed for it."""
    why_not = served(card).why_not(image.kind, modality=modality, kind_reason=image.kind_reason)
    if why_not and card.input_kind not in (ANY, image.kind):
        raise InputRefused(
            f"Cannot enhance the image with the model {card.name}.",
            detail=why_not,
            hint=f"Choose a model or preset for {image.kind} images (the preset auto fits both).",
        )
    if why_not:
        raise InputRefused(
            f"Cannot enhance the mammogram with the model {card.name}.",
            detail=why_not,
            hint="Choose a model that was, or the preset auto, which takes one made for mammography.",
        )


def levels_finer(image: Image, card: Card) -> int:
    """How many times the image is to be halved until it has the model's scale; 0 where it has it, is coarser, or where
    no scale is known or needed."""
    found = None if card.network.of.any_scale else _ratio(image, card)
    if found is None or found[0] <= LARGEST_RATIO:
        return 0
    return max(1, round(math.log2(found[0])))


def warnings(image: Image, card: Card, *, kept: int = 0) -> tuple[str, ...]:
    """What the user should know of the result: weights for tests, a scale more than 1.5 times away or unknown. `kept`:
    the model draws so many halvings below the image's size, and what is finer is the image's own (`detail_kept`)."""
    said = []
    if card.for_tests:
        said.append(
            f"The model {card.name} has seeded random weights for tests: nobody trained it, "
            "and this picture is of no use."
        )
    scale = "" if card.network.of.any_scale else _scale(image, card, kept)
    return (*said, scale) if scale else tuple(said)


def _scale(image: Image, card: Card, kept: int) -> str:
    found = _ratio(image, card)
    if found is None:
        if card.for_tests:
            return ""
        return f"The model {card.name} does not say at which scale it was trained: compare with a preset."
    ratio, facts = found
    if 1 / LARGEST_RATIO <= ratio <= LARGEST_RATIO:
        return ""
    side = f"{ratio:.1f} times finer" if ratio > 1 else f"{1 / ratio:.1f} times coarser"
    if kept:
        return _kept(image, card, ratio, 1 << kept)
    return f"This image has {facts}: it is {side} than what the model knows, and details may be wrong. {_CHOICES}"


def _kept(image: Image, card: Card, ratio: float, times: int) -> str:
    if image.spacing_mm is not None and card.mm_per_pixel is not None:
        return (
            f"This image has {sum(image.spacing_mm) / 2:.3g} mm per pixel, {ratio:.1f} times finer than the model's "
            f"{card.mm_per_pixel:.3g}. The model drew at its own scale, 1/{times} of the image's size; what is finer "
            "is the image's own detail, stronger or weaker as there."
        )
    return (
        f"This image has {max(image.pixels.shape):,} pixels on its longer side, {ratio:.1f} times the model's "
        f"{card.long_side:,}. The model drew at its own scale, 1/{times} of the image's size; what is finer is the "
        "image's own detail, stronger or weaker as there."
    )


def _ratio(image: Image, card: Card) -> tuple[float, str] | None:
    """How many times finer the image is than what the model knows, and by which facts: by mm per pixel where both are
    known, else by the longer side."""
    if image.spacing_mm is not None and card.mm_per_pixel is not None:
        spacing = sum(image.spacing_mm) / 2
        facts = f"{spacing:.3g} mm per pixel, the model was trained at {card.mm_per_pixel:.3g}"
        return card.mm_per_pixel / spacing, facts
    if card.long_side is not None:
        longer = max(image.pixels.shape)
        facts = f"{longer:,} pixels on its longer side, the model was trained at {card.long_side:,}"
        return longer / card.long_side, facts
    return None
