"""The page that sets a training up, used by mouse and keys, with workers that answer at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QListWidget, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from fullfield import files
from fullfield.data import review
from fullfield.data.review import Judgement
from fullfield.data.survey import Trouble
from fullfield.jobs.job import Job
from fullfield.setup_events import ReferenceProposed
from fullfield_app.gui import language
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.main_window import MainWindow
from fullfield_app.gui.train.memory_bar import MemoryBar
from fullfield_app.gui.train.panel import TrainPanel
from fullfield_app.gui.widgets.accessible import complete
from gui.clipping import clipped
from gui.fake_job import FakeJob
from gui.fake_setup import FakeSetup, three_patients
from gui.hands import LEFT, NO_KEYS, Hands


class Setup:
    """The workers that the page has started, and what it shall find."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.jobs = folder, list[FakeSetup]()
        self.running = False
        self.found = three_patients

    def launch(self, job: Job, /, *, folder: Path | None = None) -> FakeSetup:
        self.jobs.append(FakeSetup(self.folder / f"{job.kind}-{len(self.jobs)}", job, lambda: self.found()))
        return self.jobs[-1]

    def attach(self, folder: Path) -> FakeSetup:
        fake = FakeSetup(self.folder / f"found-{len(list(self.folder.iterdir()))}", Job(kind="train"))
        fake.ended = not self.running
        return fake

    def last(self, kind: str) -> FakeSetup:
        return [job for job in self.jobs if job.job.kind == kind][-1]

    def asked(self) -> dict[str, object]:
        asks = [command for command in self.last("planning").posted if command["command"] == "ask"]
        return dict(asks[-1]["asked"])


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(tmp_path / "setup")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    return tmp_path / "images"


@pytest.fixture
def hands(qtbot: QtBot, setup: Setup, start: Callable[[], FakeJob], documents: Path) -> Iterator[Hands]:
    """A window that shows the page."""
    window = MainWindow(Workers(session=start, launch=setup.launch, attach=setup.attach))
    qtbot.addWidget(window)
    window.resize(1366, 728)
    hands = Hands(window, qtbot)
    try:
        window.show()
        qtbot.waitUntil(lambda: "GPU" in hands.text("What the worker says"))
        qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
        hands.wait(lambda: hands.text("Memory in all") != "")
        yield hands
    finally:
        window.shut_down()


def box(hands: Hands, name: str) -> QCheckBox:
    found = hands.widget(name)
    assert isinstance(found, QCheckBox)
    return found


def tick(hands: Hands, name: str) -> None:
    """Click a box where its sign is."""
    hands.qtbot.mouseClick(box(hands, name), LEFT, NO_KEYS, QPoint(8, box(hands, name).height() // 2))


def type_size(hands: Hands, text: str) -> None:
    combo = hands.widget("Size in pixels")
    assert isinstance(combo, QComboBox)
    line = combo.lineEdit()
    assert line is not None
    line.setFocus()
    line.selectAll()
    hands.qtbot.keyClicks(line, text)


def question(hands: Hands) -> QMessageBox:
    hands.wait(lambda: bool(_boxes(hands)))
    return _boxes(hands)[0]


def _boxes(hands: Hands) -> list[QMessageBox]:
    return [found for found in hands.window.findChildren(QMessageBox) if found.isVisible()]


def ready(hands: Hands, data: Path) -> None:
    """A folder is dropped and surveyed, and there is a plan for it."""
    hands.drop([data])
    hands.wait(lambda: hands.sees("Images and patients"))
    hands.wait(lambda: hands.widget("Start the training").isEnabled())


# What it takes ----------------------------------------------------------------------------------------------------


def test_that_the_memory_is_told_at_once_in_words_sign_and_total(hands: Hands) -> None:
    assert hands.text("Memory in all") == "4.0 GiB"
    assert hands.text("Whether it fits") == "Fits with room"
    assert hands.text("Light, sign") == "●"
    assert hands.text("Whose memory") == "of the computer's memory (no GPU)"
    bar = hands.widget("Memory by kind")
    assert isinstance(bar, MemoryBar)
    assert "Activations 2.0 GiB" in bar.accessibleDescription()
    assert "373.0 MiB at any image size" in hands.text("What techniques cannot change")


def test_that_a_technique_is_switched_by_a_click_and_the_figures_follow(hands: Hands, setup: Setup) -> None:
    assert hands.text("Recompute the cheap steps: what it changes") == "−1.0 GiB, 1.50 × time"
    tick(hands, "Use Recompute the cheap steps")
    hands.wait(lambda: hands.text("Memory in all") == "3.0 GiB")
    assert setup.asked()["techniques"] == ["banded_loss", "recompute"]
    assert "1.40 times as long" in hands.text("Time and exactness")


def test_that_what_cannot_join_is_grey_with_its_reason_and_what_the_site_refuses_too(hands: Hands) -> None:
    assert not box(hands, "Use A few images at a time").isEnabled()
    assert "cannot be divided" in hands.text("A few images at a time: why not")
    tick(hands, "Use Work in bands")
    assert not box(hands, "Use Checkpointing").isEnabled()
    assert "Work in bands" in hands.text("Checkpointing: why not")
    tick(hands, "Use Work in bands")
    assert box(hands, "Use Checkpointing").isEnabled()


def test_that_options_are_a_form_of_their_own_and_are_asked_with(hands: Hands, setup: Setup) -> None:
    tick(hands, "Use Work in bands")
    hands.click("Work in bands: show options")
    rows = hands.widget("Work in bands: Rows of the image in one band")
    hands.qtbot.keyClick(rows, Qt.Key.Key_Up)
    hands.wait(lambda: "hybrid_bands:rows=129" in setup.asked()["techniques"])
    tick(hands, "Work in bands: layer3")
    hands.wait(lambda: "hybrid_bands:rows=129,nested=layer1+layer2+layer3" in setup.asked()["techniques"])


def test_that_a_larger_size_does_not_fit_and_says_so(hands: Hands) -> None:
    type_size(hands, "2048")
    hands.wait(lambda: hands.text("Whether it fits") == "Does not fit")
    assert hands.text("Light, sign") == "✕"


def test_that_a_size_that_cannot_be_says_why_where_it_is_typed_and_cannot_start(hands: Hands, data: Path) -> None:
    ready(hands, data)
    type_size(hands, "100")
    hands.wait(lambda: "192" in hands.text("About the size"))
    assert not hands.widget("Start the training").isEnabled()
    assert hands.text("What techniques cannot change") == "", "no plan, no figures of one"
    type_size(hands, "500")
    hands.wait(lambda: "480 or 512 waste nothing" in hands.text("About the size"))
    assert hands.widget("Start the training").isEnabled()


def test_that_a_card_that_is_not_here_is_planned_for_as_an_estimate(hands: Hands, setup: Setup) -> None:
    hands.choose("Card to plan for", 1)
    hands.wait(lambda: setup.asked()["gpu"] == "RTX 2060")
    hands.wait(lambda: "estimate" in hands.text("What to know of these figures"))
    hands.choose("Card to plan for", 2)
    memory = hands.widget("Memory of the card")
    assert isinstance(memory, QLineEdit)
    memory.selectAll()
    hands.qtbot.keyClicks(memory, "12 GiB\r")
    hands.wait(lambda: setup.asked()["gpu"] == "12 GiB")


def test_that_the_planner_chooses_explains_and_the_boxes_follow(hands: Hands, setup: Setup) -> None:
    hands.click("Let the planner choose techniques")
    hands.wait(lambda: hands.sees("Chosen: use this"))
    assert "chosen because" in hands.text("What the planner says")
    assert "Work in bands" in hands.text("Less memory 1: techniques")
    assert hands.text("Remark 2").startswith("Not chosen")
    assert hands.text("Remark 3").startswith("Loss in bands: refused because")
    budget = hands.widget("Budget")
    assert isinstance(budget, QLineEdit)
    hands.qtbot.keyClicks(budget, "3 GiB\r")
    hands.wait(lambda: setup.asked()["budget"] == 3 << 30)
    hands.wait(lambda: hands.sees("Less memory 1: use this"))
    hands.click("Less memory 1: use this")
    assert box(hands, "Use Work in bands").isChecked()
    assert not box(hands, "Use Recompute the cheap steps").isChecked()


def test_that_a_budget_without_a_unit_is_not_asked_for(hands: Hands) -> None:
    hands.click("Let the planner choose techniques")
    budget = hands.widget("Budget")
    hands.wait(lambda: hands.sees("Chosen: use this"))
    hands.qtbot.keyClicks(budget, "8\r")
    hands.wait(lambda: "unit" in hands.text("What the planner says"))


def test_that_the_last_figure_stays_dimmed_while_the_next_is_computed(hands: Hands, setup: Setup) -> None:
    setup.last("planning").held = True
    tick(hands, "Use Recompute the cheap steps")
    hands.wait(lambda: hands.text("Whether it is being computed") == "Computing…")
    assert hands.text("Memory in all") == "4.0 GiB"
    assert not hands.widget("Memory in all").isEnabled()
    setup.last("planning").held = False
    hands.wait(lambda: hands.text("Memory in all") == "3.0 GiB")
    assert hands.widget("Memory in all").isEnabled()
    assert hands.text("Whether it is being computed") == ""


def test_that_a_set_that_the_planner_refuses_is_told_as_a_sentence(hands: Hands) -> None:
    tick(hands, "Use Optimizer in four bits")
    hands.wait(lambda: "impossible here" in hands.text("Whether it fits"))
    tick(hands, "Use Optimizer in four bits")
    hands.wait(lambda: hands.text("Whether it fits") == "Fits with room")


def test_that_a_planner_that_dies_is_told_and_can_be_started_again(hands: Hands, setup: Setup) -> None:
    setup.last("planning").die()
    hands.wait(lambda: "ended unexpectedly" in hands.text("Message, in short"))
    hands.click("Do what the message proposes")
    tick(hands, "Use Recompute the cheap steps")
    hands.wait(lambda: hands.text("Memory in all") == "3.0 GiB")
    assert len([job for job in setup.jobs if job.job.kind == "planning"]) == 2


def test_that_a_plan_of_the_planners_that_is_not_taken_leaves_the_figures_of_the_users_own(hands: Hands) -> None:
    tick(hands, "Use Work in bands")
    hands.wait(lambda: hands.text("Memory in all") == "2.0 GiB")
    before = hands.text("Recompute the cheap steps: what it changes")
    changed = [before]
    hands.window._pages["train"]._plans.planning.judged.connect(lambda _: changed.append(before))
    hands.click("Let the planner choose techniques")
    hands.wait(lambda: hands.sees("Chosen: use this"))
    hands.qtbot.wait(100)
    assert len(changed) == 1, "told of the planner's set, which is not the user's"
    hands.click("Close without taking a plan")
    hands.wait(lambda: len(changed) > 1)
    assert hands.text("Recompute the cheap steps: what it changes") == before


def test_that_a_question_that_the_planner_superseded_is_asked_again(hands: Hands, setup: Setup) -> None:
    setup.last("planning").held = True
    type_size(hands, "1024")
    hands.wait(lambda: setup.asked()["height"] == 1024)
    hands.click("Let the planner choose techniques")
    hands.wait(lambda: "techniques" not in setup.asked())
    setup.last("planning").told.clear()
    setup.last("planning").held = False
    hands.click("Look for a plan with this budget")
    hands.wait(lambda: hands.sees("Chosen: use this"))
    assert not hands.widget("Memory in all").isEnabled(), "of the size before"
    hands.click("Close without taking a plan")
    hands.wait(lambda: hands.text("Memory in all") == "8.0 GiB")
    assert hands.widget("Memory in all").isEnabled()


def test_that_the_planner_says_when_there_is_nothing_to_plan_for(hands: Hands) -> None:
    type_size(hands, "native")
    hands.click("Let the planner choose techniques")
    hands.wait(lambda: "Choose the images first" in hands.text("What the planner says"))
    hands.click("Close without taking a plan")
    type_size(hands, "many")
    hands.click("Let the planner choose techniques")
    hands.wait(lambda: "before the settings are corrected" in hands.text("What the planner says"))


def test_that_a_planner_that_dies_while_it_is_asked_to_fit_says_so_where_it_was_asked(
    hands: Hands, setup: Setup
) -> None:
    setup.last("planning").held = True
    hands.click("Let the planner choose techniques")
    hands.wait(lambda: "techniques" not in setup.asked())
    setup.last("planning").told.clear()
    setup.last("planning").die()
    setup.last("planning").held = False
    hands.wait(lambda: "ended unexpectedly" in hands.text("What the planner says"))
    hands.click("Look for a plan with this budget")
    hands.wait(lambda: hands.sees("Chosen: use this"))
    hands.click("Close without taking a plan")
    hands.wait(lambda: hands.text("Memory in all") == "4.0 GiB")


def test_that_images_that_come_while_the_planner_is_asked_are_planned_for(
    hands: Hands, setup: Setup, data: Path
) -> None:
    type_size(hands, "native")
    hands.click("Let the planner choose techniques")
    hands.wait(lambda: "Choose the images first" in hands.text("What the planner says"))
    hands.window.open([data])
    hands.wait(lambda: hands.sees("Chosen: use this"))
    assert (setup.asked()["height"], setup.asked()["width"]) == (1200, 800)


def test_that_a_mistake_is_not_painted_over_by_an_earlier_answer(hands: Hands, setup: Setup) -> None:
    setup.last("planning").held = True
    type_size(hands, "1024")
    hands.wait(lambda: setup.asked()["height"] == 1024)
    type_size(hands, "100")
    hands.wait(lambda: "settings are corrected" in hands.text("Whether it fits"))
    setup.last("planning").held = False
    hands.wait(lambda: not setup.last("planning").told)
    hands.qtbot.wait(100)
    assert "settings are corrected" in hands.text("Whether it fits")


def test_that_other_settings_tell_their_mistakes_at_the_field(hands: Hands) -> None:
    hands.click("More settings")
    line = hands.widget("Learning rate")
    assert isinstance(line, QLineEdit)
    line.selectAll()
    hands.qtbot.keyClicks(line, "fast")
    assert "Choose a number" in hands.text("Learning rate, what is wrong")
    hands.click("Close the settings")
    button = hands.widget("More settings")
    assert "1 to correct" in button.property("text")


def test_that_a_setting_can_be_changed_while_another_is_wrong(hands: Hands, data: Path) -> None:
    ready(hands, data)
    hands.click("More settings")
    for field, text in (("Seed", "x"), ("Held back", ".3")):
        line = hands.widget(field)
        assert isinstance(line, QLineEdit)
        line.selectAll()
        hands.qtbot.keyClicks(line, text)
    assert "Choose a whole number" in hands.text("Seed, what is wrong")


# Data -------------------------------------------------------------------------------------------------------------


def test_that_a_dropped_folder_is_counted_split_and_its_problems_named(hands: Hands, data: Path) -> None:
    ready(hands, data)
    assert hands.text("Images and patients") == "3 images of 3 patients, all of them processed for display."
    assert "2 to learn from, 1 held back to check (patients no. 3)" in hands.text("Who is held back")
    assert "800×1000 to 800×1200" in hands.text("Sizes of the images")
    troubles, pairs = hands.widget("Problems"), hands.widget("Pairs")
    assert isinstance(troubles, QListWidget)
    assert isinstance(pairs, QListWidget)
    assert troubles.item(0).text() == "letter.doc: cannot be used: it is no radiograph."
    assert [pairs.item(place).text() for place in range(3)] == ["Patient 1", "Patient 2", "Patient 3, held back"]
    length = "2 images to learn from, 100 steps in 50 epochs. Very roughly 2 min 30 s here."
    hands.wait(lambda: hands.text("How long the training is") == length)


def test_that_data_that_cannot_be_used_are_told_and_another_folder_can_be_chosen(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    setup.last("survey").refuse("Cannot read the training data.")
    hands.wait(lambda: "Cannot read the training data" in hands.text("Message, in short"))
    assert hands.sees("What to drop here")
    assert not hands.widget("Start the training").isEnabled()


def test_that_a_folder_whose_reading_broke_off_is_looked_at_again(hands: Hands, setup: Setup, data: Path) -> None:
    ready(hands, data)
    setup.last("survey").die()
    hands.wait(lambda: "ended unexpectedly" in hands.text("Message, in short"))
    assert hands.text("Folder of images") == "images"
    assert hands.text("Why it cannot start") == "Choose the images first."
    hands.click("Do what the message proposes")
    hands.wait(lambda: hands.sees("Images and patients"))
    surveys = [job for job in setup.jobs if job.job.kind == "survey"]
    assert [job.job.spec["data"] for job in surveys] == [str(data)] * 2


def test_that_what_is_not_listed_is_counted(
    hands: Hands, setup: Setup, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fullfield_app.gui.train.data_side.MOST_LISTED", 2)
    setup.found = lambda: three_patients(troubles=(Trouble(text="no radiograph."),) * 502)
    ready(hands, data)
    troubles, pairs = hands.widget("Problems"), hands.widget("Pairs")
    assert isinstance(troubles, QListWidget) and isinstance(pairs, QListWidget)
    assert [pairs.item(row).text() for row in range(pairs.count())][1:] == ["Patient 2", "… and 1 more"]
    assert troubles.count() == 3 and troubles.item(2).text() == "… and 500 more"


def test_that_a_folder_to_train_on_is_not_among_the_files_that_were_opened(hands: Hands, data: Path) -> None:
    opened = list[object]()
    hands.window._pages["train"].opened.connect(opened.append)
    ready(hands, data)
    assert opened == []


def test_that_menus_and_keys_offer_what_can_be_done_alone(hands: Hands, data: Path) -> None:
    actions = hands.window._pages["train"].actions_by_key
    assert not actions["start_training"].isEnabled() and not actions["review"].isEnabled()
    ready(hands, data)
    assert actions["start_training"].isEnabled() and actions["review"].isEnabled()


def test_that_one_patient_cannot_be_trained_on(hands: Hands, setup: Setup, data: Path) -> None:
    setup.found = lambda: three_patients(amiss="There are 3 images of 1 patients.")
    hands.drop([data])
    hands.wait(lambda: "1 patients" in hands.text("Why it cannot start"))
    assert not hands.widget("Start the training").isEnabled()


def test_that_why_it_cannot_start_is_said_in_the_users_language(
    hands: Hands, setup: Setup, data: Path, qapp: QApplication
) -> None:
    setup.found = lambda: three_patients(amiss="There are 3 images of 1 patients.")
    language.install(qapp, "es")
    try:
        hands.drop([data])
        hands.wait(lambda: hands.text("Why it cannot start") == "Hay 3 imágenes de 1 pacientes.")
    finally:
        language.install(qapp, "en")
        QLocale.setDefault(QLocale.c())


def test_that_reading_can_be_cancelled(hands: Hands, setup: Setup, data: Path) -> None:
    setup.found = lambda: three_patients()
    hands.drop([data])
    hands.wait(lambda: bool([job for job in setup.jobs if job.job.kind == "survey"]))
    hands.widget("Stop reading the folder")
    setup.last("survey").told.clear()
    setup.last("survey").post({"command": "stop"})
    hands.wait(lambda: hands.sees("What to drop here"))


# Review -----------------------------------------------------------------------------------------------------------


def review_page(hands: Hands, data: Path) -> None:
    ready(hands, data)
    hands.click("Review references")
    hands.wait(lambda: "preset general" in hands.text("Who made the reference"))


def verdicts() -> list[tuple[str, str, float]]:
    return sorted((one.judgement.value, one.preset, one.strength) for one in review.load().values())


def test_that_references_are_approved_and_rejected_by_keys_and_one_can_go_on_later(hands: Hands, data: Path) -> None:
    review_page(hands, data)
    hands.key(Qt.Key.Key_A)
    hands.wait(lambda: hands.text("Which image").startswith("Image 2 of 3"))
    hands.wait(lambda: "preset general" in hands.text("Who made the reference"))
    hands.key(Qt.Key.Key_X)
    hands.wait(lambda: len(review.load()) == 2)
    assert verdicts() == [("approved", "general", 1.0), ("rejected", "", 1.0)]
    hands.click("Back to the settings")
    assert hands.widget("Review references").property("text") == "Review references… (2 of 3 done)"
    hands.click("Review references")
    assert hands.text("Which image").startswith("Image 3 of 3")


def test_that_the_review_is_left_when_its_worker_dies(hands: Hands, setup: Setup, data: Path) -> None:
    review_page(hands, data)
    setup.last("survey").die()
    hands.wait(lambda: hands.sees("What to drop here"))
    assert not hands.sees("Review of references")


def test_that_a_reference_is_approved_only_at_the_strength_that_is_seen(hands: Hands, setup: Setup, data: Path) -> None:
    review_page(hands, data)
    page, worker, approved = hands.window._pages["train"], setup.last("survey"), list[float]()
    assert isinstance(page, TrainPanel)

    def approve(event: ReferenceProposed) -> None:
        """Press the key as soon as there is a picture."""
        page._review._approve()
        if page._review.reviewing.reviewed:
            approved.append(next(one["strength"] for one in worker.posted if one.get("number") == event.number))

    page._surveying.proposed.connect(lambda event, *_: approve(event))
    slider = hands.widget("Strength of the reference")
    worker.held = True
    hands.qtbot.keyClick(slider, Qt.Key.Key_Right)
    hands.wait(lambda: worker.posted[-1]["strength"] == pytest.approx(1.1))
    hands.qtbot.keyClick(slider, Qt.Key.Key_Right)
    worker.held = False
    hands.wait(lambda: bool(review.load()))
    assert verdicts()[0] == ("adjusted", "general", 1.2) and approved[0] == pytest.approx(1.2)


def test_that_a_reference_is_adjusted_by_its_strength(hands: Hands, setup: Setup, data: Path) -> None:
    review_page(hands, data)
    slider = hands.widget("Strength of the reference")
    slider.setFocus()
    hands.qtbot.keyClick(slider, Qt.Key.Key_Right)
    hands.qtbot.keyClick(slider, Qt.Key.Key_Right)
    hands.wait(lambda: setup.last("survey").posted[-1]["strength"] == 1.2)
    hands.wait(lambda: "preset general" in hands.text("Who made the reference"))
    hands.click("Approve the reference")
    hands.wait(lambda: len(review.load()) == 1)
    assert verdicts() == [(Judgement.ADJUSTED.value, "general", 1.2)]


def test_that_a_verdict_can_be_taken_back(hands: Hands, data: Path) -> None:
    review_page(hands, data)
    hands.click("Reject the reference")
    hands.wait(lambda: len(review.load()) == 1)
    hands.click("Previous reference")
    assert hands.text("Which image").endswith("✕ rejected, left out")
    hands.click("Take the verdict back")
    hands.wait(lambda: review.load() == {})
    hands.wait(lambda: hands.text("Which image").endswith("not reviewed"))


# Start ------------------------------------------------------------------------------------------------------------


def trainings(setup: Setup) -> list[Job]:
    return [job.job for job in setup.jobs if job.job.kind == "train"]


def test_that_start_launches_what_the_form_says_and_turns_to_the_runs(
    hands: Hands, setup: Setup, data: Path, qtbot: QtBot
) -> None:
    ready(hands, data)
    tick(hands, "Use Recompute the cheap steps")
    page = hands.widget("Train")
    with qtbot.waitSignal(page.went, timeout=5000) as went:  # type: ignore[attr-defined]
        hands.click("Start the training")
    assert went.args == ["runs", setup.last("train").folder]
    spec = trainings(setup)[0].spec
    assert spec["data"] == str(data)
    assert spec["techniques"] == ["banded_loss", "recompute"]
    assert (spec["size"], spec["fit"]) == (512, "auto")


def test_that_a_training_that_does_not_fit_is_asked_about(hands: Hands, setup: Setup, data: Path) -> None:
    ready(hands, data)
    type_size(hands, "2048")
    hands.wait(lambda: hands.text("Whether it fits") == "Does not fit")
    hands.click("Start the training")
    asked = question(hands)
    assert "does not fit" in asked.text()
    hands.click("Do not start")
    assert not trainings(setup)
    hands.click("Start the training")
    question(hands)
    hands.click("Start anyway")
    hands.wait(lambda: bool(trainings(setup)))
    assert trainings(setup)[0].spec["fit"] == ""


def test_that_a_start_while_its_plan_is_computed_takes_nothing_of_the_plan_before(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    hands.wait(lambda: "roughly" in hands.text("How long the training is"))
    setup.last("planning").held = True
    tick(hands, "Use Recompute the cheap steps")
    assert "roughly" not in hands.text("How long the training is")
    tick(hands, "Go on with less when memory runs out")
    hands.click("Start the training")
    hands.wait(lambda: bool(trainings(setup)))
    hands.qtbot.wait(50)
    assert not (setup.last("train").folder / "prediction.json").exists()


def test_that_a_second_training_is_asked_the_other_questions_too_and_falls_back_as_was_chosen(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    hands.choose("Card to plan for", 1)
    hands.wait(lambda: "estimate" in hands.text("What to know of these figures"))
    run = files.runs_folder() / "20260101-000000-train-abc"
    run.mkdir(parents=True)
    (run / "worker.json").write_text("{}")
    setup.running = True
    hands.click("Start the training")
    question(hands)
    hands.click("Start anyway")
    hands.wait(lambda: "RTX 2060" in question(hands).text())
    hands.click("Start here")
    hands.wait(lambda: bool(trainings(setup)))
    assert trainings(setup)[0].spec["fit"] == "auto"


def test_that_a_second_training_is_asked_about(hands: Hands, setup: Setup, data: Path) -> None:
    ready(hands, data)
    run = files.runs_folder() / "20260101-000000-train-abc"
    run.mkdir(parents=True)
    (run / "worker.json").write_text("{}")
    setup.running = True
    hands.click("Start the training")
    assert "running already" in question(hands).text()
    hands.click("Do not start")
    assert not trainings(setup)


def test_that_without_images_it_says_what_to_do_first(hands: Hands) -> None:
    assert hands.text("Why it cannot start") == "Choose the images first."
    assert not hands.widget("Start the training").isEnabled()


def test_that_the_form_comes_back_and_the_folder_is_in_no_settings(
    hands: Hands, setup: Setup, data: Path, start: Callable[[], FakeJob], qtbot: QtBot
) -> None:
    ready(hands, data)
    tick(hands, "Use Recompute the cheap steps")
    type_size(hands, "1024")
    hands.window.shut_down()
    from fullfield_app import settings

    text = settings.path().read_text()
    assert "images" not in text
    window = MainWindow(Workers(session=start, launch=setup.launch, attach=setup.attach))
    qtbot.addWidget(window)
    try:
        window.show()
        again = Hands(window, qtbot)
        again.wait(lambda: "GPU" in again.text("What the worker says"))
        qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
        assert box(again, "Use Recompute the cheap steps").isChecked()
        combo = again.widget("Size in pixels")
        assert isinstance(combo, QComboBox)
        assert combo.currentText() == "1024"
    finally:
        window.shut_down()


# Look -------------------------------------------------------------------------------------------------------------


def test_that_no_text_of_the_page_and_its_dialogs_is_cut_and_every_name_is_there_once(hands: Hands, data: Path) -> None:
    ready(hands, data)
    tick(hands, "Use Work in bands")
    hands.click("Work in bands: show options")
    hands.wait(lambda: hands.text("Memory in all") == "2.0 GiB")
    assert clipped(hands.window) == []
    hands.click("More settings")
    assert clipped(hands.widget("More settings, dialog")) == []
    hands.click("Close the settings")
    hands.click("Let the planner choose techniques")
    hands.wait(lambda: hands.sees("Chosen: use this"))
    assert clipped(hands.widget("Fit it for me, dialog")) == []
    hands.click("Close without taking a plan")
    hands.click("Review references")
    hands.wait(lambda: "preset general" in hands.text("Who made the reference"))
    assert clipped(hands.window) == []
    complete(hands.window)
    names = [widget.accessibleName() for widget in hands.window.findChildren(QWidget)]
    assert "" not in names
    assert len(names) == len(set(names))
