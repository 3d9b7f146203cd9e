"""Which training part is taken for one that is there and whole."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fullfield import __version__
from fullfield.errors import CannotWrite, UsageError
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


def test_that_what_is_being_installed_is_not_removed() -> None:
    (place.prepare() / "pip.log").touch()
    with place.alone(), pytest.raises(UsageError, match="being installed"):
        place.remove()
    assert (place.folder() / "pip.log").exists()
    (place.environment() / "bin").mkdir(parents=True)
    place.remove()
    assert not place.folder().exists() and place.base().exists()


def test_that_a_folder_that_cannot_be_made_is_told_with_what_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(place.VARIABLE, str(tmp_path / "file" / "training"))
    with pytest.raises(CannotWrite, match=place.VARIABLE):
        place.prepare()
