"""The shelf of presets: the shipped ones in `resources/presets` and this user's own; which one suits an image."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from fullfield import files
from fullfield.errors import InputRefused, UsageError
from fullfield.image import header_words, own_presets
from fullfield.image.image import InputKind
from fullfield.image.preset import Preset
from fullfield.image.preset_file import parse

AUTO = "auto"
FOLDER = "presets"
GENERAL = {InputKind.PROCESSED: "general", InputKind.RAW: "general-raw"}
"""What is chosen where nothing more special is meant for an image."""

RAW_VARIANT = "-raw"
"""After the name of a shipped preset: its variant for raw input."""

_LARGEST = 1 << 20  # bytes: no preset is that long
_DENTAL = ("PX", "IO")  # modalities that say the body part by themselves
_OF_ANY_PART = frozenset({"CR", "DX", "RG"})  # under which archives also keep what has a modality of its own: MG


@cache
def names() -> tuple[str, ...]:
    """The shipped presets' names: the general ones first, then by name."""
    found = {path.stem for path in files.resource(FOLDER).glob("*.toml")}
    first = [name for name in GENERAL.values() if name in found]
    return (*first, *sorted(found - set(first)))


def load(name_or_path: str) -> Preset:
    """A shipped preset or one of this user's by its name, or any by its path, which ends in .toml.

    Raises UsageError: no such preset (the nearest name is told), or mistakes in the file, all of them at once.
    """
    if name_or_path in names():
        return _shipped(name_or_path)
    if name_or_path in (users := own_presets.paths()):
        return _own(name_or_path, users[name_or_path])
    if not name_or_path.lower().endswith(".toml"):
        every = (*names(), *users)
        near = difflib.get_close_matches(name_or_path, every, n=1, cutoff=0.4)
        raise UsageError(
            f"There is no preset {name_or_path[:40]!r}.",
            detail=f"The nearest is {near[0]}." if near else "",
            hint=f"Choose auto, one of {', '.join(every)}, or the path of a .toml file.",
        )
    return _read(Path(name_or_path))


def own() -> tuple[Preset, ...]:
    """This user's presets, by name; a file that cannot be used is passed over, see `passed_over`.

    So is one that is called as a shipped preset is, or by a word of `RESERVED`: its name would mean something else.
    """
    return tuple(found for found in _every_own() if isinstance(found, Preset))


def passed_over() -> tuple[UsageError, ...]:
    """Why presets of this user are not chosen by themselves: one error for each file that cannot be used."""
    return tuple(found for found in _every_own() if isinstance(found, UsageError))


def _every_own() -> Iterator[Preset | UsageError]:
    for name, path in own_presets.paths().items():
        if name in names() or name.lower() in own_presets.RESERVED:
            continue
        try:
            yield _own(name, path)
        except UsageError as error:
            yield UsageError(
                f"Your preset {name} is not chosen automatically: its file cannot be used.",
                detail=error.detail,
                hint="Correct the file, or remove it from the folder of your presets.",
            )


def _own(name: str, path: Path) -> Preset:
    """It is called as its file is, whatever stands in that: a file that was copied or renamed is a preset by itself."""
    return replace(_read(path), name=name)


def _read(path: Path) -> Preset:
    try:
        state = path.stat()
        if state.st_size > _LARGEST:
            raise UsageError("Cannot read the preset.", detail="The file is far too long.", hint="Choose another file.")
        return _parsed(path, state.st_mtime_ns, state.st_size)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text in UTF-8"
        raise UsageError("Cannot read the preset.", detail=f"{reason}.", hint="Check the file's name.") from error


@lru_cache(maxsize=256)
def _parsed(path: Path, changed_ns: int, size: int) -> Preset:
    """A file's preset; read once for each state of the file."""
    return parse(path.read_text(encoding="utf-8-sig"), origin=path.name)


def body_part_key(*, body_part: str, species: str, modality: str = "") -> str:
    """The part of the body that an image shows, by the words of its header: the name of the shipped preset for it.

    Criteria and default models are kept by it. This user's own presets do not count.
    """
    return meant(body_part=body_part, species=species, kind=InputKind.PROCESSED, modality=modality)


def meant(*, body_part: str, species: str, kind: InputKind, modality: str = "") -> str:
    """The name of the shipped preset for such an image, in its variant for this kind; see `choose`."""
    return _best(map(_shipped, names()), body_part, species, kind, modality).name


def choose(*, body_part: str, species: str, kind: InputKind, modality: str = "") -> Preset:
    """The preset that fits an image best, by the words of its header; the general one where none is special.

    A preset of this user that names body parts comes before the shipped ones. `body_part`: Body Part Examined, also
    free text; `species`: Patient Species Description, empty means human. Raises InputRefused where no preset is meant
    for such an image (a mammogram without a mammography preset).
    """
    offered = (*(preset for preset in own() if preset.body_parts), *map(_shipped, names()))
    return _best(offered, body_part, species, kind, modality)


def _best(offered: Iterable[Preset], body_part: str, species: str, kind: InputKind, modality: str) -> Preset:
    subject = {"body_part": body_part, "species": species, "modality": modality}
    suitable = [preset for preset in offered if suits(preset, kind=kind, **subject)]
    special = [preset for preset in suitable if modality.upper() in preset.modalities]
    if special:
        return special[0]
    if modality.upper() in _claimed() or not suitable:
        raise InputRefused(
            f"Cannot enhance this {modality or kind.value} image with a preset.",
            detail="No preset is meant for it.",
            hint="Use a model that is made for such images, or write a preset for them.",
        )
    for preset in suitable:
        if _shows(preset, **subject):
            return preset
    general = GENERAL[kind]
    return next((preset for preset in suitable if preset.name == general), suitable[0])


def fitting(choice: str, *, body_part: str, species: str, kind: InputKind, modality: str = "") -> Preset:
    """What `choice` means for such an image: "auto", or a preset, in its variant for this kind of input if it has one.

    Raises UsageError, InputRefused.
    """
    if choice == AUTO:
        return choose(body_part=body_part, species=species, kind=kind, modality=modality)
    preset = load(choice)
    if kind not in preset.kinds:
        other = choice.removesuffix(RAW_VARIANT) if kind is InputKind.PROCESSED else choice + RAW_VARIANT
        if other in names():
            return _shipped(other)
    return preset


def suits(preset: Preset, *, kind: InputKind, modality: str = "", body_part: str = "", species: str = "") -> bool:
    """Whether `preset` is made for this kind of input and may be used on this modality: MG needs one of its own.

    A breast on film or on a plate (CR, DX, RG) is a mammogram too, and may have the preset of one.
    """
    own = modality.upper() in preset.modalities or (
        modality.upper() in _OF_ANY_PART and _shows(preset, body_part=body_part, species=species, modality=modality)
    )
    return kind in preset.kinds and (own if preset.modalities else modality.upper() not in _claimed())


def _shows(preset: Preset, *, body_part: str, species: str, modality: str) -> bool:
    """Whether the words of the header name a body part that `preset` is made for, of such a species."""
    words = header_words.named(body_part)
    if modality.upper() in _DENTAL and not re.search("[A-Za-z]", body_part):
        words |= {"JAW"}
    return header_words.fits(preset.species, species) and any(
        header_words.names(words, part) for part in preset.body_parts
    )


def require(
    preset: Preset, *, kind: InputKind, modality: str = "", body_part: str = "", species: str = "", why: str = ""
) -> None:
    """Raises InputRefused where `preset` is not made for such an image; the error names those that are.

    `why`: a sentence about how the image's kind was told. An empty `modality` (an array without a header) is not
    held against a special preset.
    """
    subject = {"body_part": body_part, "species": species, "modality": modality}
    if kind in preset.kinds and (not modality or suits(preset, kind=kind, **subject)):
        return
    others = [name for name in names() if suits(_shipped(name), kind=kind, **subject)]
    detail = f"{modality} images need a preset that is made for them."
    if kind not in preset.kinds:
        detail = (
            f"The image is {kind.value}, and the preset is made for {' or '.join(preset.kinds)} images. {why}".strip()
        )
    elif preset.modalities:
        detail = f"The preset is made for {' and '.join(preset.modalities)} images alone."
    raise InputRefused(
        f"Cannot enhance this {modality} image with the preset {preset.name}.".replace("  ", " "),
        detail=detail,
        hint=f"Choose auto or one of {', '.join(others)}." if others else "Use a model that is made for such images.",
    )


@cache
def _shipped(name: str) -> Preset:
    text = (files.resource(FOLDER) / f"{name}.toml").read_text(encoding="utf-8")
    return parse(text, origin=name)


@cache
def _claimed() -> frozenset[str]:
    """Modalities that only presets of their own are used for."""
    return frozenset(modality for name in names() for modality in _shipped(name).modalities)


__all__ = [
    "AUTO",
    "FOLDER",
    "GENERAL",
    "RAW_VARIANT",
    "body_part_key",
    "choose",
    "fitting",
    "load",
    "names",
    "own",
    "passed_over",
    "require",
    "suits",
]
