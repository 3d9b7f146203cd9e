"""The checkpoints of a run that has been trained elsewhere, as pieces for a node that goes on with it.

Those of an earlier build may hold what stays here (`withheld`): the licence of the data, the names of presets, the path
of first weights, and the name of the model that the training began from, which is kept then (`begun_from`). Of such a
file another beginning goes there, before the same tensors, and in the list the hash of that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO

from fullfield import checked, files
from fullfield.checked import Fields
from fullfield.errors import ModelError
from fullfield.model import card as cards
from fullfield.model import recarded
from fullfield.nodes import results, withheld
from fullfield.nodes.pieces import Piece
from fullfield.plan.spec import AUTO
from fullfield.train import begun_from

_READ_BYTES = 1 << 20
_Hashes = dict[str, str]
_Begin = tuple[bytes, int]
"""What goes first, and from which byte the file follows on it."""
_Begins = Callable[[BinaryIO, int, _Hashes], _Begin]
_AS_IT_IS: _Begin = b"", 0


def of(folder: Path) -> tuple[Piece, ...]:
    """Those in a run's folder. What cannot be read is left out: there it would be passed over, too. Raises OSError,
    CannotWrite."""
    hashes: _Hashes = {}
    paths = results.checkpoints(folder)
    made = []
    kinds: dict[str, _Begins] = {"best-": _of_model, "step-": partial(_of_step, folder), "index": _of_list}
    for begins, begin in kinds.items():  # each names some of those before it
        for path in paths:
            if path.name.startswith(begins):
                try:
                    made.append(_piece(path, begin, hashes))
                except (ModelError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    continue
    return tuple(made)


def _piece(path: Path, begin: _Begins, hashes: _Hashes) -> Piece:
    """`hashes`: of what goes there, by those of the files here; this one's is added."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        first, at = begin(stream, size, hashes)
        digest = hashlib.sha256(first)
        stream.seek(at)
        while part := stream.read(_READ_BYTES):
            digest.update(part)
    sha256 = digest.hexdigest()
    if first:
        hashes[files.sha256(path)] = sha256
    name = f"checkpoints/{path.name}"
    return Piece(name=name, sha256=sha256, size=len(first) + size - at, path=path, content=first, at=at)


def _of_model(stream: BinaryIO, size: int, hashes: _Hashes) -> _Begin:
    card = cards.verify_stream(stream, size)
    reference = str(card.plan.get("reference", AUTO))
    own = {"data_licence": card.licence, "reference": reference, "start": card.start}
    if withheld.settings(own) == own:
        return _AS_IT_IS
    stream.seek(0)
    return recarded.sealed(stream, size, withheld.settings(own))


def _of_step(run: Path, stream: BinaryIO, size: int, hashes: _Hashes) -> _Begin:
    length = int.from_bytes(stream.read(8), "little")
    if length > size:
        raise ValueError("it is cut short")
    state = checked.parse(checked.parse(stream.read(length))["__metadata__"]["state"])
    begun_from.keep(run, str(state.get("start", "")))
    progress, spec = state["progress"], {**withheld.settings(state["spec"]), "data": "-"}
    if best := progress.get("best"):
        progress = {**progress, "best": {**best, "sha256": _there(best["sha256"], hashes)}}
    made: Fields = {**withheld.settings(state), "spec": spec, "progress": progress}
    if made == state:
        return _AS_IT_IS
    stream.seek(0)
    return bytes(recarded.with_metadata(stream, {"state": json.dumps(made)})), stream.tell()


def _of_list(stream: BinaryIO, size: int, hashes: _Hashes) -> _Begin:
    values = checked.parse(stream.read())
    entries = [{**one, "sha256": _there(one["sha256"], hashes)} for one in values["checkpoints"]]
    made = {**values, "checkpoints": entries}
    return _AS_IT_IS if made == values else (json.dumps(made, indent=1).encode(), size)


def _there(sha256: str, hashes: _Hashes) -> str:
    return hashes.get(sha256, sha256)
