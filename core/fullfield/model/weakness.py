"""Whether a model is worth using: it has to do better on the images held back than what costs nothing. No torch.

A model whose validation loss is not below that of the unprocessed images *and* that of the conventional processor is
marked so, becomes no default, and is used only where somebody has confirmed it.
"""

from __future__ import annotations

import math

from fullfield.errors import ModelError
from fullfield.model.card import Card

UNPROCESSED, CONVENTIONAL = "unprocessed input", "conventional processor"
ON_SIMULATED = f"{CONVENTIONAL} (simulated raw input)"  # where the other references are that processor's own results
TO_BEAT = {UNPROCESSED: ("loss",), CONVENTIONAL: ("loss",), ON_SIMULATED: ("loss_simulated", "loss_raw")}
"""The baselines, and the model's metric on the same images: the first that it has. Where all raw input is simulated,
that is the metric on raw input."""


def of(card: Card) -> str:
    """Why the model is not worth using, as a sentence; "" where it is, or where its card knows nothing to compare with
    (weights for tests, models of earlier versions)."""
    held = [(card.baselines.get(name, math.nan), name, _metric(card, names)) for name, names in TO_BEAT.items()]
    known = [one for one in held if math.isfinite(one[0])]
    unbeaten = [one for one in known if not one[2] < one[0]]
    if not unbeaten:
        return ""
    least, name, loss = min(unbeaten)
    if not math.isfinite(loss):
        return "It is not better than doing nothing, as far as anybody knows: it was never measured."
    return (
        f"It is not better than what needs no model: on the images held back its loss is {loss:.2f}, against "
        f"{least:.2f} of the {name} (lower is better)."
    )


def _metric(card: Card, names: tuple[str, ...]) -> float:
    return next((card.metrics[name] for name in names if name in card.metrics), math.nan)


def refuse(card: Card, *, doing: str, hint: str) -> None:
    """Raises ModelError where the model is not worth using. `doing`: what was being done, a sentence."""
    reason = of(card)
    if reason:
        raise ModelError(doing, detail=reason, hint=hint)
