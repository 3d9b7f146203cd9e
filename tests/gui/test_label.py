"""Labels show what they are given, without the signs that would reorder or hide it."""

from __future__ import annotations

import pytest

from fullfield_app.gui.widgets.label import clean


@pytest.mark.parametrize("sign", ["\u202e", "\n", "\x00", "\u200b", "\u2028"])
def test_that_what_reorders_breaks_or_hides_a_text_is_shown_as_a_sign_of_its_own(sign: str) -> None:
    assert clean(f"a{sign}b") == "a\ufffdb"


@pytest.mark.parametrize("space", [" ", "\u00a0", "\u202f", "\u3000"])
def test_that_a_space_that_does_not_break_is_a_space(space: str) -> None:
    assert clean(f"1:33{space}AM") == f"1:33{space}AM"
