"""What a training that goes on takes over, what is told of it, and when it may not go on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fullfield.data.prepared import Prepared
from fullfield.errors import UsageError
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import Notice
from fullfield.train import begun_from, resumed, saving
from fullfield.train.checkpoint_file import Checkpoint
from fullfield.train.state import Progress, State
from training import FakeContext

SPEC = TrainSpec(data="-", epochs=5, batch=4, encoder="resnet18")


class Restored:
    """A state that becomes what was saved."""

    def __init__(self, progress: Progress, unsaved: tuple[str, ...] = ()) -> None:
        self.build = SimpleNamespace(unsaved=unsaved, normalised=lambda batch: batch)
        self.progress, self.threads, self.start = Progress(), 1, ""
        self._progress = progress

    def restore(self, tensors: object, fields: dict[str, Any]) -> None:
        """See State."""
        self.progress, self.start = self._progress, fields["start"]


def told(folder: Path, progress: Progress, *, unsaved: tuple[str, ...] = (), **fields: Any) -> list[tuple[str, str]]:
    context, state = FakeContext(folder), Restored(progress, unsaved)
    found = Checkpoint(tensors={}, fields={"start": "From scratch.", **fields}, notices=("One was damaged.",))
    resumed.restore(cast(State, state), found, SPEC, context, threads=7)
    assert (state.threads, state.start) == (7, "From scratch.")
    return [(one.text, one.level) for one in context.reported(Notice)]


@pytest.mark.parametrize(
    ("progress", "said"),
    [
        (Progress(step=7, epoch=0), "Going on after step 7, in epoch 1 of 5."),
        (Progress(step=90, epoch=4), "Going on after step 90, in epoch 5 of 5."),
        (Progress(step=100, epoch=5), "Going on after step 100, in epoch 5 of 5."),
    ],
)
def test_that_it_is_told_where_it_goes_on_after_what_was_passed_over(
    progress: Progress, said: str, tmp_path: Path
) -> None:
    assert told(tmp_path, progress) == [("One was damaged.", "warning"), (said, "info")]


@pytest.mark.parametrize(("before", "said"), [(None, False), (4, False), (2, True)])
def test_that_it_is_told_what_no_checkpoint_holds_and_which_images_are_normalised_together_now(
    before: int | None, said: bool, tmp_path: Path
) -> None:
    fields = {} if before is None else {"normalised": before}
    _, _, *others = told(tmp_path, Progress(step=1), unsaved=("What was left over is lost.",), **fields)
    assert others == [
        ("What was left over is lost.", "info"),
        *[("Batch normalisation sees other groups of images now: 4, before: 2.", "info")] * said,
    ]


@pytest.mark.parametrize("now", [(), ("What would be left over now.",)])
def test_that_what_processes_have_left_over_is_told_as_lost_whoever_goes_on(
    now: tuple[str, ...], tmp_path: Path
) -> None:
    before = SimpleNamespace(unsaved=["What was left over is lost."], normalised=lambda batch: batch)
    saved = saving.fields(SPEC, cast(State, SimpleNamespace(fields=dict, start="", build=before)))
    context, state = FakeContext(tmp_path), cast(State, Restored(Progress(step=1), now))
    resumed.restore(state, Checkpoint(tensors={}, fields=saved), SPEC, context, threads=1)
    assert [one.text for one in context.reported(Notice)][1:] == ["What was left over is lost."]


def test_that_the_users_own_sentence_on_its_begin_comes_back(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    whole = "The network starts from the weights of the model knees of Jane."
    begun_from.keep(tmp_path, whole)
    state = Restored(Progress(step=1))
    found = Checkpoint(tensors={}, fields={"start": begun_from.NAMELESS})
    resumed.restore(cast(State, state), found, SPEC, FakeContext(tmp_path), threads=1)
    assert state.start == whole


def test_that_other_settings_or_images_are_refused_by_their_names_and_what_has_not_begun_is_not() -> None:
    begun = {"spec": SPEC.to_json(), "data": "these images"}
    same, other = (cast(Prepared, SimpleNamespace(identity=f"{one} images")) for one in ("these", "other"))
    changed = TrainSpec(data="elsewhere", epochs=6, batch=4, encoder="resnet18")
    resumed.refuse_others(changed, None, other)
    resumed.refuse_others(SPEC, begun)
    resumed.refuse_others(SPEC, begun, same)
    for spec, data, names in (
        (changed, None, "epochs"),
        (SPEC, other, "the images themselves"),
        (changed, other, "epochs, the images themselves"),
    ):
        with pytest.raises(UsageError) as refused:
            resumed.refuse_others(spec, begun, data)
        assert refused.value.detail == f"It was begun with other settings: {names}."


def test_that_a_plan_may_be_asked_for_by_other_words_than_it_is_run_by() -> None:
    planned = TrainSpec(data="-", fit="auto", techniques=("optimizer_offload",))
    begun = {"spec": planned.to_json(), "data": "-"}
    asked = TrainSpec(data="-", fit="auto")
    resumed.refuse_others(asked, begun)
    with pytest.raises(UsageError, match="techniques"):
        resumed.refuse_others(asked, begun, planned=True)
