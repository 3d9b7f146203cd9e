"""The user's choice of method, opened: a preset with its adjustments, or a model on a device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fullfield.dicom.cache import Decoded
from fullfield.enhance.enhancer import Enhancer, open_preset
from fullfield.enhance.fit import refuse_other_kind
from fullfield.errors import FullfieldError
from fullfield.image.image import Enhanced
from fullfield.image.method import AUTO, MODEL_SUFFIX, Method
from fullfield.image.preset import Preset
from fullfield.model import card

RAW = "-raw"  # the end of the names of presets for raw input


def open_choice(choice: str, *, device: str, notice: Callable[[str], None]) -> Enhancer:
    """`choice`: "auto", a preset's name, or a model's file or name ending in `.safetensors`.

    torch is imported for a model alone. Raises ModelError, DeviceUnavailable, UsageError.
    """
    if not choice.endswith(MODEL_SUFFIX):
        return open_preset(choice)
    from fullfield.enhance.network import open_model
    from fullfield.model.registry import resolve

    return open_model(resolve(choice), device=device, notice=notice)


def preset_for(method: Method, decoded: Decoded) -> Preset:
    """The preset that `method` means for an image. Raises UsageError, InputRefused."""
    header = decoded.header
    return method.preset(
        body_part=header.body_part,
        species=header.patient.species,
        kind=decoded.image.kind,
        modality=header.modality,
    )


def default_model(method: Method, preset: Preset, decoded: Decoded) -> tuple[str, str]:
    """The file of the model that this user takes for such images in place of `preset`, where "auto" is asked for; "":
    none. And a sentence where there is one that cannot be taken."""
    if method.choice != AUTO or method.changes:
        return "", ""
    from fullfield.model import registry  # not before it is asked

    name = registry.defaults().get(preset.name.removesuffix(RAW))
    if name is None:
        return "", ""
    path = registry.folder() / f"{name}{MODEL_SUFFIX}"
    try:
        refuse_other_kind(decoded.image, card.read(path), modality=decoded.header.modality)
    except FullfieldError as error:
        return "", f"Your model for this body part was not used; a preset was. {error.detail}"
    return str(path), ""


def with_warning(enhanced: Enhanced, text: str) -> Enhanced:
    """The result, with one more sentence that its user should know."""
    return replace(enhanced, warnings=(*enhanced.warnings, text)) if text else enhanced


def with_kind_said(enhanced: Enhanced, kind: str) -> Enhanced:
    """The result, its recipe saying that the user, not the file, has told the kind of input."""
    if kind == AUTO:
        return enhanced
    said = f"input taken for {kind} as the user says; {enhanced.recipe.parameters}".rstrip("; ")
    return replace(enhanced, recipe=replace(enhanced.recipe, parameters=said))


__all__ = ["default_model", "open_choice", "preset_for", "with_kind_said", "with_warning"]
