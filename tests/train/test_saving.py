"""When a checkpoint is due, which epoch is the best, and what of both may go to another machine."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fullfield.distribution.team import Team
from fullfield.model import card as cards
from fullfield.model.card import Card
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import CheckpointSaved, Notice
from fullfield.train import crash_marker, saving
from fullfield.train.checkpoint import Store
from fullfield.train.evaluate import Quality
from fullfield.train.run import Run
from fullfield.train.saving import Saver
from fullfield.train.state import Best, Progress
from training import FakeContext

SPEC = TrainSpec(data="-", encoder="resnet18", checkpoint_steps=0, checkpoint_seconds=0.0)
QUALITY = Quality(loss=5.0, psnr_db=30.0, fine_sd_ratio=1.0, fine_correlation=0.5)


class Clock:
    """The seconds that have passed."""

    now = 1000.0

    def monotonic(self) -> float:
        """See `time`."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(saving, "time", found)
    return found


def run(folder: Path, progress: Progress | None = None, team: Team | None = None, **changes: Any) -> Run:
    """With a state that has no network."""
    state = SimpleNamespace(
        progress=progress or Progress(step=7),
        build=SimpleNamespace(as_result=(), unsaved=[], normalised=lambda batch: batch),
        start=cards.from_model("knees of Jane"),
        network=None,
        weights=dict,
        ranges=lambda: {"a part": "of this epoch"},
        best_ranges={},
        tensors=dict,
        fields=dict,
    )
    given: Any = {"spec": replace(SPEC, **changes), "state": state, "context": FakeContext(folder)}
    given |= {"store": Store(folder), "prepared": None, "parts": None, "samples": None, "held": ()}
    return Run(**given, team=team or Team())


@pytest.mark.parametrize(
    ("steps", "seconds", "made", "passed", "due"),
    [
        (0, 0.0, 100, 1e6, False),
        (3, 0.0, 2, 1e6, False),
        (3, 0.0, 3, 0.0, True),
        (3, 0.0, 4, 0.0, True),
        (0, 60.0, 100, 59.9, False),
        (0, 60.0, 0, 60.0, True),
        (3, 60.0, 2, 59.0, False),
        (3, 60.0, 2, 61.0, True),
        (3, 60.0, 3, 1.0, True),
    ],
)
def test_that_a_checkpoint_is_due_after_so_many_steps_or_seconds_since_the_last(
    steps: int, seconds: float, made: int, passed: float, due: bool, clock: Clock, tmp_path: Path
) -> None:
    found = run(tmp_path, checkpoint_steps=steps, checkpoint_seconds=seconds)
    saver = Saver(found)
    for _ in range(2):  # since the beginning, and since it was saved
        clock.now += passed
        found.state.progress.step += made
        assert saver.is_due() is due
        found.state.progress.bad_steps = 1
        assert not saver.is_due(), "after a bad step it waits for a good one"
        found.state.progress.bad_steps = 0
        with found.store:
            saver.save()
        assert not saver.is_due()


@pytest.mark.parametrize(
    ("before", "loss", "kept"),
    [(None, 5.0, True), (5.1, 5.0, True), (5.0, 5.0, False), (4.9, 5.0, False), (None, math.nan, False)],
)
@pytest.mark.parametrize("rank", [0, 1])
def test_that_the_best_epoch_is_the_first_of_the_smallest_loss_on_every_rank(
    before: float | None, loss: float, kept: bool, rank: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[Path, Card]] = []

    def save(path: Path, network: object, card: Card, tensors: object) -> str:
        written.append((path, card))
        return "its hash"

    def card(spec: TrainSpec, *_: object) -> Card:
        plan = {name: getattr(spec, name) for name in ("reference", "weights")}
        return Card(name="a model", network=cast(Any, None), licence=spec.data_licence, plan=plan, start=begun.start)

    monkeypatch.setattr(saving.weights, "save", save)
    monkeypatch.setattr(saving.result, "card", card)
    old = None if before is None else Best(epoch=1, validation_loss=before, file="old", sha256="-")
    private = {"data_licence": "from Jane", "reference": "knees-of-jane", "weights": "/users/jane/a.safetensors"}
    found = run(tmp_path, Progress(step=42, epoch=3, best=old), Team(rank, 1), **private)
    begun = found.state
    Saver(found).keep_where_best(replace(QUALITY, loss=loss))
    if not kept:
        assert found.state.progress.best is old and not written and found.state.best_ranges == {}
        (*said,) = cast(FakeContext, found.context).reported(Notice)
        assert [one.level for one in said] == (["warning"] if math.isnan(loss) else [])
        assert all(one.text.startswith("Epoch 3: the loss") for one in said)
        return
    sha256 = "its hash" if rank == 0 else ""
    assert found.state.progress.best == Best(
        epoch=3, validation_loss=5.0, file="best-000000042.safetensors", sha256=sha256
    )
    assert found.state.best_ranges == {"a part": "of this epoch"}
    assert len(written) == (rank == 0)
    for path, left in written:
        assert path == tmp_path / "checkpoints" / "best-000000042.safetensors"
        assert "ane" not in f"{left.licence} {left.plan} {left.start}", "it may go to another machine"
        assert left.start and left.plan["reference"] and left.plan["weights"]


@pytest.mark.parametrize("rank", [0, 1])
def test_that_a_saved_checkpoint_is_told_and_the_rank_that_wrote_it_takes_its_note_away(
    rank: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[tuple[object, ...]] = []

    def save(step: int, tensors: object, fields: object, *, best: str) -> str:
        saved.append((step, best))
        return "its hash"

    best = Best(epoch=1, validation_loss=5.0, file="the best", sha256="-")
    for progress, named in ((Progress(step=9, epoch=2, best=best), "the best"), (Progress(step=10), "")):
        found = run(tmp_path, progress, Team(rank, 1))
        monkeypatch.setattr(found.store, "save", save)
        (tmp_path / crash_marker.NOTE).write_text("{}")
        Saver(found).save()
        assert saved.pop() == (progress.step, named)
        assert (tmp_path / crash_marker.NOTE).exists() is (rank == 1)
        told = cast(FakeContext, found.context).reported(CheckpointSaved)
        assert told == [CheckpointSaved(epoch=progress.epoch, step=progress.step, sha256="its hash")]


@pytest.mark.parametrize(
    ("name", "given", "left"),
    [
        ("data", "/users/jane/images", "-"),
        ("data_licence", "from Jane", ""),
        ("reference", "auto", "auto"),
        ("reference", "chest", "chest"),
        ("reference", "knees-of-jane", "a preset file"),
        ("reference", "/users/jane/knees.toml", "a preset file"),
        ("weights", "imagenet", "imagenet"),
        ("weights", "/users/jane/a.safetensors", "a file"),
        ("batch", 3, 3),
        ("encoder", "resnet34", "resnet34"),
    ],
)
def test_that_a_checkpoint_holds_the_settings_but_for_what_is_this_machines(
    name: str, given: Any, left: Any, tmp_path: Path
) -> None:
    found = run(tmp_path, **{name: given})
    fields = saving.fields(found.spec, found.state)
    assert fields["spec"][name] == left
    assert fields["normalised"] == found.spec.batch
    assert fields["start"] == "The network starts from the weights of a model."
