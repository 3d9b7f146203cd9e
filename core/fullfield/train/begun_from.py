"""From which model a training began, as its card says it (`Card.start`): where that is one of the user's, the sentence
stays in the run's folder. Checkpoints, which may go to another machine, say less. Imports no torch.

    checkpoints/start.json    {"start": the whole sentence}, where it names a model that does not ship, with "sha256",
                              of the file of first weights, where the model is to be held against that one
    first-weights.json        {"sha256": of the file of first weights that it is to begin with}, of an ensemble's member
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from fullfield import checked, files
from fullfield.errors import ModelError, UsageError
from fullfield.image.method import SHIPPED
from fullfield.model import card as cards
from fullfield.model import registry, shipped
from fullfield.protocol.training import IMAGENET, NO_WEIGHTS

FILE, WANTED = "checkpoints/start.json", "first-weights.json"
NAMELESS = "The network starts from the weights of a model."


def nameless(sentence: str) -> str:
    """The sentence as another machine may read it: of a model that does not ship without its name."""
    if not sentence.startswith(cards.from_model("").removesuffix(".")):
        return sentence
    with contextlib.suppress(ModelError):  # none ships here
        if sentence == cards.from_model(cards.read(shipped.file_of(Path(), SHIPPED)).name):
            return sentence
    return NAMELESS


def whole(run: Path, sentence: str) -> str:
    """The sentence as the run's own user reads it, where one of its checkpoints or models says it so."""
    kept = _kept(run)
    return kept if sentence == nameless(kept) else sentence


def keep(run: Path, sentence: str, weights: str | None = None) -> None:
    """Keep it for `whole`, where a checkpoint may not hold it. `weights`: the setting that it has just begun with,
    whose file is known by `sha256` then. Raises ModelError where that is gone, CannotWrite."""
    if weights is not None:
        of = "" if weights in (IMAGENET, NO_WEIGHTS) else cards.sha256(registry.first_weights(weights))
        files.write_text(run / FILE, json.dumps({"start": sentence, "sha256": of}))
    elif sentence not in (nameless(sentence), _kept(run)):
        files.write_text(run / FILE, json.dumps({"start": sentence}))


def bind(run: Path, sha256: str) -> None:
    """Let the training in `run`, which has not begun, begin with no other file of first weights. Raises CannotWrite."""
    try:
        folder = files.private_folder(run)
    except OSError as error:
        raise files.cannot_write(error) from error
    files.write_text(folder / WANTED, json.dumps({"sha256": sha256}))


def refuse_another(run: Path, weights: str) -> None:
    """Raise UsageError where the file that a training has just begun with is none that it is bound to, ModelError where
    it is gone. `weights`: the setting."""
    wanted = _kept(run, "sha256", WANTED)
    if wanted and weights not in (IMAGENET, NO_WEIGHTS) and cards.sha256(registry.first_weights(weights)) != wanted:
        raise UsageError(
            "Cannot train a further member of this ensemble.",
            detail="The file of first weights is another one than when the first member was to begin from it.",
            hint="Bring back the file of then under its name, then go on with this run.",
        )


def sha256(run: Path) -> str:
    """The SHA-256 of the file of first weights that it began with; "" where there was none, or none was kept."""
    return _kept(run, "sha256")


def _kept(run: Path, name: str = "start", file: str = FILE) -> str:
    try:
        return str(checked.parse((run / file).read_bytes())[name])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
