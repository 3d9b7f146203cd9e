"""Which training part is taken for one that is there and whole."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fullfield import __version__
from fullfield.training_part import place
from fullfield.training_part.place import Installed


@pytest.mark.skipif(sys.platform == "win32", reason="an environment there has a Python of its own")
@pytest.mark.parametrize(
    ("name", "whole"), [("python3.11", True), ("python3", True), ("python3.12", False), ("python3.1", False)]
)
def test_that_one_whose_python_an_upgrade_has_exchanged_is_not_there(name: str, whole: bool, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    place.prepare()
    place.python().parent.mkdir(parents=True)
    place.python().symlink_to(tmp_path / name)
    place.finish(Installed(version=__version__, build="cpu", torch="2.15.0", python="3.11.9"))
    assert (place.installed() is not None) is whole
