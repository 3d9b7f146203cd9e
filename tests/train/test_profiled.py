"""The profiled step: the same numbers, and what it took."""

from __future__ import annotations

import contextlib
from typing import cast

import pytest
import torch

from fullfield.memory.allocator import StepRecords
from fullfield.model.placed import Placed
from fullfield.protocol.events import StepProfiled
from fullfield.train import profiled
from fullfield.train import step as steps
from fullfield.train.state import State
from fullfield.train.step import Phase, Step
from techniques import stepping

IMAGES = stepping.batch(2)


def profile(one: State) -> StepProfiled:
    def take(phase: Phase) -> Step:
        return steps.train_step(one.build, one.update, IMAGES, loss="ms_ssim", l1=False, rate=0.01, phase=phase)

    _, found = profiled.step(take, one, IMAGES, contextlib.nullcontext)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "techniques",
    [(), ("optimizer_in_backward",), ("accumulate",), ("optimizer_8bit",), ("precision:format=bf16", "banded_loss")],
)
def test_that_a_profiled_step_computes_the_very_same_numbers(techniques: tuple[str, ...]) -> None:
    plain, looked = stepping.state(*techniques), stepping.state(*techniques)
    for one in (plain, looked):
        stepping.go(one, 1, IMAGES)
    stepping.go(plain, 1, IMAGES)
    profile(looked)
    assert stepping.equal(stepping.copied(plain), stepping.copied(looked))


def test_that_what_was_there_before_is_weights_optimizer_statistics_and_images() -> None:
    one = stepping.state()
    stepping.go(one, 1, IMAGES)
    weights = sum(parameter.nbytes for parameter in one.network.parameters())
    statistics = sum(buffer.nbytes for buffer in one.network.buffers())
    moments = 2 * weights + 4 * len(list(one.network.parameters()))
    found = profile(one)
    assert found.before_bytes == weights + moments + 2 * statistics + IMAGES.x_NCHW.nbytes + IMAGES.y_NCHW.nbytes
    assert found.step == 1  # of a state that counts none itself
    maps = IMAGES.x_NCHW.nbytes * 32
    assert found.forward_bytes > 4 * maps
    assert found.peak_operation


def test_that_an_optimizer_on_the_host_is_not_counted_on_the_device() -> None:
    def before(*techniques: str) -> int:
        one = stepping.state(*techniques)
        stepping.go(one, 1, IMAGES)
        return profile(one).before_bytes

    weights = sum(parameter.nbytes for parameter in stepping.state().network.parameters())
    assert before() - before("optimizer_offload") == pytest.approx(2 * weights, rel=0.01)


def test_that_a_step_whose_records_would_fill_the_memory_is_made_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiled, "LARGEST", IMAGES.x_NCHW.numel() - 1)
    one, steps_made = stepping.state(), []

    def take(phase: Phase) -> Step:
        steps_made.append(phase)
        return steps.train_step(one.build, one.update, IMAGES, loss="ms_ssim", l1=False, rate=0.01, phase=phase)

    done, found = profiled.step(take, one, IMAGES, contextlib.nullcontext)
    assert found is None and not done.skipped and len(steps_made) == 1


@pytest.mark.parametrize(("images", "recorded"), [(2, True), (3, False)])
def test_that_of_many_images_in_a_pipeline_no_records_end_between_their_forward_and_backward(
    monkeypatch: pytest.MonkeyPatch, images: int, recorded: bool
) -> None:
    begun = []
    monkeypatch.setattr(profiled, "StepRecords", lambda device: begun.append(device) or StepRecords(device))
    one, batch = stepping.state(), stepping.batch(images)

    def take(phase: Phase) -> Step:
        return steps.train_step(one.build, one.update, batch, loss="ms_ssim", l1=False, rate=0.01, phase=phase)

    monkeypatch.setattr(one.build, "placed", cast(Placed, object()))
    with monkeypatch.context() as patched:
        patched.setattr(steps, "_in_turns", lambda *_, **__: (torch.zeros(()), torch.zeros(())))
        profiled.step(take, one, batch, contextlib.nullcontext)
    assert bool(begun) is recorded


@pytest.mark.parametrize("peaks", [MemoryError(), None])
def test_that_a_step_whose_records_cannot_be_read_counts_all_the_same(
    peaks: Exception | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(records: StepRecords) -> None:
        if peaks is not None:
            raise peaks

    monkeypatch.setattr(StepRecords, "peaks", read)
    one = stepping.state()
    done = Step(loss=1.0, structure=1.0, gradient=1.0, skipped=False)
    assert profiled.step(lambda phase: done, one, IMAGES, contextlib.nullcontext) == (done, None)


@pytest.mark.parametrize(
    ("in_bands", "device", "always", "recorded"),
    [(False, "cpu", False, True), (True, "cpu", False, False), (True, "cpu", True, True), (True, "meta", False, True)],
)
def test_that_on_a_cpu_a_step_in_bands_is_made_without_records_unless_it_is_asked_for(
    in_bands: bool, device: str, always: bool, recorded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[object] = []

    def records(device: torch.device) -> StepRecords:
        begun.append(device)
        raise NotImplementedError

    monkeypatch.setattr(profiled, "StepRecords", records)
    monkeypatch.setattr(profiled, "there", lambda *_: 0)
    monkeypatch.delenv(profiled.ALWAYS, raising=False)
    if always:
        monkeypatch.setenv(profiled.ALWAYS, "1")
    one = stepping.state()
    one.build.in_bands, one.build.device = in_bands, torch.device(device)
    done = Step(loss=1.0, structure=1.0, gradient=1.0, skipped=False)
    with contextlib.suppress(NotImplementedError):
        assert profiled.step(lambda phase: done, one, IMAGES, contextlib.nullcontext) == (done, None)
    assert bool(begun) is recorded
