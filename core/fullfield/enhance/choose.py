"""The user's choice of method, opened: a preset, or a model on a device."""

from __future__ import annotations

from collections.abc import Callable

from fullfield.enhance.enhancer import Enhancer, open_preset

MODEL_SUFFIX = ".safetensors"


def open_choice(choice: str, *, device: str, notice: Callable[[str], None]) -> Enhancer:
    """`choice`: "auto", a preset's name, or a model's file or name ending in `.safetensors`.

    torch is imported for a model alone. Raises ModelError, DeviceUnavailable, UsageError.
    """
    if not choice.endswith(MODEL_SUFFIX):
        return open_preset(choice)
    from fullfield.enhance.network import open_model
    from fullfield.model.registry import resolve

    return open_model(resolve(choice), device=device, notice=notice)
