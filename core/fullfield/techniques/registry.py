"""The techniques: a line each. A new one is its file and its line here."""

from __future__ import annotations

import difflib
import importlib
import math
from dataclasses import fields
from functools import cache
from typing import Any

from fullfield.errors import UsageError
from fullfield.techniques.base import Technique

_LINES: tuple[str, ...] = (
    "spatial.Spatial",
    "channels_last.ChannelsLast",
    "precision.Precision",
    "compiled.Compile",
    "optimizer_8bit.Optimizer8bit",
    "optimizer_4bit.Optimizer4bit",
    "optimizer_offload.OptimizerOffload",
    "lars.Lars",
    "lamb.Lamb",
    "model_parallel.ModelParallel",
    "data_parallel.DataParallel",
    "zero.Zero",
    "ddp.Ddp",
    "zero_optimizer.ZeroOptimizer",
    "fsdp.Fsdp",
    "gradient_compression.GradientCompression",
    "accumulate.Accumulate",
    "optimizer_in_backward.OptimizerInBackward",
    "rate_scaling.RateScaling",
    "gradient_clipping.GradientClipping",
    "ema.ExponentialMovingAverage",
    "momentum.Momentum",
    "quantization.Quantization",
    "banded_loss.BandedLoss",
    "checkpointing.Checkpointing",
    "recompute.Recompute",
    "hybrid_bands.HybridBands",
    "full_bands.FullBands",
    "compressed_activations.CompressedActivations",
    "offload_activations.OffloadActivations",
)


@cache
def all_techniques() -> dict[str, type[Technique]]:
    """Every technique by its name, in the order of the registry. Imports no torch."""
    found = {}
    for line in _LINES:
        module, _, name = line.rpartition(".")
        technique: type[Technique] = getattr(importlib.import_module(f"fullfield.techniques.{module}"), name)
        found[technique.name] = technique
    return found


def read(text: str) -> Technique:
    """The technique of `name` or `name:option=value,…`. Raises UsageError with the nearest right name."""
    name, _, given = text.partition(":")
    techniques = all_techniques()
    if name not in techniques:
        raise UsageError(f"There is no technique {name!r}.", hint=_nearest(name, list(techniques)))
    kind = techniques[name]
    known = {item.name: item for item in fields(kind.Options)}
    values: dict[str, Any] = {}
    for pair in given.split(",") if given else ():
        key, sign, value = pair.partition("=")
        if key not in known or not sign:
            hint = _nearest(key, list(known)) if known else f"{name} has no options."
            raise UsageError(f"Cannot read {pair!r} as an option of {name}.", hint=hint)
        values[key] = _value(name, known[key], value)
    return kind(kind.Options(**values))


def _value(technique: str, item: Any, text: str) -> Any:
    """`text` as the type of the option's default, checked. Raises UsageError with what is allowed."""
    limits, default = item.metadata, item.default
    value: Any = None
    if isinstance(default, bool):
        value = {"true": True, "false": False}.get(text)
    elif isinstance(default, tuple):
        value = tuple(text.split("+")) if text else ()
    elif isinstance(default, str):
        value = text
    else:
        try:
            value = type(default)(text)
        except ValueError:
            value = None
    choices, least, most = limits["choices"], limits["least"], limits["most"]
    chosen = value if isinstance(value, tuple) else (value,)
    wrong = (
        value is None
        or (isinstance(value, float) and not math.isfinite(value))
        or (choices and not set(chosen) <= set(choices))
    )
    wrong = wrong or (least is not None and value < least) or (most is not None and value > most)
    if wrong:
        allowed = ", ".join(map(str, choices)) if choices else "true or false" if isinstance(default, bool) else ""
        if least is not None or most is not None:
            allowed = f"{'' if least is None else f'from {least:g} '}{'' if most is None else f'to {most:g}'}".strip()
        raise UsageError(f"Cannot set {item.name} of {technique} to {text!r}.", hint=f"Choose {allowed or 'a value'}.")
    return value


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"Did you mean {near[0]!r}?" if near else f"Choose from {', '.join(known)}."
