"""The planner that chooses techniques, asked by hand."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from fullfield.protocol.plan import CurvePoint
from fullfield.runs.decimated import Curve
from fullfield_app.gui.runs.plot import Plot
from fullfield_app.gui.train.fit_dialog import FitDialog
from fullfield_app.gui.train.plan_facts import Facts
from gui.hands import Hands
from gui.train.desk import Setup, box, tick, type_size


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


def test_that_plans_are_called_by_titles_alone_and_two_that_read_alike_are_told_apart(qtbot: QtBot) -> None:
    dialog = FitDialog()
    qtbot.addWidget(dialog)
    nested = "hybrid_bands:nested=layer1+layer2"
    plans = [
        Facts(techniques=(text,), parts=(), total=size, limit=9) for text, size in (("hybrid_bands", 3), (nested, 2))
    ]
    dialog.show_plan(plans[0], (plans[1],), (f"{nested}: refused because it takes 4.0 GiB, more than 3.0 GiB.",))
    said = {label.accessibleName(): label for label in dialog.findChildren(QLabel)}
    assert said["Chosen: techniques"].text() == "Work in bands"
    assert said["Less memory 1: techniques"].text() == "Work in bands (variant with less memory)"
    assert nested in said["Less memory 1: techniques"].toolTip()
    assert said["Remark 3"].text().startswith("Work in bands: refused")


def test_that_memory_is_drawn_against_work_of_the_plans_that_none_beats_in_both(qtbot: QtBot) -> None:
    dialog = FitDialog()
    qtbot.addWidget(dialog)
    chosen = Facts(techniques=("hybrid_bands",), parts=(), total=3 << 30, limit=9)
    figures = ((1 << 30, 2.4), (3 << 30, 1.6), (4 << 30, 1.5))
    points = tuple(CurvePoint(process_bytes=size, flop_factor=work) for size, work in figures)
    dialog.show_plan(chosen, (), (), points)
    (plot,) = dialog.findChildren(Plot)
    assert plot.accessibleName() == "Memory against work"
    assert plot._lines[0].curve == Curve(x=(1024.0, 3072.0, 4096.0), y=(2.4, 1.6, 1.5))
    assert plot.accessibleDescription().startswith("1.0 GiB: 2.40 × the work; 3.0 GiB: 1.60")
    dialog.show_plan(chosen, (), (), points[:1])
    assert not [each for each in dialog.findChildren(Plot) if each.parent() is not None and each.isVisibleTo(dialog)]


def test_that_what_is_free_is_what_the_plan_was_made_for(qtbot: QtBot) -> None:
    dialog = FitDialog()
    qtbot.addWidget(dialog)
    dialog.show_free(2 << 30)
    dialog.show_plan(Facts(techniques=(), parts=(), total=1, limit=1 << 30), (), ())
    assert dialog.findChildren(QLineEdit)[0].placeholderText() == "what is free: 1.0 GiB"


def test_that_a_budget_may_have_a_decimal_comma(hands: Hands, setup: Setup) -> None:
    hands.click("Let the planner choose techniques")
    budget = hands.widget("Budget")
    assert isinstance(budget, QLineEdit)
    hands.qtbot.keyClicks(budget, "1,5 GiB\r")
    hands.wait(lambda: setup.asked()["budget"] == 3 << 29)


def test_that_a_budget_without_a_unit_is_not_asked_for(hands: Hands) -> None:
    hands.click("Let the planner choose techniques")
    budget = hands.widget("Budget")
    hands.wait(lambda: hands.sees("Chosen: use this"))
    hands.qtbot.keyClicks(budget, "8\r")
    hands.wait(lambda: "unit" in hands.text("What the planner says"))


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
    hands.wait(lambda: setup.asked().get("techniques") is None)
    setup.last("planning").reported.clear()
    setup.last("planning").held = False
    hands.click("Look for a plan with this budget")
    hands.wait(lambda: hands.sees("Chosen: use this"))
    assert hands.text("Memory in all") == "" and hands.text("Whether it fits") == "Computing…"
    hands.click("Close without taking a plan")
    hands.wait(lambda: hands.text("Memory in all") == "8.0 GiB")


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
    hands.wait(lambda: setup.asked().get("techniques") is None)
    setup.last("planning").reported.clear()
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
    assert (setup.asked()["height"], setup.asked()["width"], setup.asked()["lowest"]) == (1200, 800, 1000)
