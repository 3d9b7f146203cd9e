"""Which network, as a value. Imports no torch."""

from __future__ import annotations

from dataclasses import dataclass

from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.families.base import Family
from fullfield.model.families.registry import FAMILIES, NAMES, of

_UNET = next(iter(FAMILIES))


@dataclass(frozen=True, kw_only=True)
class NetworkSpec:
    """Which network: one channel in, one out in 0…1. `family`: of `model.families`, the U-Net or another kind.

    `encoder`, `momentum`: of the U-Net of segmentation_models_pytorch; γ of momentum residual blocks in its encoder
    (Sander et al. 2021), below 1; 0: plain residual blocks. Where a family has no encoders they have their defaults.
    """

    encoder: str = "resnet34"
    momentum: float = 0.0
    family: str = _UNET

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise ValueError(f"family: {self.family!r}, wanted one of {', '.join(FAMILIES)}")
        if self.encoder not in ENCODERS:
            raise ValueError(f"encoder: {self.encoder!r}, wanted one of {', '.join(ENCODERS)}")
        if not 0 <= self.momentum < 1:
            raise ValueError(f"momentum: {self.momentum}, wanted a number from 0 to below 1")
        if self.momentum and not (self.of.encoders and ENCODERS[self.encoder].even):
            raise ValueError(f"momentum: {self.momentum}, and the encoder {self.encoder} has no such blocks")

    @property
    def of(self) -> Family:
        """Its family."""
        return FAMILIES[self.family]

    @property
    def name(self) -> str:
        """What it is called among all networks: by its encoder, or its family where that has none."""
        return self.encoder if self.of.encoders else self.family

    @property
    def title(self) -> str:
        """For people, in English."""
        plain = self.of.describe(self.encoder)
        return f"{plain} with momentum {self.momentum:.2g}" if self.momentum else plain


def representable(gamma: float) -> float:
    """The momentum nearest to `gamma` that is computed with exactly: a multiple of 2⁻¹⁶, as the package momentumnet
    makes its fraction of it."""
    return round(gamma * 2**16) / 2**16


def named(name: str) -> NetworkSpec:
    """The plain network of a name. Raises ValueError."""
    try:
        family = of(name)
    except KeyError:
        raise ValueError(f"network: {name!r}, wanted one of {', '.join(NAMES)}") from None
    return NetworkSpec(family=family.name, encoder=name) if family.encoders else NetworkSpec(family=family.name)


def called(family: str, encoder: str) -> str:
    """The name of a family's network with this encoder, where it has any; of an unknown family that itself."""
    return family if family in FAMILIES and not FAMILIES[family].encoders else encoder
