"""The moving average of the weights: its numbers, what is made with it, and that it is kept."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

import narrow
from fullfield.bench.memory import Comparison
from fullfield.data.loader import Loader
from fullfield.errors import Interrupted, UsageError
from fullfield.memory import allocator
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect
from fullfield.techniques.build import begin
from fullfield.techniques.ema import STARTS
from fullfield.train import evaluate
from fullfield.train import step as steps
from fullfield.train.state import State
from support import without_compiler
from techniques.stepping import batch, copied, equal, go, operations, resumes_bit_for_bit, site, state, whole_network
from training import prepared_phantoms

narrowed = narrow.networks()

CPU = torch.device("cpu")
SETS = [(), ("accumulate",), ("optimizer_in_backward",), ("optimizer_offload",), ("lamb",), ("channels_last",)]


def now(one: State) -> dict[str, Tensor]:
    """What the network computes with, but for counts."""
    values = one.network.state_dict().items()
    return {name: value.clone() for name, value in values if value.is_floating_point()}


def average(one: State) -> dict[str, Tensor]:
    """What is evaluated and exported."""
    with steps.opened(one.build.as_result):
        return now(one)


@pytest.mark.parametrize(("decay", "others"), [(0.0, ()), (0.9, ()), *((0.5, others) for others in SETS)], ids=str)
def test_that_it_is_the_weighted_mean_of_the_states_after_every_update_in_fp64(
    decay: float, others: tuple[str, ...]
) -> None:
    one = state(f"ema:decay={decay}", *others, dtype=torch.float64)
    images = batch(2, torch.float64)
    after: list[dict[str, Tensor]] = []
    for _ in range(3):
        go(one, 1, images)
        after.append(now(one))
    shares = [decay ** (len(after) - 1 - number) for number in range(len(after))]
    for name, found in average(one).items():
        wanted = sum((share * values[name] for share, values in zip(shares, after, strict=True)), 0 * found)
        wanted /= sum(shares)
        assert (found - wanted).norm() <= 1e-13 * wanted.norm()
    assert equal(now(one), after[-1])  # the weights are trained on


@pytest.mark.parametrize("others", SETS, ids=str)
def test_that_the_training_itself_is_the_same_bits(others: tuple[str, ...]) -> None:
    images = batch(2)
    plain, one = state(*others), state("ema", *others)
    found = [go(each, 3, images) for each in (plain, one)]
    average(one)
    assert found[0] == found[1]
    assert equal(copied(plain), {name: value for name, value in copied(one).items() if not name.startswith("kept.")})


def test_that_the_beginning_has_no_part_in_it() -> None:
    one = state("ema:decay=0.999")
    go(one, 1)
    assert equal(average(one), now(one))


def test_that_before_the_first_update_it_is_the_network_as_it_was() -> None:
    one = state("ema")
    assert equal(average(one), now(one))


def test_that_a_step_that_is_skipped_moves_no_average() -> None:
    one = state("ema:decay=0.5")
    go(one, 2)
    before = copied(one)
    next(one.network.parameters()).register_hook(lambda gradient: gradient * torch.inf)
    assert go(one, 1)[0].skipped
    assert equal(copied(one), before)


def test_that_inside_backward_only_updated_weights_move_their_average() -> None:
    one = state("ema:decay=0.5", "optimizer_in_backward")
    go(one, 2)
    before = average(one)
    next(one.network.parameters()).register_hook(lambda gradient: gradient * torch.inf)
    assert go(one, 1)[0].spared == 1
    found = average(one)
    assert torch.equal(found["0.weight"], before["0.weight"])
    assert not torch.equal(found["3.weight"], before["3.weight"])


@pytest.mark.parametrize(
    "others", [*SETS, ("optimizer_8bit",), ("optimizer_4bit", "gradient_clipping"), ("lars",)], ids=str
)
def test_that_a_restored_training_goes_on_bit_for_bit(others: tuple[str, ...]) -> None:
    resumes_bit_for_bit("ema:decay=0.9", *others)


def test_that_a_checkpoint_holds_the_weights_and_their_average() -> None:
    one = state("ema:decay=0.9")
    go(one, 3)
    tensors = one.tensors()
    assert torch.equal(tensors["kept.ema.0.weight"], average(one)["0.weight"])
    assert torch.equal(tensors["kept.ema.1.running_var"], average(one)["1.running_var"])
    assert not torch.equal(tensors["kept.ema.0.weight"], tensors["network.0.weight"])


@pytest.mark.parametrize("others", [(), ("hybrid_bands:rows=32",), ("compile:backend=aot_eager",)], ids=str)
def test_that_the_average_is_evaluated_and_the_weights_are_back_afterwards(
    others: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = prepared_phantoms(tmp_path_factory.mktemp("data"), 1, rows=192, columns=192)
    loader = Loader(data, data.items)
    build = begin(whole_network(), CPU)
    compose.apply(compose.read(["ema", *others]), build)
    torch.manual_seed(1)
    for name, value in build.kept.items():
        if name.endswith("weight"):
            value.add_(0.2 * torch.randn_like(value))
    before = {name: value.clone() for name, value in build.network.state_dict().items()}
    found = evaluate.of_network(build, loader)
    assert equal(before, build.network.state_dict())
    plain = begin(whole_network(), CPU)
    assert evaluate.of_network(plain, loader).loss != pytest.approx(found.loss, rel=1e-2)
    plain.network.load_state_dict({**before, **{name.removeprefix("ema."): one for name, one in build.kept.items()
                                                if name != "ema.updates"}})  # fmt: skip
    assert evaluate.of_network(plain, loader).loss == pytest.approx(found.loss, rel=1e-4)


def test_that_an_evaluation_that_is_stopped_leaves_the_weights_in_place(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    data = prepared_phantoms(tmp_path_factory.mktemp("data"), 1, rows=192, columns=192)
    build = begin(whole_network(), CPU)
    compose.apply(compose.read(["ema"]), build)
    build.kept["ema.stages.head.conv.weight"].zero_()
    before = {name: value.clone() for name, value in build.network.state_dict().items()}

    def stop() -> None:
        raise Interrupted("stopped")

    with pytest.raises(Interrupted):
        evaluate.of_network(build, Loader(data, data.items), each=stop)
    assert equal(before, build.network.state_dict())


@pytest.mark.parametrize("others", [(), ("hybrid_bands", "banded_loss")], ids=str)
def test_that_a_step_takes_what_was_predicted_within_three_percent_and_never_more(
    others: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_compiler(monkeypatch)
    torch.set_num_threads(1)
    bench = Comparison("resnet18")
    shape = Shape(height=192, width=224, encoder="resnet18")
    found = bench.compare(compose.read(["ema", *others]), shape)
    assert found.measured <= found.predicted * 1.01
    assert found.predicted * 1.01 <= 1.03 * found.measured
    more = found.predicted - bench.predict(compose.read(others), shape).fullest.peak
    weights = sum(parameter.nbytes for parameter in whole_network().parameters())
    assert weights <= more <= 1.01 * weights


def test_that_what_it_keeps_is_one_more_copy_and_following_takes_no_more() -> None:
    build = begin(whole_network(), CPU)
    technique = registry.read("ema")
    technique.apply(build)
    parameters = list(build.network.parameters())
    (follow,) = build.updated
    kept = sum(tensor.nbytes for tensor in build.kept.values())
    estimate = technique.predict(MemoryEstimate(shape=Shape(height=64, width=64, encoder="resnet18")), site())
    weights = sum(parameter.nbytes for parameter in parameters)
    assert kept == pytest.approx(estimate.copies * weights, rel=0.01)
    assert allocator.peak(lambda: follow(parameters), CPU).peak < 0.001 * weights
    assert operations(lambda: follow(parameters)) <= STARTS * len(parameters)


def test_that_it_comes_on_top_of_what_any_optimizer_remembers() -> None:
    estimates = [
        compose.predict(compose.read(names), site())
        for names in (["optimizer_8bit"], ["optimizer_8bit", "ema"], ["optimizer_offload", "ema"])
    ]
    assert estimates[1].copies == pytest.approx(estimates[0].copies + 1.0, rel=1e-3)
    assert (estimates[2].state, estimates[2].copies, estimates[2].host_state) == (
        0.0,
        pytest.approx(1.0, rel=1e-3),
        2.0,
    )


def test_that_it_is_said_to_change_the_model_and_refuses_int8_with_the_reason() -> None:
    assert compose.effect(compose.read(["ema"]), site()) == Effect.MODEL
    with pytest.raises(UsageError) as reported:
        compose.read(["ema", "quantization"])
    assert "not for their average" in reported.value.detail
