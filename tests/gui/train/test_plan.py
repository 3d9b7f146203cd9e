"""What a training takes, as the page tells it while its form is changed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from fullfield.protocol.setup_events import TechniquesJudged
from fullfield_app.gui.train.memory_bar import MemoryBar
from gui.hands import Hands
from gui.train.desk import Setup, box, ready, tick, type_size


def test_that_the_memory_is_told_at_once_in_words_sign_and_total(hands: Hands) -> None:
    assert hands.text("Memory in all") == "4.0 GiB"
    assert hands.text("Whether it fits") == "Fits with room"
    assert hands.text("Light, sign") == "●"
    assert hands.text("Whose memory") == "of the computer's memory (no GPU)"
    bar = hands.widget("Memory by kind")
    assert isinstance(bar, MemoryBar)
    assert "Activations 2.0 GiB" in bar.accessibleDescription()
    assert "373.0 MiB at any image size" in hands.text("What techniques cannot change")


def test_that_a_technique_whose_figures_nobody_knows_yet_says_so_unless_it_says_why_not(hands: Hands) -> None:
    hands.wait(lambda: hands.text("Checkpointing: what it changes") == "not computed yet")
    assert hands.text("A few images at a time: what it changes") == ""
    type_size(hands, "100")
    hands.wait(lambda: hands.text("Checkpointing: what it changes") == "")


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
    hands.wait(lambda: "hybrid_bands:rows=193" in setup.asked()["techniques"])
    tick(hands, "Work in bands: layer3")
    hands.wait(lambda: "hybrid_bands:rows=193,nested=layer1+layer2+layer3" in setup.asked()["techniques"])


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


def test_that_a_cards_memory_may_have_a_comma_and_what_is_no_amount_is_told(hands: Hands, setup: Setup) -> None:
    hands.choose("Card to plan for", 2)
    memory, wrong = hands.widget("Memory of the card"), hands.widget("Memory of the card: what is wrong")
    assert isinstance(memory, QLineEdit)
    for typed in ("11,5 GiB", "eleven"):
        memory.selectAll()
        hands.qtbot.keyClicks(memory, f"{typed}\r")
        hands.wait(lambda: setup.asked()["gpu"] == "11.5 GiB")
        assert memory.text() == "11.5 GiB" and wrong.isHidden() == (typed != "eleven")


TOLD = ("Memory in all", "Whose memory", "Time and exactness", "What to know of these figures")
FIXED, CHANGE = "What techniques cannot change", "Recompute the cheap steps: what it changes"


def test_that_no_earlier_figure_is_told_while_the_next_is_computed(hands: Hands, setup: Setup) -> None:
    hands.wait(lambda: hands.text(CHANGE) == "−1.0 GiB, 1.50 × time")
    setup.last("planning").held = True
    type_size(hands, "1024")
    assert hands.text("Whether it fits") == "Computing…"
    assert [hands.text(name) for name in (*TOLD, FIXED)] == [""] * 5
    assert hands.widget("Memory by kind").accessibleDescription() == ""
    assert hands.text(CHANGE) == "not computed yet"
    setup.last("planning").held = False
    hands.wait(lambda: hands.text("Memory in all") == "8.0 GiB")
    hands.wait(lambda: hands.text(CHANGE) == "−1.0 GiB, 1.50 × time")


def test_that_settings_that_are_corrected_are_no_longer_called_wrong(hands: Hands, setup: Setup) -> None:
    setup.last("planning").held = True
    type_size(hands, "100")
    hands.wait(lambda: "settings are corrected" in hands.text("Whether it fits"))
    type_size(hands, "512")
    assert hands.text("Whether it fits") == "Computing…"
    setup.last("planning").held = False
    hands.wait(lambda: hands.text("Whether it fits") == "Fits with room")


def test_that_why_a_technique_is_impossible_is_told_as_long_as_that_is_known_of_these_settings(
    hands: Hands, setup: Setup
) -> None:
    reason = "A few images at a time: why not"
    hands.wait(lambda: "cannot be divided" in hands.text(reason))
    setup.last("planning").held = True
    tick(hands, "Use Recompute the cheap steps")
    assert "cannot be divided" in hands.text(reason), "no set of techniques changes that"
    type_size(hands, "1024")
    assert hands.text(reason) == "", "of another size nobody knows yet"
    setup.last("planning").held = False
    hands.wait(lambda: "cannot be divided" in hands.text(reason))


def test_that_the_page_asks_again_when_it_is_shown(hands: Hands, setup: Setup) -> None:
    hands.wait(lambda: hands.text(CHANGE) == "−1.0 GiB, 1.50 × time")
    planner, asked = setup.last("planning"), len(setup.last("planning").posted)
    hands.qtbot.keyClick(hands.window, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    planner.held = True
    hands.qtbot.keyClick(hands.window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    assert hands.text("Whether it fits") == "Computing…"
    hands.wait(lambda: len(planner.posted) > asked)
    planner.held = False
    hands.wait(lambda: hands.text("Memory in all") == "4.0 GiB")


def test_that_a_question_that_was_never_answered_is_asked_of_a_new_planner_when_the_page_is_shown(
    hands: Hands, setup: Setup
) -> None:
    page = hands.window._page
    setup.last("planning").held = True
    type_size(hands, "1024")
    page._plans.planning.rest()  # type: ignore[attr-defined]  # as at the start of a training
    hands.qtbot.keyClick(hands.window, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    hands.qtbot.keyClick(hands.window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    hands.wait(lambda: hands.text("Memory in all") == "8.0 GiB")
    assert len([job for job in setup.jobs if job.job.kind == "planning"]) == 2


def test_that_figures_of_the_question_before_are_not_told_of_the_one_that_waits(hands: Hands, setup: Setup) -> None:
    hands.wait(lambda: hands.text(CHANGE) == "−1.0 GiB, 1.50 × time")
    setup.last("planning").held = True
    page = hands.window._page
    tick(hands, "Use Work in bands")
    tick(hands, "Use Work in bands")  # asked so soon after the first that it has not been sent
    planning = page._plans.planning  # type: ignore[attr-defined]
    late = TechniquesJudged(number=planning._number, peaks={"recompute": 2**30}, times={"recompute": 1.0})
    planning._receive((late,))
    assert hands.text(CHANGE) == "not computed yet"


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


def test_that_a_mistake_is_not_painted_over_by_an_earlier_answer(hands: Hands, setup: Setup) -> None:
    setup.last("planning").held = True
    type_size(hands, "1024")
    hands.wait(lambda: setup.asked()["height"] == 1024)
    type_size(hands, "100")
    hands.wait(lambda: "settings are corrected" in hands.text("Whether it fits"))
    setup.last("planning").held = False
    hands.wait(lambda: not setup.last("planning").reported)
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
