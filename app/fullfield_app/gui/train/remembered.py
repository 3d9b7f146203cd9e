"""The form as it was when it was last used, among the user's settings: no folder of images, no file's name, nor what
a model is for and the licence of its images, which are the images' matter."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from pathlib import Path

from fullfield_app.gui.train.choices import USUAL, Choices
from fullfield_app.gui.train.techniques import chosen
from fullfield_app.settings import Settings, TrainChoices

_PATHS = frozenset({"weights"})  # may be a file's path, and a path may carry a name
_BESIDE = ("gpu", "processes", "members", "least")  # the form has them beside its values, and so have the settings
_OF_THE_IMAGES = frozenset({"use_on", "data_licence"})


def recall(settings: Settings) -> Choices:
    """The form of the last time; a value that cannot be used, or that this version does not know, is passed over."""
    kept = settings.train
    if not kept.used:
        return Choices(values={"fit": "auto"})
    values = {}
    for text in kept.values:
        key, _, plain = text.partition("=")
        with contextlib.suppress(ValueError):
            value = json.loads(plain)
            if key in USUAL and key not in _OF_THE_IMAGES and _alike(value, USUAL[key], key):
                values[key] = value
    choices = Choices(values=values, chosen=chosen(kept.techniques), **{key: getattr(kept, key) for key in _BESIDE})
    return replace(choices, values={key: value for key, value in values.items() if key not in choices.mistakes()})


def remember(settings: Settings, choices: Choices) -> Settings:
    """The settings with this form; what is wrong in it is not kept."""
    mistakes = choices.mistakes()
    values = tuple(
        f"{key}={json.dumps(value)}"
        for key, value in sorted(choices.values.items())
        if key not in mistakes and key not in _OF_THE_IMAGES and not (key in _PATHS and Path(str(value)).name != value)
    )
    techniques = choices.chosen.texts if "techniques" not in mistakes else ()
    beside = {key: getattr(choices, key) for key in _BESIDE}
    form = TrainChoices(used=True, values=values, techniques=techniques, **beside)
    return replace(settings, train=form)


def _alike(value: object, usual: object, key: str) -> bool:
    """Of the type that the form expects; a size may be a number or "native"."""
    if key == "size":
        return isinstance(value, int | str) and not isinstance(value, bool)
    if isinstance(usual, float):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is type(usual)
