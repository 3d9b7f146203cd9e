"""Labels show what they are given, without the signs that would reorder or hide it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import breakable, clean, plain_label


@pytest.mark.parametrize("sign", ["\u202e", "\n", "\x00", "\u200b", "\u2028"])
def test_that_what_reorders_breaks_or_hides_a_text_is_shown_as_a_sign_of_its_own(sign: str) -> None:
    assert clean(f"a{sign}b") == "a\ufffdb"


@pytest.mark.parametrize("space", [" ", "\u00a0", "\u202f", "\u3000"])
def test_that_a_space_that_does_not_break_is_a_space(space: str) -> None:
    assert clean(f"1:33{space}AM") == f"1:33{space}AM"


def test_that_a_label_tells_its_text_of_now_to_those_who_cannot_see_it(qtbot: QtBot) -> None:
    label = plain_label("Images")
    qtbot.addWidget(label)
    assert (label.accessibleName(), label.accessibleDescription()) == ("Images", "")
    name(label, "How many images")
    assert label.accessibleDescription() == "Images"
    label.setText(breakable("3 of 4 images are shown; long_names_that_have_no_space.dcm"))
    assert label.accessibleDescription() == "3 of 4 images are shown; long_names_that_have_no_space.dcm"
