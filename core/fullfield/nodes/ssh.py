"""Calling Fullfield on a node over the system's ssh: the keys, host keys, agents and jump hosts of the user's ~/.ssh.
On this computer, where it is one of several nodes, the same is called without ssh.

One command of ours per connection; what it answers on its standard output is a line of JSON. An unknown host key is
never accepted here: what the user's own configuration says of that holds.

So does what it says of connections that are kept and shared (ControlMaster); but where one of them is dead, ssh waits
for it, and does not ask whether the node is alive. The call after a cut so has a connection of its own, and the next
again a shared one where the node lets only that in.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import shlex
import subprocess
import tempfile
import threading
import time
from typing import IO, Any

from fullfield import checked, errors, other_python, parts, system
from fullfield.checked import Fields
from fullfield.errors import FullfieldError
from fullfield.nodes.node import Node
from fullfield.training_part import place

OPTIONS = (
    "BatchMode=yes",
    "ConnectTimeout=10",
    "ServerAliveInterval=2",
    "ServerAliveCountMax=3",
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "ForwardX11=no",
    "RemoteCommand=none",
)
"""The last four: what a login of its user begins besides is not for a call, which may last for days."""
ANSWER_SECONDS, ENDS_SECONDS = 120.0, 10.0
SILENT_SECONDS = 60.0  # of a node that ssh still reaches: what we called there hangs
OWN = 255  # the exit code of ssh itself
MOST_LINES = 200  # of a shell that greets
OWN_CONNECTION = "ControlPath=none"
_cut_before: set[str] = set()  # addresses
_ABSENT = (126, 127)  # a shell's: there is no such command
_BY_CODE: dict[int, type[FullfieldError]] = {
    int(one.exit_code): one
    for one in vars(errors).values()
    if isinstance(one, type) and issubclass(one, FullfieldError) and "exit_code" in vars(one)
}


class LineCut(FullfieldError):
    """The connection broke, or cannot be made now: another try may do."""


class NodeRefused(FullfieldError):
    """The node does not let us in, or cannot do what it is asked: another try would not either."""


class Gone(NodeRefused):
    """The node has nothing of this run any more."""


def command(node: Node, *arguments: str) -> list[str]:
    """The command of this machine that calls `fullfield node ARGUMENTS` there. Raises MissingPart where that is this
    one, which lacks what trains."""
    if node.here:
        return [*system.python_command("fullfield_app", place.interpreter(*parts.NETWORK)), "node", *arguments]
    own = (OWN_CONNECTION,) if node.address in _cut_before else ()
    options = [part for option in (*OPTIONS, *own) for part in ("-o", option)]
    there = " ".join(map(shlex.quote, [*node.words, "node", *arguments]))
    return ["ssh", "-T", *options, *node.destination, there]


def start(node: Node, *arguments: str, errors_to: IO[bytes]) -> subprocess.Popen[bytes]:
    """The call, begun, with pipes; what ssh says of errors goes to the file `errors_to`, for `refusal`."""
    try:
        return subprocess.Popen(
            command(node, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors_to,
            env=other_python.environment() if node.here and parts.absent(*parts.NETWORK) else None,
            start_new_session=not system.WINDOWS,  # a Ctrl-C of our terminal is not for it
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise NodeRefused(
            f"Cannot reach the node {node.name}.",
            detail="This computer has no command ssh.",
            hint="Install OpenSSH's client, or ask IT to.",
        ) from error


def ask(node: Node, *arguments: str, said: Fields | None = None, seconds: float = ANSWER_SECONDS) -> Fields:
    """The answer to a call; `said`: what it is given. Raises LineCut, NodeRefused, and what the node tells."""
    with tempfile.TemporaryFile() as reported:
        process = start(node, *arguments, errors_to=reported)
        try:
            given = b"" if said is None else line(said)
            out, _ = process.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired as error:
            _cut_before.add(node.address)
            raise LineCut(
                f"The node {node.name} does not answer.",
                detail=f"It has not for {seconds:.0f} seconds.",
                hint="Try again later.",
            ) from error
        finally:
            process.kill()
            process.wait()
        answer = read(node, out.strip().rpartition(b"\n")[2])
        if answer is None or process.returncode:
            raise refusal(node, process.returncode, reported)
        return answer


def forget(node: Node, run: str) -> None:
    """Have it remove a run that lies there. Raises as `ask`."""
    ask(node, "forget", run, "--json")


def line(values: Fields) -> bytes:
    """A line of JSON."""
    return json.dumps(values).encode() + b"\n"


def read(node: Node, text: bytes) -> Fields | None:
    """What a line of the node holds; None where it is no line of ours. Raises the error that it tells."""
    try:
        values: Any = checked.parse(text)
    except ValueError:
        return None
    if not isinstance(values, dict):
        return None
    error = values.get("error")
    if isinstance(error, dict):
        raise reported_error(node, error, gone=bool(values.get("gone")))
    return values


def first(node: Node, stream: IO[bytes]) -> Fields | None:
    """The first line of ours in what a call answers, as `read` does: what the node's shell says before it (a greeting,
    modules that are loaded) is passed over. None where the call ends without one."""
    lines = itertools.takewhile(lambda text: text.endswith(b"\n"), iter(stream.readline, b""))
    found = (read(node, text) for text in itertools.islice(lines, MOST_LINES))
    return next((values for values in found if values is not None), None)


def reported_error(node: Node, error: Fields, *, gone: bool = False) -> FullfieldError:
    """The error that the node tells, as one of ours."""
    reported = {part: str(error.get(part, "")) for part in ("title", "detail", "hint")}
    kind = Gone if gone else _BY_CODE.get(error.get("code", 1), NodeRefused)
    return kind(f"On the node {node.name}: {reported['title']}", detail=reported["detail"], hint=reported["hint"])


def refusal(node: Node, code: int, reported: IO[bytes]) -> FullfieldError:
    """Why a call ended with this exit code, in words. `reported`: what ssh and the node's shell said of it."""
    reported.seek(0)
    text = reported.read()[-4096:].decode("utf-8", "replace")
    error = _refusal(node, code, text)
    if isinstance(error, LineCut):
        _cut_before.add(node.address)
    elif node.address in _cut_before and code == OWN and _DENIED in text:
        _cut_before.discard(node.address)
        return LineCut(error.title, detail=error.detail, hint=error.hint)
    return error


def _refusal(node: Node, code: int, text: str) -> FullfieldError:
    if code in _ABSENT or (code == 1 and f"{node.words[0]}: Command not found" in text):  # the latter of csh
        return NodeRefused(
            f"There is no Fullfield on the node {node.name}.",
            detail=f"Its shell does not find the command {node.words[0]!r}.",
            hint="Install it there, or say where it is: fullfield node add … --command PATH.",
        )
    if code != OWN:
        return NodeRefused(
            f"The Fullfield on the node {node.name} does not understand what it is asked.",
            detail=f"It ended with exit code {code}: it is another version, or not Fullfield.",
            hint="Install the same version on both.",
        )
    typed = " ".join(word for word in node.destination if word != "--")
    for sign, kind, detail, hint in _SIGNS:
        if sign in text:
            hint = hint.format(node.address if kind is LineCut else typed)  # one of these is mended by typing
            return kind(f"Cannot reach the node {node.name}.", detail=detail, hint=hint)
    last = next((part.strip().rstrip(".") for part in reversed(text.splitlines()) if part.strip()), "")
    if not last:  # what it called was killed
        return cut(node)
    return LineCut(f"The line to the node {node.name} is cut.", detail=f"ssh says: {last}.", hint="Try again later.")


def ended(node: Node, process: subprocess.Popen[bytes], reported: IO[bytes]) -> FullfieldError:
    """Why a call that says no more has ended, in words."""
    try:
        code = process.wait(ENDS_SECONDS)
    except subprocess.TimeoutExpired:
        code = 0
    return refusal(node, code, reported) if code > 0 else cut(node)


def cut(node: Node) -> LineCut:
    """A call has ended without a word."""
    _cut_before.add(node.address)
    return LineCut(
        f"The line to the node {node.name} is cut.", detail="It ended without an answer.", hint="Try again later."
    )


class Patience:
    """Ends a call in which nothing moves for SILENT_SECONDS; `moved` is to be called where something does."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float = SILENT_SECONDS) -> None:
        self._process, self._seconds, self._seen = process, seconds, time.monotonic()
        threading.Thread(target=self._wait, name="patience", daemon=True).start()

    def moved(self) -> None:
        """It goes on."""
        self._seen = time.monotonic()

    def _wait(self) -> None:
        while self._process.poll() is None:
            if time.monotonic() - self._seen > self._seconds:
                self._process.kill()
            time.sleep(0.2)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a call, and close its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()


_DENIED = "Permission denied"
_TRY = "Connect once with ssh {0} and compare the key with what IT says."
_SIGNS: tuple[tuple[str, type[FullfieldError], str, str], ...] = (
    (
        "REMOTE HOST IDENTIFICATION HAS CHANGED",
        NodeRefused,
        "Its host key is not the one that this computer knows: it was installed anew, or another machine answers.",
        "Ask IT whether the key was changed. Until then nothing is sent.",
    ),
    ("Host key verification failed", NodeRefused, "This computer does not know its host key yet.", _TRY),
    ("host key is known", NodeRefused, "This computer does not know its host key yet.", _TRY),
    (
        _DENIED,
        NodeRefused,
        "It does not accept this user's key.",
        "Put your public key there (ssh-copy-id {0}), or load it into your ssh agent.",
    ),
    ("Could not resolve", LineCut, "There is no machine of this name on the network.", "Check the address {0}."),
    ("Connection refused", LineCut, "Nothing listens there: its ssh server is off.", "Ask IT to start it."),
    ("timed out", LineCut, "It does not answer.", "Check that it is switched on, and the network."),
    ("No route to host", LineCut, "It does not answer.", "Check that it is switched on, and the network."),
    ("unreachable", LineCut, "This computer has no network to it.", "Check the network."),
    ("Bad configuration option", NodeRefused, "This user's ~/.ssh/config has a mistake.", "Mend it."),
)
