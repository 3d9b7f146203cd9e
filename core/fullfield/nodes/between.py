"""What is between two nodes, measured where they would train: one listens for a moment on its named interface, the
other one calls it from its own. Both are asked over ssh, and nothing listens after that.

Who calls says the key that both were given, then messages: eight bytes that say how long each is, and as many of no
meaning; each is answered by one byte. A length of 0 is the end.
"""

from __future__ import annotations

import hmac
import secrets
import socket
import statistics
import tempfile
import time

from fullfield.checked import Fields
from fullfield.distribution import elastic, interfaces
from fullfield.errors import FullfieldError, UsageError
from fullfield.nodes import answering, probe, ssh
from fullfield.nodes.node import Node
from fullfield.protocol.computers import Computer
from fullfield.protocol.plan import MEASURED, LinkPlan

OPEN_SECONDS, ANSWER_SECONDS = 20.0, 5.0
"""How long one listens for the other, and how long a message may take."""
ROUNDS = 20
LEAST_BYTES, MOST_BYTES, LONG_SECONDS = 1 << 16, 1 << 24, 0.1
"""Of messages that grow, until one takes long enough to tell how fast it goes."""


def listen() -> Fields | None:
    """On the one node: take the other one's call. Raises UsageError where it does not come."""
    asked = answering.given()
    with answering.understood():
        own, key = interfaces.address(str(asked["interface"])), str(asked["key"]).encode()
    with elastic.listening(own) as door:
        answering.say({"address": own, "port": door.getsockname()[1]})
        try:
            _serve(door, key)
        except OSError as error:
            raise _unheard(own, str(asked["interface"]), error) from error
    return None


def call() -> Fields:
    """On the other node: what is between them, as `seconds` of a message and `bytes_per_second`. Raises UsageError
    where it does not reach the one that listens."""
    asked = answering.given()
    with answering.understood():
        own, key = interfaces.address(str(asked["interface"])), str(asked["key"]).encode()
        there = str(asked["address"]), int(asked["port"])
    try:
        with socket.create_connection(there, ANSWER_SECONDS, source_address=(own, 0)) as line:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line.sendall(key)
            small = statistics.median(_message(line, 1) for _ in range(ROUNDS))
            size, taken = LEAST_BYTES, _message(line, LEAST_BYTES)
            while taken < LONG_SECONDS and size < MOST_BYTES:
                size *= 4
                taken = _message(line, size)
            line.sendall(bytes(8))
    except OSError as error:
        raise _unheard(there[0], str(asked["interface"]), error) from error
    return {"seconds": small / 2, "bytes_per_second": size / max(taken - small, 1e-9)}


def measured(head: Node, other: Node) -> LinkPlan:
    """Between two nodes, of which one may be this computer; it takes a second or two, most of it for ssh. Raises
    LineCut, NodeRefused, UsageError."""
    key = secrets.token_hex(16)
    with tempfile.TemporaryFile() as reported:
        process = ssh.start(head, "listen", errors_to=reported)
        ssh.Patience(process, OPEN_SECONDS)
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(ssh.line({"interface": head.interface, "key": key}))
            process.stdin.flush()
            met = ssh.first(head, process.stdout)
            if met is None:
                raise ssh.ended(head, process, reported)
            asked = {**met, "interface": other.interface, "key": key}
            found = ssh.ask(other, "call", said=asked, seconds=2 * OPEN_SECONDS)
        except BrokenPipeError as error:
            raise ssh.ended(head, process, reported) from error
        finally:
            ssh.end(process)
    with answering.understood():
        seconds, rate = float(found["seconds"]), float(found["bytes_per_second"])
    return LinkPlan(name=f"{head.name}, {other.name}", seconds=seconds, bytes_per_second=rate, source=MEASURED)


def computers(nodes: tuple[Node, ...]) -> tuple[Computer, ...]:
    """What these have now, and what is between the first and each other one. Raises LineCut, NodeRefused, UsageError
    where one is not ready, or does not reach the first."""
    found = []
    for number, node in enumerate(nodes):
        reported = probe.there(node)
        probe.refuse_others(reported.versions, probe.versions(), title=f"Cannot train on {node.title}.")
        link = measured(nodes[0], node) if number else None
        own = reported.computer(node.name)
        found.append(Computer(**{**vars(own), "link": link}))
    return tuple(found)


def _serve(door: socket.socket, key: bytes) -> None:
    """The call of who knows the key, if it begins within OPEN_SECONDS; others are not answered."""
    ends = time.monotonic() + OPEN_SECONDS
    while (left := ends - time.monotonic()) > 0:
        door.settimeout(left)
        line, _ = door.accept()
        with line:
            line.settimeout(ANSWER_SECONDS)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                if not hmac.compare_digest(_taken(line, len(key)), key):
                    continue
                while size := int.from_bytes(_taken(line, 8)):
                    _taken(line, min(size, MOST_BYTES), keep=False)
                    line.sendall(b".")
            except (EOFError, OSError):
                continue
        return
    raise TimeoutError


def _message(line: socket.socket, size: int) -> float:
    """Seconds until it is answered."""
    whole, began = size.to_bytes(8) + bytes(size), time.perf_counter()
    line.sendall(whole)
    if not line.recv(1):
        raise ConnectionResetError("the other end is closed")
    return time.perf_counter() - began


def _taken(line: socket.socket, count: int, *, keep: bool = True) -> bytes:
    found, left = bytearray(), count
    while left:
        part = line.recv(min(left, 1 << 18))
        if not part:
            raise EOFError
        left -= len(part)
        found += part if keep else b""
    return bytes(found)


def _unheard(address: str, interface: str, error: OSError) -> FullfieldError:
    reason = error.strerror or ("it takes too long" if isinstance(error, TimeoutError) else "the line is cut")
    return UsageError(
        "What is between the machines cannot be measured.",
        detail=f"Over {interface} there is no way to {address}: {reason}.",
        hint="Ask IT whether that is the network of these machines, and whether a firewall closes its ports.",
    )
