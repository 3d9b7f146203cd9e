"""The folder of `packaging/offline.py`: what it says of its wheels is what they are and say of themselves."""

from __future__ import annotations

import csv
import hashlib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from support import ROOT, packaged


@pytest.fixture
def offline() -> ModuleType:
    return packaged("offline")


def wheel(folder: Path, name: str, metadata: str, **files: str) -> Path:
    """A wheel of nothing but what it says of itself."""
    path = folder / "wheels" / f"{name}-1.0-py3-none-any.whl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(f"{name}-1.0.dist-info/METADATA", f"Name: {name}\nVersion: 1.0\n{metadata}\n\nText.\n")
        for place, text in files.items():
            made.writestr(f"{name}-1.0.dist-info/{place}", text)
    return path


def test_that_every_wheel_is_listed_with_hash_licence_and_its_text(offline: ModuleType, tmp_path: Path) -> None:
    free = wheel(tmp_path, "free", "License-Expression: MIT", **{"licenses/LICENSE": "Do.", "licenses/a/NOTICE": "So."})
    wheel(tmp_path, "old", "Classifier: License :: OSI Approved :: BSD License", COPYING="May.")
    wheel(tmp_path, "mute", "License: LGPL-3.0-only\n  and more")
    offline.write_lists(tmp_path)
    with (tmp_path / "parts.csv").open(encoding="utf-8", newline="") as stream:
        listed = {row["name"]: row for row in csv.DictReader(stream)}
    assert {name: row["licence"] for name, row in listed.items()} == {
        "free": "MIT",
        "old": "BSD License",
        "mute": f"LGPL-3.0-only {offline.CARRIES_NONE}",
    }
    digest = hashlib.sha256(free.read_bytes()).hexdigest()
    assert (listed["free"]["sha256"], listed["free"]["bytes"]) == (digest, str(free.stat().st_size))
    lines = (tmp_path / "requirements.txt").read_text().splitlines()
    assert len(lines) == 3 and f"./wheels/{free.name} --hash=sha256:{digest}" in lines
    texts = {path.relative_to(tmp_path / "licences").as_posix() for path in (tmp_path / "licences").glob("*/*")}
    assert texts == {"free/licenses-LICENSE", "free/licenses-a-NOTICE", "old/COPYING"}


def test_that_a_folder_with_something_in_it_is_left_alone(
    offline: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs").write_text("x")
    monkeypatch.setattr("sys.argv", ["offline.py", str(tmp_path)])
    with pytest.raises(SystemExit, match="name a new folder"):
        offline.main()
    assert [path.name for path in tmp_path.iterdir()] == ["theirs"]


def test_that_a_folder_is_meant_from_where_its_command_is_typed_and_is_not_ready_without_a_wheel(
    offline: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(offline, "fetch", lambda wheels, lock: asked.append(wheels))
    monkeypatch.setattr("sys.argv", ["offline.py", "stick"])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="no wheel"):
        offline.main()
    assert asked == [tmp_path / "stick" / "wheels"]


def test_that_a_folder_whose_making_was_cut_short_is_gone_on_with_and_a_finished_one_left_alone(
    offline: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offline, "fetch", lambda wheels, lock: wheel(wheels.parent, "free", "License: MIT"))
    monkeypatch.setattr("sys.argv", ["offline.py", str(tmp_path)])
    (tmp_path / "wheels").mkdir()
    assert offline.main() == 0
    assert {path.name for path in tmp_path.iterdir()} == {*offline.CUT_SHORT, "start.py"} - {"licences"}
    with pytest.raises(SystemExit, match="name a new folder"):
        offline.main()


def test_that_a_folder_that_cannot_be_written_into_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    start = packaged("offline_start")
    (tmp_path / "file").write_bytes(b"no folder")
    monkeypatch.setattr("sys.argv", ["start.py", "--venv", str(tmp_path / "file" / "fullfield")])
    with pytest.raises(SystemExit, match=r"python start\.py --venv FOLDER"):
        start.main()
