"""A confined process: what it must not do fails, and what decoding needs goes on. Tried for real in a child."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fullfield import sandbox, system
from fullfield.dicom.read import Decoder
from fullfield.sandbox import Confinement
from originals import bone
from sources import dataset, encoded

pytestmark = pytest.mark.skipif(not system.LINUX, reason="the means are Linux's")

TRIES = """
import json, os, resource, signal, socket, subprocess, sys, threading
from pathlib import Path
from fullfield import sandbox
inside, outside = Path(sys.argv[1]), Path(sys.argv[2])
def works(try_it):
    try:
        try_it()
    except OSError:
        return False
    return True
tries = {
    "internet": lambda: socket.socket(socket.AF_INET),
    "unix socket": lambda: socket.socket(socket.AF_UNIX),
    "program": lambda: subprocess.run([sys.executable, "-c", ""]),
    "new privileges": lambda: None,
    "write outside": lambda: (outside / "new").write_text("x"),
    "change outside": lambda: (outside / "there").open("r+").write("y"),
    "append outside": lambda: (outside / "there").open("a"),
    "remove outside": lambda: (outside / "there").unlink(),
    "rename outside": lambda: (outside / "there").rename(outside / "elsewhere"),
    "mode outside": lambda: (outside / "there").chmod(0o777),
    "time outside": lambda: os.utime(outside / "there", (1, 1)),
    "move out": lambda: (inside / "mine").rename(outside / "mine"),
    "link inside": lambda: (inside / "link").symlink_to(outside / "there"),
    "read outside": lambda: (outside / "there").read_text(),
    "write inside": lambda: (inside / "mine").write_text("x"),
    "folder inside": lambda: (inside / "part").mkdir(),
    "rename inside": lambda: (inside / "part").rename(inside / "whole"),
    "signal to another": lambda: os.kill(os.getppid(), 0),
    "limits of another": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU),
    "priority of another": lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), os.getpriority(os.PRIO_PROCESS, 0)),
    "process": lambda: os.fork() or os._exit(0),
    "own limits": lambda: resource.getrlimit(resource.RLIMIT_AS),
    "own signal": lambda: signal.raise_signal(signal.SIGURG),
    "threads": lambda: threading.Thread(target=print, args=("",), kwargs={"end": ""}).start(),
    "nowhere": lambda: Path(os.devnull).write_text("x"),
}
confined = sandbox.confine(inside).as_fields()
status = Path("/proc/self/status").read_text()
found = {name: works(try_it) for name, try_it in sorted(tries.items(), key=lambda one: one[0] == "rename inside")}
print(json.dumps({"confined": confined, "found": found, "status": status}))
"""


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a confined child could do, and what it says it has given up."""
    inside, outside = tmp_path_factory.mktemp("inside"), tmp_path_factory.mktemp("outside")
    (outside / "there").write_text("x")
    done = subprocess.run([sys.executable, "-c", TRIES, inside, outside], capture_output=True, text=True, check=True)
    assert (outside / "there").read_text() == "x"
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def confined(reported: dict[str, Any]) -> Confinement:
    return Confinement.from_fields(reported["confined"])


def test_that_no_program_gives_it_new_privileges(reported: dict[str, Any]) -> None:
    assert confined(reported).no_new_privileges and "NoNewPrivs:\t1" in reported["status"]


def test_that_it_reaches_no_network_and_starts_no_process(reported: dict[str, Any]) -> None:
    if not confined(reported).no_network:
        pytest.skip("this kernel or architecture has no seccomp filters")
    assert [name for name in ("internet", "unix socket", "program", "process") if reported["found"][name]] == []


def test_that_it_reaches_no_other_process_and_keeps_what_is_its_own(reported: dict[str, Any]) -> None:
    if not confined(reported).no_network:
        pytest.skip("this kernel or architecture has no seccomp filters")
    others = [name for name in reported["found"] if name.endswith("another")]
    assert len(others) == 3 and [name for name in others if reported["found"][name]] == []
    assert all(reported["found"][name] for name in ("own limits", "own signal", "threads"))


def test_that_it_writes_nothing_outside_its_folder(reported: dict[str, Any]) -> None:
    if not confined(reported).landlock:
        pytest.skip("this kernel has no Landlock")
    denied = [name for name in reported["found"] if "outside" in name and "read" not in name]
    assert [name for name in (*denied, "move out", "link inside") if reported["found"][name]] == []


def test_that_it_reads_everywhere_and_writes_in_its_folder(reported: dict[str, Any]) -> None:
    needed = ("read outside", "write inside", "folder inside", "rename inside", "nowhere")
    assert [name for name in needed if not reported["found"][name]] == []


def test_that_the_decoding_child_is_confined_and_decodes(tmp_path: Path) -> None:
    source = tmp_path / "IM0001"
    source.write_bytes(encoded(dataset()))
    with Decoder(tmp_path / "cache") as decoder:
        given_up = decoder.confinement()
        assert given_up.no_new_privileges
        assert (decoder.decode(source).image.pixels == bone()).all()
        process = decoder._child._process
        assert process is not None
        status = Path(f"/proc/{process.pid}/status").read_text()
    assert "NoNewPrivs:\t1" in status
    assert ("Seccomp:\t2" in status) == given_up.no_network


def test_that_a_system_without_these_means_claims_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(system, "LINUX", False)
    assert sandbox.confine(tmp_path) == Confinement() and not Confinement().whole


def test_that_the_filter_is_a_program_whose_every_jump_stays_inside() -> None:
    """Of 8 bytes per instruction: code, jump if true, jump if false, value."""
    for column, architecture, _ in sandbox._ARCHITECTURES.values():
        denied = [number for numbers in sandbox._DENIED.values() if (number := numbers[column]) is not None]
        code = sandbox._program(denied, {sandbox._TGKILL[column]: 7, sandbox._PRLIMIT[column]: 0}, 5, architecture)
        lines = [code[at : at + 8] for at in range(0, len(code), 8)]
        assert all(place + 1 + max(line[2], line[3]) < len(lines) for place, line in enumerate(lines[:-3]))
        assert len(set(denied)) == len(denied)
