"""What several processes share of a step where nobody says it: one rule for who plans, who trains, and who looks
whether a training can begin. The techniques say when they are meant (`Technique.unasked`). Imports no torch."""

from __future__ import annotations

from collections.abc import Sequence

from fullfield.errors import UsageError
from fullfield.techniques import compose, networks, registry
from fullfield.techniques.base import Stage, Technique
from fullfield.techniques.site import Several, Site


def decided(techniques: Sequence[str], several: Several) -> tuple[str, ...]:
    """With the technique by which so many processes share a step, where none of these says it. Raises UsageError:
    techniques in conflict, or see `refuse_idle`."""
    found, named = tuple(techniques), compose.read(techniques)
    if several.ranks > 1 and not any(one.stage.of_ranks for one in named):
        name = _unasked(named, several)
        found, named = (*found, name), (*named, registry.read(name))
    refuse_idle(named, several)
    return found


def refuse_idle(named: Sequence[Technique], several: Several, site: Site | None = None) -> None:
    """Raise UsageError where a batch has too few images for each process to have one. Such as share each image, or the
    network, may be as many as they like. `site`: where it is known, what is impossible there is not proposed."""
    ranks, batch = several.ranks, several.batch
    if are_idle(named, ranks=ranks, batch=batch):
        detail = f"There are fewer images in a batch ({batch}) than processes."
        if batch >= ranks:
            detail = f"By the portions that are named one of them has none of the {batch} images of a batch."
        least = _least(named, ranks)
        hint = f"Choose --batch {least} or more, or fewer --processes."
        if several.computers > 1:
            hint = f"Choose --batch {least} or more, or fewer machines."
        raise UsageError(
            f"Cannot train in {ranks} processes.",
            detail=detail,
            hint=f"{hint} {_of_each_image(named, several, site)}".strip(),
        )


def are_idle(named: Sequence[Technique], *, ranks: int, batch: int) -> bool:
    """Whether a batch has too few images for so many processes, which share neither each image nor the network."""
    divided = any(one.stage in (Stage.PLACEMENT, Stage.PIPELINE) for one in named)
    return not divided and batch < _least(named, ranks)


def _least(named: Sequence[Technique], ranks: int) -> int:
    return max((one.least_batch(ranks) for one in named), default=ranks)


def _of_each_image(named: Sequence[Technique], several: Several, site: Site | None) -> str:
    """A sentence on how they may share each image, with what else is named, or on why these images cannot be; nothing
    where it is not for the network, or for what is named."""
    others = [one for one in named if not one.stage.of_ranks]
    for kind in registry.all_techniques().values():
        possible = kind.stage is Stage.PLACEMENT and networks.serves(kind, several.network)
        if possible and not compose.exclusions((*others, kind())):
            refused = kind().refuse(site) if site is not None else None
            if refused is not None:
                return refused.text
            techniques = " ".join(map(str, (*others, kind())))
            return (
                f"Or let them share each image: --techniques {techniques}; fullfield train --fit auto finds that too."
            )
    return ""


def _unasked(named: Sequence[Technique], several: Several) -> str:
    """The first that is meant here, is for the network and goes with the others; else the last that is meant, and what
    is wrong with it is told where it is refused."""
    meant = [kind for kind in registry.all_techniques().values() if kind.unasked(several)]
    possible = (
        kind for kind in meant if networks.serves(kind, several.network) and not compose.conflicts((*named, kind()))
    )
    return next(possible, meant[-1]).name
