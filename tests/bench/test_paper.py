"""The paper's figures."""

from __future__ import annotations

import pytest

from fullfield.bench import paper
from fullfield.bench.paper import Figures, Setting


def test_that_the_total_is_the_sum_of_forward_and_backward() -> None:
    for one in paper.TABLE:
        if one.forward is not None and one.backward is not None and one.total is not None:
            assert one.total == pytest.approx(one.forward + one.backward, abs=1.0), one.name


def test_that_every_training_is_there_once_and_a_gap_has_its_reason() -> None:
    names = [(one.setting, one.name) for one in paper.TABLE]
    assert len(names) == len(set(names)) == 23
    assert all(one.total is not None or one.remark for one in paper.TABLE)


def test_that_a_training_is_found_by_its_setting_and_name() -> None:
    found = paper.find(Setting.SINGLE, "AMP+Chkp")
    assert isinstance(found, Figures)
    assert (found.total, found.seconds, found.validation_loss) == (461, 34.3, 6.28)
    assert paper.find(Setting.SINGLE, "ZeRO") is None
