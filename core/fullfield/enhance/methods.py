"""What images can be enhanced with on this machine: the presets and the models of this user. Imports no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullfield.image.method import SHIPPED

if TYPE_CHECKING:  # the first window need not wait for what reads cards
    from fullfield.enhance.fit import Served
    from fullfield.errors import UsageError
    from fullfield.image.image import InputKind


LEARNED = "Learned"
"""The title of the model that ships."""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """Something to enhance with: what a Method calls it, and its title; `model`: a network, `own`: this user's preset,
    `shipped`: the network that is a part of the program.

    `weakness`: why a model is not worth using, and is to be confirmed; "" where it is.
    `served`: the images that a network is meant for, as far as that is known.
    """

    key: str
    title: str
    model: bool = False
    own: bool = False
    shipped: bool = False
    weakness: str = ""
    served: Served | None = None

    def why_not(self, kind: InputKind, *, modality: str) -> str:
        """Why a network cannot enhance such an image, a sentence; "": it can."""
        return self.served.why_not(kind, modality=modality) if self.served is not None else ""


def passed_over() -> tuple[UsageError, ...]:
    """See `presets.passed_over`."""
    from fullfield.image import presets

    return presets.passed_over()


def find_offers() -> tuple[Offer, ...]:
    """Every preset and every model of this user, the model that ships first; reads their files."""
    from fullfield.enhance import fit
    from fullfield.image import presets
    from fullfield.model import registry, weakness

    own = tuple(Offer(key=preset.name, title=preset.title, own=True) for preset in presets.own())
    brought = tuple(Offer(key=key, title=presets.load(key).title) for key in presets.names())
    models = [
        Offer(
            key=str(known.path),
            title=LEARNED if known.name == SHIPPED else known.name,
            model=True,
            shipped=known.name == SHIPPED,
            weakness=weakness.of(known.card),
            served=fit.served(known.card),
        )
        for known in registry.known()
    ]
    learned = [offer for offer in models if offer.shipped]
    return (*learned, *own, *brought, *(offer for offer in models if not offer.shipped))
