"""The folder of a run is this user's: no link in it is followed, and nobody else may write into it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fullfield import files, log, system
from fullfield.errors import OutputInvalid
from fullfield.jobs import own_files
from fullfield.jobs.job import Job, save
from fullfield.jobs.launch import launch

pytestmark = pytest.mark.skipif(system.WINDOWS, reason="making links takes a right there that tests do not have")


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file of the user's, into which nothing may be written."""
    path = tmp_path / "precious"
    path.write_text("precious")
    return path


@pytest.mark.parametrize("name", own_files.NAMES)
def test_that_a_run_with_a_link_in_the_place_of_one_of_its_files_is_refused(
    name: str, victim: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    run.mkdir(mode=0o700)
    (run / name).symlink_to(victim)
    with pytest.raises(OutputInvalid, match=name):
        launch(Job(kind="empty"), folder=run)
    assert victim.read_text() == "precious" and [path.name for path in run.iterdir()] == [name]


@pytest.mark.parametrize("name", ["events.jsonl", "pulse", "worker.log", "crash.log"])
def test_that_a_worker_itself_follows_no_link(name: str, victim: Path, tmp_path: Path) -> None:
    """Put there after the run was started: `launch` has looked already."""
    run = tmp_path / "run"
    save(Job(kind="empty"), run)
    (run / name).symlink_to(victim)
    before = victim.stat().st_mtime_ns
    subprocess.run([sys.executable, "-m", "fullfield.jobs.worker", str(run)], capture_output=True, timeout=120)
    assert victim.read_text() == "precious" and victim.stat().st_mtime_ns == before


def test_that_lines_times_and_logs_follow_no_link_and_a_log_that_the_user_names_does(
    victim: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    link.symlink_to(victim)
    for write in (lambda: files.append_line(link, "x"), lambda: files.touch(link), lambda: files.open_to_append(link)):
        with pytest.raises(OSError) as refusal:
            write()
        assert "links are not followed" in files.cannot_write(refusal.value).detail
    with pytest.raises(files.CannotWrite):
        log.configure(file=link, own=True)
    assert victim.read_text() == "precious"
    log.configure(file=link)
    log.configure()


def test_that_a_folder_into_which_everybody_may_write_is_made_one_that_only_its_user_does(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    run.chmod(0o777)
    save(Job(kind="empty"), run)
    assert run.stat().st_mode & 0o777 == 0o775


def test_that_a_folder_where_nobody_can_touch_what_is_anothers_stays_as_it_is(tmp_path: Path) -> None:
    run = tmp_path / "tmp"
    run.mkdir()
    run.chmod(0o1777)
    assert files.private_folder(run).stat().st_mode & 0o7777 == 0o1777


def test_that_another_users_folder_into_which_everybody_may_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    run.mkdir()
    run.chmod(0o777)

    def not_mine(self: Path, mode: int) -> None:
        raise PermissionError(1, os.strerror(1))

    monkeypatch.setattr(Path, "chmod", not_mine)
    with pytest.raises(OutputInvalid, match="belongs to another user"):
        save(Job(kind="empty"), run)
    assert list(run.iterdir()) == []
