"""What a user writes of the data's licence stays here while a node trains. It is put into what comes home: into cards
of models and, for a card is a part of its file, into what tells the SHA-256 of the model."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from fullfield import checked, files
from fullfield.checked import Fields
from fullfield.errors import ModelError, UsageError
from fullfield.jobs import job as jobs
from fullfield.model import recarded

MODEL, LAST, SUMMARY = "model.safetensors", "last.safetensors", "summary.json"
SHA256 = "model_sha256"


def kept_here(spec: Fields) -> Fields:
    """A training's settings as a node is given them."""
    return {**spec, "data_licence": ""} if "data_licence" in spec else spec


def of(folder: Path) -> str:
    """That of the training in a run's folder; "": none."""
    try:
        return str(jobs.asked(folder).spec.get("data_licence", ""))
    except UsageError:
        return ""


def put(folder: Path, name: str, licence: str) -> None:
    """Put it into a file that has come, where that is one that tells it. What is no model of ours stays as it came.
    Raises OSError, CannotWrite."""
    path = folder / name
    if licence and name in (MODEL, LAST):
        with contextlib.suppress(ModelError):
            recarded.licensed(path, licence, path)
    elif licence and name == SUMMARY:
        with contextlib.suppress(ValueError, KeyError, TypeError):
            values = checked.parse(named_here(folder, path.read_bytes(), licence))
            plan = {**values["plan"], "data_licence": licence}
            files.write_text(path, json.dumps({**values, "plan": plan}, indent=1))


def named_here(folder: Path, content: bytes, licence: str) -> bytes:
    """What the node tells, in which the SHA-256 of its model has become that of the file here: as many digits."""
    if not licence or f'"{SHA256}"'.encode() not in content:
        return content
    try:
        theirs, ours = recarded.licensed(folder / MODEL, ""), files.sha256(folder / MODEL)
    except (OSError, ModelError):
        return content
    return content.replace(theirs.encode(), ours.encode())
