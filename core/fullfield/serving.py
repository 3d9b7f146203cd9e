"""The child's side of `child_process.py`: a process that parses foreign bytes, request by request.

It may crash, hang or run out of memory without harm: it holds nothing but the file in hand, and it is confined
(`sandbox.py`). Requests and answers are one JSON object per line over its standard input and output, both private; what
libraries print goes nowhere. It ends when its input does.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from fullfield import sandbox, system
from fullfield.checked import Fields
from fullfield.errors import FullfieldError, InputRefused

GRACE = 2.0  # the parent kills first; this ends a hanging child whose parent is gone

Answer = Callable[[Fields], Fields]


def serve(arguments: list[str], work: Answer, *, held: int = 0) -> None:
    """Answer requests until the input ends.

    `arguments`: the bytes of memory that it may use, the seconds for one request, and the one folder that it may write
    into, where there is one. `held`: the address space that its libraries have taken already, in bytes.
    """
    memory, seconds, folder = int(arguments[0]), float(arguments[1]), arguments[2] if len(arguments) > 2 else ""
    answers = _private_output()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal: the parent decides
    system.end_with_parent()
    system.limit_memory(memory + held)
    if folder:
        tempfile.tempdir = folder
    confinement = sandbox.confine(Path(folder) if folder else None)
    _say(answers, {"ready": True, "confinement": confinement.as_fields()})
    with Path(os.devnull).open("wb") as nowhere:
        for line in sys.stdin.buffer:
            faulthandler.dump_traceback_later(seconds * GRACE + 10, exit=True, file=nowhere)
            _say(answers, answer(work, json.loads(line)))
            faulthandler.cancel_dump_traceback_later()


def answer(work: Answer, request: Fields) -> Fields:
    """What `work` makes of a request; every fault that an interpreter survives becomes an answer.

    `spent`: a library choked on the file. Who knows what it left in memory: the parent ends this child.
    """
    try:
        return {"kind": "done", **work(request)}
    except FullfieldError as error:
        kind = "refused" if isinstance(error, InputRefused) else "unreadable"
        return {"kind": kind, "spent": error.__cause__ is not None, **error.as_fields()}
    except MemoryError:
        return {"kind": "memory", "spent": True}
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - a panic of a library in Rust is no Exception
        if (number := _of_the_system(error)) or (number := _of_the_system(error.__context__)):
            return {"kind": "disk", "errno": number}
        return {"kind": "unforeseen", "spent": True, "type": type(error).__name__}


def _of_the_system(error: BaseException | None) -> int | None:
    """The number of what the system refused; None where a library has stopped, which may call that an OSError, too."""
    return error.errno if isinstance(error, OSError) else None


def _private_output() -> BinaryIO:
    """The pipe to the parent under a number of its own; standard output itself leads nowhere from now on."""
    private = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return os.fdopen(private, "wb", buffering=0)


def _say(answers: BinaryIO, value: Fields) -> None:
    answers.write(json.dumps(value).encode() + b"\n")
