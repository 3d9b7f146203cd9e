"""What `fullfield train` says on memory at its end."""

from __future__ import annotations

import pytest

from fullfield.protocol.events import Event, MemorySampled, RunEnded
from fullfield_app.cli.train import _Reader

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
