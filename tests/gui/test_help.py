"""The tour: it opens with a key, stays beside the window, and says the same in both languages."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QTextBrowser

from fullfield import files
from fullfield.image.export import NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES
from fullfield_app.gui.help import Help, chapters
from gui.hands import Hands


def test_that_f1_opens_the_tour_and_its_chapters_are_turned_by_key(hands: Hands) -> None:
    hands.qtbot.keyClick(hands.window, Qt.Key.Key_F1)
    hands.wait(lambda: hands.sees("Two-minute tour of Fullfield"))
    text, chapter_list = hands.widget("Text of the chapter"), hands.widget("Chapters")
    assert isinstance(text, QTextBrowser) and isinstance(chapter_list, QListWidget)
    assert "Drop" in text.toPlainText()
    hands.qtbot.keyClick(chapter_list, Qt.Key.Key_End)
    assert NOT_FOR_DIAGNOSIS in text.toPlainText()
    hands.qtbot.keyClick(hands.window, Qt.Key.Key_F1)
    assert len(hands.window.findChildren(Help)) == 1
    assert not hands.widget("Two-minute tour of Fullfield").isModal()  # one follows it in the window


def test_that_both_languages_have_the_same_chapters() -> None:
    names = [sorted(path.name for path in (files.resource("help") / tag).glob("*.md")) for tag in ("en", "es")]
    assert names[0] == names[1] and len(names[0]) >= 8
    english, spanish = chapters("en"), chapters("es")
    assert all(one[0] != other[0] for one, other in zip(english, spanish, strict=True))
    for one, other in zip(english, spanish, strict=True):
        assert one[1].count("\n\n") == other[1].count("\n\n"), one[0]
    assert NOT_FOR_DIAGNOSIS_ES in " ".join(spanish[-1][1].split())


def test_that_a_language_without_a_tour_gets_the_english_one() -> None:
    assert chapters("de") == chapters("en")


def test_that_the_tour_can_be_read_in_two_minutes_a_part_and_leads_nowhere_else() -> None:
    for tag in ("en", "es"):
        for title, text in chapters(tag):
            assert len(text.split()) < 260, title
            assert not re.search(r"https?:|\]\(", text), title


def test_that_the_keys_that_the_tour_names_are_keys_of_the_program() -> None:
    from fullfield_app.gui.preferences.key_lines import lines

    known = {key for line in lines({}) for key in line.keys} | {"?"}
    for _, text in chapters("en"):
        named = re.findall(r"\*\*((?:Ctrl\+)?[A-Z0-9?])\*\*", text)
        assert set(named) <= known
