"""Checks of the diagnosis: how one is made, and all of them as text for people. No heavy imports."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence

from fullfield.protocol.checks import CheckMade, Verdict


def good(key: str, title: str, text: str) -> CheckMade:
    """All is well."""
    return CheckMade(key=key, title=title, verdict=Verdict.GOOD, text=text)


def warn(key: str, title: str, text: str, hint: str = "") -> CheckMade:
    """It works, and could be better."""
    return CheckMade(key=key, title=title, verdict=Verdict.WARN, text=text, hint=hint)


def bad(key: str, title: str, text: str, hint: str) -> CheckMade:
    """It does not work until somebody does something."""
    return CheckMade(key=key, title=title, verdict=Verdict.BAD, text=text, hint=hint)


def as_text(checks: Iterable[CheckMade]) -> str:
    """One block of lines per check, for a terminal, a mail or a support case."""
    lines = []
    for check in checks:
        lines.append(f"[{check.verdict:<4}] {check.title}: {check.text}")
        if check.hint:
            lines.append(f"       {check.hint}")
    return "\n".join(lines) + "\n"


def install_line(*, apt: Sequence[str], dnf: Sequence[str]) -> str:
    """What installs these packages of a Linux system, told for the tool that is here."""
    for tool, line in (("apt-get", f"sudo apt install {_once(apt)}"), ("dnf", f"sudo dnf install {_once(dnf)}")):
        if shutil.which(tool):
            return line
    return f"Install these packages of your system: {_once(apt)}"


def _once(names: Sequence[str]) -> str:
    return " ".join(dict.fromkeys(names))
