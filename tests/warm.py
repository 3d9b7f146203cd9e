"""Processes of ours to which the libraries are there from their first moment on.

torch and what the network needs take 3.4 s of a core to import, in each of the hundred processes that tests start. Here
one process imports them and most of what is ours (a second in each that trains), has computed nothing, and is forked,
as in `tests/fleets.py`. All else is as if it had been executed (`forked`): a process has a number, a parent, a group,
streams, signals, memory and an end of its own. What a process of ours starts is forked from it, and so its child.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import forked
from forked import Executed, Forked

LIBRARIES = (
    "numpy",
    "cv2",
    "psutil",
    "filelock",
    "pydicom",
    "PIL.Image",
    "safetensors",
    "torch",
    "torch._dynamo",
    "torch.distributed",
    "segmentation_models_pytorch",
)
OURS = (
    *(f"fullfield_app.cli.{name}" for name in ("batch", "bench", "plan", "train")),
    "fullfield.enhance.batch",
    "fullfield.enhance.session",
    "fullfield.plan.job",
    "fullfield.tuning.job",
)
"""What most processes import of it, and what that imports."""
NARROW = "FULLFIELD_TESTS_NARROW"
"""Name of the variable that says what part of the channels of a U-Net is left in a process that is forked."""
BEGIN = "import sys; sys.path.insert(0, {!r}); import warm; warm.main({})"
_SIZE = 4
_own = dict(os.environ)  # no test has changed it


class Asked(Forked):
    """Of a process that may not be forked, as it has computed: another one is asked, and tells of the end."""

    _reported: int | None = None

    def _begin(self, order: dict[str, Any], streams: list[int]) -> int:
        self._reported, tell = os.pipe()
        network = os.open(forked.NETWORK, os.O_RDONLY)
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asks:
            asks.connect(address())
            socket.send_fds(asks, [json.dumps(order).encode()], [*streams, tell, network])
        os.close(network)
        os.close(tell)
        reported = os.read(self._reported, _SIZE)
        if not reported:
            raise OSError("The process that is forked has ended.")
        return int.from_bytes(reported, sys.byteorder)

    def _try_wait(self: Any, flags: int) -> tuple[int, int]:
        if self._reported is None:
            return super()._try_wait(flags)  # type: ignore[no-any-return]
        if flags and not select.select([self._reported], [], [], 0)[0]:
            return 0, 0
        reported = os.read(self._reported, _SIZE)
        os.close(self._reported)
        return self.pid, int.from_bytes(reported, sys.byteorder) if reported else signal.SIGKILL

    def _internal_poll(self: Any, _deadstate: int | None = None, *_: Any) -> int | None:
        if self._reported is None:
            return super()._internal_poll(_deadstate)  # type: ignore[no-any-return]
        if self._waitpid_lock.acquire(False):
            try:
                if self.returncode is None and (ended := self._try_wait(os.WNOHANG))[0]:
                    self._handle_exitstatus(ended[1])
            finally:
                self._waitpid_lock.release()
        return self.returncode  # type: ignore[no-any-return]


_server: tuple[subprocess.Popen[Any], Path] | None = None


def address() -> str:
    """The socket at which processes are asked for, also by those of other networks (`nodes.asks`); who answers begins
    with the first."""
    global _server
    if _server is None:
        path = Path(tempfile.mkdtemp(prefix="warm-")) / "asked"
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listens:
            listens.bind(os.fspath(path))
            listens.listen(64)
            command = [sys.executable, "-P", "-c", BEGIN.format(os.fspath(Path(__file__).parent), listens.fileno())]
            _server = Executed(command, pass_fds=[listens.fileno()], stdin=subprocess.PIPE, env=_own), path
    return os.fspath(_server[1])


def narrow(by: int = 4) -> Any:
    """A fixture: of a network's channels, processes that a file's tests begin have one of `by` left, where they are
    forked. See `tests/narrow.py`."""

    @pytest.fixture(scope="module", autouse=True)
    def narrowed() -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            if sys.platform == "linux":
                patch.setenv(NARROW, str(by))
            yield

    return narrowed


def end() -> None:
    """No more are asked for."""
    global _server
    if _server is not None:
        _server[0].communicate()
        shutil.rmtree(_server[1].parent)
        _server = None


def main(fileno: int) -> None:
    """Import what takes long, and be forked as often as is asked, until who began this has ended."""
    gc.disable()
    for name in LIBRARIES:
        if importlib.util.find_spec(name.partition(".")[0]) is not None:
            importlib.import_module(name)
    for name in (*OURS, "narrow"):
        with contextlib.suppress(ImportError):  # of a package of the training part, which is not here
            importlib.import_module(name)
    for name in forked.MODULES[1:]:
        sys.modules.pop(name, None)  # each runs its own
    del sys.path[0]  # in which these files lie, and from which no process of ours imports
    gc.freeze()
    gc.enable()
    orders = socket.socket(fileno=fileno)
    ended, wake = os.pipe()
    for end in (ended, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    tell: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([orders, ended, sys.stdin], [], [])
        if ended in ready:
            os.read(ended, 1 << 16)
            _bury(tell)
        if sys.stdin in ready:
            return
        if orders in ready:
            with orders.accept()[0] as asks:
                order, fds, _, _ = socket.recv_fds(asks, 1 << 20, 5)
            *streams, reported, network = fds
            pid = os.fork() or forked.become(json.loads(order), streams, network=network)
            tell[pid] = reported
            with contextlib.suppress(BrokenPipeError):
                os.write(reported, pid.to_bytes(_SIZE, sys.byteorder))
            for fd in (*streams, network):
                os.close(fd)


def _bury(tell: dict[int, int]) -> None:
    """Tell of those that have ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            reported = tell.pop(ended[0])
            with contextlib.suppress(BrokenPipeError):
                os.write(reported, ended[1].to_bytes(_SIZE, sys.byteorder))
            os.close(reported)
