"""First weights on the page that trains: said before Start, and fetched when the user says so, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QFileDialog

from fullfield.model.encoders.registry import ENCODERS
from fullfield.plan import first_weights
from fullfield.protocol.events import RunEnded
from fullfield.protocol.setup_events import BytesFetched
from fullfield_app.gui.train.more_fields import FILE
from gui.clipping import clipped
from gui.fake_setup import FakeSetup
from gui.hands import Hands
from gui.train.desk import READY, Setup, listed, question, ready, tick
from hub import keep_weights

TOLD = "Which first weights"
FETCH = "Fetch ImageNet weights"


def fetches(setup: Setup) -> list[FakeSetup]:
    return [job for job in setup.jobs if job.job.kind == "fetch"]


def fetching(hands: Hands, setup: Setup) -> FakeSetup:
    """The worker of a fetch that was agreed to."""
    before = len(fetches(setup))
    hands.wait(lambda: hands.sees(FETCH))
    hands.click(FETCH)
    asked = question(hands)
    assert "85 MB come from huggingface.co" in asked.text()
    assert len(fetches(setup)) == before
    hands.click("Fetch")
    hands.wait(lambda: len(fetches(setup)) > before)
    return setup.last("fetch")


def test_that_a_training_from_scratch_is_said_before_start_and_its_settings_keep_it(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    hands.wait(lambda: "starts from scratch: ImageNet's are not on this computer" in hands.text(TOLD))
    hands.wait(lambda: clipped(hands.window) == [])  # once what was told is laid out
    hands.click("Start the training")
    hands.wait(lambda: any(job.job.kind == "train" for job in setup.jobs))
    assert setup.last("train").job.spec["weights"] == "none"


def test_that_nothing_is_fetched_without_the_users_yes(hands: Hands, setup: Setup) -> None:
    hands.wait(lambda: hands.sees(FETCH))
    hands.click(FETCH)
    question(hands)
    hands.click("Do not fetch")
    hands.qtbot.wait(50)
    assert not fetches(setup)


def test_that_fetched_weights_are_said_and_trained_from(hands: Hands, setup: Setup, data: Path) -> None:
    ready(hands, data)
    worker = fetching(hands, setup)
    assert worker.job.spec == {"encoder": "resnet34"}
    assert worker.job.owner is not None  # it ends with the window
    worker.reported.append(BytesFetched(done=12_000_000, total=85_000_000))
    hands.wait(lambda: hands.text(TOLD) == "Fetching ImageNet weights: 12 of 85 MB.")
    assert not hands.sees(FETCH) and clipped(hands.window) == []
    keep_weights({}, "resnet34")
    worker.reported.append(RunEnded(reason="completed"))
    hands.wait(lambda: hands.text(TOLD) == "First weights: ImageNet's, from this computer.")
    assert not hands.sees(FETCH) and not hands.sees("Stop fetching weights")
    hands.click("Start the training")
    hands.wait(lambda: any(job.job.kind == "train" for job in setup.jobs))
    assert setup.last("train").job.spec["weights"] == "imagenet"


def test_that_a_fetch_is_cancelled(hands: Hands, setup: Setup) -> None:
    worker = fetching(hands, setup)
    hands.wait(lambda: hands.sees("Stop fetching weights"))
    hands.click("Stop fetching weights")
    hands.wait(lambda: hands.sees(FETCH))
    assert {"command": "stop"} in worker.posted
    assert not hands.sees("Message, in short")


def test_that_a_fetch_that_fails_is_told_and_can_be_tried_again(hands: Hands, setup: Setup) -> None:
    fetching(hands, setup).refuse("Cannot fetch the ImageNet weights.")
    hands.wait(lambda: "Cannot fetch the ImageNet weights" in hands.text("Message, in short"))
    hands.wait(lambda: hands.sees(FETCH))
    fetching(hands, setup)
    assert len(fetches(setup)) == 2


@pytest.mark.parametrize("damaged", [False, True])
def test_that_named_weights_that_are_missing_or_damaged_keep_it_from_starting(
    hands: Hands, setup: Setup, data: Path, damaged: bool
) -> None:
    ready(hands, data)
    hands.wait(lambda: hands.sees(FETCH))
    panel = hands.window._pages["train"]
    if damaged:
        keep_weights({}, "resnet34").resolve().write_bytes(b"changed")
        panel._weights.look()  # type: ignore[attr-defined]
    else:
        panel._set("weights", "imagenet")  # type: ignore[attr-defined]
    hands.wait(lambda: "Fetch the ImageNet weights first" in hands.text("Why it cannot start"))
    assert not hands.widget("Start the training").isEnabled()
    panel._set("weights", "none")  # type: ignore[attr-defined]
    assert hands.text(TOLD) == "First weights: none, the network starts from scratch."
    assert hands.widget("Start the training").isEnabled() and not hands.sees(FETCH)
    panel._set("weights", "/somewhere/resnet34.pth")  # type: ignore[attr-defined]
    assert hands.text(TOLD) == "First weights: from a file."


def test_that_every_encoder_is_offered_and_one_without_known_weights_starts_from_scratch(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    hands.wait(lambda: hands.sees(FETCH))
    hands.click("More settings")
    combo = hands.widget("Encoder")
    assert isinstance(combo, QComboBox)
    assert tuple(combo.itemData(place) for place in range(combo.count())) == tuple(ENCODERS)
    hands.click("Close the settings")
    panel = hands.window._pages["train"]
    panel._set("encoder", "mobilenet_v2")  # type: ignore[attr-defined]
    assert hands.text(TOLD) == "First weights: none, the network starts from scratch."
    assert not hands.sees(FETCH)
    panel._set("weights", "imagenet")  # type: ignore[attr-defined]
    assert "of which there are none for this encoder" in hands.text(TOLD) and not hands.sees(FETCH)
    hands.wait(lambda: "no ImageNet weights for this encoder" in hands.text("Why it cannot start"))
    assert not hands.widget("Start the training").isEnabled()
    panel._set("encoder", "resnet18")  # type: ignore[attr-defined]
    hands.wait(lambda: hands.sees(FETCH))


def test_that_the_file_of_the_model_that_ships_is_chosen_by_its_name_and_may_begin_a_training_elsewhere(
    hands: Hands, setup: Setup, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULLFIELD_WEIGHTS", str(tmp_path / "weights"))
    ships = tmp_path / "weights" / "shipped.safetensors"
    ships.parent.mkdir()
    ships.write_bytes(b"a model")
    assert first_weights.named(str(ships)) == "shipped"
    assert first_weights.named("imagenet") == "imagenet" and first_weights.named("/a/b.pth") == "/a/b.pth"
    ready(hands, data)
    listed(hands, setup, READY, allow_images=True)
    tick(hands, "Train on gpu")
    panel = hands.window._pages["train"]
    panel._set("weights", "/a/b.pth")  # type: ignore[attr-defined]
    hands.wait(lambda: "A file of first weights stays" in hands.text("Why it cannot start"))
    panel._more._chose("weights", FILE)  # type: ignore[attr-defined]
    hands.wait(lambda: any(one.isVisible() for one in hands.window.findChildren(QFileDialog)))
    (dialog,) = (one for one in hands.window.findChildren(QFileDialog) if one.isVisible())
    dialog.fileSelected.emit(str(ships))
    dialog.rejected.disconnect()
    dialog.close()
    hands.wait(lambda: hands.text(TOLD) == "First weights: those of the model that ships.")
    assert hands.text("Why it cannot start") == ""
