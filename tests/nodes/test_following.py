"""Who follows a run on a node here, where what mirrors it has ended and is started again."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest

from fullfield import process_identity, system
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launchers import local
from fullfield.nodes import members, remote
from fullfield.nodes.launcher import Remote
from fullfield.nodes.members import Members
from fullfield.protocol import events
from fullfield.protocol.events import RunStarted
from fullfield.protocol.rank_events import NodesChanged
from nodes.mirrored import TOLD, mirror_of
from nodes.servers import kept
from training import FakeContext

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")


def ended() -> system.Process:
    """A mirror that has found another one at work."""
    process = system.spawn_detached([*system.python_command("this")])
    process.wait()
    return process


def test_that_a_mirror_that_another_follower_has_started_is_ones_own_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = mirror_of(tmp_path / "run").folder
    jobs.save(Job(kind="empty", place="node:gpu"), folder)
    pid = os.getpid()
    values = f'{{"pid": {pid}, "started": "{process_identity.process_started(pid)}"}}'
    (folder / jobs.WORKER).write_text(values)
    spawned: list[Path] = []

    def spawn(folder: Path) -> system.Process:
        spawned.append(folder)
        return ended()

    monkeypatch.setattr(local, "spawn", spawn)
    follower = Remote(folder, process=ended())
    for _ in range(9):
        assert follower.poll() == [] and follower.alive()
    assert not spawned
    (folder / jobs.WORKER).write_text('{"pid": 4194000, "started": ""}')  # that one is killed, too
    follower.poll()
    assert spawned == [folder]


def test_that_members_that_train_are_not_asked_again_by_what_mirrors_the_run_anew(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        kept(name, there / name, name=name, interface="lo", allow_images=True, allow_unencrypted=True)
    mirror = mirror_of(tmp_path / "run")
    job = Job(kind="empty", place="node:a,b,c")
    jobs.save(job, mirror.folder)
    for event in (RunStarted(job="train", pid=1, version="1"), NodesChanged(nodes=("a", "b")), *TOLD):
        mirror.append(f"{events.to_line(event)}\n".encode())
    asked, enough = [], threading.Event()

    def start(self: Members, number: int, node: object) -> str:
        asked.append(number)
        if len(asked) > 3:
            enough.set()
        return ""

    def follow(*given: object) -> tuple[int, bool]:
        assert enough.wait(60)
        return 0, False

    monkeypatch.setattr(Members, "_start", start)
    monkeypatch.setattr(remote, "_follow", follow)
    monkeypatch.setattr(members, "STARTS_SECONDS", 0.01)
    monkeypatch.setattr(members, "LOOK_SECONDS", 0.01)
    assert remote.work(job, FakeContext(mirror.folder)) == 0
    assert set(asked) == {2}, "b is there, c is not"
