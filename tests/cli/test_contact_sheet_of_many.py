"""Which images the contact sheet of a large batch shows."""

from __future__ import annotations

import pytest

from fullfield_app.arguments import parse
from fullfield_app.cli.batch import MOST_SHOWN, sample


def test_that_a_contact_sheet_of_few_shows_them_all() -> None:
    assert sample(MOST_SHOWN, seed=3) == list(range(MOST_SHOWN))


def test_that_a_contact_sheet_of_many_shows_another_sample_with_another_seed_and_the_same_with_the_same() -> None:
    shown = sample(1000, seed=0)
    assert len(set(shown)) == MOST_SHOWN
    assert shown == sorted(shown) == sample(1000, seed=0)
    assert shown != sample(1000, seed=1)
    assert min(shown) < 100 < 900 <= max(shown), "every part of the batch is seen"


@pytest.mark.parametrize("value", ["-1", "1.5", "x", ""])
def test_that_a_seed_that_is_no_whole_number_is_refused(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse(["--batch", "in", "-o", "out", f"--seed={value}"])
    assert "is no whole number from 0" in capsys.readouterr().err
