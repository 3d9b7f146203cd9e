"""What a report of a run says, as plain values in the reader's language, before it becomes HTML or PDF."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from fullfield import __version__, array_file
from fullfield.errors import UsageError
from fullfield.image.image import Pixels
from fullfield.report.tables import Table, tables
from fullfield.report.words import Words
from fullfield.runs import reading, runs
from fullfield.runs.run_state import RunSnapshot
from fullfield.runs.runs import State
from fullfield.translation import Language


@dataclass(frozen=True, kw_only=True, eq=False)
class Report:
    """`tables`: in their order; `reported`: for the curves; `images`: the watched radiograph, with captions; `words`:
    the language it speaks.
    """

    title: str
    made: str
    reported: RunSnapshot
    tables: tuple[Table, ...]
    words: Words
    images: tuple[tuple[str, Pixels], ...] = ()


def gather(folder: Path, *, images: bool, language: Language | None = None) -> Report:
    """The report of the run in `folder`, in English where no language is given; with `images`: radiographs of patients.

    Raises UsageError: no run there, or one that cannot be read.
    """
    run = runs.find(folder)
    if run is None:
        raise UsageError(
            "Cannot make a report.", detail="That folder holds no training.", hint="Name the folder of a run."
        )
    if run.members:
        raise UsageError(
            "Cannot make a report.",
            detail="That folder holds an ensemble.",
            hint="Name the folder of one of its members.",
        )
    if run.state is State.DAMAGED:
        raise UsageError(
            "Cannot make a report.",
            detail="What the folder of this run holds is damaged, or cannot be read now.",
            hint="Look at its files, or choose another run.",
        )
    words = Words(language=language or Language())
    reported = reading.read(folder)
    baselines = tuple(replace(one, name=_whole(one.name)) for one in reported.baselines)
    reported = replace(reported, baselines=baselines)
    now = words.moment(datetime.now(UTC).timestamp())
    return Report(
        title=_whole(run.label.name) or words.say("Training of {moment}").format(moment=words.moment(reported.began)),
        made=words.say("Made {moment} by Fullfield {version}.").format(moment=now, version=__version__),
        reported=reported,
        tables=tuple(
            replace(one, rows=tuple(tuple(map(_whole, row)) for row in one.rows), note=_whole(one.note))
            for one in tables(run, reported, words)
        ),
        words=words,
        images=_images(folder, reported, words) if images else (),
    )


def _whole(text: str) -> str:
    """`text` with a sign in the place of half a character, which no file of a report can hold."""
    return text.encode("utf-8", "replace").decode()


def _images(folder: Path, reported: RunSnapshot, words: Words) -> tuple[tuple[str, Pixels], ...]:
    """The radiograph that was watched last: before, after the first and the best epoch, its reference; without what
    is not there any more, or damaged."""
    if not reported.samples:
        return ()
    image = max(reported.samples, key=lambda place: place[1])[0]
    epochs = sorted(epoch for place, epoch in reported.samples if place == image)
    best = reported.best.epoch if reported.best and reported.best.epoch in epochs else epochs[-1]
    shown = dict.fromkeys((epochs[0], best))
    first = reported.samples[image, epochs[0]]
    after = words.say("after epoch {epoch}")
    found = [(words.say("before"), folder / first.input)]
    found += [(after.format(epoch=epoch), folder / reported.samples[image, epoch].sample) for epoch in shown]
    found.append((words.say("reference"), folder / first.reference))
    read = [(caption, _pixels(path)) for caption, path in found]
    return tuple((caption, pixels) for caption, pixels in read if pixels is not None)


def _pixels(path: Path) -> Pixels | None:
    try:
        found = array_file.load(path)
    except (OSError, ValueError):
        return None
    return found if found.ndim == 2 and found.dtype == np.uint16 else None
