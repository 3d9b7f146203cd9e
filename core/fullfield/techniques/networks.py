"""Which networks a technique is for: where it is for none but the U-Net, the others say why not. Imports no torch.

A technique that asks for nothing but a step, and changes something in it that every network has, says so itself
(`Technique.any_network`). Of the others a network that sees only a small base has no use, whatever stage they are of.
"""

from __future__ import annotations

from collections.abc import Mapping

from fullfield.model.families import registry as families
from fullfield.model.families.unet import Unet
from fullfield.techniques.base import Reason, Stage, Technique
from fullfield.techniques.site import Site

_HINT = "Leave it out, or train a U-Net (--network unet)."
_BLOCKS = Reason(text="The map network has none of the blocks that this replaces.", hint=_HINT)
_SMALL = Reason(
    text="The map network sees at most 320 pixels a side, so there is next to nothing to save.",
    hint=_HINT,
)
_SHORT = Reason(text="The map network's own computing is a small share of a step.", hint=_HINT)
_ALONE = Reason(text="The map network learns in minutes on one device, which holds all of it.", hint=_HINT)
_LIGHT = Reason(text="The map network has half a million weights, of which any optimizer remembers little.", hint=_HINT)
_BY_STAGE: Mapping[Stage, Reason] = {
    Stage.MODEL: _BLOCKS,
    Stage.PLACEMENT: _ALONE,
    Stage.LAYOUT: _SHORT,
    Stage.PRECISION: _SHORT,
    Stage.LOSS: _SMALL,
    Stage.ACTIVATIONS: _SMALL,
    Stage.COMPILE: _SHORT,
    Stage.SAVED: _SMALL,
    Stage.PIPELINE: _ALONE,
    Stage.REPLICAS: _ALONE,
    Stage.OPTIMIZER: _LIGHT,
    Stage.STEP: _LIGHT,
}


def serves(technique: Technique | type[Technique], network: str) -> bool:
    """Whether a technique is for the network of this name."""
    return technique.any_network or families.of(network).name == Unet.name


def why_not(technique: Technique | type[Technique], site: Site) -> Reason | None:
    """Why a technique is not for the network of this site; None where it is."""
    return None if serves(technique, site.shape.encoder) else _BY_STAGE[technique.stage]


def refused(technique: Technique, site: Site) -> Reason | None:
    """Why a technique is impossible at a site, by its network or else; None where it is possible."""
    return why_not(technique, site) or technique.refuse(site)
