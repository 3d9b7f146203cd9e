"""Nodes with a network of their own: each a network namespace with its own sshd, at a bridge in another one, in which
this computer's ssh is called. What has no name in the kernel's list is not touched."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shlex
import shutil
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from nodes.servers import SSH, SSHD, executable, new_key

IP = shutil.which("ip", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
TC = shutil.which("tc", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
INTERFACE = "eth1"
BOOT = "/proc/sys/kernel/random/boot_id"


def ip(*words: str, check: bool = True) -> str:
    assert IP is not None, "there is no command ip: install iproute2"
    return subprocess.run([IP, *words], check=check, capture_output=True, text=True, timeout=20).stdout


@dataclass
class Network:
    """`names`: of the nodes, whose addresses end in 11, 12 …"""

    folder: Path
    names: tuple[str, ...]
    mark: str = field(default_factory=lambda: f"ff{secrets.token_hex(3)}")

    def space(self, name: str) -> str:
        return f"{self.mark}-{name}"

    def address(self, name: str) -> str:
        return f"10.77.0.{11 + self.names.index(name)}"

    def cut(self, name: str) -> None:
        """Pull the cable of a node."""
        ip("-n", self.space("here"), "link", "set", f"to-{name}", "down")

    def heal(self, name: str) -> None:
        ip("-n", self.space("here"), "link", "set", f"to-{name}", "up")

    def pids(self, name: str) -> list[int]:
        return [int(one) for one in ip("netns", "pids", self.space(name), check=False).split()]

    def send(self, name: str, number: signal.Signals) -> None:
        """A signal to all processes of a node: SIGKILL is the end of its power, once its cable is pulled."""
        for pid in self.pids(name):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def reboot(self, name: str) -> None:
        """Switch a node off and on: nothing that ran there does, and its kernel's name of this start is another one."""
        self.cut(name)
        self.end(name)
        (self.folder / f"boot-{name}").write_text(f"{uuid.uuid4()}\n")
        self.heal(name)
        self.serve(name)

    def end(self, name: str) -> None:
        """Kill all processes of a node, those that are begun meanwhile, too."""
        for _ in range(50):
            self.send(name, signal.SIGKILL)
            if not self.pids(name):
                break
            time.sleep(0.1)

    def limit(self, name: str, rate: str) -> None:
        """Let no more go from a node to others than so much (in tc's words)."""
        bucket = ("root", "tbf", "rate", rate, "burst", "16kb", "latency", "400ms")
        subprocess.run([str(TC), "-n", self.space(name), "qdisc", "replace", "dev", INTERFACE, *bucket], check=True)

    def received(self, name: str) -> int:
        """How many bytes have come from a node."""
        (seen,) = json.loads(ip("-j", "-s", "-n", self.space("here"), "link", "show", f"to-{name}"))
        return int(seen["stats64"]["rx"]["bytes"])

    def listening(self, name: str) -> set[str]:
        """Addresses and interfaces on which a node's processes take connections of others, sshd's aside."""
        lines = subprocess.run(
            [str(IP), "netns", "exec", self.space(name), "ss", "-Hltn"], check=True, capture_output=True, text=True
        ).stdout.splitlines()
        return {line.split()[3].rpartition(":")[0] for line in lines} - {"127.0.0.1"}

    def serve(self, name: str) -> None:
        """Start the node's sshd."""
        assert SSHD is not None
        config = self.folder / f"sshd_config-{name}"
        settings = {
            "ListenAddress": self.address(name),
            "HostKey": self.folder / "host",
            "AuthorizedKeysFile": self.folder / "user.pub",
            "PidFile": "none",
            "StrictModes": "no",
            "UsePAM": "no",
            "PasswordAuthentication": "no",
            "PermitRootLogin": "prohibit-password",
        }
        config.write_text("".join(f"{key} {value}\n" for key, value in settings.items()))
        with (self.folder / f"log-{name}").open("ab") as log:
            begin = f"{SSHD} -D -e -f {shlex.quote(str(config))}"
            if (boot := self.folder / f"boot-{name}").exists():
                begin = f"mount --bind {shlex.quote(str(boot))} {BOOT} && exec {begin}"
            command = [str(IP), "netns", "exec", self.space(name), "sh", "-c", begin]
            subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def open(self) -> None:
        here = self.space("here")
        ip("netns", "add", here)
        ip("-n", here, "link", "add", "bridge", "type", "bridge")
        ip("-n", here, "address", "add", "10.77.0.1/24", "dev", "bridge")
        for each in ("lo", "bridge"):
            ip("-n", here, "link", "set", each, "up")
        for name in self.names:
            space = self.space(name)
            ip("netns", "add", space)
            ends = ("type", "veth", "peer", "name", INTERFACE, "netns", space)
            ip("-n", here, "link", "add", f"to-{name}", *ends)
            ip("-n", here, "link", "set", f"to-{name}", "master", "bridge", "up")
            ip("-n", space, "address", "add", f"{self.address(name)}/24", "dev", INTERFACE)
            for each in ("lo", INTERFACE):
                ip("-n", space, "link", "set", each, "up")
            self.serve(name)

    def close(self) -> None:
        for name in (*self.names, "here"):
            self.end(name)
            ip("netns", "delete", self.space(name), check=False)


@contextlib.contextmanager
def network(folder: Path, *names: str) -> Iterator[Network]:
    """Skips the test where none can be made here."""
    here = {"ip (iproute2)": IP, "sshd (openssh-server)": SSHD, "ssh (openssh-client)": SSH, "root": os.geteuid() == 0}
    if missing := [name for name, found in here.items() if not found]:
        pytest.skip(f"nodes in network namespaces of their own need what is not here: {', '.join(missing)}")
    for key in ("host", "user"):
        new_key(folder / key)
    Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    made = Network(folder=folder, names=names)
    host = (folder / "host.pub").read_text()
    (folder / "known_hosts").write_text("".join(f"{made.address(name)} {host}\n" for name in names))
    lines = [f"UserKnownHostsFile {folder / 'known_hosts'}", "GlobalKnownHostsFile /dev/null", "IdentityAgent none"]
    (folder / "config").write_text("\n".join([*lines, f"IdentityFile {folder / 'user'}", "IdentitiesOnly yes\n"]))
    executable(folder / "bin" / "ssh", f'exec {IP} netns exec {made.space("here")} {SSH} -F {folder / "config"} "$@"')
    try:
        try:
            made.open()
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces can be made here: {error.stderr[-200:]}")
        yield made
    finally:
        made.close()
