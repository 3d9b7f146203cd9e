"""An ensemble: the same training several times with other first weights and another order, and one model of all."""

from __future__ import annotations

from dataclasses import dataclass

from fullfield.checked import Count
from fullfield.protocol.training import Training
from fullfield.protocol.wire import Event

LEAST, MOST = 2, 8
"""Members of an ensemble."""


@dataclass(frozen=True, kw_only=True)
class EnsembleSpec:
    """`training`: what all members do, at the places that it names: several share the members, and each does one
    after another. `runs`: the folder of each member's run; there are so many members.

    `processes`: of each member, on this computer. `images_to`: addresses of nodes to which this user has said that the
    images may go. `keep`: the name under which the model is put among this user's models; "": it only lies in the run.
    `weights_sha256`: of the file of first weights; "": they are of no file, or an older version has begun it.
    """

    training: Training
    runs: tuple[str, ...]
    processes: Count = 1
    images_to: tuple[str, ...] = ()
    keep: str = ""
    weights_sha256: str = ""


@dataclass(frozen=True, kw_only=True)
class MemberReported(Event):
    """How far `member`, from 1, of so many `members` is. `place`: where it is trained. `state`: running, or how it
    ended (see `fullfield.runs.runs.State`); `epoch` of `epochs` are done, with this validation loss."""

    member: Count
    members: Count
    place: str
    state: str
    epoch: Count = 0
    epochs: Count = 0
    validation_loss: float | None = None


@dataclass(frozen=True, kw_only=True)
class EnsembleMade(Event):
    """There is one model of so many `members`. `kept`: its name among this user's models; "": it lies in the run."""

    members: Count
    sha256: str
    kept: str = ""
