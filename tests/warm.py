"""Processes of ours to which the libraries are there from their first moment on.

torch and what the network needs take 3.4 s of a core to import, in each of the hundred processes that tests start. Here
one process imports them and most of what is ours (a second in each that trains), has computed nothing, and is forked,
as in `tests/fleets.py`. All else is as if it had been executed: a process has a number, a parent, a group, streams,
signals, memory and an end of its own. What a process of ours starts is forked from it, and so its child.

Only `MODULES` and `SCRIPTS` are started so, and only by the Python and with the paths and settings of this one
(`SETTINGS`). Other scripts, `-c`, and a decode child, whose memory is limited, are executed.
"""

from __future__ import annotations

import atexit
import contextlib
import faulthandler
import gc
import importlib.util
import io
import json
import logging
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest

MODULES = (
    "fullfield_app",
    "fullfield.jobs.worker",
    "fullfield.distribution.standalone",
    *(f"fullfield.bench.{name}" for name in ("exact_ranks", "machine", "native", "ranked", "reckoned", "step")),
)
SCRIPTS = ("worker.py", "fleets.py")  # of a test, which stands for the module; and ranks
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
SETTINGS = ("PYTHON", "LD_", "MALLOC_", "OMP_", "MKL_", "PYTORCH", "CUDA")
"""Names of variables that a process reads when it begins, or loads a library, begin so."""
COMPILES = "TORCHDYNAMO_DISABLE"
NARROW = "FULLFIELD_TESTS_NARROW"
"""Name of the variable that says what part of the channels of a U-Net is left in a process that is forked."""
_ANEW = "huggingface_hub"  # reads its settings as it is imported
_SIZE = 4
_kept: list[Any] = []  # objects of who was forked, which would close what is no longer theirs


class Forked(subprocess.Popen[Any]):
    """`subprocess.Popen`, where this process is one that may be forked."""

    def _execute_child(self: Any, args: Any, *given: Any) -> None:
        executable, prepare, _, kept, cwd, environment = given[:6]
        command = [str(one) for one in args] if isinstance(args, (list, tuple)) else []
        order = _order(command, cwd, environment)
        if order is None or executable or prepare or kept:
            super()._execute_child(args, *given)
            return
        sys.audit("subprocess.Popen", command[0], command, cwd, environment)
        order["session"] = given[-2]
        ends = given[9:15]
        streams = [own if end == -1 else end for own, end in enumerate((ends[0], ends[3], ends[5]))]
        self.pid = self._begin(order, streams)
        self._child_created = True
        self._close_pipe_fds(*ends)

    def _begin(self, order: dict[str, Any], streams: list[int]) -> int:
        return os.fork() or become(order, streams)


class Asked(Forked):
    """Of a process that may not be forked, as it has computed: another one is asked, and tells of the end."""

    _reported: int | None = None

    def _begin(self, order: dict[str, Any], streams: list[int]) -> int:
        self._reported, tell = os.pipe()
        socket.send_fds(_source(), [json.dumps(order).encode()], [*streams, tell])
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


def _order(command: Sequence[str], cwd: Any, environment: Mapping[str, str] | None) -> dict[str, Any] | None:
    """What is to be forked; None where it is to be executed."""
    safe = command[1:2] == ["-P"]
    words = command[2:] if safe else command[1:]
    module = words[1] if words[:1] == ["-m"] else ""
    script = words[0] if words and Path(words[0]).name in SCRIPTS else ""
    given = os.environ if environment is None else environment
    known = script or module in MODULES
    if command[:1] != [sys.executable] or not known or _settings(os.environ) != _settings(given):
        return None
    here = os.fspath(cwd or Path.cwd())
    return {
        "command": list(command),
        "arguments": words if script else words[1:],
        "module": module,
        "script": script,
        "path": [] if safe else [os.fspath(Path(script).parent) if script else here],
        "cwd": here,
        "environment": dict(given),
        "ignored": [number for number in signal.valid_signals() if signal.getsignal(number) is signal.SIG_IGN],
    }


def _settings(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(SETTINGS)}


_server: tuple[subprocess.Popen[Any], socket.socket] | None = None


def _source() -> socket.socket:
    """Where processes are asked for; its process begins with the first."""
    global _server
    if _server is None:
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-P", __file__, str(there.fileno())]
        _server = subprocess.Popen(command, pass_fds=[there.fileno()], stdin=subprocess.DEVNULL), here
        there.close()
    return _server[1]


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
        _server[1].close()
        _server[0].wait()
        _server = None


def main(fileno: int) -> None:
    """Import what takes long, and be forked as often as is asked, until nobody can ask any more."""
    gc.disable()
    for name in LIBRARIES:
        if importlib.util.find_spec(name.partition(".")[0]) is not None:
            importlib.import_module(name)
    for name in OURS:
        with contextlib.suppress(ImportError):  # of a package of the training part, which is not here
            importlib.import_module(name)
    for name in MODULES[1:]:
        sys.modules.pop(name, None)  # each runs its own
    with contextlib.suppress(ImportError):
        _import_narrow()
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
        ready, _, _ = select.select([orders, ended], [], [])
        if ended in ready:
            os.read(ended, 1 << 16)
            _bury(tell)
        if orders in ready:
            order, fds, _, _ = socket.recv_fds(orders, 1 << 20, 4)
            if not order:
                return
            pid = os.fork() or become(json.loads(order), list(fds[:3]))
            os.write(fds[3], pid.to_bytes(_SIZE, sys.byteorder))
            tell[pid] = fds[3]
            for fd in fds[:3]:
                os.close(fd)


def _import_narrow() -> None:
    """It lies beside this file, in no folder from which a process of ours imports."""
    sys.path.insert(0, os.fspath(Path(__file__).parent))
    importlib.import_module("narrow")
    del sys.path[0]


def _bury(tell: dict[int, int]) -> None:
    """Tell of those that have ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            reported = tell.pop(ended[0])
            with contextlib.suppress(BrokenPipeError):
                os.write(reported, ended[1].to_bytes(_SIZE, sys.byteorder))
            os.close(reported)


def become(order: dict[str, Any], streams: Sequence[int]) -> NoReturn:
    """Be the process that `order` names, with these standard streams, to its end."""
    code = 1
    try:
        _forget(streams, order["ignored"])
        if order["session"]:
            os.setsid()
        os.chdir(order["cwd"])
        locale = {name: value for name, value in os.environ.items() if name == "LC_CTYPE"}  # Python may choose it
        os.environ.clear()
        os.environ.update(locale | order["environment"])
        if "torch._dynamo" in sys.modules:
            sys.modules["torch._dynamo"].config.disable = os.environ.get(COMPILES) == "1"  # it reads that at its import
        sys.orig_argv = order["command"]
        sys.argv = order["arguments"]
        sys.path[:0] = order["path"]
        if "narrow" in sys.modules:
            sys.modules["narrow"].begin()
        usual = Forked.__mro__[1]
        for module in [one for one in sys.modules.values() if vars(one).get("Popen") is usual]:
            module.Popen = Forked  # type: ignore[attr-defined]  # torch's agent has imported it by its name
        try:
            if order["script"]:
                runpy.run_path(order["script"], run_name="__main__")
            else:
                runpy.run_module(order["module"], run_name="__main__", alter_sys=True)
            code = 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        except BaseException as error:  # noqa: BLE001 - as Python tells it
            sys.excepthook(type(error), error, error.__traceback__)
            if isinstance(error, KeyboardInterrupt):
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                os.kill(os.getpid(), signal.SIGINT)
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        os._exit(code)


def _forget(streams: Sequence[int], ignored: Sequence[int]) -> None:
    """All that would not be there in a process that had been executed. `ignored`: signals, by who has it begun."""
    signal.set_wakeup_fd(-1)
    faulthandler.disable()
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        wanted = signal.SIG_IGN if number in ignored else signal.SIG_DFL
        if signal.getsignal(number) is not wanted:
            signal.signal(number, wanted)
    if signal.SIGINT not in ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    atexit._clear()
    _kept.extend([*logging.root.handlers, sys.stdin, sys.stdout, sys.stderr])
    logging.root.handlers.clear()
    ends = [os.dup(stream) for stream in streams]
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
        if fd > 2 and fd not in (*ends, nothing):
            with contextlib.suppress(OSError):  # of the listing itself
                os.dup2(nothing, fd, inheritable=False)  # not closed: an object of before may still do that
    for number, fd in enumerate(ends):
        os.dup2(fd, number)
        os.close(fd)
    sys.stdin, sys.stdout, sys.stderr = (
        _stream(number, mode, usual)
        for number, mode, usual in ((0, "r", sys.__stdin__), (1, "w", sys.__stdout__), (2, "w", sys.__stderr__))
    )
    for name in [name for name in sys.modules if name.partition(".")[0] == _ANEW]:
        del sys.modules[name]


def _stream(number: int, mode: str, usual: Any) -> Any:
    """A standard stream as Python would open it here, by the one that it has opened."""
    at_once = usual.write_through
    lines = not at_once and (number == 2 or os.isatty(number))
    raw = open(number, f"{mode}b", 0, closefd=False)  # noqa: SIM115
    buffer: Any = io.BufferedReader(raw) if mode == "r" else raw if at_once else io.BufferedWriter(raw)
    return io.TextIOWrapper(buffer, usual.encoding, usual.errors, line_buffering=lines, write_through=at_once)


if __name__ == "__main__":
    main(int(sys.argv[1]))
