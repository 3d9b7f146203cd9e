"""What a training says of its images before it begins."""

from __future__ import annotations

from fullfield.context import Context
from fullfield.data import kinds, prepared, reviewed
from fullfield.data.prepared import Prepared
from fullfield.protocol import comparison
from fullfield.protocol.events import Notice
from fullfield.train.build import Parts

_INPUTS = {  # by what the model is for, and whether raw input is simulated: of all images, some, none
    (kinds.RAW, True, True): "raw-like input simulated from processed images",
    (kinds.RAW, True, False): "raw input, and raw-like input simulated from processed images",
    (kinds.RAW, False, False): "raw input",
    (kinds.PROCESSED, False, False): "processed input",
    (kinds.BOTH, True, True): "processed input, and raw-like input simulated from it",
    (kinds.BOTH, True, False): "raw and processed input, and raw-like input simulated from processed images",
    (kinds.BOTH, False, False): "raw and processed input",
}
MOST_REPORTED = 20  # problems of the data, one notice each


def tell(data: Prepared, parts: Parts, context: Context, *, batch: int) -> None:
    """How many images of how many patients, and what they cannot do; `batch`: of how many one was asked for."""
    patients = len({item.patient for item in data.items})
    apart = f", {len(parts.apart)} kept apart to judge the model by" if parts.apart else ""
    simulated = [item.simulated for item in data.items]
    inputs = _INPUTS[data.use_on, any(simulated), all(simulated)]
    text = (
        f"{len(data.items)} images of {patients} patients: {len(parts.training)} to train on, "
        f"{len(parts.validation)} held back{apart}; {inputs}; reference: {data.reference}."
    )
    context.emit(Notice(text=text, topic="data"))
    if batch > (count := len(parts.training)):
        text = f"A batch of {batch} is larger than the set: an update has {count} images, and an epoch is one update."
        context.emit(Notice(text=text))
    measured = {kind for _, kind in prepared.views(parts.validation)}
    if data.use_on == kinds.BOTH and len(measured) == 1:
        text = f"The images held back have {measured.pop()} input alone: on the other kind the model is not measured."
        context.emit(Notice(text=text, level="warning"))
    learned_from = {kind for _, kind in prepared.views(parts.training)}
    for kind in sorted({kind for _, kind in prepared.views(data.items)} - learned_from):
        text = f"Images with {kind} input are only among those held back: the model will not be for such images."
        context.emit(Notice(text=text, level="warning"))
    for modality in sorted({item.modality for item in data.items} - {item.modality for item in parts.training} - {""}):
        text = f"Images of the modality {modality} are only among those held back: the model will not know such images."
        context.emit(Notice(text=text, level="warning"))
    judging = len({item.patient for item in parts.apart})
    if parts.apart and judging < comparison.LEAST:
        text = (
            f"Only {judging} patients can be kept apart, and {comparison.LEAST} are needed to judge the model: it will "
            "be trained, but not offered for use. Add images of other patients."
        )
        context.emit(Notice(text=text, level="warning"))
    if data.reviewed:
        context.emit(Notice(text=reviewed.sentence(data.reviewed)))
    for sentence in data.problems[:MOST_REPORTED]:
        context.emit(Notice(text=sentence, level="warning"))
    if len(data.problems) > MOST_REPORTED:
        more = f"{len(data.problems) - MOST_REPORTED} more problems of the data are listed in summary.json."
        context.emit(Notice(text=more, level="warning"))
