"""pip of the new environment: how it is run, what it is set to, how far it is, and its errors in words for people.

Its own settings hold (index, proxy, certificates: files, and variables that begin with PIP_): it is run as the user
would. Without a network it is run without them, for they may name addresses.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from fullfield import other_python, system
from fullfield.context import Context
from fullfield.errors import CannotWrite, FullfieldError, Interrupted, MissingPart

POLL_SECONDS = 0.2
ASK_SECONDS = 30.0
LOG = "pip.log"
_QUIET = ("--disable-pip-version-check", "--no-input", "--no-color", "--progress-bar=off")
_TITLE = "Cannot install the training part."


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What pip is set to here. `own`: it asks an index of its own, or none; `host`: whose that is, where known."""

    own: bool = False
    host: str = ""


def settings(python: Path) -> Settings:
    """As the pip of `python` tells them, or, where it has none yet, the variables."""
    reported = other_python.output([str(python), "-m", "pip", *_QUIET[:1], "config", "list"], seconds=ASK_SECONDS)
    values = dict(re.findall(r"^[^.\n]*\.([\w-]+)='(.*)'$", reported, re.MULTILINE))
    for name in ("index-url", "no-index"):
        given = os.environ.get("PIP_" + name.upper().replace("-", "_"))
        if given:
            values[name] = given
    index = values.get("index-url", "")
    own = bool(index) or values.get("no-index", "").lower() in ("1", "true", "yes", "on")
    return Settings(own=own, host=urlsplit(index).hostname or "")


class Pip:
    """The pip of the environment `python`; what it writes on the way, and its log, lie in `folder`.

    Its methods raise Interrupted once `context` is stopping: it is then gone, and what it had fetched is kept.
    `look` is called several times a second while it runs.
    """

    def __init__(self, folder: Path, context: Context) -> None:
        self._folder, self._context = folder, context
        self._begin = 0  # of what the last command said, in the log
        self.temporary = folder / "pip"

    def make_environment(self, python: Path, environment: Path) -> None:
        """A new virtual environment of `python`, with its pip; what was there before is gone."""
        self._run([str(python), "-m", "venv", "--clear", str(environment)], other_python.environment(), _nothing)

    def download(self, python: Path, asked: Sequence[str], to: Path, look: Callable[[], None]) -> None:
        """Bring wheels of all that is asked for into the folder `to`: over the network."""
        command = ["download", *_QUIET, "--only-binary=:all:", "--dest", str(to), *asked]
        self._pip(python, command, other_python.environment(), look)

    def install(self, python: Path, asked: Sequence[str], wheels: Path, look: Callable[[], None]) -> None:
        """Install from this folder of wheels alone."""
        values = {name: value for name, value in other_python.environment().items() if not name.startswith("PIP_")}
        command = ["install", *_QUIET, "--only-binary=:all:", "--no-index", "--no-cache-dir", "-f", str(wheels), *asked]
        self._pip(python, command, values | {"PIP_CONFIG_FILE": os.devnull}, look)

    def probe(self, python: Path, code: str, result: Path) -> str:
        """What `code`, run in the environment, leaves in the file `result` that it is given."""
        result.parent.mkdir(parents=True, exist_ok=True)
        result.unlink(missing_ok=True)
        self._run([str(python), "-P", "-c", code, str(result)], other_python.environment(), _nothing)
        return result.read_text(encoding="utf-8")

    def keep_fetched(self, to: Path) -> None:
        """Move the wheels that an interrupted download had whole into the folder `to`; forget the rest."""
        to.mkdir(parents=True, exist_ok=True)
        for path in self.temporary.rglob("*.whl"):
            if zipfile.is_zipfile(path):  # one that was cut has no end
                system.rename(path, to / path.name)
        shutil.rmtree(self.temporary, ignore_errors=True)

    def fetched_bytes(self, *folders: Path) -> int:
        """Of the wheels there, and of those on their way; one that is being copied counts once."""
        sizes: dict[str, int] = {}
        for top in (*folders, self.temporary):
            for place, _, names in os.walk(top):  # which passes over folders that pip has removed meanwhile
                for name in names:
                    if name.endswith(".whl"):
                        with contextlib.suppress(OSError):  # moved meanwhile
                            sizes[name] = max(sizes.get(name, 0), (Path(place) / name).stat().st_size)
        return sum(sizes.values())

    def said(self) -> str:
        """What the command in hand, or the last one, has said so far."""
        with (self._folder / LOG).open("rb") as stream:
            stream.seek(self._begin)
            return stream.read().decode("utf-8", "replace")

    def _pip(self, python: Path, command: list[str], values: dict[str, str], look: Callable[[], None]) -> None:
        self.temporary.mkdir(parents=True, exist_ok=True)
        places = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(self.temporary))
        self._run([str(python), "-m", "pip", *command], values | places, look)

    def _run(self, command: list[str], values: dict[str, str], look: Callable[[], None]) -> None:
        with (self._folder / LOG).open("ab") as stream:
            self._begin = stream.tell()
            try:
                process = other_python.start(command, values, stream)
            except OSError as error:
                raise MissingPart(_TITLE, detail="The Python that was found cannot be started.") from error
            try:
                self._wait(process, look)
            finally:
                if process.poll() is None:
                    system.kill_tree(process.pid)
                    process.wait()
        if process.returncode != 0:
            raise failure(self.said(), process.returncode)

    def _wait(self, process: system.Process, look: Callable[[], None]) -> None:
        while process.poll() is None:
            if self._context.stopping():
                raise Interrupted("The training part was not installed.", hint="What has been fetched is kept.")
            look()
            time.sleep(POLL_SECONDS)


def _nothing() -> None:
    pass


_KNOWN = (  # what pip or Python says, what it means, and what to do
    (r"No space left|not enough space|Errno 28|WinError 112", "The disk is full.", ""),
    (r"CERTIFICATE_VERIFY_FAILED|SSLError|SSLCertVerification",
     "The certificate of the package index, or of a proxy before it, is not trusted.",
     "Tell pip your clinic's certificate, with PIP_CERT or pip config set global.cert FILE, and try again."),
    (r"\b407\b|ProxyError|Cannot connect to proxy", "The proxy refuses.",
     "Tell pip your proxy, with HTTPS_PROXY or pip config set global.proxy ADDRESS, and try again."),
    (r"\b40[13]\b.*(?:Client Error|Unauthorized|Forbidden)", "The package index refuses.",
     "Ask who runs it; pip's own settings hold."),
    (r"NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|Connection (?:refused|reset|aborted|broken)"
     r"|Max retries|Failed to establish|Temporary failure|getaddrinfo|Network is unreachable",
     "The package index was not reached, or broke off.",
     "What has been fetched is kept. Check the connection and the proxy (HTTPS_PROXY), or name a folder of wheels."),
)  # fmt: skip
# Under a constraint pip tells of a package that is not there that it is in conflict, with what was asked for alone.
_ABSENT = re.compile(r"(?:No matching distribution found for|Cannot install(?= [\w.-]+ because)) ([\w.-]+)")
# There in other versions alone; of one that another package asks for in a version, the wheel may be there and not fit.
_PINNED = re.compile(r"depends on ([\w.-]+)\s*\n\s*The user requested \(constraint\) \1==")
_CONFLICT = re.compile(r"ResolutionImpossible|conflicting dependencies")


def failure(said: str, code: int) -> FullfieldError:
    """The error for what `said` is the end of."""
    for pattern, detail, hint in _KNOWN:
        if re.search(pattern, said):
            if not hint:
                return CannotWrite(_TITLE, detail=detail, hint="Free some space, and try again: what is done is kept.")
            return MissingPart(_TITLE, detail=detail, hint=hint)
    found = _PINNED.search(said) or _ABSENT.search(said)
    if found is not None:
        return absent(found[1])
    if _CONFLICT.search(said):
        detail = "The versions of torch and torchvision that were found do not go together."
        return MissingPart(_TITLE, detail=detail, hint="Bring wheels that do, and try again.")
    return MissingPart(
        _TITLE,
        detail=f"It was ended by its installer with code {code}.",
        hint=f"What the installer said stands in {LOG}, beside the environment; try again, or send it to us.",
    )


def absent(name: str) -> MissingPart:
    """The error for a package of which there is no wheel that fits."""
    return MissingPart(
        _TITLE,
        detail=f"There is no wheel of {name} for this system and its Python, in the tested version.",
        hint="Bring the wheel into the folder, or into your own package index, and try again.",
    )
