"""What a training's process holds beside its tensors, measured by a real process."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.plan import libraries
from fullfield.techniques import compose

MIB = 2**20


@pytest.mark.slow
def test_that_a_process_measures_libraries_once_and_the_figure_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path))
    libraries.prepare()
    found = libraries.held(compose.read(libraries.USUAL))
    assert found.measured and 300 * MIB < found.begin < found.whole < 2000 * MIB
    monkeypatch.setattr(libraries, "MODULE", "fullfield.there_is_no_such_module")
    libraries._held.cache_clear()
    libraries._measuring.cache_clear()
    assert libraries.held(compose.read(libraries.USUAL)) == found


def test_that_techniques_without_libraries_of_their_own_share_a_figure() -> None:
    usual = libraries.held(compose.read(libraries.USUAL))
    assert libraries.held(compose.read((*libraries.USUAL, "hybrid_bands", "optimizer_in_backward"))) == usual
