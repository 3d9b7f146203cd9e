"""What the events of a training tell a bench."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fullfield.bench import trained
from fullfield.errors import FullfieldError, Interrupted
from fullfield.protocol.events import EpochDone, Event, MemorySampled, RunEnded, RunFailed, StepDone, StepProfiled
from fullfield.protocol.training import Training


def sample(phase: str, process: int | None, host: int = 100) -> MemorySampled:
    return MemorySampled(seconds=0.0, step=0, phase=phase, border=True, host_bytes=host, process_bytes=process)


def step(epoch: int, number: int, seconds: float) -> StepDone:
    return StepDone(epoch=epoch, step=number, steps=4, loss=1.0, seconds=seconds)


def epoch(number: int, train: float, validation: float) -> EpochDone:
    figures = {"psnr_db": 1.0, "fine_sd_ratio": 1.0, "fine_correlation": 1.0, "learning_rate": 1.0, "seconds": 9.0}
    return EpochDone(epoch=number, epochs=2, train_loss=train, validation_loss=validation, **figures)


PROFILED = StepProfiled(
    step=2, before_bytes=280, forward_bytes=60, backward_bytes=110, peak_phase="backward", peak_operation="aten::conv"
)
ON_A_CPU: list[Event] = [
    sample("forward", None, host=300),
    step(1, 1, 9.0),
    PROFILED,
    step(1, 2, 1.0),
    epoch(1, 60.0, 50.0),
    sample("backward", None, host=200),
    step(2, 3, 1.0),
    step(2, 4, 1.0),
    epoch(2, 40.0, 30.0),
]


def test_that_without_a_card_memory_is_that_of_the_profiled_step() -> None:
    found = trained.reduce(ON_A_CPU)
    assert (found.allocator_before, found.allocator_forward, found.allocator_backward) == (280, 60, 50)
    assert found.process_forward is found.process_backward is None
    assert found.host == 300


def test_that_time_is_the_median_step_and_losses_are_the_last_epochs() -> None:
    found = trained.reduce(ON_A_CPU)
    assert (found.step_seconds, found.steps, found.epochs) == (1.0, 2, 2)
    assert (found.train_loss, found.validation_loss) == (40.0, 30.0)


def test_that_the_steps_of_an_epoch_are_counted_also_where_not_each_was_told() -> None:
    told = [StepDone(epoch=1, step=number, steps=6000, loss=1.0, seconds=0.01) for number in (1, 2, 3, 1500, 3000)]
    found = trained.reduce([*told, epoch(1, 60.0, 50.0)])
    assert (found.steps, found.step_seconds) == (3000, 0.01)


def test_that_on_a_card_growth_is_counted_to_the_phase_in_which_the_process_grew() -> None:
    process = [
        ("", 400),
        ("forward", 1158),
        ("backward", 1598),
        ("update", 1784),
        ("forward", 1784),
        ("backward", 1790),
    ]
    found = trained.reduce([sample(phase, count) for phase, count in process])
    assert (found.process_forward, found.process_backward) == (758, 446)


def test_that_growth_is_unknown_where_nobody_looked_before_the_first_forward() -> None:
    assert trained.growth([("forward", 900), ("backward", 1000)]) is None
    assert trained.growth([("", None), ("forward", None)]) is None


def test_that_a_training_that_told_nothing_has_no_figures() -> None:
    assert trained.reduce([]) == trained.Trained()


class Handle:
    """A run whose events are known."""

    def __init__(self, folder: Path, reported: list[Event | type[BaseException]]) -> None:
        self.folder, self._reported, self.stopped = folder, reported, False

    def events(self) -> Any:
        for event in self._reported:
            if isinstance(event, type):
                raise event
            yield event

    def stop(self) -> None:
        self.stopped = True

    def alive(self) -> bool:
        return False


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Trains with a worker that tells these events; gives the handle and what was found, or raises."""

    def train(*reported: Event | type[BaseException]) -> dict[str, Any]:
        handle = Handle(tmp_path / "run", list(reported))
        monkeypatch.setattr(trained, "launch", lambda job, folder: handle)
        monkeypatch.setattr(trained, "attach", lambda folder: handle)
        spec, kept = Training(data="images"), tmp_path / "baselines.json"
        return trained.train(spec, handle.folder, baselines=kept, reported=lambda event: None)

    return train


def test_that_a_finished_training_leaves_its_figures_and_no_folder(run: Any, tmp_path: Path) -> None:
    found = run(*ON_A_CPU, RunEnded(reason="completed"))
    assert json.loads(json.dumps(found))["allocator_forward"] == 60
    assert not (tmp_path / "run").exists()


def test_that_a_training_that_failed_says_why(run: Any) -> None:
    error = {"title": "It ran out of memory.", "detail": "At 4288.", "hint": ""}
    with pytest.raises(FullfieldError, match="out of memory"):
        run(RunFailed(error=error), RunEnded(reason="failed"))


def test_that_ctrl_c_keeps_the_folder_for_the_next_time(run: Any, tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        run(PROFILED, KeyboardInterrupt)
    assert (tmp_path / "run").exists()
