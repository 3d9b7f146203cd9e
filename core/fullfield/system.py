"""The one place that knows operating systems apart. Every call that one of them lacks has its counterpart here.

psutil is imported by what asks it: a decode child never does, and would wait for it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

from fullfield.errors import UsageError

WINDOWS = sys.platform == "win32"
LINUX = sys.platform == "linux"
MAC = sys.platform == "darwin"
LOOPBACK = "lo0" if sys.platform == "darwin" else "lo"  # the interface on which a computer talks to itself
FROZEN = bool(getattr(sys, "frozen", False))
Process = subprocess.Popen[bytes]


def python_command(module: str, python: Path | None = None) -> list[str]:
    """The command that runs `module` in a new process, of another Python where that is given; a frozen program runs
    itself with a hidden option.

    -P: the folder in which the user stands is no place to import from.
    """
    if python is not None:
        return [str(python), "-P", "-m", module]
    if FROZEN:
        return [sys.executable, "--run-module", module]
    return [sys.executable, "-P", "-m", module]


def source_folder() -> Path | None:
    """Where this package is imported from that is not installed, as in a checkout; None where it is, or is frozen."""
    source = Path(__file__).parents[1]
    return None if FROZEN or source.name in ("site-packages", "dist-packages") else source


def writable_by_all(folder: Path) -> bool:
    """Every user of this machine can exchange what lies in `folder`. Windows guards folders by other means."""
    return not WINDOWS and bool(folder.stat().st_mode & stat.S_IWOTH)


def cpp_compiler() -> str:
    """The command of the C++ compiler that torch.compile calls here."""
    return os.environ.get("CXX") or ("cl" if WINDOWS else "clang++" if sys.platform == "darwin" else "g++")


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` durable. Windows has no call for it: its rename is journalled."""
    if WINDOWS:
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def rename(source: Path, target: Path) -> None:
    """Rename a file over another. On Windows a virus scanner may hold either for a moment: try for two seconds."""
    for wait in (0.05, 0.1, 0.2, 0.5, 1.0) if WINDOWS else ():
        try:
            source.replace(target)
            return
        except PermissionError:
            time.sleep(wait)
    source.replace(target)


def open_own(path: str | os.PathLike[str], flags: int, mode: int = 0o600) -> int:
    """`os.open` for a file of ours, which is no link to another file. Raises OSError; of a link with errno ELOOP.

    Windows has no flag for it: there the name is looked at first, and making links takes an administrator's right.
    """
    if WINDOWS and Path(path).is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return os.open(path, flags | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0), mode)


def keep_others_from_writing(folder: Path) -> None:
    """Take away that every user may write into `folder`. Raises PermissionError where it is another user's.

    Left alone are folders in which nobody can touch what is another's (/tmp), and file systems without such rights.
    Windows guards a user's folders by other means.
    """
    if WINDOWS:
        return
    status = folder.stat()
    if status.st_mode & stat.S_IWOTH and not status.st_mode & stat.S_ISVTX:
        folder.chmod(stat.S_IMODE(status.st_mode) & ~stat.S_IWOTH)


def limit_memory(count: int) -> None:
    """Limit this process's address space to `count` bytes; macOS ignores the limit, so the parent watches RSS too. A
    crash leaves no core file: a patient's pixels would be in it."""
    if sys.platform == "win32":
        from fullfield import job_object

        job_object.limit_memory(count)
    else:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = count if hard == resource.RLIM_INFINITY else min(count, hard)
        with contextlib.suppress(ValueError, OSError):  # macOS refuses; the parent's watch remains
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def require_screen() -> None:
    """Raise UsageError where a window cannot open: on Linux without X11 or Wayland Qt would abort the process."""
    if sys.platform == "linux" and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))):
        raise UsageError(
            "Cannot open the window.",
            detail="There is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set).",
            hint="Use fullfield --batch IN… -o OUT.",
        )


def lacks_library(name: str) -> bool:
    """A shared library that programs of Linux load by this name is not there; other systems bring their own."""
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        ctypes.CDLL(name)
    except OSError:
        return True
    return False


def readable_by_others(folder: Path) -> bool:
    """Other users of this machine can list `folder`. Windows guards a user's profile by other means."""
    return not WINDOWS and bool(folder.stat().st_mode & 0o044)


def usable_threads() -> int:
    """How many threads of the CPU this process may use: a container or an affinity may allow fewer than there are."""
    import psutil

    with contextlib.suppress(AttributeError, psutil.Error):
        return len(psutil.Process().cpu_affinity())
    return os.cpu_count() or 1


def lower_priority() -> None:
    """Let the window and the rest of the machine come first."""
    import psutil

    with contextlib.suppress(psutil.Error, OSError):
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS if sys.platform == "win32" else 10)


def alone() -> str:
    """Why several processes cannot train together on this system, a sentence; "" where they can."""
    return "PyTorch for Windows has no way for them to talk (gloo)." if WINDOWS else ""


def spare_cores(total: int | None = None) -> int:
    """How many cores a worker may use: all but the one that the window needs, at least one."""
    return max(1, (total or usable_threads()) - 1)


def spawn_detached(command: list[str], environment: dict[str, str] | None = None) -> Process:
    """Start `command` so that it outlives this process and its terminal. `environment`: in place of this process's."""
    return _spawn(command, environment, stdin=subprocess.DEVNULL)


def spawn_bound(command: list[str], environment: dict[str, str] | None = None) -> Process:
    """Start `command` beside this process's terminal, but so that it ends with this process: see `end_with_starter`.

    It also ends when the returned object is dropped, which holds the other end of its standard input.
    """
    return _spawn(command, environment, stdin=subprocess.PIPE)


def _spawn(command: list[str], environment: dict[str, str] | None, *, stdin: int) -> Process:
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS
    return subprocess.Popen(
        command,
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        creationflags=flags,
        start_new_session=True,  # Windows, which has none, passes it over
    )


def spawn_piped(command: list[str], *, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start `command` with its standard input and output as pipes, silent otherwise, and without a console window."""
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows alone has it, and others want 0
    )


def kill_tree(pid: int) -> bool:
    """End a process and all its children at once; True when they are gone.

    A process goes before its children, whose end it would take for a fault and tell as one; ours goes last."""
    import psutil

    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except (psutil.Error, ValueError):
        return True
    family.sort(key=lambda member: member.pid == os.getpid())
    for member in family:
        with contextlib.suppress(psutil.Error):
            member.kill()
    return not psutil.wait_procs(family, timeout=5)[1]


def peak_memory(pid: int | None = None) -> int:
    """The largest resident memory in bytes that this process has had, or process `pid`; 0 where there is none.

    Of another process macOS tells what it holds now alone: look often.
    """
    if sys.platform == "linux":  # getrusage counts what was there before exec too, the parent's as well
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid or 'self'}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
        return 0
    import psutil

    with contextlib.suppress(psutil.Error):
        if sys.platform == "win32":
            return int(psutil.Process(pid).memory_info().peak_wset)
        if pid is not None:
            return int(psutil.Process(pid).memory_info().rss)
    if pid is not None:
        return 0
    import resource

    return resident_bytes(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def resident_bytes(maxrss: int) -> int:
    """The `ru_maxrss` of getrusage and wait4 in bytes: macOS counts these, Linux KiB. Windows has neither call."""
    return maxrss if sys.platform == "darwin" else maxrss * 1024


def processor() -> str:
    """The name of the CPU, as its maker gives it where the system tells."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def title() -> str:
    """The system and its kind of processor, such as "Linux x86_64"."""
    return f"{platform.system()} {platform.machine()}"


def end_with_starter() -> None:
    """From here on this process and its children end at once when the process that started it by `spawn_bound` is gone.

    The end of that process, however it comes about, closes the pipe that is our standard input: every system sees to
    that. On Linux the kernel kills us besides: neither a library that keeps Python from running nor a stop signal puts
    it off.
    """
    end_with_parent()
    threading.Thread(target=_wait_for_starter, name="starter", daemon=True).start()


def _wait_for_starter() -> None:
    while os.read(0, 1024):  # nobody writes; not sys.stdin, whose lock a thread that waits would keep at our own end
        pass
    kill_tree(os.getpid())


def end_with_parent() -> None:
    """End this process when the *thread* that started it ends. Elsewhere than on Linux a closed pipe tells instead."""
    if sys.platform == "linux":
        import ctypes

        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
