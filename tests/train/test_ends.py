"""The last of a training: its 8-bit model, its summary, and what is said where one of them is not left."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from fullfield.distribution.team import Team
from fullfield.errors import CannotWrite, Interrupted
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import Notice, PhaseStarted
from fullfield.train import job, result
from fullfield.train.build import Parts
from fullfield.train.result import Int8
from fullfield.train.state import Progress, State
from training import PROCESSED, RAW, FakeContext

SPEC = TrainSpec(data="-", encoder="resnet18", epochs=3, calibrate_halo=False)
FOUND = Int8(validation_loss=5.25, validation_loss_fp32=5.0, weight_bytes=1_000_000, weight_bytes_fp32=4_000_000)
PARTS = cast(
    Parts,
    SimpleNamespace(
        validation=(SimpleNamespace(kinds=(RAW, PROCESSED)), SimpleNamespace(kinds=(RAW,))), train=range(7)
    ),
)


class Stopping(FakeContext):
    """Asked to stop, or not."""

    asked = False

    def stopping(self) -> bool:
        """See Context."""
        return self.asked


def state(epoch: int = 3, make: Any = "how it is made", **changes: Any) -> State:
    build = SimpleNamespace(int8=make, as_result=())
    return cast(State, SimpleNamespace(build=build, progress=Progress(epoch=epoch, **changes), weights=dict))


@pytest.mark.parametrize(
    ("make", "epoch", "asked", "made"),
    [("how", 3, False, True), (None, 3, False, False), ("how", 2, False, False), ("how", 3, True, False)],
)
def test_that_an_8_bit_model_is_made_where_one_is_wanted_and_the_training_has_come_to_its_end(
    make: str | None, epoch: int, asked: bool, made: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = Stopping(tmp_path)
    context.asked = asked
    monkeypatch.setattr(result, "int8", lambda folder, how, *_, each: FOUND if how == make else None)
    assert job._int8(SPEC, PARTS, state(epoch, make), context) == (FOUND if made else None)
    assert [(one.name, one.total) for one in context.reported(PhaseStarted)] == [("Making the 8-bit model", 3)] * made
    assert context.reported(Notice) == [Notice(text=FOUND.sentence)] * made


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Interrupted("asked to stop"), "No 8-bit model was left: it was stopped while being measured."),
        (MemoryError(), "No 8-bit model could be made of the network (there was not enough memory)"),
        (RuntimeError("CUDA out of memory."), "No 8-bit model could be made of the network (there was not enough"),
        (ValueError("shapes"), "No 8-bit model could be made of the network (ValueError)"),
    ],
)
def test_that_a_training_without_its_8_bit_model_says_why_and_ends(
    error: Exception, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> Int8:
        raise error

    monkeypatch.setattr(result, "int8", fail)
    context = Stopping(tmp_path)
    assert job._int8(SPEC, PARTS, state(), context) is None
    (told,) = context.reported(Notice)
    assert told.text.startswith(said) and told.level == "warning"


def test_that_a_full_disk_ends_it_and_a_stop_is_heard_while_it_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = Stopping(tmp_path)

    def measured(*_: object, each: Callable[[], None]) -> Int8:
        each()
        context.asked = True
        each()
        raise AssertionError("it goes on")

    monkeypatch.setattr(result, "int8", measured)
    assert job._int8(SPEC, PARTS, state(), context) is None and "it was stopped" in context.reported(Notice)[0].text

    def full(*_: object, **__: object) -> Int8:
        raise CannotWrite("Full.")

    monkeypatch.setattr(result, "int8", full)
    context.asked = False
    with pytest.raises(CannotWrite):
        job._int8(SPEC, PARTS, state(), context)


@pytest.mark.parametrize(
    ("asked_for", "network", "stopping", "measured"),
    [
        (True, "unet", False, True),
        (False, "unet", False, False),
        (True, "map", False, False),
        (True, "unet", True, False),
    ],
)
def test_that_the_halo_is_measured_where_images_are_taken_in_tiles_and_nobody_waits_for_the_end(
    asked_for: bool, network: str, stopping: bool, measured: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(result, "calibrate", lambda path: asked.append(path) or "a new hash")
    context = Stopping(tmp_path)
    context.asked = stopping
    whole = {"best": None, "epochs": 3, "steps": 21, "model_sha256": "its hash", "int8_weight_bytes": 7, "plan": {}}
    spec = TrainSpec(data="-", network=network, encoder="resnet18", calibrate_halo=asked_for)
    short = job._left(spec, dict(whole), context)
    assert asked == [tmp_path / "model.safetensors"] * measured
    sha256 = "a new hash" if measured else "its hash"
    assert short["model_sha256"] == sha256 and short["int8_weight_bytes"] == 7 and "plan" not in short
    assert json.loads((tmp_path / "summary.json").read_text()) == {**whole, "model_sha256": sha256}


@pytest.mark.parametrize(("step", "left"), [(0, 21), (20, 1), (21, 0)])
def test_that_it_is_told_how_many_steps_are_left(step: int, left: int) -> None:
    assert job._steps_left(SPEC, PARTS, state(step=step)) == left


@pytest.mark.parametrize("found", [None, "a checkpoint"])
def test_that_first_weights_are_told_of_a_training_that_begins(found: Any, tmp_path: Path) -> None:
    context = FakeContext(tmp_path)
    job._first_time("From scratch.", found, context)
    assert context.reported(Notice) == [Notice(text="From scratch.")] * (found is None)


def test_that_the_8_bit_model_is_of_the_best_weights_with_their_ranges_beside_the_loss_in_32_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = torch.nn.Conv2d(2, 3, 1).half()
    ranges: list[str] = []

    def make(given: object) -> Any:
        assert given is network and ranges[-1] == "of the best"
        return SimpleNamespace(save=lambda stream: stream.write(b"the model"), weight_bytes=11)

    for metrics, loss in (({"loss": 4.5}, 4.5), ({}, 6.5)):
        ranges.clear()
        card = SimpleNamespace(metrics=metrics)
        monkeypatch.setattr(result.weights, "load", lambda path, card=card: (network, card))
        monkeypatch.setattr(result.evaluate, "of_model", lambda *_, each: SimpleNamespace(loss=5.5))
        trained = SimpleNamespace(
            progress=Progress(history=[{"validation_loss": 9.0}, {"validation_loss": 6.5}]),
            ranges=lambda: "of the last",
            best_ranges="of the best",
            set_ranges=ranges.append,
        )
        parts = cast(Parts, SimpleNamespace(validate=None))
        found = result.int8(tmp_path, make, cast(State, trained), parts, each=lambda: None)
        assert ranges == ["of the best", "of the last"]
        assert (found.validation_loss, found.validation_loss_fp32, found.weight_bytes) == (5.5, loss, 11)
        assert found.weight_bytes_fp32 == 2 * (6 + 3)
        assert (tmp_path / "model-int8.pt2").read_bytes() == b"the model"
    trained.progress.history[-1].clear()
    unknown = result.int8(tmp_path, make, cast(State, trained), parts, each=lambda: None)
    assert math.isnan(unknown.validation_loss_fp32), "where the best model is damaged and was never measured"


def test_that_a_stop_is_heard_before_anything_of_the_network_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[object] = []
    monkeypatch.setattr(job.shared, "newest", lambda *_: None)
    monkeypatch.setattr(job.resumed, "threads", lambda *_: (1,))
    monkeypatch.setattr(job.build, "set_up", lambda device, count: done.append(count))
    monkeypatch.setattr(job.build, "state", lambda *_, **__: done.append("built"))
    context = Stopping(tmp_path)
    context.asked = True
    with pytest.raises(Interrupted):
        job._state(TrainSpec(data="-", device="cpu"), cast(Any, None), cast(Any, None), context, Team())
    assert done == [1] and not context.reported(PhaseStarted)
    assert [one.topic for one in context.reported(Notice)] == ["device"]
