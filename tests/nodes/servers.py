"""A real ssh server on the loopback, with keys of its own; and a node behind it, which is this very installation with
folders of its own. Where no server can be started, a script in place of ssh runs the rest with `sh -c`."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

import forked
import warm
from fullfield.nodes import node
from fullfield.nodes.node import Node
from support import ROOT

SITE = os.pathsep.join(str(ROOT / part) for part in ("tests/nodes/site", "core", "app", "tests"))
SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
SSH = shutil.which("ssh")
ASKS = str(ROOT / "tests/nodes/asks.py")


@dataclass(frozen=True, kw_only=True)
class Server:
    """`folder`: its keys and the user's `config`, which a script named ssh in `bin` gives to the real one."""

    folder: Path
    port: int

    @property
    def config(self) -> Path:
        return self.folder / "config"

    def known(self, key: str) -> None:
        """Let this computer know a host key, or none ("")."""
        (self.folder / "known_hosts").write_text(f"[127.0.0.1]:{self.port} {key}\n" if key else "")

    def cut(self) -> None:
        """End every connection to it, and let none be made."""
        executable(self.folder / "bin" / "ssh", 'echo "ssh: connect to host: No route to host" >&2; exit 255')
        for process in psutil.process_iter(["cmdline"]):
            if str(self.config) in (process.info["cmdline"] or []):
                process.kill()

    def heal(self) -> None:
        """Let connections be made, as at first."""
        executable(self.folder / "bin" / "ssh", f'exec {SSH} -F {self.config} "$@"')

    @property
    def key(self) -> str:
        return (self.folder / "host.pub").read_text()


def new_key(path: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(stat.S_IRWXU)
    return path


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """A server that lets this user in by a key; the test is skipped where none can be started."""
    if SSHD is None or SSH is None or shutil.which("ssh-keygen") is None:
        pytest.skip("there is no sshd here: the tests with a script in its place have run")
    for name in ("host", "user", "stranger"):
        new_key(folder / name)
    shutil.copyfile(folder / "user.pub", folder / "authorized")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "Port": port,
        "ListenAddress": "127.0.0.1",
        "HostKey": folder / "host",
        "AuthorizedKeysFile": folder / "authorized",
        "PidFile": "none",
        "StrictModes": "no",
        "UsePAM": "no",
        "PasswordAuthentication": "no",
        "KbdInteractiveAuthentication": "no",
        "PermitRootLogin": "prohibit-password",
    }
    (folder / "sshd_config").write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    lines = [f"UserKnownHostsFile {folder / 'known_hosts'}", "GlobalKnownHostsFile /dev/null", "IdentityAgent none"]
    (folder / "config").write_text("\n".join([*lines, f"IdentityFile {folder / 'user'}", "IdentitiesOnly yes\n"]))
    server = Server(folder=folder, port=port)
    server.heal()
    server.known(server.key)
    with (folder / "log").open("wb") as log:
        command = [SSHD, "-D", "-e", "-f", str(folder / "sshd_config")]
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        if not _listens(port, process):
            pytest.skip(f"no sshd can be started here: {(folder / 'log').read_text()[-200:]}")
        yield server
    finally:
        process.terminate()
        process.wait()


def _listens(port: int, process: subprocess.Popen[bytes]) -> bool:
    ends = time.monotonic() + 20
    while time.monotonic() < ends and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
        time.sleep(0.05)
    return False


SCRIPT = """while [ "$1" != -- ]; do shift; done
shift 2
if [ -s {folder}/in ]; then
    count=$(cat {folder}/in); : > {folder}/in
    dd bs=1 count=$count 2>/dev/null | sh -c "$1" | head -n 1
elif [ -s {folder}/out ]; then
    count=$(head -n 1 {folder}/out); sed -i 1d {folder}/out
    sh -c "$1" | dd bs=1 count=$count 2>/dev/null
else
    exec sh -c "$1"
fi
echo "Connection reset by peer" >&2
exit 255"""


def script(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Put a script in place of ssh, that cuts its next lines after so many bytes as the file `in` (of what the node is
    given) or `out` (of what it answers, a line for each call) in `folder` says."""
    executable(folder / "bin" / "ssh", SCRIPT.format(folder=shlex.quote(str(folder))))
    patch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")


def command(there: Path, before: str = "", *, executed: bool = False) -> str:
    """How Fullfield is called on the node whose folders lie in `there`. `executed`: not forked, for the node
    has more of its own than a network: a disk, a kernel, a Fullfield."""
    names = ("CACHE", "RUNS", "MODELS", "SETTINGS", "TRAINING", "PRESETS", "REVIEWS")
    folders = [f"FULLFIELD_{name}={there / name.lower()}" for name in names]
    paths = f"PYTHONPATH={os.environ.get('PYTHONPATH', '')}"
    asked = [sys.executable, "-I", "-S", ASKS, warm.address()] if sys.platform == "linux" and not executed else []
    made = [f"{name}={os.environ[name]}" for name in (forked.COMPILES, warm.NARROW) if name in os.environ]
    words = ["env", *folders, *made, paths, "OMP_NUM_THREADS=1", *asked, sys.executable, "-m", "fullfield_app"]
    whole = shlex.join(words)
    return shlex.join(["sh", "-c", f'{before} exec {whole} "$@"', "fullfield"]) if before else whole


def kept(
    address: str, there: Path, *, name: str = "gpu", before: str = "", executed: bool = False, **given: Any
) -> Node:
    """A node of this user's list."""
    made = Node(name=name, address=address, command=command(there, before, executed=executed), **given)
    node.keep(made)
    return made


def enhancing(there: Path) -> list[psutil.Process]:
    """The node's processes that enhance: Python itself, no shell before it."""
    found = []
    for process in psutil.process_iter(["cmdline", "environ"]):
        words, given = process.info["cmdline"] or [], process.info["environ"] or {}
        if words[-3:-1] == ["node", "enhance"] and given.get("FULLFIELD_CACHE") == str(there / "cache"):
            found.append(process)
    return found


def left(there: Path) -> list[Path]:
    """Every file that lies on the node."""
    return [path for path in there.rglob("*") if path.is_file()]
