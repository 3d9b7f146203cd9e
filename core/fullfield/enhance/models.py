"""This user's models, for a window: as plain values, and what can be done with their files. Imports no torch.

Everything here reads whole files at times; a window calls it in the background.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fullfield import checked, files
from fullfield.enhance.fit import Served
from fullfield.enhance.methods import LEARNED, Offer
from fullfield.errors import ModelError
from fullfield.image import presets
from fullfield.image.method import SHIPPED
from fullfield.model import card as cards
from fullfield.model import registry, shipped, weakness
from fullfield.model import tried as beside
from fullfield.model.card import Card
from fullfield.protocol.comparison import Comparison

NO_DEFAULT = frozenset({"general"})  # "auto" takes it where nothing is known of the body part


@dataclass(frozen=True, kw_only=True)
class Model:
    """A model by its card. `bytes`: of its file, 0 where it lies nowhere yet. `figures`: on its validation part.

    `weakness`: why it is not worth using, a sentence; "" where it is. `members`: how many networks an ensemble has.
    `comparison`: with what was used before it; None where nobody made one. `shipped`: it is a part of the program.
    `shows`: how well it shows signals by how well each preset does, by the titles of presets on whose images it was
    tried. `left`: the titles of those presets that such images are left to.
    """

    name: str
    path: Path
    bytes: int
    input_kind: str
    modalities: tuple[str, ...]
    size: str
    long_side: int | None
    mm_per_pixel: float | None
    trained_on: int
    encoder: str
    licence: str
    versions: MappingProxyType[str, str]
    figures: MappingProxyType[str, float] = field(default_factory=lambda: MappingProxyType({}))
    plan: MappingProxyType[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    for_tests: bool = False
    weakness: str = ""
    network: str = "unet"
    members: int = 0
    comparison: Comparison | None = None
    shipped: bool = False
    shows: MappingProxyType[str, float] = field(default_factory=lambda: MappingProxyType({}))
    left: tuple[str, ...] = ()

    @property
    def offer(self) -> Offer:
        """As something to enhance with, by its file's name."""
        served = Served(input_kind=self.input_kind, modalities=self.modalities, for_tests=self.for_tests)
        title = LEARNED if self.shipped else self.path.stem
        return Offer(key=str(self.path), title=title, model=True, shipped=self.shipped, served=served)


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """`models`: by name. `defaults`: the model of a body part, by the keys of `body_parts`. `before`: what was taken
    there before, a model or "" for a preset, of the parts that have a way back. `changed`: the parts whose model's file
    is no longer what was chosen, so that a preset is used."""

    models: tuple[Model, ...]
    defaults: MappingProxyType[str, str]
    body_parts: MappingProxyType[str, str]
    before: MappingProxyType[str, str] = field(default_factory=lambda: MappingProxyType({}))
    changed: frozenset[str] = frozenset()

    def used(self, part: str) -> str:
        """The model that "auto" takes for a body part; "": a preset, also in the place of a file that was changed."""
        return "" if part in self.changed else self.defaults.get(part, "")


def listed() -> Shelf:
    """All of this user's models, the one that ships among them, and which are taken for which body part."""
    found = []
    for known in registry.known():
        with contextlib.suppress(ModelError):  # it has gone meanwhile
            found.append(_model(known.name, known.path, known.card))
    uses = registry.uses()
    return Shelf(
        models=tuple(found),
        defaults=MappingProxyType({part: use.model for part, use in uses.items() if use.model}),
        body_parts=body_parts(),
        before=MappingProxyType({part: use.before for part, use in uses.items() if use.before is not None}),
        changed=frozenset(part for part, use in uses.items() if use.model and _is_changed(part)),
    )


def require_choices() -> None:
    """Raise ModelError where what was chosen for the body parts cannot be read: a list would show presets."""
    registry.uses(whole=True)


def _is_changed(part: str) -> bool:
    try:
        registry.pinned(part)
    except ModelError:
        return True
    return False


def body_parts() -> MappingProxyType[str, str]:
    """What a model can be the default of: the shipped presets' names, raw and processed as one, with their titles."""
    found = {}
    for name in presets.names():
        if not name.endswith(presets.RAW_VARIANT) and name not in NO_DEFAULT:
            found[name] = presets.load(name).title
    return MappingProxyType(found)


def find(choice: str) -> Path:
    """The file of a model, by its path or its name. Raises ModelError."""
    return registry.resolve(choice)


def inspect(path: Path) -> Model:
    """The model of a file whose seal holds. Raises ModelError."""
    card = registry.inspect(path)
    return _model(card.name, path, card)


def keep(source: Path, name: str) -> str:
    """Put it among the models; the name that it has there. Raises ModelError, CannotWrite."""
    return registry.keep(source, name).name


def export(name: str, target: Path) -> None:
    """Copy a model to one safetensors file. Raises ModelError, CannotWrite."""
    registry.export(name, target)


def remove(name: str) -> None:
    """Delete a model. Raises ModelError for the one that ships, CannotWrite."""
    registry.remove(name)


def set_default(body_part: str, name: str) -> None:
    """Let "auto" take this model for a body part; "": none. Raises ModelError, CannotWrite."""
    registry.set_default(body_part, name)


def go_back(body_part: str) -> str:
    """Let "auto" take what it took before for a body part: a model's name, or "" for a preset. Raises ModelError,
    CannotWrite."""
    return registry.go_back(body_part).model


def kept(source: Path, name: str) -> Path:
    """Put a file among the models, unless it is there already; where it lies there. Raises ModelError, CannotWrite."""
    sha256 = cards.sha256(source)
    for known in registry.known():
        with contextlib.suppress(ModelError):  # it has gone meanwhile
            if cards.sha256(known.path) == sha256:
                return known.path
    return registry.keep(source, name).path


def holds(path: Path, digest: str) -> bool:
    """Whether the file can be read and its content has this SHA-256."""
    with contextlib.suppress(OSError):
        return files.sha256(path) == digest
    return False


def take(source: Path, name: str, body_part: str, *, sha256: str = "") -> str:
    """Put a file among the models, and let "auto" take it for a body part; its name there. `sha256`: of the file that
    is meant, where that is known. Raises ModelError, also where it is another file now, CannotWrite."""
    if sha256 and not holds(source, sha256):
        raise ModelError(
            "Cannot use this model.",
            detail="Its file has changed meanwhile, or is gone.",
            hint="Look at what there is now, and choose again.",
        )
    found = kept(source, name).stem
    registry.set_default(body_part, found)
    return found


def sha256(model: Model) -> str:
    """Of its file: the model's public identity, which recipes name."""
    return cards.sha256(model.path)


def _model(name: str, path: Path, card: Card) -> Model:
    ships = path == shipped.file_of(registry.folder(), SHIPPED)
    facts = shipped.facts_of(cards.sha256(path)) if ships else None
    with cards.reading():
        size = path.stat().st_size
    tried, left = (facts.tried, facts.left_to_presets) if facts is not None else (beside.read(path), ())
    return Model(
        name=name,
        path=path,
        bytes=size,
        input_kind=card.input_kind,
        modalities=card.modalities,
        size=card.size,
        long_side=card.long_side,
        mm_per_pixel=card.mm_per_pixel,
        trained_on=card.trained_on,
        network=card.network.family,
        encoder=card.network.encoder,
        licence=card.licence,
        versions=MappingProxyType(dict(card.versions)),
        figures=MappingProxyType({key: value for key, value in card.metrics.items() if math.isfinite(value)}),
        plan=MappingProxyType(dict(card.plan)),
        for_tests=card.for_tests,
        weakness=weakness.of(card),
        members=len(card.members),
        comparison=_comparison(card),
        shipped=ships,
        shows=MappingProxyType(
            {presets.load(one).title: how.median for one, how in tried.items() if one in presets.names()}
        ),
        left=tuple(presets.load(one).title for one in left),
    )


def _comparison(card: Card) -> Comparison | None:
    try:
        return checked.make(Comparison, card.comparison)
    except ValueError:  # none, or another version's
        return None
