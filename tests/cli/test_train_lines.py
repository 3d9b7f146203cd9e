"""The lines that `fullfield train` says of a training's events."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from fullfield.protocol.ensembles import EnsembleMade, MemberReported
from fullfield.protocol.events import BaselineMeasured, EpochDone, Event, MemorySampled, RunEnded
from fullfield.protocol.rank_events import LinkMeasured
from fullfield_app.cli.train import _quality, _Reader

SAMPLES: list[Event] = [
    MemorySampled(seconds=1.0, step=0, phase=phase, border=True, host_bytes=count << 20)
    for phase, count in (("forward", 600), ("backward", 900))
]


@pytest.mark.parametrize(("quiet", "wanted"), [(False, True), (True, False)])
def test_that_a_training_ends_with_one_line_on_its_memory(
    capsys: pytest.CaptureFixture[str], quiet: bool, wanted: bool
) -> None:
    reader = _Reader(quiet=quiet)
    for event in (*SAMPLES, RunEnded(reason="completed")):
        reader(event)
    lines = capsys.readouterr().err.splitlines()
    memory = "Memory: forward 600.0 MiB, backward 900.0 MiB (process memory, no graphics card)."
    assert lines == [*([memory] if wanted else []), "Training completed."]


def test_that_a_training_that_was_not_watched_says_nothing_of_memory(capsys: pytest.CaptureFixture[str]) -> None:
    _Reader(quiet=False)(RunEnded(reason="stopped"))
    assert capsys.readouterr().err == "Training stopped.\n"


def test_that_a_line_tells_how_far_a_member_is(capsys: pytest.CaptureFixture[str]) -> None:
    reported = MemberReported(
        member=2, members=3, place="node:a", state="running", epoch=4, epochs=9, validation_loss=2.5
    )
    _Reader(quiet=False)(reported)
    _Reader(quiet=False)(EnsembleMade(members=3, sha256=""))
    lines = ["member 2/3 on a: running, epoch 4/9, validation 2.50", "3 members are one model now.", ""]
    assert capsys.readouterr().err.split("\n") == lines


def test_that_a_line_tells_what_was_measured_and_no_nan() -> None:
    nothing = {"name": "", "validation_loss": math.nan, "psnr_db": math.nan}
    measured = BaselineMeasured(**nothing, fine_sd_ratio=math.nan, fine_correlation=math.nan)
    assert _quality(measured) == "nothing could be measured"
    known = replace(measured, validation_loss=3.25, psnr_db=30.0, fine_sd_ratio=0.0)  # a constant image
    assert _quality(known) == "validation 3.25, PSNR 30.0 dB"


def test_that_an_epoch_s_line_has_the_loss_by_kind_where_there_are_two_kinds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    figures = {"train_loss": 9.5, "psnr_db": 30.0, "fine_sd_ratio": 1.0, "fine_correlation": 0.9}
    one = EpochDone(epoch=3, epochs=9, validation_loss=12.0, learning_rate=1e-4, seconds=5.0, **figures)
    for event in (one, replace(one, loss_by_kind={"processed": 17.0, "raw": 7.0, "simulated": 6.5})):
        _Reader(quiet=False)(event)
    start, end = "epoch 3/9: train 9.50, validation 12.00", ", PSNR 30.0 dB, finest band 1.00 / 0.90 (5.0 s)\n"
    assert capsys.readouterr().err == start + end + start + " (processed 17.00, raw 7.00, simulated raw 6.50)" + end


def test_that_what_is_between_processes_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    _Reader(quiet=False)(LinkMeasured(seconds=0.00026, bytes_per_second=5.15e8))
    assert capsys.readouterr().err == "Between processes: 0.515 GB/s, 0.26 ms a message.\n"
