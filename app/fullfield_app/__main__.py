"""The command `fullfield`: window, `--batch`, and the physicist's commands. Each imports only what it needs."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from fullfield import offline
from fullfield_app import interrupts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code. Errors are shown here, and only here."""
    offline.stay_offline()
    _have_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["--run-module"]:  # how a frozen program starts its own workers
        import runpy

        sys.argv = given[1:]
        runpy.run_module(given[1], run_name="__main__", alter_sys=True)
        return 0
    try:
        return _run(given)
    finally:
        if arguments is None:  # what follows is the interpreter's own end
            interrupts.end_at_once()
            _forget_unwritten()


def _have_streams() -> None:
    """A program without a console on Windows has no standard streams, nor has one for which they were closed; what is
    written to them goes nowhere then, and nothing comes.
    A sign that the terminal's encoding lacks is shown by another."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - for the whole process
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _forget_unwritten() -> None:
    """What standard output could not take, which has been told, the interpreter would try again to write."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _has_folder() -> bool:
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def _run(given: list[str]) -> int:
    with interrupts.exiting_at_once():
        from fullfield import parts
        from fullfield.errors import CannotWrite, ExitCode, FullfieldError
        from fullfield.files import cannot_write
        from fullfield_app.arguments import parse
        from fullfield_app.cli.speak import tell_error
    try:
        with interrupts.exiting_at_once():
            command = parse(given)
            if not _has_folder():
                raise CannotWrite(
                    "Cannot work in the current folder.",
                    detail="It is not there any more, or you may not enter it.",
                    hint="Change into another folder (cd), and try again.",
                )
        return command()
    except FullfieldError as error:
        tell_error(error)
        return int(error.exit_code)
    except BrokenPipeError:  # who read has gone (| head), and wants no more
        return int(ExitCode.INTERRUPTED)
    except OSError as error:
        tell_error(cannot_write(error))
        return int(ExitCode.CANNOT_WRITE)
    except ImportError as error:
        missing = parts.missing(error)
        if missing is None:
            raise
        tell_error(missing)
        return int(missing.exit_code)
    except KeyboardInterrupt:
        return int(ExitCode.INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
