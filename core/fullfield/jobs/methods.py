"""What images can be enhanced with on this machine: the presets and the models of this user. Imports no torch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Offer:
    """Something to enhance with: what a Method calls it, and its title; `model`: a network, `own`: this user's.

    `weakness`: why a model is not worth using, and is to be confirmed; "" where it is.
    """

    key: str
    title: str
    model: bool = False
    own: bool = False
    weakness: str = ""


def find_offers() -> tuple[Offer, ...]:
    """Every preset and every model of this user; reads their files."""
    from fullfield.image import presets
    from fullfield.model import registry, weakness

    own = tuple(Offer(key=preset.name, title=preset.title, own=True) for preset in presets.own())
    shipped = tuple(Offer(key=key, title=presets.load(key).title) for key in presets.names())
    models = tuple(
        Offer(key=str(known.path), title=known.name, model=True, weakness=weakness.of(known.card))
        for known in registry.known()
    )
    return (*own, *shipped, *models)
