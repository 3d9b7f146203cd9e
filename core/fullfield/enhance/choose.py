"""The user's choice of method, opened: a preset with its adjustments, or a model on a device.

In the window "auto" takes the model that its user has made the default for a body part, if there is one (`Chosen`).
`--batch` never does (`open_choice`): there a model is used where one is named, and "auto" is a preset.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from fullfield.enhance.elsewhere import Elsewhere, Network
from fullfield.enhance.enhancer import Enhancer, by_preset, here, open_preset, presets_at_once
from fullfield.enhance.fit import refuse_other_kind
from fullfield.enhance.guarded import USUAL, Guarded, Policy, judged
from fullfield.errors import FullfieldError
from fullfield.image import guards, presets
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced
from fullfield.image.method import AUTO, MODEL_SUFFIX, Method
from fullfield.image.preset import Preset
from fullfield.model import card
from fullfield.model.card import Card

CPU = "cpu"
_NOT_USED = "Your model for this body part was not used; a preset was."
ON_THE_CPU = "Presets compute on the CPU; models and trainings use a GPU where there is one."


def open_choice(
    choice: str,
    *,
    device: str,
    notice: Callable[[str], None],
    policy: Policy = USUAL,
    elsewhere: Elsewhere | None = None,
) -> Guarded:
    """`choice`: "auto", a preset's name, or a model's file or name ending in `.safetensors`; its results are guarded.
    A model whose results are forced draws off its scale, too. `notice` is told which of this user's presets "auto"
    cannot use. `elsewhere`: a machine that computes for this one; None: this one does.

    An engine is imported for a model alone. Raises MissingPart, ModelError, DeviceUnavailable, UsageError.
    """
    if not choice.endswith(MODEL_SUFFIX):
        for error in presets.passed_over() if choice == AUTO else ():
            notice(str(error))
        preset = open_preset(choice, elsewhere.by_preset if elsewhere is not None else here)
        at_once = max(presets_at_once(), elsewhere.at_once if elsewhere is not None else 1)
        return Guarded(preset, method=guards.PRESET, policy=policy, at_once=at_once)
    from fullfield.enhance.ensemble import open_any
    from fullfield.enhance.network import open_model
    from fullfield.model.registry import resolve

    path, force, said = resolve(choice), policy.force, _Once(notice)

    def open_one(member: int | None) -> Network:
        if elsewhere is None:
            return open_model(path, device=device, notice=said, off_scale=force, member=member)
        spare = device if device == CPU else AUTO  # a card is meant there
        own = partial(open_model, path, device=spare, notice=said, off_scale=force, member=member)
        return elsewhere.by_model(path, own, off_scale=force, member=member)

    return guarding(open_any(path, open_one), path, policy)


def guarding(network: Network, path: Path, policy: Policy = USUAL) -> Guarded:
    """The network of this file, whose results are guarded."""
    return Guarded(network, method=_method(network.card), model=path, policy=policy, at_once=network.at_once)


def _method(of: Card) -> str:
    """By which the results of a model are judged."""
    return guards.MAP if of.network.of.any_scale else guards.DRAWN


class _Once:
    """Tells what one member of an ensemble says, and not again what the next says alike."""

    def __init__(self, notice: Callable[[str], None]) -> None:
        self._notice, self._last = notice, ""

    def __call__(self, text: str) -> None:
        if text != self._last:
            self._last = text
            self._notice(text)


def refuse_weak(choice: str) -> None:
    """Raises ModelError for a model that is no better than none: nobody looks at a batch as it goes."""
    if choice.endswith(MODEL_SUFFIX):
        from fullfield.model import registry, weakness

        weakness.refuse(
            card.read(registry.resolve(choice)),
            doing="This model is not used without a confirmation.",
            hint="Use a preset or another model, or confirm it with --force-result.",
        )


def preset_for(method: Method, decoded: Decoded) -> Preset:
    """The preset that `method` means for an image. Raises UsageError, InputRefused."""
    return method.preset(**decoded.header.subject, kind=decoded.image.kind)


def default_model(method: Method, decoded: Decoded) -> tuple[str, str]:
    """The file of the model that this user takes for such images in place of a preset, where "auto" is asked for; "":
    none. And a sentence where there is one that cannot be taken."""
    if method.choice != AUTO or method.changes:
        return "", ""
    from fullfield.model import registry, weakness  # not before it is asked

    try:
        path = registry.pinned(presets.body_part_key(**decoded.header.subject))
        if path is None:
            return "", ""
        found = card.read(path)
        refuse_other_kind(decoded.image, found, modality=decoded.header.modality)
        weakness.refuse(found, doing="This model is no default.", hint="Use a preset.")
        guards.read_limits(_method(found), path)
    except FullfieldError as error:
        return "", f"{_NOT_USED} {error.detail}"
    return str(path), ""


class Chosen:
    """Enhances each image as the window's user asks; the model that was used last stays open. Several threads may use
    it.

    `say`: told on which device is computed, and why.
    """

    def __init__(self, *, device: str, say: Callable[[str], None]) -> None:
        self._device, self._say = device, say
        self._open: tuple[tuple[object, ...], Enhancer] | None = None
        self._opening = threading.Lock()

    def enhance(self, decoded: Decoded, method: Method, elsewhere: Elsewhere | None = None) -> Enhanced:
        """Raises InputRefused, UsageError, ModelError, DeviceUnavailable, OutOfMemory."""
        return with_kind_said(self._enhance(decoded, method, elsewhere), method.kind)

    def _enhance(self, decoded: Decoded, method: Method, elsewhere: Elsewhere | None) -> Enhanced:
        if method.of_model:
            return self._by_model(decoded, method.choice, elsewhere)
        preset = preset_for(method, decoded)
        model, why_not = default_model(method, decoded)
        if model:
            return self._by_model(decoded, model, elsewhere)
        if elsewhere is None:
            self._say(ON_THE_CPU)
        made = by_preset(decoded, preset, elsewhere.by_preset if elsewhere is not None else here)
        return with_warning(judged(decoded, made, guards.read_limits(guards.PRESET)), why_not)

    def _by_model(self, decoded: Decoded, model: str, elsewhere: Elsewhere | None) -> Enhanced:
        from fullfield.model.registry import resolve

        with self._opening:
            path = resolve(model)
            # Other files may have come to the place of the model, and of its limits, since the last image.
            key = (path, elsewhere, *map(_state, (path, path.with_suffix(guards.OWN))))
            if self._open is None or self._open[0] != key:
                # Refused before torch is imported and the network is built for nothing.
                refuse_other_kind(decoded.image, card.read(path), modality=decoded.header.modality)
                opened = open_choice(model, device=self._device, notice=self._say, elsewhere=elsewhere)
                self._open = (key, opened)
            enhancer = self._open[1]
        return enhancer.enhance(decoded)


def _state(path: Path) -> tuple[int, int, int] | None:
    """What changes with a file; None where it is not there, which is said where it is read."""
    try:
        now = path.stat()
    except OSError:
        return None
    return now.st_ino, now.st_size, now.st_mtime_ns


def with_warning(enhanced: Enhanced, text: str) -> Enhanced:
    """The result, with one more sentence that its user should know."""
    return replace(enhanced, warnings=(*enhanced.warnings, text)) if text else enhanced


def with_kind_said(enhanced: Enhanced, kind: str) -> Enhanced:
    """The result, its recipe saying that the user, not the file, has told the kind of input."""
    if kind == AUTO:
        return enhanced
    said = f"input taken for {kind} as the user says; {enhanced.recipe.parameters}".rstrip("; ")
    return replace(enhanced, recipe=replace(enhanced.recipe, parameters=said))


__all__ = [
    "ON_THE_CPU",
    "Chosen",
    "default_model",
    "guarding",
    "open_choice",
    "preset_for",
    "refuse_weak",
    "with_kind_said",
    "with_warning",
]
