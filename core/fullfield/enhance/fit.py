"""Whether a model is meant for an image: its kind is a condition, its scale a warning. Nothing is ever resized."""

from __future__ import annotations

from fullfield.errors import InputRefused
from fullfield.image.image import Image
from fullfield.model.card import Card

LARGEST_RATIO = 1.5
ANY, MAMMOGRAM = "any", "MG"
_CHOICES = (
    "Choose a model trained at this scale, train one with `fullfield train --size native`, or use a preset; "
    "the image was not resized."
)
_KINDS = {"raw": "raw images, as the detector gives them", "processed": "images that are processed for display"}


def refuse_other_kind(image: Image, card: Card, *, modality: str = "") -> None:
    """Raises InputRefused where the model is not meant for such an image: raw against processed, or a mammogram."""
    if card.input_kind not in (ANY, image.kind):
        reason = f" {image.kind_reason}" if image.kind_reason else ""
        raise InputRefused(
            f"Cannot enhance the image with the model {card.name}.",
            detail=f"The model is for {_KINDS[card.input_kind]}; this image is one of the {image.kind} ones.{reason}",
            hint=f"Choose a model or preset for {image.kind} images (the preset auto fits both).",
        )
    if modality == MAMMOGRAM and MAMMOGRAM not in card.modalities and not card.for_tests:
        raise InputRefused(
            f"Cannot enhance the mammogram with the model {card.name}.",
            detail="The model was not trained on mammograms.",
            hint="Choose a model that was, or the preset auto, which takes one made for mammography.",
        )


def warnings(image: Image, card: Card) -> tuple[str, ...]:
    """What the user should know of the result: weights for tests, a scale more than 1.5 times away or unknown."""
    said = []
    if card.for_tests:
        said.append(
            f"The model {card.name} has seeded random weights for tests: nobody trained it, "
            "and this picture is of no use."
        )
    scale = _scale(image, card)
    return (*said, scale) if scale else tuple(said)


def _scale(image: Image, card: Card) -> str:
    """By mm per pixel where both are known, else by the longer side."""
    if image.spacing_mm is not None and card.mm_per_pixel is not None:
        spacing = sum(image.spacing_mm) / 2
        ratio = card.mm_per_pixel / spacing
        facts = f"{spacing:.3g} mm per pixel, the model was trained at {card.mm_per_pixel:.3g}"
    elif card.long_side is not None:
        longer = max(image.pixels.shape)
        ratio = longer / card.long_side
        facts = f"{longer:,} pixels on its longer side, the model was trained at {card.long_side:,}"
    elif card.for_tests:
        return ""
    else:
        return f"The model {card.name} does not say at which scale it was trained: compare with a preset."
    if 1 / LARGEST_RATIO <= ratio <= LARGEST_RATIO:
        return ""
    side = f"{ratio:.1f} times finer" if ratio > 1 else f"{1 / ratio:.1f} times coarser"
    return f"This image has {facts}: it is {side} than what the model knows, and details may be wrong. {_CHOICES}"
