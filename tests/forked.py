"""Becoming, in a process that was forked, one that is as if it had been executed: see `warm`.

Only `MODULES` and `SCRIPTS` are started so, and only by the Python and with the paths and settings of this one
(`SETTINGS`); and the server of `multiprocessing` that forks ranks. Other scripts, `-c`, and a decode child, whose
memory is limited, are executed.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import faulthandler
import io
import logging
import multiprocessing.util
import os
import runpy
import signal
import subprocess
import sys
import threading
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from fullfield import interpreter

MODULES = (
    "fullfield_app",
    "fullfield.jobs.worker",
    "fullfield.jobs.agent",
    "fullfield.distribution.standalone",
    *(f"fullfield.bench.{name}" for name in ("exact_ranks", "machine", "native", "ranked", "reckoned", "step")),
)
SCRIPTS = ("worker.py", "fleets.py")  # of a test, which stands for the module; and ranks
SETTINGS = ("PYTHON", "LD_", "MALLOC_", "OMP_", "MKL_", "PYTORCH", "CUDA")
"""Names of variables that a process reads when it begins, or loads a library, begin so."""
COMPILES = "TORCHDYNAMO_DISABLE"
_ANEW = "huggingface_hub"  # reads its settings as it is imported
NETWORK = "/proc/self/ns/net"
_NEWNET = 0x40000000  # of setns: a network
_kept: list[Any] = []  # objects of who was forked, which would close what is no longer theirs
_executed = multiprocessing.util.spawnv_passfds
Executed = subprocess.Popen


class Forked(Executed[Any]):
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


def _order(command: list[str], cwd: Any, environment: Mapping[str, str] | None) -> dict[str, Any] | None:
    """What is to be forked; None where it is to be executed."""
    given = os.environ if environment is None else environment
    words = _words(command)
    known = words[1:2] and words[1] in MODULES if words[:1] == ["-m"] else words and Path(words[0]).name in SCRIPTS
    if command[:1] != [sys.executable] or not known or _settings(os.environ) != _settings(given):
        return None
    return _whole(command, os.fspath(cwd or Path.cwd()), given)


def _whole(command: list[str], cwd: str, environment: Mapping[str, str]) -> dict[str, Any]:
    ignored = [number for number in signal.valid_signals() if signal.getsignal(number) is signal.SIG_IGN]
    return {"command": command, "cwd": cwd, "environment": dict(environment), "ignored": ignored, "session": False}


def _words(command: list[str]) -> list[str]:
    """Without Python and its flag."""
    return command[2:] if command[1:2] == ["-P"] else command[1:]


def _settings(environment: Mapping[str, str]) -> dict[str, str]:
    """With what a process says of them itself before it imports torch."""
    environment = dict(environment)
    interpreter.prepare_for_torch(environment)
    return {name: value for name, value in environment.items() if name.startswith(SETTINGS)}


def become(order: dict[str, Any], streams: Sequence[int], *, network: int = -1, kept: Sequence[int] = ()) -> NoReturn:
    """Be the process that `order` names, with these standard streams, to its end. `network`: a descriptor of the one in
    which it is to be, where that may be another one; `kept`: those that it has beside its streams."""
    code = 1
    try:
        if network >= 0 and not os.path.samestat(os.fstat(network), Path(NETWORK).stat()):
            _enter(network)
        _limit(order.get("limits", {}))
        _forget(streams, order["ignored"], kept)
        if order["session"]:
            os.setsid()
        os.chdir(order["cwd"])
        locale = {name: value for name, value in os.environ.items() if name == "LC_CTYPE"}  # Python may choose it
        os.environ.clear()
        os.environ.update(locale | order["environment"])
        if "torch._dynamo" in sys.modules:
            sys.modules["torch._dynamo"].config.disable = os.environ.get(COMPILES) == "1"  # it reads that at its import
        if "narrow" in sys.modules:
            sys.modules["narrow"].begin()
        usual = Forked.__mro__[1]
        for module in [one for one in sys.modules.values() if vars(one).get("Popen") is usual]:
            module.Popen = Forked  # type: ignore[attr-defined]  # torch's agent has imported it by its name
        multiprocessing.util.spawnv_passfds = _begin_server
        try:
            _run(order["command"])
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


def _run(command: list[str]) -> None:
    """Run what Python runs of this command, where it looks for modules."""
    sys.orig_argv = command
    words, is_safe = _words(command), command[1:2] == ["-P"]
    places = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    sys.path[:0] = [one for one in places if one not in sys.path]
    if site := [path for one in places if (path := Path(one) / "sitecustomize.py").exists()]:
        runpy.run_path(os.fspath(site[0]))
    if words[0] == "-m":
        sys.path[:0] = [] if is_safe else [os.fspath(Path.cwd())]
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words[0] == "-c":
        sys.argv = words[:1]
        sys.modules["__main__"] = types.ModuleType("__main__")
        exec(words[1], vars(sys.modules["__main__"]))
    else:
        sys.path[:0] = [] if is_safe else [os.fspath(Path(words[0]).parent)]
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


def _begin_server(path: bytes, command: list[str], kept: Sequence[int]) -> int:
    """In place of `multiprocessing.util.spawnv_passfds`: its server that forks processes is forked itself."""
    if "multiprocessing.forkserver" not in command[-1]:
        return _executed(path, command, kept)
    order = _whole([sys.executable, *command[-2:]], os.fspath(Path.cwd()), os.environ)
    return os.fork() or become(order, (0, 1, 2), kept=kept)


def _limit(limits: Mapping[str, tuple[int, int]]) -> None:
    import resource  # Windows has none

    for name, limit in limits.items():
        resource.setrlimit(vars(resource)[name], limit)


def _enter(network: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(network, _NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


def _forget(streams: Sequence[int], ignored: Sequence[int], kept: Sequence[int]) -> None:
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
        if fd > 2 and fd not in (*ends, *kept, nothing):
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
