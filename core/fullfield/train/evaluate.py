"""How close images come to their references: the loss, PSNR, and the finest band, which MS-SSIM does not see.

Every image is measured whole, alone, on its true part; figures are means over images. A training's network is run as
its steps run it, without gradients: what has fitted into memory for a step fits here. The plain network would take 370
bytes per pixel, four times what a step in full bands takes.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import cast

import numpy as np
import torch
from torch import Tensor

from fullfield.data import prepared
from fullfield.data.loader import STORED, Batch, Loader
from fullfield.data.prepared import Unit, View
from fullfield.distribution import share
from fullfield.distribution.team import ALONE, Team
from fullfield.image import measure
from fullfield.image.image import InputKind
from fullfield.kernels import msssim, stored
from fullfield.kernels.shares import Share
from fullfield.model.placed import Placed
from fullfield.techniques.build import Build
from fullfield.train import loss as losses
from fullfield.train import step as steps

SIMULATED = "simulated"
_STRUCTURE = msssim.Structure(variant=msssim.UNCOMPILED)  # as fast as the plain one, in a tenth of its memory


@dataclass(frozen=True, kw_only=True)
class Quality:
    """`loss`: 100·(1 − MS-SSIM). `psnr_db`. `fine_sd_ratio`: the finest band's SD over the reference's, wanted 0.9 to
    1.1; `fine_correlation`: of both finest bands, wanted at least what the conventional processor reaches.

    `loss_by_kind`: of "raw" and of "processed" inputs, where there are both, and of the "simulated" raw ones, where
    others are raw, too; the other figures are means over all inputs.
    """

    loss: float
    psnr_db: float
    fine_sd_ratio: float
    fine_correlation: float
    loss_by_kind: dict[str, float] = field(default_factory=dict)

    @property
    def figures(self) -> dict[str, float]:
        """All of it by name: `loss_raw`, `loss_processed`, `loss_simulated` where there are other kinds, too."""
        values = asdict(self)
        by_kind = values.pop("loss_by_kind")
        return values | {f"loss_{kind}": loss for kind, loss in by_kind.items()}


def of_pair(image: Unit, reference: Unit) -> Quality:
    """One image against its reference, both (rows, columns) in 0…1."""
    one, other = (torch.from_numpy(np.ascontiguousarray(plane))[None, None] for plane in (image, reference))
    with torch.no_grad():
        structure = float(losses.ms_ssim_loss(one, other, structure=_STRUCTURE))
    ratio, correlation = measure.finest_band(image, reference)
    return Quality(
        loss=losses.PERCENT * structure,
        psnr_db=measure.psnr(image, reference),
        fine_sd_ratio=ratio,
        fine_correlation=correlation,
    )


def mean(found: Iterable[Quality]) -> Quality:
    """The mean of each figure over the images where it is defined (a constant image has no finest band). Every image
    has a loss: where one is no number, neither is their mean."""
    rows = list(found)

    def of(name: str) -> float:
        numbers = [value for row in rows if math.isfinite(value := getattr(row, name))]
        return sum(numbers) / len(numbers) if numbers else math.nan

    return Quality(
        loss=sum(row.loss for row in rows) / len(rows) if rows else math.nan,
        psnr_db=of("psnr_db"),
        fine_sd_ratio=of("fine_sd_ratio"),
        fine_correlation=of("fine_correlation"),
    )


def over_kinds(found: Iterable[tuple[View, Quality]]) -> Quality:
    """The mean over all inputs; where there are several kinds, with the loss of each."""
    rows = list(found)
    raw = [(view, row) for view, row in rows if view[1] is InputKind.RAW]
    simulated = [row for view, row in raw if prepared.is_simulated(view)]
    groups = {
        InputKind.PROCESSED.value: [row for view, row in rows if view[1] is InputKind.PROCESSED],
        InputKind.RAW.value: [row for _, row in raw],
        SIMULATED: simulated if len(simulated) < len(raw) else [],
    }
    by_kind = {name: mean(group).loss for name, group in groups.items() if 0 < len(group) < len(rows)}
    return replace(mean(row for _, row in rows), loss_by_kind=by_kind)


Look = Callable[[int, Unit, Batch], None]


def of_network(
    build: Build,
    loader: Loader,
    *,
    each: Callable[[], None] = lambda: None,
    look: Look = lambda place, output, batch: None,
    first: int = 0,
) -> Quality:
    """The network as it is exported, on all images of `loader`, in evaluation mode. `each` is called per image and may
    raise to stop; `look` is given each image's place, what was made of it, and its batch.

    Replicas take images as those of a batch: the first one that at the place `first`. `each` is then called per round,
    and `look` on the rank that has the image; of ranks that share rows that is the first one.
    """
    build.network.eval()
    with steps.opened(build.as_result):
        model = partial(_predicted, build)
        return of_model(model, loader, each=each, look=look, ranks=Ranks.of(build), first=first)


@dataclass(frozen=True, kw_only=True)
class Ranks:
    """Who evaluates: `replicas` take images as those of a batch, each of which the ranks of a `team` predict together;
    one of these measures. `all`: who is to know what was found."""

    replicas: Team = ALONE
    team: Team = ALONE
    all: Team = ALONE

    @classmethod
    def of(cls, build: Build) -> Ranks:
        """Those of a training."""
        return cls(replicas=build.replicas, team=build.team, all=build.ranks)


def _predicted(build: Build, x_NCHW: Tensor) -> Tensor | None:
    """What the network makes of an image; of ranks that make it together the first one gets it, the others None."""
    if build.int8 is not None:  # the rounding of its parts would go on to find ranges
        return cast(Tensor, build.network(x_NCHW.to(build.device)))
    if build.placed is not None:
        return _placed(build, build.placed, x_NCHW)
    team, height = build.team, x_NCHW.shape[2]
    lo, hi = team.own(height)
    with steps.opened((*build.around, *build.in_evaluation)):
        made = cast(Tensor, build.chain(steps.laid_out(x_NCHW[:, :, lo:hi].to(build.device), build.layout)))
    want = [(0, height) if rank == 0 else None for rank in range(team.size)]
    whole = Share(team, lambda first, last: made[:, :, first - lo : last - lo], team.shares(height), want)
    return whole.rows(0, height) if team.writes else None


def _placed(build: Build, placed: Placed, x_NCHW: Tensor) -> Tensor | None:
    """Likewise, of ranks that have its parts."""
    if placed.takes_images:
        x_NCHW = cast(Tensor, steps.laid_out(x_NCHW.to(build.device), build.layout))
    with steps.opened((*build.around, *build.in_evaluation)):
        made = placed.forward(x_NCHW)[1]
        return placed.to_first(made, tuple(x_NCHW.shape))


def of_model(
    model: Callable[[Tensor], Tensor | None],
    loader: Loader,
    *,
    each: Callable[[], None] = lambda: None,
    look: Look = lambda place, output, batch: None,
    ranks: Ranks = Ranks(),
    first: int = 0,
) -> Quality:
    """Whatever makes predictions of images, on all images of `loader`; see `of_network`. `model` is given them where
    they were read, and returns None where another rank measures."""
    numbers = [[0.0] * _NUMBERS for _ in range(loader.images)]
    dealt = share.dealt(sum(ranks.replicas.portions), ranks.replicas.portions)  # a round, over and over
    turn, turns = dealt.index(0) - first, len(dealt)
    own = [place for place in range(loader.images) if dealt[(place + turn) % turns] == ranks.replicas.rank]
    with torch.no_grad(), contextlib.closing(loader.in_order(lambda count: own, kept=STORED)) as batches:
        for begin in range(0, loader.images, turns):
            for place in (one for one in own if begin <= one < begin + turns):
                batch = next(batches)
                rows, columns = batch.shapes[0]
                made = model(stored.values(batch.x_NCHW))
                if made is not None:
                    output = made[0, 0, :rows, :columns].float().cpu().numpy()
                    look(place, output, batch)
                    quality = of_pair(output, stored.values(batch.y_NCHW)[0, 0, :rows, :columns].numpy())
                    numbers[place] = _to_numbers(quality)
                    del made, output
            each()
    flat = ranks.all.agree([number for row in numbers for number in row])  # of other ranks' images it has zeros
    found = [_from_numbers(flat[start : start + _NUMBERS]) for start in range(0, len(flat), _NUMBERS)]
    return over_kinds(zip(loader.views, found, strict=True))


_NUMBERS = 4


def _to_numbers(quality: Quality) -> list[float]:
    return [quality.loss, quality.psnr_db, quality.fine_sd_ratio, quality.fine_correlation]


def _from_numbers(numbers: list[float]) -> Quality:
    loss, psnr_db, ratio, correlation = numbers
    return Quality(loss=loss, psnr_db=psnr_db, fine_sd_ratio=ratio, fine_correlation=correlation)
