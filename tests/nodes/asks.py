"""`python -I -S asks.py SOCKET PYTHON -m MODULE …`, which a node of tests calls in place of the last words: it has
`warm` begin that process, in this one's network, and ends as that does.

It imports next to nothing. Who enhances is executed, in its place: tests look for that process, and stop and kill it.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import sys


def main(address: str, command: list[str]) -> int:
    """The exit code."""
    if "enhance" in command:
        os.execv(command[0], command)
    ended, tell = os.pipe()
    network = os.open("/proc/self/ns/net", os.O_RDONLY)
    order = {
        "command": command,
        "cwd": os.getcwd(),  # noqa: PTH109 - pathlib takes its time
        "environment": dict(os.environ),
        "ignored": [one for one in signal.valid_signals() if signal.getsignal(one) is signal.SIG_IGN],
        "session": True,
        "limits": {name: resource.getrlimit(vars(resource)[name]) for name in dir(resource) if name[:7] == "RLIMIT_"},
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as source:
        source.connect(address)
        socket.send_fds(source, [json.dumps(order).encode()], [0, 1, 2, tell, network])
    for fd in (0, 1, 2, tell):
        os.close(fd)
    number, status = os.read(ended, 4), os.read(ended, 4)
    code = os.waitstatus_to_exitcode(int.from_bytes(status, sys.byteorder)) if number and status else -signal.SIGKILL
    if code < 0:
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    os._exit(main(sys.argv[1], sys.argv[2:]))
