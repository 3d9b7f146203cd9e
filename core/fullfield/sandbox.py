"""What a process that parses foreign bytes gives up: new privileges, the network, and writing outside one folder.

On Linux by the kernel's own means, each where it has it: PR_SET_NO_NEW_PRIVS; a seccomp filter (x86-64, AArch64) in
which system calls that make a process, or reach other machines, programs or processes, fail with EPERM; Landlock
(kernel 5.13), under which files are written below one folder alone and no program is started. Reading stays open:
inputs may lie anywhere, and codecs are loaded when they are first needed. Windows and macOS have no counterpart that a
process of an ordinary user may call without being installed for it: there the limits of memory and time remain
(decision 020).
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from dataclasses import asdict, dataclass
from pathlib import Path

from fullfield import system

_PR_SET_NO_NEW_PRIVS = 38
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446  # the same numbers on every architecture
_EPERM, _ENOSYS = 1, 38

# Of linux/landlock.h, by the version of the interface that brought them. Reading is not handled, so it stays free.
_EXECUTE, _WRITE_FILE, _REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = (1 << bit for bit in (0, 1, 4, 5, 7, 8))
_OTHER_KINDS = sum(1 << bit for bit in (6, 9, 10, 11, 12))  # devices, sockets, pipes, links
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15  # versions 2, 3, 5
_BIND_AND_CONNECT_TCP = 0b11  # version 4
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11  # version 6
_BELOW = _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER | _TRUNCATE

# Denied system calls: their numbers on x86-64 and AArch64 (None: it has them not). io_uring would do unseen what the
# others may not; modes, owners, times and extended attributes of files are no matter of Landlock's.
_DENIED: dict[str, tuple[int, int | None]] = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "connect": (42, 203),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "pidfd_getfd": (438, 438),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "kill": (62, 129),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "setpriority": (141, 140),
    "fork": (57, None),
    "vfork": (58, None),
}
_TGKILL, _PRLIMIT = (234, 131), (302, 261)  # denied but to this process itself: it may abort, and ask for its limits
# A thread is made by clone, whose flags are the first argument; clone3 hides them in memory, and libraries take clone
# where a kernel has no clone3. A process made here would outlive its parent's watch.
_CLONE, _CLONE3, _CLONE_THREAD = (56, 220), 435, 0x10000
_ARCHITECTURES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}  # column, AUDIT_ARCH, seccomp(2)
_X32 = 0x40000000


@dataclass(frozen=True, kw_only=True)
class Confinement:
    """What this process has given up for good. `landlock`: the version of Landlock's interface, 0 without it."""

    no_new_privileges: bool = False
    no_network: bool = False
    landlock: int = 0

    @property
    def whole(self) -> bool:
        """All three hold."""
        return self.no_new_privileges and self.no_network and self.landlock > 0

    def as_fields(self) -> dict[str, int]:
        """Plain values, for a line of JSON."""
        return {key: int(value) for key, value in asdict(self).items()}

    @classmethod
    def from_fields(cls, values: dict[str, int]) -> Confinement:
        """What `as_fields` gave."""
        return cls(
            no_new_privileges=bool(values["no_new_privileges"]),
            no_network=bool(values["no_network"]),
            landlock=int(values["landlock"]),
        )


def confine(writable: Path | None) -> Confinement:
    """Give up what this process does not need; it and what it starts never get it back.

    `writable`: the one folder below which files may still be made, changed and removed; None: nowhere. To be called
    while the process has one thread. Never raises: what this kernel lacks, the result does not claim.
    """
    if not system.LINUX:
        return Confinement()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return Confinement()  # neither of the others is allowed without it
    try:
        landlock = _landlock(libc, writable)
    except OSError:
        landlock = 0
    return Confinement(no_new_privileges=True, landlock=landlock, no_network=_seccomp(libc))


def _landlock(libc: ctypes.CDLL, writable: Path | None) -> int:
    """Restrict writing; the version of the interface, 0 where the kernel has none. Raises OSError."""
    version = int(libc.syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1))
    if version < 1:
        return 0
    handled = _EXECUTE | _OTHER_KINDS | _BELOW | _IOCTL_DEVICE
    for least, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEVICE)):
        if version < least:
            handled &= ~right
    values = (handled, _BIND_AND_CONNECT_TCP, _ABSTRACT_SOCKETS_AND_SIGNALS)
    attributes = struct.pack("<3Q", *values)[: 8 if version < 4 else 16 if version < 6 else 24]
    rules = _checked(libc.syscall(_LANDLOCK_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0))
    try:
        _allow(libc, rules, Path(os.devnull), (_WRITE_FILE | _TRUNCATE) & handled)
        if writable is not None:
            _allow(libc, rules, writable, _BELOW & handled)
        _checked(libc.syscall(_LANDLOCK_RESTRICT, rules, 0))
    finally:
        os.close(rules)
    return version


def _allow(libc: ctypes.CDLL, rules: int, place: Path, rights: int) -> None:
    handle = os.open(place, getattr(os, "O_PATH", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        _checked(libc.syscall(_LANDLOCK_ADD, rules, 1, struct.pack("<Qi", rights, handle), 0))
    finally:
        os.close(handle)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return int(result)


def _seccomp(libc: ctypes.CDLL) -> bool:
    """Install the filter in every thread; False where the kernel or this architecture has none."""
    known = _ARCHITECTURES.get(platform.machine()) if struct.calcsize("P") == 8 else None
    if known is None:
        return False
    column, architecture, install = known
    denied = [numbers[column] for numbers in _DENIED.values()]
    own = {_TGKILL[column]: os.getpid(), _PRLIMIT[column]: 0}
    code = _program([number for number in denied if number is not None], own, _CLONE[column], architecture)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
    return int(libc.syscall(install, 1, 1, program)) == 0  # SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC


def _program(denied: list[int], own: dict[int, int], clone: int, architecture: int) -> bytes:
    """A classic BPF program over seccomp_data: EPERM for `denied`, for those of `own` whose first argument is another
    than this, for a `clone` that makes no thread, for calls of other architectures; ENOSYS for clone3; else allow."""
    load, equal, at_least, has, give = 0x20, 0x15, 0x35, 0x45, 0x06
    number, of_architecture, first = 0, 4, 16  # where they are; of an argument, the lower half
    results = {"allow": 0x7FFF0000, "deny": 0x00050000 | _EPERM, "lack": 0x00050000 | _ENOSYS}
    # Code, value, and where it goes on if so and if not: at a result, or behind as many lines.
    lines: list[tuple[int, int, str | int, str | int]] = [
        (load, of_architecture, 0, 0),
        (equal, architecture, 0, "deny"),
        (load, number, 0, 0),
        (at_least, _X32, "deny", 0),
        *((equal, one, "deny", 0) for one in denied),
        (equal, _CLONE3, "lack", 0),
    ]
    for call, allowed in [*((call, (equal, value)) for call, value in own.items()), (clone, (has, _CLONE_THREAD))]:
        lines += [(equal, call, 0, 2), (load, first, 0, 0), (*allowed, "allow", "deny")]
    places = {result: len(lines) + index for index, result in enumerate(results)}
    lines += [(give, value, 0, 0) for value in results.values()]

    def behind(line: int, target: str | int) -> int:
        return target if isinstance(target, int) else places[target] - line - 1

    return b"".join(
        struct.pack("<HBBI", code, behind(line, met), behind(line, unmet), value)
        for line, (code, value, met, unmet) in enumerate(lines)
    )
