"""`fullfield --batch IN… -o OUT`: names and places here, the work in a worker, one line per image and one exit code."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from fullfield.enhance import naming
from fullfield.errors import ExitCode, ModelError, NoRadiographs, OutputInvalid
from fullfield.files import user_folder
from fullfield.image.values import SHIPPED
from fullfield.inputs.files import Found, InputFile, discover
from fullfield.protocol import events, places
from fullfield.protocol.batch import BatchSpec, Item
from fullfield.protocol.events import Event, ItemDone, ItemFailed, ItemSkipped, ItemWarned, Notice, RunEnded, RunFailed
from fullfield_app.cli import batch_log
from fullfield_app.cli.overseer import Overseer
from fullfield_app.cli.speak import ends_in_json, exit_code, open_bar, say, sentences, tell_json

MODEL_SUFFIX = ".safetensors"
SUFFIX = {"dicom": ".dcm", "png16": ".png", "tiff": ".tiff"}
MOST_SHOWN = 60  # more would make a contact sheet that no viewer opens
_log = logging.getLogger(__name__)


@ends_in_json
def run(values: argparse.Namespace) -> int:
    """Enhance all inputs; returns the exit code of the command line's contract."""
    with batch_log.opened(values.log_file):
        with batch_log.telling(batch_log.REFUSED):
            found = _find(values)
            names = naming.outputs(found.items, SUFFIX[values.format], out=values.output)
            spec = None if values.dry_run else _spec(values, found, names)
        report = Report(found.items, names, json=values.json, quiet=values.quiet, verbose=values.verbose)
        with batch_log.telling(batch_log.ENDED), contextlib.closing(report):
            reason = _list(values.output, names, report) if spec is None else _enhance(spec, report, values.log_file)
            return report.end(reason, found)


def _find(values: argparse.Namespace) -> Found:
    out: Path = values.output
    try:
        _refuse_output(out)
    except OSError as error:
        raise OutputInvalid("Cannot use the output folder.", detail=f"The system says: {error.strerror}.") from error
    found = discover(values.inputs, recursive=values.recursive, exclude=out)
    for trouble in found.errors:
        say(f"fullfield: {trouble}")
        if values.json:
            tell_json(Notice(text=str(trouble), time=time.time()))
    if not found.items:
        raise NoRadiographs("No radiographs found.", detail=_passed_over(found).strip())
    return found


def _list(out: Path, names: Sequence[str], report: Report) -> str:
    for index, name in enumerate(names):
        there = ", or the next free name" if os.path.lexists(naming.inside(out, name)) else ""
        report(ItemSkipped(index=index, reason=f"dry run: would become {name}{there}"))
    return "completed"


def _enhance(spec: BatchSpec, report: Report, log_file: Path | None) -> str:
    overseer = Overseer(spec, report)
    try:
        return overseer.run()
    finally:
        overseer.close(log_file)


def _spec(values: argparse.Namespace, found: Found, names: Sequence[str]) -> BatchSpec:
    out: Path = values.output
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputInvalid("Cannot make the output folder.", detail=f"The system says: {error.strerror}.") from error
    items = tuple(
        Item(index=index, source=item.source, archive=item.archive, target=name)
        for index, (item, name) in enumerate(zip(found.items, names, strict=True))
    )
    return BatchSpec(
        items=items,
        out=str(out.absolute()),
        choice=_choice(values),
        kind=values.kind,
        device=values.device,
        format=values.format,
        overwrite=values.overwrite,
        force_result=values.force_result,
        strict=values.strict,
        fail_fast=values.fail_fast,
        jobs=values.jobs or 0,
        timeout=values.timeout,
        contact_sheet=tuple(sample(len(items), seed=values.seed)) if values.contact_sheet else (),
        place=places.on(values.on or places.LOCAL),
    )


def sample(count: int, *, seed: int) -> list[int]:
    """The indices of the images that a contact sheet shows: all, or of many a sample that is fair to every part."""
    return sorted(random.Random(seed).sample(range(count), min(count, MOST_SHOWN)))


def _choice(values: argparse.Namespace) -> str:
    if values.model is None:
        return str(values.preset)
    path = Path(values.model)
    if values.model == SHIPPED:  # whatever lies in this folder under that name
        return SHIPPED + MODEL_SUFFIX
    kept = user_folder("models") / (path.name + MODEL_SUFFIX)
    if values.model == path.name and kept.is_file():  # a name alone, whatever lies in this folder
        return str(kept.absolute())
    if not values.model or (path.exists() and (path.suffix != MODEL_SUFFIX or path.is_dir())):
        raise ModelError(
            f"Cannot use {path.name!r} as a model.",
            detail=f"It is no {MODEL_SUFFIX} file.",
            hint="Choose the model.safetensors of a training.",
        )
    name = values.model if path.suffix == MODEL_SUFFIX else values.model + MODEL_SUFFIX
    return str(path.absolute()) if path.exists() else str(name)


def _refuse_output(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise OutputInvalid(
            "Cannot use the output folder.", detail="It is a file.", hint="Name a folder after -o; it need not exist."
        )
    parent = out.absolute()
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise OutputInvalid(
            "Cannot use the output folder.",
            detail="It is not there and cannot be made, or you may not write to it.",
            hint="Name a folder that you may write to.",
        )


def _passed_over(found: Found) -> str:
    count = found.passed_over
    return f" {count} other file{'s' if count != 1 else ''} passed over." if count else ""


def _input_names(items: Sequence[InputFile]) -> list[str]:
    """By what name each input is told: its relative path, and before it as many folders as tell it from all others."""
    names = [item.relative for item in items]
    for folders in range(1, max((len(_place(item)) for item in items), default=0)):
        count = Counter(names)
        if len(count) == len(names):
            break
        names = [_below(item, folders) if count[name] > 1 else name for item, name in zip(items, names, strict=True)]
    return names


def _below(item: InputFile, folders: int) -> str:
    """The input's relative path below so many of the folders that it begins in."""
    relative, place = PurePosixPath(item.relative).parts, _place(item)
    ends = (count for count in range(len(relative), 0, -1) if place[-count:] == relative[:count])
    before = place[: -next(ends, 1)]
    return "/".join((*before[-folders:], item.relative))


def _place(item: InputFile) -> tuple[str, ...]:
    return Path(item.archive).with_suffix("").parts if item.archive else Path(item.source).parts


class Report:
    """Tells a run's events: as JSON with the caller's own relative paths, or as lines for people."""

    def __init__(
        self, items: Sequence[InputFile], names: Sequence[str], *, json: bool, quiet: bool, verbose: bool
    ) -> None:
        self._inputs, self._names = _input_names(items), names
        self._json, self._quiet, self._verbose = json, quiet, verbose
        self._bar = open_bar("Enhancing", len(items), wanted=not quiet and not json)
        self._start = time.monotonic()
        self._failures: list[int] = []
        self._damage: dict[int, str] = {}
        self._notes: defaultdict[int, dict[str, None]] = defaultdict(dict)
        self.verdicts: dict[int, Event] = {}
        self.failure: RunFailed | None = None
        self._peak = 0
        self._received = True

    def __call__(self, event: Event) -> None:
        """Tell one event of the worker."""
        if isinstance(event, ItemDone | ItemSkipped | ItemFailed):
            if event.index in self.verdicts:
                return
            self.verdicts[event.index] = event
        if isinstance(event, RunEnded):
            return  # the last word is `end`'s: a run may have needed more than one worker
        if isinstance(event, RunFailed):
            self.failure = event
        if isinstance(event, events.ItemEvent):
            output = naming.written(self._names[event.index], event.number) if isinstance(event, ItemDone) else None
            event = events.named(event, input=self._inputs[event.index], output=output)
        self._emit(event)
        self._tell(event)

    def close(self) -> None:
        """Leave the terminal as it was, also after a refusal."""
        self._bar.close()

    def end(self, reason: str, found: Found) -> int:
        """The summary, and the exit code."""
        done, skipped, failed = (
            sum(isinstance(verdict, kind) for verdict in self.verdicts.values())
            for kind in (ItemDone, ItemSkipped, ItemFailed)
        )
        damaged = sum(index in self._damage and isinstance(item, ItemDone) for index, item in self.verdicts.items())
        replaced = sum(isinstance(item, ItemDone) and bool(item.method_wanted) for item in self.verdicts.values())
        seconds = round(time.monotonic() - self._start, 2)
        self.close()
        self._emit(
            RunEnded(
                reason=reason,
                summary={
                    "done": done,
                    "damaged": damaged,
                    "replaced": replaced,
                    "skipped": skipped,
                    "failed": failed,
                    "seconds": seconds,
                    "peak_bytes": self._peak,
                },
            )
        )
        if not self._json or not self._quiet:
            of_them = f", {damaged} of them from damaged files" if damaged else ""
            of_them += f", {replaced} of them by a preset in the model's place" if replaced else ""
            say(
                f"{done} enhanced{of_them}, {skipped} skipped, {failed} failed in {seconds:.1f} s.{_passed_over(found)}"
            )
        before = sum(
            isinstance(one, ItemSkipped) and one.reason == events.DONE_BEFORE for one in self.verdicts.values()
        )
        code = exit_code(int(self._code(reason, kept=done + before)), lost=not self._received)
        _log.info("batch ended: %s, %d done, %d skipped, %d failed, exit code %d", reason, done, skipped, failed, code)
        return code

    def _code(self, reason: str, *, kept: int) -> ExitCode:
        if reason == "stopped":
            return ExitCode.INTERRUPTED
        if self.failure is not None:
            return ExitCode(self.failure.exit_code)
        if not self._failures:
            return ExitCode.ALL_DONE
        if kept:
            return ExitCode.SOME_FAILED
        same = set(self._failures)
        special = {
            ExitCode.INPUT_UNREADABLE,
            ExitCode.CANNOT_WRITE,
            ExitCode.OUT_OF_MEMORY,
            ExitCode.DEVICE,
            ExitCode.MODEL,
            ExitCode.PART_MISSING,
            ExitCode.UNEXPECTED,
        }
        return ExitCode(same.pop()) if len(same) == 1 and same <= special else ExitCode.NO_INPUT_USABLE

    def _emit(self, event: Event) -> None:
        if self._json:
            self._received &= tell_json(replace(event, time=event.time or time.time()))

    def _tell(self, event: Event) -> None:
        match event:
            case ItemDone():
                self._peak = max(self._peak, event.peak_bytes)
                line = f"done     {event.input} -> {event.output} ({event.seconds:.1f} s)"
                damage = self._damage.get(event.index, "")
                notes = " ".join(filter(None, (damage, *self._notes[event.index], _disagreement(event))))
                line = f"{line}: {notes}" if notes else line
                if damage:  # also where it is quiet: the result may not show what it seems to
                    self._bar.say(line)
                else:
                    self._line(line)
                self._bar.advance()
            case ItemSkipped():
                self._line(f"skipped  {event.input}: {event.reason}")
                self._bar.advance()
            case ItemFailed():
                self._failures.append(event.exit_code)
                self._bar.say(f"failed   {event.input}: {sentences(event.error)}")
                self._bar.advance()
            case ItemWarned() if event.damaged:
                self._damage[event.index] = event.text
            case ItemWarned():
                if event.in_its_line:
                    self._notes[event.index][event.text] = None  # once, also where a second worker began anew
                elif self._verbose:
                    self._bar.say(f"note     {event.input}: {event.text}")
            case Notice():
                self._line(event.text)
            case RunFailed():
                self._bar.say(f"fullfield: {sentences(event.error)}")
            case _:
                pass

    def _line(self, text: str) -> None:
        if not self._quiet:
            self._bar.say(text)


def _disagreement(event: ItemDone) -> str:
    """Of an ensemble's members; no measure of truth, for all may be wrong alike."""
    if event.disagreement is None:
        return ""
    return f"99 % of the image: members disagree by {100 * event.disagreement:.2f} % of white at most."
