"""What a state is at a moment, and what becomes of it where it comes back."""

from __future__ import annotations

import pytest
import torch

from fullfield.kernels.stored import LEVELS, Stored
from fullfield.train import step as steps
from fullfield.train.state import Best, Progress
from techniques import stepping

BEST = Best(epoch=1, validation_loss=2.5, file="best-1", sha256="12")


@pytest.mark.parametrize("best", [None, BEST])
def test_that_where_it_stands_and_what_it_began_from_come_back(best: Best | None) -> None:
    one, other = stepping.state(), stepping.state()
    one.progress = Progress(step=5, epoch=1, batch=2, loss_sum=3.0, loss_count=4, epoch_seconds=6.0, best=best)
    one.progress.bad_steps, one.progress.skipped, one.progress.history = 1, 2, [{"epoch": 1.0}]
    one.start, one.seen, one.data, one.threads = "From scratch.", ("ab", "cd"), "the images", 7
    fields = one.fields()
    assert (fields["threads"], fields["ranks"], fields["replicas"], fields["data"]) == (7, 1, 1, "the images")
    assert fields["scaler"] == {}
    other.restore(stepping.copied(one), fields)
    assert other.progress == one.progress and other.start == one.start and other.seen == ("ab", "cd")
    del fields["seen"]
    other.restore(stepping.copied(one), fields)
    assert other.seen == (), "an earlier version kept none"


def test_that_numbers_are_drawn_on_as_if_nothing_had_been_between() -> None:
    one, other = stepping.state(), stepping.state()
    torch.manual_seed(5)
    saved = stepping.copied(one), one.fields()
    wanted = torch.rand(3)
    torch.rand(7)
    other.restore(*saved)
    assert torch.equal(torch.rand(3), wanted)


def test_that_ranges_of_int8_come_back_and_those_of_the_best_model_beside_them() -> None:
    one, other = stepping.state(), stepping.state()
    for state, value in ((one, 3.0), (other, 9.0)):
        ranges = state.build.ranges["stem"] = torch.nn.Module()
        ranges.register_buffer("most", torch.tensor([value]))
    one.best_ranges = {"stem.most": torch.tensor([2.0])}
    copies = one.ranges()
    saved = stepping.copied(one), one.fields()
    one.set_ranges({"stem.most": torch.tensor([4.0])})
    assert one.ranges()["stem.most"].item() == 4.0 and copies["stem.most"].item() == 3.0, "they are copies"
    other.restore(*saved)
    assert other.ranges()["stem.most"].item() == 3.0 and other.best_ranges.keys() == {"stem.most"}
    assert other.best_ranges["stem.most"].item() == 2.0


def test_that_what_techniques_keep_comes_back_into_the_very_tensors() -> None:
    one, other = stepping.state(), stepping.state()
    for state, value in ((one, 3.0), (other, 9.0)):
        state.build.kept["mean"] = torch.tensor([value])
    kept = other.build.kept["mean"]
    other.restore(stepping.copied(one), one.fields())
    assert other.build.kept["mean"] is kept and kept.item() == 3.0


def test_that_an_optimizer_that_remembers_nothing_yet_has_nothing_to_restore() -> None:
    one, other = stepping.state(), stepping.state()
    other.restore(stepping.copied(one), one.fields())
    assert not other.update.tensors() and not one.update.tensors()
    stepping.go(one, 1)
    other.restore(stepping.copied(one), one.fields())
    assert stepping.equal(stepping.copied(one), stepping.copied(other))
    assert all(parameter.grad is None for parameter in other.network.parameters())


@pytest.mark.parametrize("stored", [False, True])
def test_that_images_are_laid_out_as_a_network_takes_them(stored: bool) -> None:
    levels = torch.arange(24).reshape(2, 1, 3, 4).to(torch.uint16)
    given = Stored(levels, torch.linspace(0, 1, LEVELS)[None].expand(2, -1)) if stored else levels
    assert steps.laid_out(given, torch.contiguous_format) is given
    laid = steps.laid_out(given, torch.channels_last)
    inside = laid.levels_NCHW if isinstance(laid, Stored) else laid
    assert inside.shape == (2, 1, 3, 4) and inside.stride() == (12, 1, 4, 1) and torch.equal(inside, levels)
    assert not isinstance(laid, Stored) or (isinstance(given, Stored) and laid.tables is given.tables)


@pytest.mark.parametrize(
    ("step", "count", "warm_up", "schedule", "wanted"),
    [
        (0, 100, 0.1, "cosine", 0.2),
        (8, 100, 0.1, "cosine", 1.8),
        (9, 100, 0.1, "cosine", 2.0),
        (10, 100, 0.1, "cosine", 2.0),
        (55, 100, 0.1, "cosine", 1.01),
        (100, 100, 0.1, "cosine", 0.02),
        (500, 100, 0.1, "cosine", 0.02),
        (55, 100, 0.1, "constant", 2.0),
        (4, 100, 0.1, "constant", 1.0),
        (0, 100, 0.0, "cosine", 2.0),
        (0, 1, 0.9, "cosine", 2.0),
        (1, 1, 0.9, "cosine", 2.0),
    ],
)
def test_that_the_rate_of_a_step_is_this(step: int, count: int, warm_up: float, schedule: str, wanted: float) -> None:
    found = steps.learning_rate(step, count, largest=2.0, schedule=schedule, warm_up=warm_up)
    assert found == pytest.approx(wanted)


def test_that_a_frozen_network_trains_all_but_its_statistics() -> None:
    network = stepping.state().network
    for frozen in (True, False):
        network.eval()
        steps.set_mode(network, frozen=frozen)
        modes = {type(module).__name__: module.training for module in network.modules()}
        assert modes["Conv2d"] and modes["Sequential"] and modes["BatchNorm2d"] is not frozen


def test_that_contexts_are_opened_in_their_order_and_closed_in_the_other() -> None:
    import contextlib
    from collections.abc import Iterator

    seen: list[str] = []

    @contextlib.contextmanager
    def context(name: str) -> Iterator[None]:
        seen.append(f"open {name}")
        yield
        seen.append(f"close {name}")

    with steps.opened([lambda: context("a"), lambda: context("b")]):
        seen.append("inside")
    assert seen == ["open a", "open b", "inside", "close b", "close a"]
