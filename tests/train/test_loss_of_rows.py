"""The parts of a loss that ranks with some rows of each image find: they sum to that of whole images, gradients too."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from fullfield.kernels import msssim
from fullfield.kernels.msssim import Structure
from fullfield.kernels.msssim_shares import SharedStructure
from fullfield.model.phantom import phantom
from fullfield.train import loss as losses
from fullfield.train import loss_of_rows
from teams import Member, together

HEIGHT, WIDTH = 192, 184
STRUCTURE = Structure(variant=msssim.UNCOMPILED)


def images(count: int) -> Tensor:
    planes = [torch.from_numpy(phantom(HEIGHT, WIDTH, seed=seed))[None] for seed in range(count)]
    return torch.stack(planes).double()


@pytest.mark.parametrize(
    ("shapes", "portions", "l1"),
    [
        ([(181, 177)], (2, 1), False),
        ([(100, 150)], (1, 1), True),  # narrow, and the second rank has some rows of it
        ([(90, 150)], (1, 1), True),  # the second rank has none
        ([(HEIGHT, WIDTH), (100, 150)], (1, 1), True),
    ],
    ids=str,
)
def test_that_the_parts_of_ranks_sum_to_the_loss_of_whole_images_with_its_gradient(
    shapes: list[tuple[int, int]], portions: tuple[int, ...], l1: bool
) -> None:
    x, y = images(len(shapes)), images(len(shapes)).sqrt()
    for image, (rows, columns) in zip(x, shapes, strict=True):
        image[:, rows:], image[:, :, columns:] = 0.0, 0.0  # which do not count
    whole = x.clone().requires_grad_()
    wanted = losses.on_true_parts(whole, y, shapes, structure=STRUCTURE, l1=l1)
    torch.autograd.backward([wanted[0] + 2 * wanted[1]])
    assert whole.grad is not None and 0 < wanted[0] < 1 and bool(wanted[1] > 0) is l1

    def rank(member: Member) -> tuple[float, float, Tensor]:
        team = member.portioned(portions)
        first, last = team.own(HEIGHT)
        own = x[:, :, first:last].clone().requires_grad_()
        found = loss_of_rows.on_true_parts(
            own,
            y[:, :, first:last],
            shapes,
            first,
            team=team,
            structure=SharedStructure(of=STRUCTURE, team=team),
            of_whole=STRUCTURE,
            l1=l1,
        )
        torch.autograd.backward([found[0] + 2 * found[1]])
        assert own.grad is not None
        return found[0].item(), found[1].item(), own.grad

    found = together(len(portions), rank)
    for part in range(2):
        assert sum(one[part] for one in found) == pytest.approx(wanted[part].item(), rel=1e-10)
    assert [one[0] for one in found[1:]] == [0.0] * (len(portions) - 1), "one tells what all know"
    torch.testing.assert_close(torch.cat([one[2] for one in found], dim=2), whole.grad, rtol=1e-8, atol=1e-14)
