"""One image of the queue, as a value: what is known of it, what is wanted of it, and what the worker is at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from fullfield.image.method import Method
from fullfield.inputs.files import InputFile
from fullfield.protocol.session_commands import Enhance, Export, Open
from fullfield_app.gui.widgets.label import clean

AUTOMATIC = Method()


class Doing(Enum):
    """What the worker has been asked for, and has not answered."""

    OPEN = 1
    ENHANCE = 2
    EXPORT = 3


class State(Enum):
    """How far an image is, as people see it."""

    WAITING = 1
    OPENING = 2
    OPENED = 3
    ENHANCING = 4
    ENHANCED = 5
    EXPORTING = 6
    EXPORTED = 7
    CANCELLED = 8
    FAILED = 9


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """Why an image failed: what was being done, what is wrong, what to do."""

    title: str
    detail: str = ""
    hint: str = ""


@dataclass(frozen=True, kw_only=True)
class Result:
    """An enhanced image in the cache: `path` of its pixels, `method` as it was asked for, `recipe` in words.

    `digest`: results of one image with the same one have equal pixels; empty: not known. `made_by`:
    see `ItemEnhanced`; `method_wanted`, `disagreement`: see `ItemDone`.
    """

    path: Path
    bits: int
    method: Method
    recipe: str
    seconds: float
    digest: str = ""
    made_by: str = ""
    method_wanted: str = ""
    disagreement: float | None = None


@dataclass(frozen=True, kw_only=True)
class Row:
    """One image. `method`: what it is (to be) enhanced with.

    `wants_result`, `wants_exports`: what its user asked for and the worker has not been asked yet. `doing`: what the
    worker is asked now, `begun` once it is at it, `writing` the export if it is one. `opened`, `held`: the worker of
    now knows the image, and its result. `sha256`: of the file's content; "" until it is opened. `exported`: a file that
    holds the result of now; `written`: by file the digest of the result that it holds. `failed_exports`: what could not
    be written, for another try. `deaths`: how many workers have died at it. `damage`: a sentence where its decoder
    found the file damaged.
    """

    index: int
    item: InputFile
    method: Method = AUTOMATIC
    wants_result: bool = True
    wants_exports: tuple[Export, ...] = ()
    doing: Doing | None = None
    writing: Export | None = None
    asked: Method = AUTOMATIC
    begun: bool = False
    opened: bool = False
    sha256: str = ""
    held: bool = False
    decoded: Path | None = None
    result: Result | None = None
    exported: Path | None = None
    written: Mapping[Path, str] = field(default_factory=dict)
    failed_exports: tuple[Export, ...] = ()
    trouble: Trouble | None = None
    cancelled: bool = False
    deaths: int = 0
    damage: str = ""
    source_notes: tuple[str, ...] = ()
    result_notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's name as it can be shown."""
        return clean(self.item.relative)

    @property
    def exchanged(self) -> bool:
        """Another file lies in the place of the one that was opened: what this row is known by is not that one's."""
        return bool(self.sha256) and self.decoded is None

    @property
    def again(self) -> bool:
        """It failed or was cancelled: it can be tried again."""
        return self.doing is None and (self.trouble is not None or self.state is State.CANCELLED)

    @property
    def exports(self) -> tuple[Export, ...]:
        """What is still to be written, the one in the worker's hands first."""
        return self.wants_exports if self.writing is None else (self.writing, *self.wants_exports)

    @property
    def pending(self) -> bool:
        """Something is still to be done for it."""
        if self.doing is not None:
            return True
        return self.trouble is None and not self.cancelled and (self.wants_result or bool(self.wants_exports))

    @property
    def state(self) -> State:
        """What the queue shows."""
        if self.begun and self.doing is Doing.ENHANCE:
            return State.ENHANCING
        if self.doing is Doing.EXPORT:
            return State.EXPORTING
        if self.doing is Doing.OPEN:
            return State.OPENING
        if self.trouble is not None:
            return State.FAILED
        if self.cancelled and not self.exportable:
            return State.CANCELLED
        if self.pending:
            return State.WAITING
        if self.exported is not None:
            return State.EXPORTED
        return State.ENHANCED if self.result is not None else State.OPENED

    @property
    def coming(self) -> Method:
        """The method of the result that an export would be of, if it were asked for now."""
        if self.doing is Doing.ENHANCE:
            return self.asked
        return self.method if self.result is None else self.result.method

    @property
    def by_model(self) -> bool:
        """A model enhances it: one that was chosen, or the one in use for its body part."""
        made = self.result
        return self.method.of_model or (
            made is not None and made.method == self.method and made.recipe.startswith("model ")
        )

    @property
    def exportable(self) -> bool:
        """There is a result, and it is of the method that was chosen last: never an earlier one in its place."""
        return self.result is not None and not self.wants_result and self.result.method == self.method

    @property
    def unexported(self) -> bool:
        """Something that was enhanced is in no file: no export was asked for, or one that was has not been written."""
        if self.exports:  # of the result that is there, though another may be wanted since
            return True
        return self.exportable and (self.exported is None or bool(self.failed_exports))

    @property
    def new(self) -> bool:
        """Something that was enhanced is in no file, and none is about to be written: it waits for an export."""
        return self.unexported and not self.exports

    def file_of(self, digest: str) -> Path | None:
        """A file that holds a result with this digest."""
        return next((path for path, held in self.written.items() if digest and held == digest), None)


Step = Open | Enhance | Export


def next_step(row: Row) -> Step | None:
    """What to ask of the worker next for this image: one thing at a time; None while there is nothing.

    A worker that was started anew knows nothing: what it needs to know is asked for again on the way.
    """
    if row.doing is not None or not row.pending:
        return None
    if not row.opened:
        return Open(index=row.index, source=row.item.source, archive=row.item.archive)
    if row.held and row.wants_exports:  # ordered of that result, though another may be wanted since
        return row.wants_exports[0]
    if row.wants_exports and row.result is not None:  # likewise, where its worker has been lost
        return enhance_command(row.index, row.result.method)
    return enhance_command(row.index, row.method)


def at_rest(row: Row) -> Row:
    """Without what the worker was asked: it is to be asked again, unless its user has cancelled it."""
    wanted = row.wants_exports if row.cancelled else row.exports
    return replace(row, doing=None, begun=False, writing=None, wants_exports=wanted)


def orphaned(row: Row) -> Row:
    """As `at_rest`, where the worker is gone: what it was writing may be there already."""
    rest = at_rest(row)
    if row.writing is None or row.cancelled:
        return rest
    return replace(rest, wants_exports=(replace(row.writing, again=True), *rest.wants_exports[1:]))


def forgotten(row: Row) -> Row:
    """As it comes back when the worker has forgotten it and its result: to be opened, and enhanced if it was.

    An export that was ordered of another result than it will have is not written.
    """
    lost, other, rest = row.result is not None, row.coming != row.method, at_rest(row)
    return replace(
        rest,
        wants_exports=() if other else rest.exports,
        failed_exports=rest.exports if other else row.failed_exports,
        opened=False,
        held=False,
        result=None,
        wants_result=row.wants_result or lost,
        cancelled=row.cancelled and not lost,
    )


def enhance_command(index: int, method: Method) -> Enhance:
    """The command to enhance an image with `method`."""
    return Enhance(index=index, choice=method.choice, kind=method.kind, changes=method.changes)
