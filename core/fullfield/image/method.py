"""What one image is to be enhanced with, as its user says: the same value in the window and in its worker."""

from __future__ import annotations

from dataclasses import dataclass

from fullfield.image import presets
from fullfield.image.image import InputKind
from fullfield.image.preset import Preset
from fullfield.image.presets import AUTO
from fullfield.image.values import SHIPPED, Changes

MODEL_SUFFIX = ".safetensors"


@dataclass(frozen=True, kw_only=True)
class Method:
    """`choice`: "auto", a preset's name, or a model's file.

    `kind`: "raw" or "processed" where the user says what the input is, "auto" where the reader is believed. `changes`:
    the values of a preset's parameters that are not its own, by their keys.
    """

    choice: str = AUTO
    kind: str = AUTO
    changes: Changes = ()

    @property
    def of_model(self) -> bool:
        """It is a network."""
        return self.choice.endswith(MODEL_SUFFIX)

    def kind_of(self, found: InputKind) -> InputKind:
        """The kind of an input that the reader took for `found`."""
        return found if self.kind == AUTO else InputKind(self.kind)

    def preset(self, *, body_part: str, species: str, kind: InputKind, modality: str) -> Preset:
        """The preset that this means for such an image (`kind`: as the reader found it), with the changes.

        Raises UsageError, InputRefused.
        """
        own = presets.fitting(
            self.choice, body_part=body_part, species=species, kind=self.kind_of(kind), modality=modality
        )
        return own.adjusted(dict(self.changes))


__all__ = ["AUTO", "MODEL_SUFFIX", "SHIPPED", "Method"]
