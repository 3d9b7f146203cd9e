"""The bundle for support: a ZIP of the diagnosis, the settings and the redacted logs of the window and the last runs.

Nothing is taken in that was not made to leave: no job.json and no commands (they name files), no image, no model, no
notes; and what is taken in is redacted once more, line by line, value by value.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from typing import Any, BinaryIO

from fullfield import __version__, files, replacing
from fullfield.diagnosis.check import as_text
from fullfield.diagnosis.redact import redact
from fullfield.errors import OutputInvalid
from fullfield.protocol.checks import CheckMade

RUNS = 5
TAIL_BYTES = 512 << 10  # of each file: the end tells what went wrong
RUN = re.compile(r"\d{8}-\d{6}-[a-z]+-[0-9a-f]{6}")  # a name that we gave; a folder that somebody renamed stays here
PLAIN = re.compile(r"true|false|-?\d+(\.\d+)?(e-?\d+)?")
LOG = re.compile(r"worker(-\d{1,4})?\.log|crash\.log|events\.jsonl")  # of several processes each has its own
README = f"""Diagnosis of Fullfield {__version__}, for support.

diagnosis.txt   what was checked, for people; diagnosis.json the same for programs
settings.json   the settings, without the words that were typed there
window.log      the window's log; runs/…: logs and events of the last {RUNS} runs

Patient values, file names, folders, and the names of the user and the computer have been taken out.
Look through it before you send it: it is plain text.
"""


def save(target: Path, *, checks: Sequence[CheckMade], settings: object) -> None:
    """Write the bundle to `target`, whole or not at all. Raises CannotWrite, OutputInvalid.

    `settings`: a dataclass; of a field whose metadata say "typed" the words are left out.
    """
    refuse(target)
    with files.atomic_write(target) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in _parts(checks, settings):
            bundle.writestr(name, text)


def refuse(target: Path) -> None:
    """Raises OutputInvalid where something is in its place that is no such bundle: it may be a radiograph."""
    replacing.refuse_other(
        target,
        _is_bundle,
        refusal=OutputInvalid(
            "Cannot write the bundle for support there.",
            detail="What has this name already is no such bundle, and stays as it is.",
            hint="Give the name of a new file.",
        ),
    )


def _is_bundle(there: BinaryIO) -> bool:
    try:
        with zipfile.ZipFile(there) as opened:
            return {"readme.txt", "diagnosis.json", "settings.json"} <= set(opened.namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return False


def _parts(checks: Sequence[CheckMade], settings: object) -> Iterator[tuple[str, str]]:
    yield "readme.txt", README
    yield "diagnosis.txt", redact(as_text(checks)) + "\n"
    yield "diagnosis.json", json.dumps(_redacted([asdict(check) for check in checks]), indent=1)
    yield "settings.json", json.dumps(_redacted(settings), indent=1)
    for name, path in _logs():
        try:
            text = _tail(path)
        except OSError:  # gone meanwhile, or not for us to read: the rest helps without it
            continue
        yield name, _events(text) if name.endswith(".jsonl") else redact(text)


def _logs() -> Iterator[tuple[str, Path]]:
    """The logs that may be there, by their names in the bundle."""
    try:
        runs = files.runs_folder()
    except OSError:  # then there is none, and that may be why somebody wants help
        return
    yield "window.log", runs / "window.log"
    found = [folder for folder in runs.iterdir() if RUN.fullmatch(folder.name) and folder.is_dir()]
    for folder in sorted(found, key=lambda one: one.name)[-RUNS:]:
        for path in sorted(path for path in folder.iterdir() if LOG.fullmatch(path.name)):
            yield f"runs/{folder.name}/{path.name}", path


def _tail(path: Path) -> str:
    with path.open("rb") as stream:
        size = path.stat().st_size
        stream.seek(max(size - TAIL_BYTES, 0))
        lines = stream.read(TAIL_BYTES).decode("utf-8", "replace")
    return lines if size <= TAIL_BYTES else lines.partition("\n")[2]


def _events(text: str) -> str:
    """Events with every text in them redacted; a line that is none is left out."""
    lines = []
    for line in text.splitlines():
        try:
            lines.append(json.dumps(_redacted(json.loads(line))))
        except ValueError:
            continue
    return "\n".join(lines)


def _redacted(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if is_dataclass(value):
        return {
            item.name: (_wordless if item.metadata.get("typed") else _redacted)(getattr(value, item.name))
            for item in fields(value)
        }
    if isinstance(value, Mapping):
        return {redact(str(key)): _redacted(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_redacted(one) for one in value]
    return value


def _wordless(value: str | Sequence[str]) -> str | list[str]:
    """What was typed, without its words: of "field=JSON" a number or a truth stays."""
    if not isinstance(value, str):
        return [str(_wordless(one)) for one in value]
    name, sign, plain = value.partition("=")
    if not sign or not name.isidentifier():
        return value and "(text)"
    return value if PLAIN.fullmatch(plain) else f"{name}=(text)"
