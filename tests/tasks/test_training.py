"""Tasks of setting a training up and seeing it through, with real workers: data, techniques, plan, review, start."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QCheckBox, QListWidget

from fullfield import system
from fullfield.data import review
from fullfield.data.review import Judgement
from fullfield.protocol import events
from fullfield.runs import runs
from fullfield.units import parse_bytes
from tasks.scarce import SCARCE
from tasks.trainings import TRAINING, Launcher, make_images, only, reach, remember_form, reported, set_up, turn_to
from tasks.user import SECONDS, User

pytestmark = [pytest.mark.usefixtures("form"), pytest.mark.slow]


def box(user: User, name: str) -> QCheckBox:
    """A box that can be ticked."""
    found = user.widget(name)
    assert isinstance(found, QCheckBox)
    return found


def memory(user: User) -> float:
    """Bytes of the plan that is shown, when no other is awaited."""
    user.wait(lambda: user.widget("Memory in all").isEnabled() and user.text("Memory in all") != "", SECONDS)
    number, unit = user.text("Memory in all").split()
    return float(number.replace(",", "")) * parse_bytes(f"1 {unit}")


@pytest.mark.task("data")
def test_that_a_dropped_folder_tells_its_counts_split_and_problems(user: User, images: Path) -> None:
    (images / "torn.png").write_bytes((images / "000.png").read_bytes()[:200])
    set_up(user, images)
    assert re.search(r"\b4 images of 4 patients", user.text("Images and patients"))
    assert re.search(r"\b3 to learn from, 1 held back", user.text("Who is held back"))
    pairs = user.widget("Pairs")
    assert isinstance(pairs, QListWidget)

    def drawn() -> bool:
        pictures = [pairs.item(row).icon().pixmap(pairs.iconSize()).toImage() for row in range(pairs.count())]
        return len(pictures) == 4 and all(_greys(picture) > 20 for picture in pictures)

    user.wait(drawn, SECONDS)
    turn_to(user, "Problems (1)", "Pairs and problems")
    problems = user.widget("Problems")
    assert isinstance(problems, QListWidget) and problems.isVisible()
    assert "torn.png" in problems.item(0).text()


@pytest.mark.task("technique")
def test_that_a_technique_takes_memory_away_and_greys_those_that_it_does_not_go_with(user: User) -> None:
    turn_to(user, "Train")
    user.type("Size in pixels", "1024")
    plain = memory(user)
    reach(user, "Use Checkpointing", "Techniques")
    assert box(user, "Use Recompute the cheap steps").isEnabled()
    user.click("Use Checkpointing")
    assert memory(user) < 0.8 * plain
    other = box(user, "Use Recompute the cheap steps")
    reach(user, "Use Recompute the cheap steps", "Techniques")
    assert not other.isEnabled() and "Checkpointing" in user.text("Recompute the cheap steps: why not")
    user.press(other, QPoint(8, other.height() // 2))
    assert not other.isChecked()


@pytest.fixture
def shared(form: None) -> None:
    """The form was left with a batch that processes share."""
    remember_form("data_parallel:batch_norm=joint", batch=2)


@pytest.mark.skipif(system.WINDOWS or system.usable_threads() < 2, reason="trains in one process")
@pytest.mark.task("where")
def test_that_one_sees_whether_two_processes_would_train_faster(shared: None, user: User) -> None:
    turn_to(user, "Train")
    user.wait(lambda: user.sees("Processes on The CPU"), SECONDS)
    user.type("Processes on The CPU", "2")
    user.wait(lambda: user.sees("What the planner makes of the devices"), SECONDS)
    reported = user.text("What the planner makes of the devices")
    assert re.match(r"2 images of 192×192 over 2 processes: [\d.]+ .iB each, no faster than one; ", reported), reported
    assert "over a link that is estimated" in reported and reported.endswith("More of them do not pay here.")


@pytest.mark.task("fit")
def test_that_the_planner_fits_a_training_into_a_budget(user: User) -> None:
    turn_to(user, "Train")
    user.type("Size in pixels", "1024")
    plain = memory(user)
    user.click("Let the planner choose techniques")
    user.wait(lambda: user.sees("Chosen: use this"), SECONDS)
    user.type("Budget", f"{round(plain / 2**20 * 0.7)} MiB")
    user.click("Look for a plan with this budget")
    user.wait(lambda: not user.sees("Chosen: use this"))
    user.wait(lambda: user.sees("Chosen: use this"), SECONDS)
    techniques = user.text("Chosen: techniques")
    user.click("Chosen: use this")
    assert memory(user) <= 0.7 * plain + 0.05 * 2**30  # as it is rounded
    for title in re.sub(r" \([^)]*\)", "", techniques).split(" + "):
        assert box(user, f"Use {title}").isChecked(), techniques


@pytest.mark.task("review")
def test_that_a_rejected_reference_is_left_out_of_the_training(user: User, images: Path) -> None:
    set_up(user, images)

    def seen(place: int) -> bool:
        making = user.text("Who made the reference") in ("", "Making the reference…")
        return user.text("Which image").startswith(f"Image {place} of 4") and not making

    user.wait(lambda: user.sees("Review references"), SECONDS)
    user.click("Review references")
    for place, key in ((1, Qt.Key.Key_A), (2, Qt.Key.Key_X)):
        user.wait(lambda place=place: seen(place), SECONDS)
        user.key(key)
    user.wait(lambda: seen(3), SECONDS)
    first = user.seen("Reference under review")
    user.slide("Strength of the reference", 80)
    user.wait(lambda: seen(3) and user.seen("Reference under review") != first, SECONDS)
    user.click("Approve the reference")
    user.wait(lambda: seen(4), SECONDS)
    user.click("Back to the settings")
    user.wait(lambda: len(review.load()) == 3)
    verdicts = review.load()
    assert [one.judgement for one in verdicts.values()] == [Judgement.APPROVED, Judgement.REJECTED, Judgement.ADJUSTED]
    rejected = next(key for key, one in verdicts.items() if one.judgement is Judgement.REJECTED)
    adjusted = next(one for one in verdicts.values() if one.judgement is Judgement.ADJUSTED)
    assert adjusted.strength == pytest.approx(0.8, abs=0.02)

    user.click("Start the training")
    user.wait(lambda: len(runs.folders()) == 1 and (runs.folders()[0] / "split.json").exists(), TRAINING)
    run = only(runs.folders())
    parts = json.loads((run / "split.json").read_text(encoding="utf-8"))
    used = {digest for part in ("training", "validation") for one in parts[part] for digest in one["sha256"]}
    assert rejected not in used and len(parts["training"]) + len(parts["validation"]) == 3
    turn_to(user, "Messages", "Radiograph, details and messages")
    said = user.widget("What the run has said")
    assert isinstance(said, QListWidget)
    user.wait(lambda: any("rejected" in said.item(row).text() for row in range(said.count())), SECONDS)


@pytest.mark.task("train")
def test_that_a_training_is_started_and_seen_to_its_end(user: User, images: Path) -> None:
    set_up(user, images)
    user.click("Start the training")
    user.wait(lambda: user.sees("State of the run") and "Completed" in user.text("State of the run"), TRAINING)
    run = only(runs.folders())
    assert (run / "model.safetensors").stat().st_size > 2**20
    assert [event.epoch for event in reported(run) if isinstance(event, events.EpochDone)] == [1, 2]
    assert "of 2" in user.widget("Loss of the run").accessibleDescription()
    user.wait(lambda: user.sees("Loss of the run, drawn") and user.sees("Memory of the run, drawn"))
    for plot in ("Loss of the run, drawn", "Memory of the run, drawn"):
        assert _colours(user.widget(plot).grab().toImage()) > 5, plot
    user.wait(lambda: _greys(user.widget("Radiograph now").grab().toImage()) > 20, SECONDS)


@pytest.fixture
def once(form: None) -> None:
    """The form was left with a training of a single epoch."""
    remember_form(epochs=1)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of address space is Linux's")
@pytest.mark.task("out of memory")
def test_that_a_training_that_runs_out_of_memory_says_so_and_goes_on_with_the_next_rung(
    once: None, user: User, tmp_path: Path, launcher: Launcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALLOC_ARENA_MAX", "1")  # the room of an arena is none that a step asks for
    launcher.script = tmp_path / "scarce.py"
    launcher.script.write_text(SCARCE.format(room=160), encoding="utf-8")
    set_up(user, make_images(tmp_path / "larger", 3, 384))
    user.type("Size in pixels", "384")
    user.click("Go on with less when memory runs out")
    user.click("Start the training")
    user.wait(lambda: user.sees("What happened") and "Memory ran out" in user.text("What happened, in short"), TRAINING)
    run = only(runs.folders())
    words = user.text("What happened, in full")
    [plan] = [event.plan for event in reported(run) if isinstance(event, events.PlanMade)]
    assert plan.exact and plan.time_factor <= 1.01, "all memory is free: nothing slows it down"
    [fallen, *_] = [event for event in reported(run) if isinstance(event, events.RungTaken)]
    notices = [event.text for event in reported(run) if isinstance(event, events.Notice)]
    [explained] = [text for text in notices if text.startswith("The training ran out of memory.")]
    assert "with the same gradients" in explained
    assert "A step needed more memory than was free. The training goes on by itself" in words
    assert "From now on: " in words and "times as long; the result is the same" in words
    assert fallen.peak_bytes < fallen.peak_bytes_before and fallen.time_factor >= fallen.time_factor_before
    user.wait(lambda: "Completed" in user.text("State of the run"), TRAINING)
    assert (run / "model.safetensors").exists()
    assert not [event for event in reported(run) if isinstance(event, events.RunFailed)]


def _greys(picture: QImage) -> int:
    """How many levels of grey a picture has."""
    points = ((x, y) for x in range(0, picture.width(), 3) for y in range(0, picture.height(), 3))
    return len({picture.pixelColor(x, y).lightness() for x, y in points})


def _colours(picture: QImage) -> int:
    """How many colours that are no grey a picture has."""
    points = ((x, y) for x in range(0, picture.width(), 2) for y in range(0, picture.height(), 2))
    return len({colour.rgb() for x, y in points if (colour := picture.pixelColor(x, y)).saturation() > 60})
