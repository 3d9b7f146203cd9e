"""`fullfield qa`: the images, the methods, the trend file; what is found goes to standard output."""

from __future__ import annotations

import json as jsons
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from fullfield import files, standard_output
from fullfield.bench.displayed import SOURCE, named
from fullfield.bench.speak import say
from fullfield.dicom.read import Decoder
from fullfield.enhance.choose import guarding, with_warning
from fullfield.enhance.elsewhere import Network
from fullfield.enhance.enhancer import by_preset
from fullfield.enhance.ensemble import open_here
from fullfield.enhance.guarded import Guarded
from fullfield.enhance.item import explain
from fullfield.errors import ExitCode, UsageError
from fullfield.image import presets
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced, InputKind
from fullfield.image.method import Method as Choice
from fullfield.image.presets import AUTO
from fullfield.qa import measures, objects, plates, table, trend
from fullfield.qa.measures import Method, Row
from fullfield.qa.objects import Subject, What
from fullfield.qa.table import Table

ALL = "all"
TRANSFER = ".transfer.json"
"""Behind the name of a model's file: what it does to signal and noise, beside its card."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """`given`: the files of each kind; without any, the program's own plates of `dose` (µGy) and `seed`. `presets`:
    names, or all of them. `trend`, `csv`: files to append to and to write. `transfer`: write each model's beside it.
    """

    given: tuple[tuple[What, Path], ...] = ()
    presets: tuple[str, ...] = (AUTO,)
    models: tuple[Path, ...] = ()
    dose: float = plates.USUAL_DOSE
    seed: int = 0
    device: str = "cpu"
    trend: Path | None = None
    csv: Path | None = None
    transfer: bool = False


def run(asked: Asked, *, json: bool, quiet: bool = False) -> int:
    """Measure and print. The exit code is 0; SOME_FAILED or NO_INPUT_USABLE where images could not be measured, 1 where
    a figure has left its history.

    Raises UsageError, ModelError, MissingPart, CannotWrite.
    """
    if asked.transfer and (asked.given or not asked.models):
        raise UsageError(
            "Cannot write a transfer.",
            detail="It is a model's, measured on the program's own plates.",
            hint="Name a model with --model, and no file to measure on.",
        )
    if asked.trend is not None:  # before anything is computed
        trend.read(asked.trend)
    if asked.csv is not None:
        table.refuse_other(asked.csv, trend=asked.trend)
    found = measured(asked, say=(lambda text: None) if quiet else say)
    if asked.csv is not None:
        files.write_text(asked.csv, found.csv())
    for model, name in zip(asked.models, _named(asked), strict=True) if asked.transfer else ():
        files.write_text(model.with_name(model.name + TRANSFER), transfer(found.rows, model, name))

    def tell(left: tuple[trend.Left, ...] = ()) -> None:
        shown = replace(found, left=left, history=asked.trend is not None)
        standard_output.write((shown.json() if json else shown.text()) + "\n")

    left: tuple[trend.Left, ...] = ()
    if asked.trend is None:
        tell()
    else:  # last, so that a retry after anything else failed appends no line twice
        left = trend.append(asked.trend, found.rows, datetime.now().astimezone(), tell)
    if not any(row.figures for row in found.rows):
        return int(ExitCode.NO_INPUT_USABLE)
    if found.failed:
        return int(ExitCode.SOME_FAILED)
    return 1 if left else int(ExitCode.ALL_DONE)


def measured(asked: Asked, *, say: Callable[[str], None]) -> Table:
    """All rows. Raises UsageError, ModelError, MissingPart."""
    ways = methods(asked, notice=say)
    rows: list[Row] = []
    failed: list[tuple[str, str]] = []
    with Decoder() as decoder:
        for name, make in _subjects(asked, decoder):
            say(name)
            try:
                rows += measures.rows(make(), ways)
            except Exception as error:  # noqa: BLE001 - one image's fault must not cost the others
                failed.append((name, str(explain(error))))
    return Table(rows=tuple(rows), failed=tuple(failed))


def methods(asked: Asked, *, notice: Callable[[str], None]) -> tuple[Method, ...]:
    """The presets and models that are asked for. Raises UsageError, ModelError, MissingPart."""
    for error in presets.passed_over() if {AUTO, ALL} & {*asked.presets} else ():
        notice(str(error))
    names = [name for one in asked.presets for name in (_every() if one == ALL else (one,))]
    found = [_preset(name) for name in dict.fromkeys(names)]
    for name, model in dict(zip(_named(asked), asked.models, strict=True)).items():
        network = open_here(model, device=asked.device, notice=notice)
        found.append(Method(name=name, enhance=partial(_by_model, network, guarding(network, model))))
    return tuple(found)


def transfer(rows: Sequence[Row], model: Path, name: str) -> str:
    """A model's transfer as JSON: of signal and noise by frequency, over the source's, on the program's own plates.
    `name`: of its rows."""
    own = [row for row in rows if row.method == name]
    over = table.signal_over_noise(tuple(own))
    values = {
        "model": files.sha256(model),
        "problems": sorted({row.problem for row in own if row.problem}),
        "figures": [
            {"object": row.what, "kind": row.kind, "figures": row.figures, "curves": table.curves(row)}
            for row in own
            if row.figures
        ],
        "signal_over_noise": [{"kind": one.kind, "values": one.values} for one in over],
    }
    return jsons.dumps(values)


def _named(asked: Asked) -> tuple[str, ...]:
    """What the models are called: none as a preset is, whose history it would else go on with."""
    return named(asked.models, {measures.DETECTOR, SOURCE, AUTO, *presets.names(), *_every()})


def _every() -> tuple[str, ...]:
    """The shipped presets and this user's, without the variants for raw input, which are taken by themselves."""
    shipped = (name for name in presets.names() if not name.endswith(presets.RAW_VARIANT))
    return (*shipped, *(preset.name for preset in presets.own()))


def _preset(name: str) -> Method:
    if name != AUTO:
        presets.load(name)  # a wrong name is told before anything is computed
    choice = Choice(choice=name)
    return Method(
        name=name,
        enhance=lambda decoded: by_preset(
            decoded, choice.preset(**decoded.header.subject, kind=InputKind(decoded.image.kind))
        ),
    )


def _by_model(network: Network, guarded: Guarded, decoded: Decoded) -> Enhanced:
    """The model's own result, and a remark where nobody is given it."""
    made = network.enhance(decoded)
    instead = guarded.instead(decoded, made)
    return with_warning(made, instead and f"Enhancing does not give this result without --force-result. {instead}")


def _subjects(asked: Asked, decoder: Decoder) -> Iterator[tuple[str, Callable[[], Subject]]]:
    """Each image's name, and what opens it."""
    if not asked.given:
        for subject in plates.subjects(dose=asked.dose, seed=asked.seed):
            yield f"{subject.name}, {subject.image.kind}", lambda made=subject: made  # type: ignore[misc]
        return
    names = [path.name for _, path in asked.given]
    for what, path in asked.given:
        name = path.name if names.count(path.name) == 1 else str(path)
        yield name, lambda what=what, path=path, name=name: objects.read(decoder, path, what, name)  # type: ignore[misc]


__all__ = ["ALL", "TRANSFER", "Asked", "measured", "methods", "run", "transfer"]
