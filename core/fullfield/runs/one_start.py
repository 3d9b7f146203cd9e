"""That all members of an ensemble begin from the same first weights: a file may be another one by its name later."""

from __future__ import annotations

from pathlib import Path

from fullfield import files
from fullfield.errors import UsageError
from fullfield.model import card as cards
from fullfield.plan.spec import WEIGHTS_FILE, fileless
from fullfield.protocol.ensembles import EnsembleSpec


def sha256(weights: str) -> str:
    """Of the file that `weights` names; "" where it names none. Raises ModelError where that is gone."""
    return cards.sha256(Path(weights)) if fileless(weights) == WEIGHTS_FILE else ""


def refuse_another(spec: EnsembleSpec, member: int) -> None:
    """Raise UsageError for a member that would begin from another file than those before it, ModelError where it is
    gone, and CannotWrite. The member looks once more when it has read it."""
    if not spec.weights_sha256:
        return
    if sha256(spec.training.weights) != spec.weights_sha256:
        raise UsageError(
            f"Cannot train member {member}.",
            detail="The file of first weights is another one than when the first member was to begin from it.",
            hint="Bring back the file of then under its name, then go on with this run.",
        )
    from fullfield.train import begun_from  # with numpy, which those who list runs do without

    begun_from.bind(Path(spec.runs[member - 1]), spec.weights_sha256)


def is_another(weights: str, known: EnsembleSpec) -> bool:
    """Whether these are other first weights than the members before have, of files by what they hold: those of a file
    that is gone are, too."""
    then = known.training.weights
    try:
        before = known.weights_sha256 or (weights != then and files.sha256(Path(then)))
        return bool(before) and files.sha256(Path(weights)) != before
    except OSError:
        return True
