"""What a user has settled: a frozen value, kept as `settings.toml` in this user's config folder; no Qt.

A new setting is one line: a field of one of these dataclasses, with its default and what is allowed. A file that is
damaged is set aside, a value that cannot be used is passed over, what a newer version wrote is kept. Where nobody can
tell whether names may be shown and kept, they are not.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fullfield import change_lock, files, toml_text
from fullfield.errors import CannotWrite
from fullfield.protocol import ensembles

VERSION = 1
HEADING = "Settings of Fullfield; changed by its Preferences. A value that cannot be used is passed over."

Notices = tuple[str, ...]

_CLOSED = {"overlay": False, "keep_recent": False}
"""What is taken where the user's choice is not known."""


MOST_PIXELS = 16_384
"""From one end of a desktop to the other: more than any wall of screens has."""


def setting(
    default: Any, *, choices: tuple[Any, ...] = (), least: int = 0, most: int = sys.maxsize, typed: bool = False
) -> Any:
    """A field: its type is the default's; `choices`, and of a number `least` and `most`: what is allowed.

    `typed`: the user's own words may stand in it, which a bundle for support leaves out.
    """
    return field(default=default, metadata={"choices": choices, "least": least, "most": most, "typed": typed})


@dataclass(frozen=True, kw_only=True)
class ExportChoices:
    """How results are written unless the user says otherwise.

    `displayed`: as one sees them, not all of their data (never DICOM); `beside`: then with the image before beside it.
    `mark_png`, `mark_tiff`: the mark that it is not for diagnosis is burned in below; `window`: DICOM opens with the
    window as displayed. `folder`: where to, as the user chose it; "": into our own.
    """

    format: str = setting("dicom", choices=("dicom", "png16", "tiff"))
    displayed: bool = setting(False)
    beside: bool = setting(False)
    mark_png: bool = setting(True)
    mark_tiff: bool = setting(False)
    window: bool = setting(False)
    folder: str = setting("", typed=True)


@dataclass(frozen=True, kw_only=True)
class TrainChoices:
    """The form of a training as it was last used: `values` as "field=JSON", `techniques` as texts, `gpu` planned for,
    `processes` that train together, `members` of an ensemble, `least` of several machines that are enough.

    `used`: it has been.
    """

    used: bool = setting(False)
    values: tuple[str, ...] = setting((), typed=True)
    techniques: tuple[str, ...] = setting(())
    gpu: str = setting("")
    processes: int = setting(1, least=1, most=64)
    members: int = setting(1, least=1, most=ensembles.MOST)
    least: int = setting(0)


@dataclass(frozen=True, kw_only=True)
class WindowPlace:
    """Size and place of the window when it was last closed, in pixels of the desktop; a width of 0: never yet."""

    left: int = setting(0, least=-MOST_PIXELS, most=MOST_PIXELS)
    top: int = setting(0, least=-MOST_PIXELS, most=MOST_PIXELS)
    width: int = setting(0, most=MOST_PIXELS)
    height: int = setting(0, most=MOST_PIXELS)
    maximized: bool = setting(False)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """`notice_accepted`: the version of the first start's notice; `overlay`: show tags and names of patients.
    `keep_recent`: keep a list of the files that were opened last (`fullfield_app.recent`, which is no setting).
    `enhance_on`: the machines that were ticked last; this computer among them is "local".

    `keys`: shortcuts that the user has changed, by the action's key; an empty list takes all away.
    """

    language: str = setting("auto", choices=("auto", "en", "es"))
    palette: str = setting("reading-room", choices=("reading-room", "dark", "light"))
    notice_accepted: int = setting(0)
    overlay: bool = setting(True)
    keep_recent: bool = setting(True)
    enhance_on: tuple[str, ...] = setting((), typed=True)
    export: ExportChoices = field(default_factory=ExportChoices)
    train: TrainChoices = field(default_factory=TrainChoices)
    window: WindowPlace = field(default_factory=WindowPlace)
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))


Change = Callable[[Settings], Settings]


def folder() -> Path:
    """Where the settings lie: this user's config folder, or `FULLFIELD_SETTINGS` where that is set."""
    return files.settings_folder()


def path() -> Path:
    """The file."""
    return folder() / "settings.toml"


def load() -> tuple[Settings, Notices]:
    """The settings, and what to tell of them: words that `gui/preferences/store.py` puts into sentences."""
    table, notices = _read()
    settings, wrong = _from_table(Settings, table)
    return settings, (*notices, *(("passed_over",) if wrong else ()))


def update(change: Change) -> None:
    """Read the file, change, and write it, so that two windows keep each other's changes. Raises CannotWrite."""
    try:
        files.private_folder(folder())
    except OSError as error:
        raise files.cannot_write(files.OwnFolder("settings", error)) from error
    with change_lock.held(path()):
        table, notices = _read()
        if "unreadable" in notices:
            raise files.settings_unreadable()
        before, _ = _from_table(Settings, table)
        version = table.pop("version", VERSION)
        table.pop("recent", None)  # names of files, where a version before the first kept them here
        newest = max(VERSION, version) if isinstance(version, int) else VERSION
        after = _to_table(change(before))
        if newest > VERSION:
            after = _with_newer(table, _to_table(before), after)
        _write({"version": newest, **_merged(Settings(), table, after)})


def _write(table: Mapping[str, Any]) -> None:
    with files.in_own_folder("settings"), files.atomic_write(path(), private=True) as stream:
        stream.write(toml_text.write(table, heading=HEADING).encode())


def _set_aside() -> Path:
    """Where a damaged file goes: never onto one that was set aside before."""
    names = (f".damaged{number}.toml" for number in ("", *range(2, 1000)))
    return next(free for name in names if not (free := path().with_suffix(name)).exists())


def _read() -> tuple[dict[str, Any], Notices]:
    try:
        table = tomllib.loads(path().read_text(encoding="utf-8-sig"))
        str(table)  # raises where a number has thousands of digits, which TOML has in its hexadecimal form
        return table, ()
    except FileNotFoundError:
        return {}, ()
    except (ValueError, RecursionError):  # no TOML, no UTF-8, or a number of thousands of digits
        with contextlib.suppress(OSError):
            path().replace(_set_aside())
        with contextlib.suppress(OSError, CannotWrite):
            _write(_CLOSED)
        return dict(_CLOSED), ("damaged",)
    except OSError:
        return dict(_CLOSED), ("unreadable",)


def _from_table(kind: Any, table: Mapping[str, Any]) -> tuple[Any, bool]:
    """The value of `table`, and whether something in it could not be used."""
    values: dict[str, Any] = {}
    wrong = False
    for item in fields(kind):
        if item.name not in table:
            continue
        given, usual = table[item.name], _default(item)
        if dataclasses.is_dataclass(usual):
            values[item.name], problem = _from_table(type(usual), given if isinstance(given, dict) else {})
            wrong = wrong or problem or not isinstance(given, dict)
        elif isinstance(usual, Mapping):
            entries = given if isinstance(given, dict) else {}
            values[item.name] = MappingProxyType({key: tuple(e) for key, e in entries.items() if _is_texts(e)})
            wrong = wrong or not isinstance(given, dict) or len(values[item.name]) != len(entries)
        elif _fits(item, usual, given):
            values[item.name] = tuple(given) if isinstance(usual, tuple) else given
        else:
            wrong = True
            if kind is Settings and item.name in _CLOSED:
                values[item.name] = _CLOSED[item.name]
    return kind(**values), wrong


def _default(item: dataclasses.Field[Any]) -> Any:
    factory: Any = item.default_factory
    return factory() if item.default is dataclasses.MISSING else item.default


def _fits(item: dataclasses.Field[Any], usual: object, given: object) -> bool:
    if isinstance(usual, tuple):
        return _is_texts(given)
    limits = item.metadata
    if type(given) is not type(usual) or (limits["choices"] and given not in limits["choices"]):
        return False
    return not isinstance(given, int) or limits["least"] <= given <= limits["most"]


def _is_texts(given: object) -> bool:
    return isinstance(given, list) and all(isinstance(entry, str) for entry in given)


def _to_table(value: Any) -> dict[str, Any]:
    """Plain tables of what differs from the defaults: a later version may choose better ones.

    The name of a folder that is no UTF-8 cannot stand in TOML, and is left out.
    """
    usual = type(value)()
    table: dict[str, Any] = {}
    for item in fields(value):
        mine = getattr(value, item.name)
        if dataclasses.is_dataclass(mine):
            table[item.name] = _to_table(mine)
        elif isinstance(mine, Mapping):
            table[item.name] = {key: list(entry) for key, entry in mine.items()}
        elif mine != getattr(usual, item.name) and _can_be_written(mine):
            table[item.name] = list(mine) if isinstance(mine, tuple) else mine
    return table


def _can_be_written(value: Any) -> bool:
    try:
        toml_text.write({"value": value}).encode()
    except UnicodeEncodeError:
        return False
    return True


def _with_newer(old: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """`after`, with what `old` has where nothing was changed since `before`: values may be of a newer version alone."""
    whole = dict(after)
    for key, value in old.items():
        mine, was = after.get(key, {}), before.get(key, {})
        if isinstance(value, dict) and isinstance(mine, dict) and isinstance(was, dict):
            whole[key] = _with_newer(value, was, mine)
        elif mine == was:
            whole[key] = value
    return whole


def _merged(usual: Any, old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """`new`, with what `old` has beside the fields of `usual`: a newer version wrote it."""
    known = {item.name: getattr(usual, item.name) for item in fields(usual)}
    whole = {key: value for key, value in old.items() if key not in known} | dict(new)
    for key, inner in known.items():
        kept, given = old.get(key), new.get(key, {})
        if dataclasses.is_dataclass(inner) and isinstance(given, dict):  # else of a newer version alone
            whole[key] = _merged(inner, kept if isinstance(kept, dict) else {}, given)
    return {key: value for key, value in whole.items() if value != {}}
