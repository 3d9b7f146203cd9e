"""What a user has written or named stays here while a node trains: the data's licence, the names of presets and of
nodes, and of what a training began from the path of a file and the name of a model. A word without meaning goes in the
place of each, and is replaced in what comes home: in cards of models and, for a card is a part of its file, in what
tells the SHA-256 of the model; in the summary; and in events.

What stands in the place of a text takes as many bytes of an event as the text, or more. What is left over becomes
blanks at the line's end: the mirror counts the node's bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fullfield import checked, files
from fullfield.checked import Fields
from fullfield.errors import ModelError, UsageError
from fullfield.jobs import job as jobs
from fullfield.model import card as cards
from fullfield.model import recarded
from fullfield.plan import spec as plans
from fullfield.protocol import specs
from fullfield.protocol.training import Training
from fullfield.train import begun_from

MODEL, LAST, SUMMARY = "model.safetensors", "last.safetensors", "summary.json"
SHA256 = "model_sha256"
LEAST_DIGITS = 32
REFERENCES, NODE = "references", "node"


def settings(spec: Fields) -> Fields:
    """A training's settings as a node is given them, or as a checkpoint or a card holds them that goes there; and
    their `start`, the sentence on first weights, where they have one."""
    return {name: _GOES[name](str(value)) if name in _GOES else value for name, value in spec.items()}


_GOES: Mapping[str, Callable[[str], str]] = {
    "data_licence": lambda text: "",
    "reference": plans.nameless,
    "weights": plans.fileless,
    "start": begun_from.nameless,
}


def placeholder(kind: str, of: str, text: str) -> str:
    """The word that goes in the place of a text: of digits that follow from `of`, which the node may know."""
    digits = hashlib.sha256(f"{kind} {of}".encode()).hexdigest()
    least = max(LEAST_DIGITS, len(_inside(text)) - len(kind) - 1)
    return f"{kind}-{(digits * (1 + least // len(digits)))[:least]}"


def of_data(identity: str, reference: str) -> dict[str, str]:
    """For the sentence on where the references of images with this identity come from, which names presets."""
    return {placeholder(REFERENCES, identity, reference): reference}


def of_nodes(run: str, names: Sequence[str]) -> dict[str, str]:
    """For the names of the nodes of a run, in their order."""
    return {placeholder(NODE, f"{number} {run}", name): name for number, name in enumerate(names)}


@dataclass(frozen=True, kw_only=True)
class Words:
    """What has stayed here of a run. `licence`: of the data; `reference`: the setting, as cards tell it; `texts`: by
    the words that went in their place. What it began from lies in its folder (`begun_from`)."""

    licence: str = ""
    reference: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)

    def _settings(self, folder: Path, start: str) -> Fields:
        """The settings that a card of the run tells here, which says so of first weights, here or there."""
        whole = begun_from.whole(folder, start)
        return {"data_licence": self.licence, "reference": self.reference, "start": whole}

    @property
    def _inside(self) -> dict[str, str]:
        return {word: _inside(text) for word, text in self.texts.items()}

    def put(self, folder: Path, name: str) -> None:
        """Put them into a file that has come, where that is one that tells them. What is no model of ours stays as it
        came. Raises OSError, CannotWrite."""
        path = folder / name
        if name in (MODEL, LAST):
            with contextlib.suppress(ModelError):
                own = self._settings(folder, cards.read(path).start)
                if settings(own) != own:
                    recarded.settled(path, own, path)
        elif name == SUMMARY:
            with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):
                before = path.read_bytes()
                text = named(self.named_here(folder, before).decode(), self._inside)
                values = checked.parse(text)
                own = self._settings(folder, str(values.get("start", "")))
                made = recarded.replaced(values, {**own, "plan": recarded.replaced(values["plan"], own)})
                if text.encode() != before or made != values:
                    files.write_text(path, json.dumps(made, indent=1))

    def named_here(self, folder: Path, content: bytes) -> bytes:
        """What the node tells, in which the SHA-256 of its model has become that of the file here: as many digits."""
        if f'"{SHA256}"'.encode() not in content:
            return content
        try:
            own = self._settings(folder, cards.read(folder / MODEL).start)
            if settings(own) == own:
                return content
            theirs = recarded.settled(folder / MODEL, settings(own))
            ours = files.sha256(folder / MODEL)
        except (OSError, ModelError):
            return content
        return content.replace(theirs.encode(), ours.encode())

    def lines_here(self, folder: Path, lines: bytes) -> bytes:
        """Whole lines of the node's events as they are told here: as many bytes."""
        found = self.named_here(folder, lines)
        if any(word.encode() in found for word in self.texts):
            found = b"".join(map(self._line, found.splitlines(keepends=True)))
        return found

    def _line(self, line: bytes) -> bytes:
        found = named(line.decode("utf-8", "surrogateescape"), self._inside).encode("utf-8", "surrogateescape")
        return found[:-1].ljust(len(line) - 1) + found[-1:]


def of(folder: Path, texts: Mapping[str, str]) -> Words:
    """What has stayed here of the training in a run's folder. `texts`: see `Words`."""
    try:
        job = jobs.asked(folder)
        asked = specs.read(job.kind, job.spec)
    except UsageError:
        asked = None
    own = asked if isinstance(asked, Training) else Training(data="")
    return Words(licence=own.data_licence, reference=plans.pathless(own.reference), texts=texts)


def named(text: str, texts: Mapping[str, str]) -> str:
    """A text of the node's as it is told here."""
    for word, own in texts.items():
        text = text.replace(word, own)
    return text


def _inside(text: str) -> str:
    """A text as it stands between the quotes of JSON."""
    return json.dumps(text)[1:-1]
