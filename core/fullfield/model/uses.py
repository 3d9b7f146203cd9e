"""Which model "auto" takes for each body part, pinned by its content, and which it took before. Imports no torch.

`defaults.json` in the models' folder:  {part: {"model": name, "sha256": of its file, "before": name,
"before_sha256": of its file}}; "" is a preset.
Versions before this one wrote a name alone, which is pinned by nothing. What is in use changes by its user's hand only;
what was in use before is kept, so that one step leads back.
"""

from __future__ import annotations

import functools
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from fullfield import change_lock, checked, files
from fullfield.errors import ModelError
from fullfield.model import card as cards
from fullfield.model.shipped import file_of

FILE = "defaults.json"


@dataclass(frozen=True, kw_only=True)
class Use:
    """What is taken for a body part: a `model` by its name, "": a preset; `sha256`: of its file as it was chosen, "":
    not known. `before`, `before_sha256`: what was taken before, likewise; None: nothing else was."""

    model: str = ""
    sha256: str = ""
    before: str | None = None
    before_sha256: str = ""


def read(folder: Path, *, whole: bool = False) -> dict[str, Use]:
    """By body part. A model whose file is gone is none; a file that is damaged says nothing, or raises ModelError where
    it is wanted `whole`."""
    try:
        return {part: _there(use, folder) for part, use in _whole(folder).items()}
    except ModelError:
        if whole:
            raise
        return {}


def hashes(folder: Path, model: str) -> set[str]:
    """The SHA-256 of the files, there or not, that are taken by this name for a body part, or were before."""
    try:
        uses = _whole(folder).values()
    except ModelError:
        return set()
    each = [(use.model, use.sha256) for use in uses] + [(use.before, use.before_sha256) for use in uses]
    return {sha256 for name, sha256 in each if name == model}


def put(folder: Path, part: str, model: str) -> Use:
    """Take this model for a body part from now on, as its file is; "": a preset. Raises ModelError where the others'
    cannot be kept, CannotWrite."""
    with change_lock.held(folder / FILE):
        return _put(folder, part, model)


def _put(folder: Path, part: str, model: str) -> Use:
    uses = _whole(folder)
    if not model and part not in uses:
        return Use()  # a preset is, and always was
    now = _there(uses.get(part, Use()), folder)
    sha256 = cards.sha256(file_of(folder, model)) if model else ""
    before = (now.model, now.sha256) if model != now.model else (now.before, now.before_sha256)
    return _write(folder, uses, part, Use(model=model, sha256=sha256, before=before[0], before_sha256=before[1]))


def back(folder: Path, part: str) -> Use:
    """Take what was taken before; once more leads forth again. Raises ModelError where nothing was, or where its file
    is no longer what was chosen, CannotWrite."""
    with change_lock.held(folder / FILE):
        now = _there(_whole(folder).get(part, Use()), folder)
        if now.before is None:
            raise ModelError(
                "Cannot go back to the model before.",
                detail="Nothing else was used for this body part.",
                hint="Choose a model, or a preset.",
            )
        if now.before:
            _refuse_changed(file_of(folder, now.before), now.before_sha256)
        return _put(folder, part, now.before)


def forget(folder: Path, model: str) -> None:
    """The model is about to go: where it is taken a preset is from now on, and nothing leads back to it."""
    with change_lock.held(folder / FILE):
        try:
            uses = _whole(folder)
        except ModelError:
            return
        left = {part: _without(use, model) for part, use in uses.items()}
        if left != uses:
            _save(folder, left)


def pinned(folder: Path, part: str) -> Path | None:
    """The file of the model that is taken for a body part; None: a preset is. Raises ModelError where the file is no
    longer what was chosen, or where what was chosen cannot be read."""
    use = _there(_whole(folder).get(part, Use()), folder)
    if not use.model:
        return None
    path = file_of(folder, use.model)
    _refuse_changed(path, use.sha256)
    return path


def _refuse_changed(path: Path, sha256: str) -> None:
    with cards.reading():
        changed = bool(sha256) and _sha256(path, path.stat().st_mtime_ns, path.stat().st_size) != sha256
    if changed:
        raise ModelError(
            "Cannot use the model that was chosen for this body part.",
            detail="Its file has been changed since it was chosen.",
            hint="Choose it again, or another one.",
        )


def _whole(folder: Path) -> dict[str, Use]:
    """As written, also of models whose files are away. Raises ModelError where it is damaged or cannot be read."""
    try:
        values = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return {
            str(part): Use(model=use) if isinstance(use, str) else checked.make(Use, use)
            for part, use in values.items()
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as error:
        raise ModelError(
            "Cannot tell which models were chosen for the body parts.",
            detail="The file defaults.json in the folder of your models is damaged or cannot be read.",
            hint="Repair it, or delete it and choose the models again.",
        ) from error


def _there(use: Use, folder: Path) -> Use:
    gone = (name for name in (use.model, use.before) if name and not file_of(folder, name).is_file())
    return functools.reduce(_without, gone, use)


def _without(use: Use, model: str) -> Use:
    if use.before == model:
        use = replace(use, before=None if use.model in ("", model) else "", before_sha256="")
    return replace(use, model="", sha256="") if use.model == model else use


@functools.lru_cache(maxsize=64)
def _sha256(path: Path, changed: int, size: int) -> str:
    """Of a file of this time and size: asked for each image, it is read once."""
    return files.sha256(path)


def _write(folder: Path, uses: dict[str, Use], part: str, use: Use) -> Use:
    _save(folder, {**uses, part: use})
    return use


def _save(folder: Path, uses: dict[str, Use]) -> None:
    reported = {part: asdict(use) for part, use in uses.items() if use != Use()}
    with files.in_own_folder("models"):
        files.write_text(folder / FILE, json.dumps(reported, indent=1))
