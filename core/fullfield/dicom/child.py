"""The process that decodes untrusted bytes: `python -m fullfield.dicom.child MEMORY SECONDS`, see `parent.py`.

It may crash, hang or run out of memory without harm: it holds nothing but the file in hand. Requests and answers are
one JSON object per line over its standard input and output, both private; what libraries print goes nowhere. It leaves
a decoded file in a temporary folder and renames that, so no half of one is ever seen. It ends when its input does.
"""

from __future__ import annotations

import faulthandler
import json
import os
import shutil
import signal
import stat
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, BinaryIO

from fullfield import system
from fullfield.dicom import dicomdir, radiograph
from fullfield.dicom.refusals import damaged
from fullfield.errors import FullfieldError, InputRefused

GRACE = 2.0  # the parent kills first; this ends a hanging child whose parent is gone
PART = "part"


def main(arguments: list[str]) -> None:
    """Answer requests until the input ends."""
    memory, seconds = int(arguments[0]), float(arguments[1])
    answers = _private_output()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal: the parent decides
    system.end_with_parent()
    system.limit_memory(memory)
    _say(answers, {"ready": True})
    with Path(os.devnull).open("wb") as nowhere:
        for line in sys.stdin.buffer:
            faulthandler.dump_traceback_later(seconds * GRACE + 10, exit=True, file=nowhere)
            _say(answers, answer(json.loads(line)))
            faulthandler.cancel_dump_traceback_later()


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Decode one file, or list what a DICOMDIR lists, where the request has no folder for pixels.

    Every fault that an interpreter survives becomes an answer.

    `spent`: a library choked on the file. Who knows what it left in memory: the parent ends this child.
    """
    try:
        if "folder" not in request:
            return {"kind": "done", "files": dicomdir.listed(_content(request))}
        _decode(request)
    except FullfieldError as error:
        kind = "refused" if isinstance(error, InputRefused) else "unreadable"
        return {"kind": kind, "spent": error.__cause__ is not None, **error.as_fields()}
    except MemoryError:
        return {"kind": "memory", "spent": True}
    except OSError as error:
        return {"kind": "disk", "errno": error.errno or 0}
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - a panic of a library in Rust is no Exception
        return {"kind": "unforeseen", "spent": True, "type": type(error).__name__}
    return {"kind": "done"}


def _decode(request: dict[str, Any]) -> None:
    target = Path(request["folder"])
    data = _content(request)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{target.name}-", suffix=f".{PART}", dir=target.parent))
    try:
        radiograph.leave(data, name=request["name"], sha256=request["sha256"], folder=part)
        try:
            system.rename(part, target)
        except OSError:
            if not target.is_dir():  # else another decoder was faster with the same content
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _content(request: dict[str, Any]) -> bytes:
    """The file's bytes, if they are still those that the parent hashed."""
    try:
        with Path(request["source"]).open("rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode) or [status.st_size, status.st_mtime_ns] != request["stamp"]:
                raise damaged("It changed while it was being read.", hint="Try again when it is copied completely.")
            return stream.read(status.st_size)
    except OSError as error:
        raise damaged("It cannot be opened any more.", hint="Check that it is still there.") from error


def _private_output() -> BinaryIO:
    """The pipe to the parent under a number of its own; standard output itself leads nowhere from now on."""
    private = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return os.fdopen(private, "wb", buffering=0)


def _say(answers: BinaryIO, value: dict[str, Any]) -> None:
    answers.write(json.dumps(value).encode() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
