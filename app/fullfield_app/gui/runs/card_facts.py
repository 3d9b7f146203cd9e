"""A model's card in words: what it is for, was trained on, how good it was, what to beware of. No widget."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield.enhance.models import Model
from fullfield_app.gui import numbers
from fullfield_app.gui.runs import words
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP, say_core
from fullfield_app.gui.widgets.label import clean

translate = QCoreApplication.translate

WEAKNESS = "weakness"
_TITLES = {
    WEAKNESS: QT_TRANSLATE_NOOP("card", "Not worth using"),
    "beware": QT_TRANSLATE_NOOP("card", "Beware"),
    "name": QT_TRANSLATE_NOOP("card", "Model"),
    "kind": QT_TRANSLATE_NOOP("card", "Made for"),
    "modalities": QT_TRANSLATE_NOOP("card", "Kinds of images"),
    "trained": QT_TRANSLATE_NOOP("card", "Trained on"),
    "scale": QT_TRANSLATE_NOOP("card", "Scale"),
    "figures": QT_TRANSLATE_NOOP("card", "On images held back"),
    "comparison": QT_TRANSLATE_NOOP("card", "Beside what was used before"),
    "shows": QT_TRANSLATE_NOOP("card", "Signals seen, by how well presets show them"),
    "left": QT_TRANSLATE_NOOP("card", "Left to the preset"),
    "techniques": QT_TRANSLATE_NOOP("card", "Trained with"),
    "licence": QT_TRANSLATE_NOOP("card", "Licence of the data"),
    "network": QT_TRANSLATE_NOOP("card", "Network"),
    "bytes": QT_TRANSLATE_NOOP("card", "Size of the file"),
    "versions": QT_TRANSLATE_NOOP("card", "Versions"),
}
_KINDS = {
    "raw": QT_TRANSLATE_NOOP("card", "raw images, as the detector gives them"),
    "processed": QT_TRANSLATE_NOOP("card", "images that are processed for display"),
    "any": QT_TRANSLATE_NOOP("card", "raw and processed images"),
}
FEW_IMAGES = 50
_DRAWS = "unet"  # the family that draws the whole picture, at a scale


def titles() -> dict[str, str]:
    """What the facts are called, by key, in their order."""
    return {key: translate("card", text) for key, text in _TITLES.items()}


def rows(model: Model) -> dict[str, str]:
    """The facts by key; "" where the card does not say."""
    texts = tuple(str(text) for text in model.plan.get("techniques", ()))
    return {
        WEAKNESS: say_core(model.weakness),
        "beware": "\n".join(warnings(model)),
        "name": words.model(model.name),
        "kind": translate("card", _KINDS[model.input_kind]),
        "modalities": ", ".join(map(clean, model.modalities)),
        "trained": _trained(model),
        "scale": _scale(model),
        "figures": _figures(model),
        "comparison": say_core(model.comparison.verdict) if model.comparison is not None else "",
        "shows": "; ".join(f"{say_core(title)}: {numbers.number(times, 2)}" for title, times in model.shows.items()),
        "left": "; ".join(map(say_core, model.left)),
        "techniques": words.techniques(texts) if texts else "",
        "licence": clean(model.licence),
        "network": _network(model),
        "bytes": numbers.data(model.bytes) if model.bytes else "",
        "versions": ", ".join(f"{clean(name)} {clean(version)}" for name, version in model.versions.items()),
    }


def warnings(model: Model) -> list[str]:
    """What somebody should know before it is used."""
    said = []
    if model.for_tests:
        said.append(translate("card", "Its weights are for tests: nobody trained it, and its pictures are of no use."))
    if not model.figures.get("loss") and not model.for_tests:
        said.append(translate("card", "It was never measured on images that it had not seen."))
    if 0 < model.trained_on < FEW_IMAGES:
        said.append(
            translate("card", "It has seen {count} images only: it may fail on others.").format(count=model.trained_on)
        )
    if model.long_side is None and model.mm_per_pixel is None and not model.for_tests:
        said.append(translate("card", "It does not say at which scale it was trained."))
    if not model.licence and not model.for_tests:
        said.append(translate("card", "It does not say what the owner of its data allows."))
    return said


def _trained(model: Model) -> str:
    if not model.trained_on:
        return ""
    size = words.size(model.size) if model.size == "native" else words.size(int(model.size))
    return translate("card", "{count} images, size: {size}").format(count=numbers.number(model.trained_on), size=size)


def _network(model: Model) -> str:
    text = words.network(model.network, model.encoder)
    if not model.members:
        return text
    ensemble = translate("card", "{network}, an ensemble of {count}: figures are the mean of its members' own")
    return ensemble.format(network=text, count=model.members)


def _scale(model: Model) -> str:
    parts = []
    if model.long_side is not None:
        parts.append(translate("card", "about {pixels} pixels on the longer side").format(pixels=model.long_side))
    if model.mm_per_pixel is not None:
        text = translate("card", "{spacing} mm per pixel")
        parts.append(text.format(spacing=numbers.short(model.mm_per_pixel)))
    if parts and model.network == _DRAWS:
        parts.append(translate("card", "it draws at this scale, and keeps the detail of finer images as it is"))
    return ", ".join(parts)


def _figures(model: Model) -> str:
    figures, parts = model.figures, []
    if "loss" in figures:
        text = translate("card", "loss {loss} (100·(1 − MS-SSIM), lower is better)")
        parts.append(text.format(loss=numbers.number(figures["loss"], 2)))
    if {"loss_raw", "loss_processed"} <= figures.keys():
        text = translate("card", "of it on raw input {raw}, on processed input {processed}")
        raw, processed = (numbers.number(figures[key], 2) for key in ("loss_raw", "loss_processed"))
        parts.append(text.format(raw=raw, processed=processed))
    if "loss_simulated" in figures:  # where other input is raw, too
        text = translate("card", "of it on simulated raw input {simulated}")
        parts.append(text.format(simulated=numbers.number(figures["loss_simulated"], 2)))
    if "psnr_db" in figures:
        parts.append(translate("card", "PSNR {psnr} dB").format(psnr=numbers.number(figures["psnr_db"], 1)))
    return ", ".join(parts)
