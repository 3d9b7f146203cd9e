"""The models that this user has: `.safetensors` files in one folder, found by name, and the one that ships, whose name
is reserved (`model.shipped`). Imports no torch.

NAME.safetensors   a model
NAME.guards.json   limits of its own, NAME.tried.json what it was tried on, where somebody has measured them
defaults.json      which of them "auto" takes for a body part, by `presets.body_part_key`: see `model.uses`
"""

from __future__ import annotations

import difflib
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from fullfield import change_lock, files
from fullfield.errors import ModelError
from fullfield.image.values import PRESET, SHIPPED
from fullfield.model import card as cards
from fullfield.model import ensemble, shipped, tried, weakness
from fullfield.model import uses as model_uses
from fullfield.model.card import LARGEST_BYTES, SUFFIX, Card, NetworkSpec
from fullfield.model.uses import Use

DEFAULTS = model_uses.FILE
LONGEST_NAME, LONGEST_BYTES = 80, 200
"""Of a kept model: letters, and their bytes, of which a file's name has at most 255 with all that is added to it."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """A model: its `name` (the file's, without the suffix), where it is, and its card (not verified)."""

    name: str
    path: Path
    card: Card


def folder() -> Path:
    """Where this user's models lie: the data folder, or `FULLFIELD_MODELS` where that is set. It may not exist yet."""
    return files.user_folder("models")


def known() -> tuple[Known, ...]:
    """The one that ships, where one does, and all models of this user, by name. Files that are none of ours are passed
    over."""
    found = []
    own = sorted(path for path in folder().glob(f"*{SUFFIX}") if path.stem != SHIPPED)
    for path in own if (one := _shipped()) is None else (one, *own):
        try:
            found.append(Known(name=path.name.removesuffix(SUFFIX), path=path, card=cards.read(path)))
        except ModelError:
            continue  # said where somebody chooses it
    return tuple(found)


def resolve(choice: str) -> Path:
    """The file of a model: `choice` is a path, or a name with or without the suffix; the reserved one is never a path.

    Raises ModelError naming the nearest model, or that none ships.
    """
    path, name = Path(choice), choice.removesuffix(SUFFIX)
    if name == SHIPPED:
        if (one := _shipped()) is None:
            raise shipped.none_here()
        return one
    if path.is_file():
        return path
    names = [model.name for model in known()]
    if Path(name).name == name and (folder() / f"{name}{SUFFIX}").is_file():
        return folder() / f"{name}{SUFFIX}"
    near = difflib.get_close_matches(path.name.removesuffix(SUFFIX), names, n=1)
    raise ModelError(
        f"Cannot find the model {path.name.removesuffix(SUFFIX)!r}.",
        detail="There is no such file, and no model of this name in the models folder.",
        hint=f"Did you mean {near[0]!r}?"
        if near
        else f"Your models: {', '.join(names)}."
        if names
        else shipped.INSTEAD,
    )


def first_weights(weights: str) -> Path:
    """The file whose weights a training starts from: the model that ships where `weights` is its reserved name, else
    the file of that path. Raises ModelError where none ships."""
    return resolve(SHIPPED) if weights == SHIPPED else Path(weights)


def begins_from(weights: str, network: NetworkSpec) -> Card | None:
    """The card of the model that `first_weights` names; None: its file is of no model of ours, and for an encoder.

    Raises ModelError where none ships, the file is not there, or no such network can begin from it.
    """
    path = first_weights(weights)
    with cards.reading():
        path.stat()
    try:
        card = cards.read(path) if path.suffix == SUFFIX else None
    except ModelError:
        card = None
    if card is not None:
        ensemble.refuse_several(card)
        if card.network != network:
            raise of_another(card, network)
    elif not network.of.encoders:
        raise cards.refused(
            f"It is no model of this program; other weights are for encoders, and a {network.title} has none.",
            "Choose a model of the same kind, or start without (--weights none).",
        )
    return card


def of_another(card: Card, network: NetworkSpec) -> ModelError:
    """A model that a training of this network cannot begin from."""
    return cards.refused(
        f"It is a {card.network.title}, this training is of a {network.title}.",
        "Choose the same network for the training, or other weights.",
    )


def inspect(path: Path) -> Card:
    """The card of a model file of which every byte is as it was sealed. Raises ModelError."""
    return cards.verify(read_bytes(path))


def keep(source: Path, name: str) -> Known:
    """Put a copy of a model file among this user's models, under `name` or the next that is free.

    Raises ModelError where it is none or damaged, CannotWrite.
    """
    content = read_bytes(source)
    card = cards.verify(content)
    plain = re.sub(r"[^\w .()+-]", "-", name.removesuffix(SUFFIX)).strip(" .-")[:LONGEST_NAME] or "model"
    plain = plain.encode()[:LONGEST_BYTES].decode(errors="ignore")
    free, count, sha256 = plain, 1, hashlib.sha256(content).hexdigest()
    with files.in_own_folder("models"), change_lock.held(folder() / "keep"):
        files.sweep_parts(folder(), idle=files.IDLE_SECONDS)
        while not _is_free(free, sha256):
            count += 1
            free = f"{plain}-{count}"
        files.write_bytes(folder() / f"{free}{SUFFIX}", content)
    return Known(name=free, path=folder() / f"{free}{SUFFIX}", card=card)


def _is_free(name: str, sha256: str) -> bool:
    """Whether nothing is called so, nor belongs to another one that was called so and was deleted by hand: what was
    measured of it, or a body part that it is taken for. `sha256`: of the file that shall have the name."""
    if name in (SHIPPED, PRESET) or (folder() / f"{name}{SUFFIX}").exists():
        return False
    if taken := model_uses.hashes(folder(), name):
        return sha256 in taken
    return not any((folder() / f"{name}{suffix}").exists() for suffix in _measured())


def export(name: str, target: Path) -> None:
    """Copy a model to a file of the user's choice. Raises ModelError where it is damaged, CannotWrite."""
    content = read_bytes(shipped.file_of(folder(), name))
    cards.verify(content)
    files.write_bytes(target, content)


def remove(name: str) -> None:
    """Delete a model, and what was measured of it: another one may have its name. Body parts that it was the default of
    have none. Raises ModelError for the one that ships, CannotWrite."""
    if name == SHIPPED:
        raise shipped.undeletable()
    model_uses.forget(folder(), name)
    try:
        for suffix in (SUFFIX, *_measured()):
            (folder() / f"{name}{suffix}").unlink(missing_ok=True)
    except OSError as error:
        raise files.cannot_write(files.OwnFolder("models", error)) from error


def _measured() -> tuple[str, ...]:
    """The ends of the names of files of what was measured of a model."""
    from fullfield.image import guards  # imports OpenCV

    return guards.OWN, tried.BESIDE


def uses(*, whole: bool = False) -> dict[str, Use]:
    """What "auto" takes for each body part of which that was ever chosen, and what it took before. `whole`: raise
    ModelError where that cannot be read, which else says nothing."""
    return model_uses.read(folder(), whole=whole)


def defaults() -> dict[str, str]:
    """The model of each body part that has one; those whose file is gone are left out."""
    return {part: use.model for part, use in uses().items() if use.model}


def set_default(body_part: str, name: str) -> None:
    """Let "auto" take this model for a body part, as its file is now; "": a preset again.

    Raises ModelError for a model that is no better than none, or where the choices cannot be read, CannotWrite.
    """
    if name:
        weakness.refuse(
            cards.read(shipped.file_of(folder(), name)),
            doing="This model cannot become a default.",
            hint="Train it longer or on more images, or let a preset be the default.",
        )
    model_uses.put(folder(), body_part, name)


def go_back(body_part: str) -> Use:
    """Let "auto" take what it took before for a body part. Raises ModelError where there is nothing, CannotWrite."""
    return model_uses.back(folder(), body_part)


def pinned(body_part: str) -> Path | None:
    """See `model.uses.pinned`."""
    return model_uses.pinned(folder(), body_part)


def _shipped() -> Path | None:
    path = shipped.file_of(folder(), SHIPPED)
    return path if path.is_file() else None


def read_bytes(path: Path, member: int | None = None) -> bytes:
    """The whole model file, or that of a `member`, from 0, of the ensemble that it is. Raises ModelError, without its
    path."""
    with cards.reading(), path.open("rb") as stream:
        place = ensemble.find(stream, member)
        if place.bytes <= LARGEST_BYTES:
            stream.seek(place.first)
            return stream.read(place.bytes)
    raise cards.refused("It is far larger than any model of this program.", "Choose another file.")
