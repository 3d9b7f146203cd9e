"""A real ssh server on the loopback, and a script in place of ssh: see `nodes.servers`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from nodes.servers import Server, script, serving


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("sshd")) as server:
        yield server


@pytest.fixture
def server(running: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """As it is at first, and its ssh the one that is called."""
    monkeypatch.setenv("PATH", f"{running.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    yield running
    running.known(running.key)
    shutil.copyfile(running.folder / "user.pub", running.folder / "authorized")


@pytest.fixture
def address(server: Server) -> str:
    return f"127.0.0.1:{server.port}"


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folders of a node behind a script in place of ssh."""
    script(tmp_path, monkeypatch)
    return tmp_path / "there"
