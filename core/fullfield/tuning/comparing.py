"""A run's model, the model that it began from and the presets on the patients that were kept apart.

Each method gets the radiograph at the training's size, as its file gives it, and does what it does for a user: the
preset is the one that "auto" takes for the image's part of the body. Where the model is for raw images and the file is
a processed one, all get the same simulated raw image. The wanted output is the reference that a training would get, as
its expert wants it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from fullfield import checked, files
from fullfield.context import Context
from fullfield.data import kinds, planes, prepare
from fullfield.data.pairs import Pair
from fullfield.data.planes import Way
from fullfield.data.prepare import Looked
from fullfield.data.prepared import Unit
from fullfield.dicom.read import Decoder
from fullfield.enhance.choose import open_choice
from fullfield.enhance.enhancer import Enhancer, open_preset
from fullfield.enhance.guarded import Policy
from fullfield.errors import InputRefused, InputUnreadable, ModelError, UsageError
from fullfield.image import normalise, presets, resample
from fullfield.image.cache import Decoded
from fullfield.image.presets import AUTO
from fullfield.model import card as cards
from fullfield.model import registry
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.comparison import BEFORE, PRESET, REASONS, Comparison, Losses
from fullfield.protocol.events import PhaseStarted
from fullfield.train import begun_from, evaluate, images, result
from fullfield.tuning import seen

NEW = "new"


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """An image with what is wanted of it, 0 … 1 and bone bright."""

    decoded: Decoded
    wanted: Unit


def compared(spec: TrainSpec, context: Context) -> Comparison:
    """Raises ModelError, also where the first weights are not those that it began with, InputUnreadable where the
    images are gone, Interrupted where it is asked to stop."""
    new, before = context.folder / result.MODEL, _begun_from(spec, context.folder)
    models = {NEW: new} if before is None else {NEW: new, BEFORE: before}
    patients, why, apart = _patients(spec, models, context)
    context.emit(PhaseStarted(name="Looking whether signals are seen no less"))
    return Comparison(
        patients=patients,
        seen=seen.over(models, kind=cards.read(new).input_kind, each=lambda: images.stop_if_asked(context)),
        before="" if before is None else cards.read(before).name,
        before_sha256="" if before is None else files.sha256(before),
        apart=apart,
        left_out=why.total(),
        left_out_why=tuple(reason for reason, _ in why.most_common(REASONS) if reason),
    )


def _begun_from(spec: TrainSpec, run: Path) -> Path | None:
    """The model that the training began from; None where that was none that enhances anything. Raises ModelError where
    its file is gone, or is another one now."""
    path, kept = registry.first_weights(spec.weights), begun_from.sha256(run)
    if path.suffix != cards.SUFFIX and not kept:
        return None
    path = registry.resolve(str(path))
    if kept not in ("", cards.sha256(path)):
        raise ModelError(
            "Cannot hold the model against the one that it began from.",
            detail="The file that is named as its first weights is another one than that which it began with. Name "
            "that one, and go on with the training.",
        )
    with suppress(ModelError):
        cards.read(path)
        return path
    return None


def _patients(
    spec: TrainSpec, models: dict[str, Path], context: Context
) -> tuple[tuple[Losses, ...], Counter[str], int]:
    """The losses by patient, for which reasons how many images were left out, which some method could not take, and of
    how many patients images were kept apart."""
    methods: dict[str, Enhancer] = {
        name: open_choice(str(path), device="cpu", notice=lambda text: None, policy=Policy(force=True))
        for name, path in models.items()
    }
    methods[PRESET] = open_preset(AUTO)
    found: dict[str, list[tuple[str, dict[str, float]]]] = defaultdict(list)
    left_out: Counter[str] = Counter()
    with Decoder() as reader:
        looked = _looked(spec, context, reader)
        pairs = _apart(looked, context.folder)
        context.emit(PhaseStarted(name="Holding the model against others", total=len(pairs)))
        for pair in pairs:
            images.stop_if_asked(context)
            try:
                cases = tuple(_cases(looked, pair, reader))
                losses = [{name: _loss(method, case) for name, method in methods.items()} for case in cases]
            except (InputRefused, InputUnreadable, UsageError) as error:
                left_out[error.detail or error.title] += 1
                continue
            part = presets.body_part_key(**cases[0].decoded.header.subject)
            found[pair.patient].append((part, {name: fmean(one[name] for one in losses) for name in methods}))
    return (
        tuple(_of_patient(rows) for _, rows in sorted(found.items())),
        left_out,
        len({pair.patient for pair in pairs}),
    )


def _of_patient(rows: list[tuple[str, dict[str, float]]]) -> Losses:
    of = {name: fmean(losses[name] for _, losses in rows) for name in rows[0][1]}
    return Losses(
        new=of[NEW],
        preset=of[PRESET],
        before=of.get(BEFORE),
        images=len(rows),
        parts=tuple(sorted({part for part, _ in rows})),
    )


def _looked(spec: TrainSpec, context: Context, reader: Decoder) -> Looked:
    def progress(phase: str, done: int, total: int) -> None:
        images.stop_if_asked(context)

    return prepare.look(prepare.as_begun(context.folder, images.asked(spec)), reader, progress=progress)


def _apart(looked: Looked, run: Path) -> list[Pair]:
    """The pairs that the run has kept apart."""
    split = checked.parse((run / result.SPLIT).read_bytes())
    keys = {item["key"] for item in split["apart"]}
    return [pair for pair in looked.judged.pairing.pairs if pair.key in keys]


def _cases(looked: Looked, pair: Pair, reader: Decoder) -> Iterator[Case]:
    """A pair as each kind of input that the model is for. Raises InputRefused, InputUnreadable."""
    request, judged = looked.request, looked.judged
    decoded = reader.decode(looked.listed.path(pair.source))
    small = resample.at_size(decoded.image, request.size)
    way = Way(kinds=kinds.inputs(judged.pairing.use_on, small.kind), size=request.size, seed=request.seed, key=pair.key)
    if pair.reference is None:
        wanted, _ = judged.make(pair, small, decoded.header, looked.reference)
    else:
        other = reader.decode(looked.listed.path(pair.reference)).image
        wanted = resample.resample(planes.stretched(other), (small.pixels.shape[0], small.pixels.shape[1]))
    rows, columns = small.pixels.shape
    header = replace(decoded.header, rows=rows, columns=columns)
    for kind in way.kinds:
        image = small if kind is small.kind else way.raw_like(decoded.image)
        yield Case(decoded=Decoded(image=image, header=header, folder=Path()), wanted=wanted)


def _loss(method: Enhancer, case: Case) -> float:
    """Of the method's result. Raises InputRefused."""
    made = method.enhance(case.decoded)
    shown = normalise.to_target(replace(case.decoded.image, pixels=made.pixels, bits=made.bits))
    return evaluate.of_pair(planes.padding_black(shown, case.decoded.image), case.wanted).loss


__all__ = ["NEW", "Case", "compared"]
