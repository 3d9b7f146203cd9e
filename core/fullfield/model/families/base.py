"""What a family of networks is: a declaration that is read without torch.

class Mine(Family):                        one file, and one line in `registry.py`
    name, title                            as it is typed; for people
    module                                 has `build(spec) -> Network`, imported when one is made
    …
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar


class Family(ABC):
    """A kind of networks. The class is its declaration.

    `stages`: every stage in order, and the maps that it takes. `encoders`: names of the networks of the family; empty
    where there is one network, which is called as the family. `defaults`: what its trainings have in place of the
    general defaults of `Training`, by field. `preset_tone`: its input has the general preset's tone, see
    `image.normalise.Normalisation`. `added`: tensors that files of earlier versions have not, and that are zeros there.
    `any_scale`: one network serves images of every size and pixel spacing. `whole`: an image is computed at once
    whatever its size, so there are neither tiles nor a halo.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    module: ClassVar[str]
    stages: ClassVar[Mapping[str, tuple[str, ...]]]
    encoders: ClassVar[tuple[str, ...]] = ()
    defaults: ClassVar[Mapping[str, Any]] = {}
    preset_tone: ClassVar[bool] = False
    added: ClassVar[tuple[str, ...]] = ()
    any_scale: ClassVar[bool] = False
    whole: ClassVar[bool] = False

    @property
    def names(self) -> tuple[str, ...]:
        """Of its networks."""
        return self.encoders or (self.name,)

    @abstractmethod
    def describe(self, encoder: str) -> str:
        """One of its networks, for people: short, in English."""

    @abstractmethod
    def tensor_names(self, encoder: str) -> Mapping[str, str]:
        """The beginnings of its tensors' names, stage first, and those that files have in their place."""
