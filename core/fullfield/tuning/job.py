"""The job "train": the training itself; where it is asked for, its model is then held against the one that it began
from and against the presets (`fullfield.protocol.comparison`), which the run, its last event and the model's card tell.

Nothing is put to use by it: whoever reads the verdict does that.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

from fullfield import checked, files
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.data import prepared
from fullfield.errors import FullfieldError, Interrupted, UsageError
from fullfield.model import weights
from fullfield.plan import spec as specs
from fullfield.protocol.comparison import Comparison
from fullfield.protocol.events import ModelCompared, Notice
from fullfield.protocol.training import Training
from fullfield.train import job, result
from fullfield.tuning import comparing


def run(spec: Training, context: Context) -> Fields:
    """See `fullfield.train.job.run`."""
    if spec.compare and prepared.is_prepared(Path(spec.data)):
        raise UsageError(
            "Cannot hold a model against others on prepared data.",
            detail="Presets are chosen by the headers of images, which these no longer have.",
            hint="Train on the images themselves, or without --compare.",
        )
    summary = job.run(spec, context)
    if not (spec.compare and summary) or context.stopping():
        return summary
    try:
        found = comparing.compared(specs.checked(spec), context)
    except Interrupted:
        text = "The model was not held against others: it was stopped. Go on with the training to do that."
        context.emit(Notice(text=text, level="warning"))
        return summary
    except FullfieldError as error:  # the training is done, and its model is left
        text = f"The model could not be held against others, and is not offered: {error.title} {error.detail}".strip()
        context.emit(Notice(text=text, level="warning"))
        return summary
    context.emit(ModelCompared(comparison=found))
    context.emit(Notice(text=found.verdict))
    return {**summary, "model_sha256": _keep(context.folder, found), "offered": found.offered}


def _keep(run: Path, found: Comparison) -> str:
    """Write it into the run's folder and the model's card; the SHA-256 that the model's file has now."""
    values = asdict(found)
    files.write_text(run / result.COMPARISON, json.dumps(values, indent=1))
    network, card = weights.load(run / result.MODEL)
    sha256 = weights.save(run / result.MODEL, network, replace(card, comparison=values))
    whole = checked.parse((run / result.SUMMARY).read_bytes())
    whole |= {"model_sha256": sha256, "comparison": values}
    files.write_text(run / result.SUMMARY, json.dumps(whole, indent=1))
    return sha256
