"""The list of what jobs can be asked to do: a type for each kind of job, and the reader of `job.json`'s `spec`."""

from __future__ import annotations

from fullfield import checked
from fullfield.checked import Fields
from fullfield.errors import UsageError
from fullfield.protocol import fields, training
from fullfield.protocol.batch import BatchSpec
from fullfield.protocol.ensembles import EnsembleSpec
from fullfield.protocol.planning import PlanningSpec, PlanSpec
from fullfield.protocol.small import (
    DiagnoseSpec,
    EmptySpec,
    FetchSpec,
    InstallSpec,
    ProbeSpec,
    ReportSpec,
    SessionSpec,
    SurveySpec,
)
from fullfield.protocol.training import Training

Spec = (
    BatchSpec
    | DiagnoseSpec
    | EmptySpec
    | EnsembleSpec
    | FetchSpec
    | InstallSpec
    | PlanSpec
    | PlanningSpec
    | ProbeSpec
    | ReportSpec
    | SessionSpec
    | SurveySpec
    | Training
)
SPECS: dict[str, type[Spec]] = {
    "batch": BatchSpec,
    "diagnose": DiagnoseSpec,
    "empty": EmptySpec,
    "ensemble": EnsembleSpec,
    "fetch": FetchSpec,
    "install": InstallSpec,
    "plan": PlanSpec,
    "planning": PlanningSpec,
    "probe": ProbeSpec,
    "report": ReportSpec,
    "session": SessionSpec,
    "survey": SurveySpec,
    "train": Training,
}


def kind_of(spec: Spec) -> str:
    """The kind of job that this is asked of."""
    return next(kind for kind, one in SPECS.items() if isinstance(spec, one))


def to_fields(spec: Spec) -> Fields:
    """The spec as `job.json` holds it."""
    return fields.of(spec)


def read(kind: str, values: Fields) -> Spec:
    """The spec of a job of this kind. Raises UsageError where a value is missing or of another type."""
    if kind == "train":
        return training.from_json(values)
    if kind == "ensemble" and isinstance(values.get("training"), dict):  # of it no setting is passed over either
        training.from_json(values["training"])
    try:
        return checked.make(SPECS[kind], values)
    except ValueError as error:
        raise UsageError(
            f"Cannot start a job of kind {kind!r}.", detail=f"Its settings are damaged: {error}.", hint="Start anew."
        ) from error
