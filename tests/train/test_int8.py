"""What a training for int8 leaves: the int8 model in a file, its validation loss, and a training as it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import narrow
from fullfield.data.prepared import Prepared
from fullfield.model import weights
from fullfield.model.network import Network
from fullfield.protocol.events import Notice, PhaseStarted
from fullfield.techniques.build import Build
from fullfield.train import build, fit, result
from fullfield.train.fit import Rung
from fullfield.train.state import State
from training import FakeContext, prepared_phantoms, settings, train

TRAINING, VALIDATION = 3, 1
PHASES = 4  # baselines, building, training, the 8-bit model


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepared_phantoms(tmp_path_factory.mktemp("data"), TRAINING + VALIDATION, rows=192, columns=176)


@pytest.fixture(scope="module", autouse=True)
def unplanned() -> Iterator[None]:
    """Planning exports every stage once more, in each training: what a step takes is proved in tests of techniques."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit, "rungs", lambda spec, *given, **named: [Rung(spec=spec)])
        yield


def ranges_by(
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Network], Any] | None = None,
    before: Callable[[State], None] = lambda _: None,
) -> list[dict[str, Tensor]]:
    """The ranges that int8 models are made with from now on, as trainings do it or by `make`. `before`: is called with
    a training's state first."""
    found: list[dict[str, Tensor]] = []
    state_of = build.state

    def state(*given: Any, **named: Any) -> State:
        one = state_of(*given, **named)
        before(one)
        usual = one.build.int8

        def made(network: Network) -> Any:
            found.append(one.ranges())
            return (make or usual)(network)

        one.build.int8 = made
        return one

    monkeypatch.setattr(build, "state", state)
    return found


@pytest.fixture
def narrowed() -> Iterator[None]:
    """Not where a network is exported, whose bytes are looked at: that takes as long of a narrow one."""
    with narrow.everywhere():
        yield


@dataclass(frozen=True)
class Trained:
    """A training for int8: its folder and events, its summary, the ranges that its int8 model was made with, and what
    was made."""

    context: FakeContext
    short: dict[str, Any]
    ranges: dict[str, Tensor]
    made: Made


@dataclass(frozen=True)
class Made:
    """An int8 model beside the chain that it was made of: what both compute of one image, and what its making left."""

    unchanged: bool
    bytes_of_weights: int
    numbers: int  # weights of all convolutions
    computed: Tensor
    trained: Tensor

    @classmethod
    def by(cls, one: Build, network: Network, convert: Callable[[Network], Any]) -> tuple[Any, Made]:
        """The int8 model of `network`, whose weights the chain of `one` gets."""
        one.network.load_state_dict(network.state_dict())
        before = {name: value.clone() for name, value in whole_state(one).items()}
        modes = [module.training for module in one.network.modules()]
        integer = convert(network)
        unchanged = all(torch.equal(value, before[name]) for name, value in whole_state(one).items())
        unchanged = unchanged and modes == [module.training for module in one.network.modules()]
        x = torch.rand(1, 1, 64, 96, generator=torch.Generator().manual_seed(5))
        numbers = sum(value.numel() for value in network.parameters() if value.ndim == 4)
        with torch.no_grad():
            one.network.eval()
            computed, wanted = integer(x), one.chain(x)
        return integer, cls(unchanged, integer.weight_bytes, numbers, computed, wanted)


def whole_state(one: Build) -> dict[str, Tensor]:
    return {**one.network.state_dict(), **one.ranges.state_dict()}


@pytest.fixture(scope="module")
def trained(data: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """Exporting and converting take a minute: once for all tests."""
    context, found = FakeContext(tmp_path_factory.mktemp("runs") / "int8"), list[Made]()

    def looked_at(state: State) -> None:
        convert = state.build.int8
        assert convert is not None

        def both(network: Network) -> Any:
            integer, made = Made.by(state.build, network, convert)
            found.append(made)
            return integer

        state.build.int8 = both

    with pytest.MonkeyPatch.context() as patch:
        taken = ranges_by(patch, before=looked_at)
        short = train(settings(data, techniques=["quantization"]), context)
    return Trained(context, short, taken[0], found[0])


@pytest.mark.slow
def test_that_a_training_for_int8_leaves_the_model_and_says_its_validation_loss(
    trained: Trained,
) -> None:
    context, short = trained.context, trained.short
    summary = json.loads((context.folder / "summary.json").read_text())
    assert summary["int8_validation_loss"] == short["int8_validation_loss"] > 0
    assert summary["int8_validation_loss"] != short["validation_loss"]
    assert summary["weight_bytes"] / 4 < summary["int8_weight_bytes"] < 0.27 * summary["weight_bytes"]
    assert (context.folder / "model-int8.pt2").stat().st_size < 0.3 * summary["weight_bytes"]
    losses = f"{short['int8_validation_loss']:.2f}, with 32 bits {short['validation_loss']:.2f}"
    reported = [event for event in context.reported(Notice) if event.text.startswith("As an 8-bit model")]
    assert [event.level for event in reported] == ["info"]
    assert f"the validation loss is {losses}" in reported[0].text


@pytest.mark.slow
def test_that_the_int8_model_computes_what_was_trained_and_changes_nothing_of_it(trained: Trained) -> None:
    made = trained.made
    assert made.unchanged
    assert (made.computed - made.trained).norm() < 0.1 * made.trained.norm()
    assert made.numbers < made.bytes_of_weights < 1.02 * made.numbers  # a byte for each, and scales


@pytest.mark.slow
def test_that_the_int8_model_in_the_file_is_near_the_one_in_32_bits_and_not_it(
    trained: Trained,
) -> None:
    from fullfield.quantize import int8

    folder = trained.context.folder
    with (folder / "model-int8.pt2").open("rb") as stream:
        eight = int8.load(stream)
    network, _ = weights.load(folder / "model.safetensors")
    network.eval()
    x = torch.rand(1, 1, 224, 192, generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        made, plain = eight(x), network(x)
    assert 0 < (made - plain).norm() < 0.2 * plain.norm()


@pytest.mark.slow
def test_that_ranges_come_back_with_a_checkpoint_as_the_int8_model_was_made_of_them(
    trained: Trained, data: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, context = ranges_by(monkeypatch, make=Same), FakeContext(trained.context.folder)
    (context.folder / "model-int8.pt2").unlink()
    again = train(settings(data, techniques=["quantization"]), context)
    assert again["validation_loss"] == trained.short["validation_loss"]
    assert (context.folder / "model-int8.pt2").exists()
    before, after = trained.ranges, taken[0]
    assert len(before) > 100 and before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert any(
        value.is_floating_point() and value.isfinite().all() and value.abs().max() > 0 for value in before.values()
    )


class Same:
    """In the place of an int8 model: the network itself."""

    weight_bytes = 1

    def __init__(self, network: Network) -> None:
        self._network = network.eval()

    def __call__(self, x_NCHW: Tensor) -> Tensor:
        made: Tensor = self._network(x_NCHW)
        return made

    def save(self, stream: Any) -> None:
        stream.write(b"here")


def refusing(network: Network) -> Any:
    raise RuntimeError("an operation that cannot be converted")


def with_int8(monkeypatch: pytest.MonkeyPatch, make: Callable[[Network], Any]) -> None:
    made = build.state

    def state(*given: Any, **named: Any) -> State:
        found = made(*given, **named)
        found.build.int8 = make
        return found

    monkeypatch.setattr(build, "state", state)


@pytest.mark.usefixtures("narrowed")
def test_that_the_int8_model_is_measured_as_the_network_is(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_int8(monkeypatch, Same)
    short = train(settings(data), FakeContext(tmp_path))
    assert short["int8_validation_loss"] == short["validation_loss"]
    assert (tmp_path / "model-int8.pt2").read_bytes() == b"here"


@pytest.mark.usefixtures("narrowed")
@pytest.mark.parametrize(
    ("make", "stop", "text"),
    [
        (refusing, None, "No 8-bit model could be made of the network (RuntimeError)"),
        (Same, (PhaseStarted, PHASES), "No 8-bit model was left: it was stopped"),
    ],
)
def test_that_a_training_without_its_int8_model_is_whole_and_says_so(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Any, stop: Any, text: str
) -> None:
    with_int8(monkeypatch, make)
    context = FakeContext(tmp_path, stop_after=stop)
    short = train(settings(data), context)
    assert [event.level for event in context.reported(Notice) if event.text.startswith(text)] == ["warning"]
    assert "int8_validation_loss" not in short
    assert (tmp_path / "model.safetensors").exists()
    assert not (tmp_path / "model-int8.pt2").exists()


@pytest.mark.usefixtures("narrowed")
def test_that_the_int8_model_is_made_with_the_ranges_that_its_weights_had(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, taken = torch.nn.BatchNorm1d(1), list[float]()
    export = result.export

    def make(network: Network) -> Same:
        taken.append(float(found.running_mean))
        return Same(network)

    def state(*given: Any, **named: Any) -> State:
        made = build_state(*given, **named)
        made.build.ranges["found"], made.build.int8 = found, make
        return made

    def export_later(*given: Any) -> tuple[str, str]:
        found.running_mean.fill_(9.0)  # as steps after the best epoch do
        return export(*given)

    build_state = build.state
    monkeypatch.setattr(build, "state", state)
    monkeypatch.setattr(result, "export", export_later)
    found.running_mean.fill_(3.0)
    train(settings(data), FakeContext(tmp_path))
    assert taken == [3.0] and float(found.running_mean) == 9.0
