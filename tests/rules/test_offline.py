"""The folder of `packaging/offline.py`: what it says of its wheels is what they are and say of themselves."""

from __future__ import annotations

import csv
import hashlib
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from support import ROOT, packaged


@pytest.fixture
def offline() -> ModuleType:
    return packaged("offline")


def wheel(folder: Path, name: str, metadata: str, tag: str = "py3-none-any", **files: str) -> Path:
    """A wheel of nothing but what it says of itself."""
    path = folder / "wheels" / f"{name}-1.0-{tag}.whl"
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


def test_that_the_licence_of_our_engine_is_found_where_its_wheel_has_it(offline: ModuleType, tmp_path: Path) -> None:
    place = tomllib.loads((ROOT / "core" / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    inside = place["wheel"]["force-include"]["../LICENSE"]
    with zipfile.ZipFile(wheel(tmp_path, "fullfield_engine", "License-Expression: MIT"), "a") as made:
        made.writestr(inside, "Do.")
    [part] = offline.write_lists(tmp_path)
    assert part.licence == "MIT" and (tmp_path / "licences" / "fullfield_engine" / "LICENSE").read_text() == "Do."


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
    assert {path.name for path in tmp_path.iterdir()} == {*offline.CUT_SHORT, "start.py"} - {"licences", offline.KEPT}
    with pytest.raises(SystemExit, match="name a new folder"):
        offline.main()


def test_that_a_folder_that_cannot_be_written_into_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    start = packaged("offline_start")
    monkeypatch.setattr(start, "HERE", tmp_path)
    (tmp_path / "requirements.txt").touch()
    (tmp_path / "file").write_bytes(b"no folder")
    monkeypatch.setattr("sys.argv", ["start.py", "--venv", str(tmp_path / "file" / "fullfield")])
    with pytest.raises(SystemExit, match=r"python start\.py --venv FOLDER"):
        start.main()


@pytest.mark.parametrize("name", ["stick", "stick" * 100])  # the system does not look for the second one either
def test_that_a_place_where_no_folder_can_be_is_told_with_what_to_do(
    name: str, offline: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"no folder")
    monkeypatch.setattr("sys.argv", ["offline.py", str(tmp_path / ("file" if name == "stick" else "") / name)])
    with pytest.raises(SystemExit, match=r"^Cannot make .*stick: "):
        offline.main()


@pytest.mark.parametrize("copied", [(), ("environment.py",)])
def test_that_a_folder_that_was_copied_in_part_is_told_in_a_sentence(copied: tuple[str, ...], tmp_path: Path) -> None:
    for name, target in (("offline_start.py", "start.py"), *zip(copied, copied, strict=True)):
        shutil.copy(ROOT / "packaging" / name, tmp_path / target)
    done = subprocess.run([sys.executable, "start.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith("This folder is not whole: copy all of it once more")


def test_that_another_version_of_python_than_the_folders_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    start = packaged("offline_start")
    monkeypatch.setattr(start, "HERE", tmp_path)
    names = ("numpy-2.2-cp399-cp399-linux_x86_64", "psutil-7.0-cp36-abi3-linux_x86_64", "rich-14.0-py3-none-any")
    (tmp_path / "requirements.txt").write_text("".join(f"./wheels/{name}.whl --hash=sha256:ab\n" for name in names))
    monkeypatch.setattr("sys.argv", ["start.py", "--venv", str(tmp_path / "own")])
    here = ".".join(map(str, sys.version_info[:2]))
    with pytest.raises(SystemExit, match=rf"is for Python 3\.99, and this is Python {here}\."):
        start.main()
    assert not (tmp_path / "own").exists()


@pytest.mark.parametrize("there", [False, True])
def test_that_an_update_installs_fullfields_own_wheels_anew_whatever_version_is_there(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    start = packaged("offline_start")
    commands: list[list[str]] = []

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(start.subprocess, "run", run)
    monkeypatch.setattr(start, "HERE", tmp_path)
    names = ("fullfield-0.1.whl", "fullfield_engine-0.1.whl", "numpy-2.0.whl")
    (tmp_path / "requirements.txt").write_text("".join(f"./wheels/{name} --hash=sha256:ab\n" for name in names))
    monkeypatch.setattr("sys.argv", ["start.py", "--venv", str(tmp_path / "own")])
    if there:
        program = start.environment.program(tmp_path / "own")
        program.parent.mkdir(parents=True)
        program.touch()
    assert start.main() == 0
    forced = [command for command in commands if "--force-reinstall" in command]
    assert len(forced) == there
    for command in forced:
        assert command[-2:] == [f"{(tmp_path / 'wheels' / name).as_uri()}#sha256=ab" for name in names[:2]]


def test_that_a_failure_of_pip_is_not_explained_by_the_version_of_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """pip has said why above: a full disk, a damaged wheel."""
    monkeypatch.syspath_prepend(ROOT / "packaging")
    start = packaged("offline_start")
    monkeypatch.setattr(start.subprocess, "run", lambda command, **options: subprocess.CompletedProcess(command, 2))
    monkeypatch.setattr(start, "HERE", tmp_path)
    (tmp_path / "requirements.txt").touch()
    monkeypatch.setattr("sys.argv", ["start.py", "--venv", str(tmp_path / "own")])
    assert start.main() == 2
    assert "It could not be installed, see above." in (said := capsys.readouterr().out) and "version" not in said


def test_that_wheels_of_an_earlier_lock_or_another_python_do_not_stay_in_a_folder_that_is_gone_on_with(
    offline: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier, pinned = wheel(tmp_path, "earlier", "License: MIT"), wheel(tmp_path, "pinned", "License: MIT")
    other, whole = wheel(tmp_path, "pinned", "License: MIT", tag="cp399-cp399-any"), pinned.read_bytes()
    (tmp_path / "root" / "packaging").mkdir(parents=True)
    hashes = " ".join(f"--hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}" for path in (pinned, other))
    (tmp_path / "root" / "packaging" / "lock.txt").write_text(f"pinned==1.0 {hashes}\n")
    monkeypatch.setattr(offline, "ROOT", tmp_path / "root")

    def pip(command: list[str], **options: object) -> subprocess.CompletedProcess[bytes]:
        if "download" in command:  # takes what fits this Python, and leaves the rest where it lies
            given, into = (Path(command[command.index(name) + 1]) for name in ("-f", "--dest"))
            shutil.copy(given / pinned.name, into)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(offline.subprocess, "run", pip)
    (tmp_path / "kept").mkdir()  # by an attempt that was cut short once more
    pinned.rename(tmp_path / "kept" / pinned.name)
    offline.fetch(tmp_path / "wheels", "lock.txt")
    assert not earlier.exists() and not other.exists() and pinned.read_bytes() == whole
    assert not (tmp_path / "kept").exists()
