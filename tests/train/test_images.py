"""The images of a training, before its first step: prepared once, each of its phases told when it begins."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collection import Collection
from fullfield.data import eviction, prepare, taken_over
from fullfield.data.mend import Mender
from fullfield.data.prepared import Prepared
from fullfield.distribution.team import Team
from fullfield.errors import InputRefused, Interrupted
from fullfield.image import own_presets
from fullfield.model.families import registry as families
from fullfield.model.phantom import phantom
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import Notice, PhaseStarted
from fullfield.train import images
from training import FakeContext, prepared_phantoms

PAIRS = 3


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Collection:
    """A folder of radiographs, and its reader in the decoder's place."""
    found = Collection(tmp_path / "pictures")
    for number in range(PAIRS):
        plane = np.rint(phantom(240, 200, seed=number) * 4095).astype(np.uint16)
        found.add(f"{number}.dcm", plane, patient=f"{number}")
    monkeypatch.setattr(images, "Decoder", lambda: contextlib.nullcontext(found))
    return found


def prepared(
    pictures: Collection, context: FakeContext, check: Callable[[Prepared], None] = lambda data: None
) -> Prepared:
    return images.prepared(TrainSpec(data=str(pictures.folder), size=192), context, check=check)


def save_a_step(run: Path) -> None:
    (run / "checkpoints").mkdir()
    (run / "checkpoints" / "step-000000001.safetensors").touch()


def test_that_images_that_join_the_folder_are_those_of_a_run_until_it_has_saved_a_step(
    pictures: Collection, tmp_path: Path
) -> None:
    def count(name: str) -> int:
        plane = np.rint(phantom(240, 200, seed=len(name)) * 4095).astype(np.uint16)
        pictures.add(f"{name}.dcm", plane, patient=name)
        return len(prepared(pictures, FakeContext(tmp_path / "run")).items)

    assert [count("joins"), count("joins too")] == [PAIRS + 1, PAIRS + 2]
    save_a_step(tmp_path / "run")
    assert count("comes too late") == PAIRS + 2


def test_that_a_further_member_learns_the_pairs_that_it_has_taken_over_or_is_refused(
    pictures: Collection, tmp_path: Path
) -> None:
    first, second = FakeContext(tmp_path / "first"), FakeContext(tmp_path / "second")
    made = prepared(pictures, first)
    taken_over.take_over(second.folder, first.folder)
    shutil.rmtree(eviction.cache())
    assert prepared(pictures, second).identity == made.identity, "prepared again, they are the same"
    pictures.add("joins.dcm", np.rint(phantom(240, 200, seed=PAIRS) * 4095).astype(np.uint16), patient="joins")
    taken_over.take_over(second.folder, first.folder)
    assert prepared(pictures, second).items == made.items
    shutil.rmtree(eviction.cache())
    with pytest.raises(InputRefused, match="not those of the members before it any more"):
        prepared(pictures, second)
    assert len(prepared(pictures, FakeContext(tmp_path / "another")).items) == PAIRS + 1


def test_that_a_further_member_of_an_ensemble_whose_note_does_not_name_its_pairs_is_not_refused(
    pictures: Collection, tmp_path: Path
) -> None:
    first, second = FakeContext(tmp_path / "first"), FakeContext(tmp_path / "second")
    made = prepared(pictures, first)
    note = first.folder / prepare.NOTE
    note.write_text(
        json.dumps({name: value for name, value in json.loads(note.read_text()).items() if name != "identity"})
    )
    taken_over.take_over(second.folder, first.folder)
    shutil.rmtree(eviction.cache())
    assert prepared(pictures, second).identity == made.identity


def test_that_each_phase_of_preparing_is_told_once_and_none_where_this_run_has_its_images(
    pictures: Collection, tmp_path: Path
) -> None:
    first, again = FakeContext(tmp_path / "run"), FakeContext(tmp_path / "run")
    made = prepared(pictures, first)
    assert [(event.name, event.total) for event in first.reported(PhaseStarted)] == [
        ("Reading the data", PAIRS),
        ("Preparing the images", PAIRS),
    ]
    pictures.read.clear()
    save_a_step(tmp_path / "run")
    assert prepared(pictures, again).items == made.items and len(made.items) == PAIRS
    assert again.events == [] and pictures.read == []


def test_that_a_preset_of_the_users_own_that_cannot_be_used_is_told_once_where_presets_make_the_references(
    pictures: Collection, tmp_path: Path
) -> None:
    own_presets.folder().mkdir(parents=True)
    (own_presets.folder() / "ours.toml").write_text("name = ", encoding="utf-8")
    context, chest = FakeContext(tmp_path / "run"), FakeContext(tmp_path / "chest")
    prepared(pictures, context)
    (told,) = context.reported(Notice)
    assert told.text.startswith("Your preset ours is not chosen automatically") and told.level == "warning"
    spec = TrainSpec(data=str(pictures.folder), size=192, reference="chest")
    images.prepared(spec, chest, check=lambda data: None)
    assert not chest.reported(Notice), "no preset is chosen"


@pytest.mark.parametrize("phase", [1, 2])
def test_that_preparing_stops_where_it_is_asked_to(pictures: Collection, tmp_path: Path, phase: int) -> None:
    context = FakeContext(tmp_path / "run", stop_after=(PhaseStarted, phase))
    with pytest.raises(Interrupted, match="before its first step"):
        prepared(pictures, context)
    assert len(context.reported(PhaseStarted)) == phase and len(pictures.read) <= PAIRS * phase


def test_that_a_training_that_has_saved_something_is_to_be_gone_on_with_where_it_stops_while_preparing(
    pictures: Collection, tmp_path: Path
) -> None:
    context = FakeContext(tmp_path / "run", stop_after=(PhaseStarted, 1))
    save_a_step(context.folder)
    with pytest.raises(Interrupted, match="before its next step") as stopped:
        prepared(pictures, context)
    assert "Go on with it" in stopped.value.hint


def test_that_images_that_are_refused_are_not_those_of_the_run(pictures: Collection, tmp_path: Path) -> None:
    def refuse(data: Prepared) -> None:
        raise InputRefused("Too few of them.", detail=f"There are {len(data.items)}.")

    with pytest.raises(InputRefused, match="Too few"):
        prepared(pictures, FakeContext(tmp_path / "run"), refuse)
    pictures.add("more.dcm", np.rint(phantom(240, 200, seed=PAIRS) * 4095).astype(np.uint16), patient="more")
    assert len(prepared(pictures, FakeContext(tmp_path / "run")).items) == PAIRS + 1


@pytest.mark.parametrize(("size", "asked"), [("native", None), (192, 192)])
def test_that_what_is_prepared_is_what_the_settings_say(size: Any, asked: int | None) -> None:
    spec = TrainSpec(data="a folder", size=size, reference="chest", seed=5, review=True, use_on="raw")
    found = images.asked(spec)
    assert (found.folder, found.size, found.reference, found.seed) == (Path("a folder"), asked, "chest", 5)
    assert (found.review, found.use_on) == (True, "raw")
    assert found.normalisation == families.normalisation("unet")
    other = replace(spec, network="map", review=False)
    assert images.asked(other).normalisation == families.normalisation("map") and not images.asked(other).review


@pytest.mark.parametrize(("ranks", "asked"), [(1, False), (1, True), (2, True)])
def test_that_one_that_is_alone_stops_while_an_image_is_made_anew_and_others_after_the_step(
    ranks: int, asked: bool, pictures: Collection, tmp_path: Path
) -> None:
    context = FakeContext(tmp_path / "run")
    found = images.prepared(
        TrainSpec(data=str(pictures.folder), size=192), context, Team(0, ranks), check=lambda data: None
    )
    mender = found.mend
    assert isinstance(mender, Mender)
    assert (mender._request.folder, mender._request.use_on) == (pictures.folder, found.use_on)
    assert (mender._folder, mender._reader) == (found.folder, images.Decoder)
    context._stop_after = (Notice, 0) if asked else None
    if asked and ranks == 1:
        with pytest.raises(Interrupted):
            mender._pause()
    else:
        mender._pause()
    mender._tell("It is made anew.")
    assert context.reported(Notice)[-1] == Notice(text="It is made anew.", level="warning")


def test_that_of_prepared_pairs_nothing_is_made_anew(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=176)
    spec = TrainSpec(data=str(data.folder), size=192)
    assert images.prepared(spec, FakeContext(tmp_path / "run"), check=lambda data: None).mend is None
