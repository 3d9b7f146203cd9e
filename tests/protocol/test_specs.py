"""What a job is asked to do is the same value at both ends of `job.json`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullfield.errors import UsageError
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.protocol import specs
from fullfield.protocol.batch import BatchSpec, Item
from fullfield.protocol.planning import PlanSpec
from fullfield.protocol.small import ReportSpec, SurveySpec
from fullfield.protocol.specs import SPECS, Spec
from fullfield.protocol.training import Training
from protocol.made import values

BATCH = BatchSpec(
    items=(Item(index=0, source="a.dcm", target="/out/a.dcm"), Item(index=1, source="b", archive="b.zip", target="c")),
    out="/out",
    choice="auto",
    kind="auto",
    device="cpu",
    format="dicom",
    timeout=60.0,
    contact_sheet=(0, 1),
)
STORED = [
    (
        "batch",
        BATCH,
        "choice contact_sheet device fail_fast force_result format items jobs kind out overwrite place strict tiles "
        "timeout",
    ),
    (
        "plan",
        PlanSpec(height=512, width=512),
        "always approximate batch budget cards device encoder gpu height link lowest nodes processes techniques "
        "together width",
    ),
    ("report", ReportSpec(run="/r", output="/o.html"), "decimal images language output run thousands"),
    (
        "survey",
        SurveySpec(data="/d", reference="auto", validation=0.2, seed=1),
        "data reference review seed use_on validation",
    ),
]


@given(data=st.data())
@pytest.mark.parametrize("kind", SPECS)
def test_that_every_spec_comes_back_equal_from_the_file(
    kind: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    spec: Spec = data.draw(values(SPECS[kind]))
    folder = tmp_path_factory.getbasetemp() / f"spec-{kind}"
    (folder / jobs.JOB).unlink(missing_ok=True)
    jobs.save(Job.of(spec), folder)
    found = jobs.load(folder)
    assert found.kind == kind and specs.read(found.kind, found.spec) == spec


@pytest.mark.parametrize(("kind", "spec", "names"), STORED)
def test_that_the_fields_of_a_spec_keep_their_names(kind: str, spec: Spec, names: str) -> None:
    job = Job.of(spec)
    assert job.kind == kind and sorted(job.spec) == names.split()


def test_that_an_item_of_a_batch_keeps_its_names() -> None:
    assert Job.of(BATCH).spec["items"][1] == {"index": 1, "source": "b", "archive": "b.zip", "target": "c"}


@pytest.mark.parametrize(
    ("kind", "given"),
    [("batch", {}), ("fetch", {"encoder": 3}), ("plan", {"height": "tall", "width": 512}), ("survey", {"data": "/d"})],
)
def test_that_a_damaged_spec_is_refused_before_the_job_begins(kind: str, given: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="Its settings are damaged"):
        specs.read(kind, given)


def test_that_a_newer_versions_field_is_passed_over_and_a_wrong_setting_of_a_training_is_not() -> None:
    assert specs.read("session", {"device": "cpu", "colour": 3}) == specs.SessionSpec(device="cpu")
    with pytest.raises(UsageError, match="did you mean 'epochs'"):
        specs.read("train", {"data": "/d", "epoch": 3})


@pytest.mark.parametrize("name", [item.name for item in fields(Training)])
def test_that_every_setting_of_a_training_is_of_its_type_also_of_an_ensembles(name: str) -> None:
    asked = {"data": "/d", name: {"of": "another type"}}
    with pytest.raises(UsageError, match=rf"{name} {{'of': 'another type'}}: (choose|give)"):
        specs.read("train", asked)
    with pytest.raises(UsageError, match=f"{name} "):
        specs.read("ensemble", {"training": asked, "runs": []})


@pytest.mark.parametrize("given", [{"calibrate_halo": "no"}, {"loss": 3}, {"techniques": "precision"}, {"size": True}])
def test_that_no_setting_of_a_training_stands_for_another(given: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="Cannot train with these settings"):
        specs.read("train", {"data": "/d", **given})


def test_that_what_members_do_is_a_training_also_where_an_earlier_version_asked_for_it() -> None:
    asked = {"training": {"data": "/d", "size": "native", "techniques": ["recompute"]}, "runs": ["/1", "/2"]}
    found = specs.read("ensemble", asked)
    training = Training(data="/d", size="native", techniques=("recompute",))
    assert found == specs.EnsembleSpec(training=training, runs=("/1", "/2"))
    with pytest.raises(UsageError, match="did you mean 'epochs'"):
        specs.read("ensemble", {**asked, "training": {"data": "/d", "epoch": 3}})
    with pytest.raises(UsageError, match="damaged"):
        specs.read("ensemble", {**asked, "training": "/d"})


def test_that_a_saved_job_of_another_version_can_still_be_listed(tmp_path: Path) -> None:
    jobs.save(Job(kind="train", spec={"data": "/d", "of_tomorrow": True}), tmp_path)
    assert jobs.load(tmp_path).spec["of_tomorrow"] is True
