"""A data folder is surveyed, and references of it are proposed, by a job that answers until it is stopped."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from collection import Collection
from data.test_prepare import picture
from fullfield.data import review, split, survey, survey_job
from fullfield.data.review import Judgement, Verdict
from fullfield.data.survey import Survey
from fullfield.errors import InputUnreadable
from fullfield.protocol.setup_events import DataRead, DataSurveyed, PairDrawn, ReferenceProposed, ReferenceRefused
from fullfield.protocol.small import SurveySpec
from job_desk import JobDesk, working

Job = Callable[[Collection], contextlib.AbstractContextManager[JobDesk]]


@pytest.fixture
def singles(collection: Collection) -> Collection:
    for number in range(5):
        collection.add(f"NAME{number}.dcm", picture(number, rows=200 + 10 * number), patient=f"P{number}")
    (collection.folder / "broken.dcm").write_bytes(b"?")
    return collection


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Job:
    """The job at work on a folder."""

    def work(collection: Collection) -> contextlib.AbstractContextManager[JobDesk]:
        monkeypatch.setattr(survey_job, "Decoder", lambda: contextlib.nullcontext(collection))
        spec = SurveySpec(data=str(collection.folder), reference="auto", validation=0.2, seed=3)
        return working(survey_job.run, spec, tmp_path / "run")

    return work


def surveyed(desk: JobDesk) -> Survey:
    return survey.load(Path(desk.wait(DataSurveyed).survey))


def test_that_verdicts_that_cannot_be_read_are_why_nothing_can_be_trained(
    singles: Collection, job: Job, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FULLFIELD_REVIEWS", str(tmp_path))
    (tmp_path / review.NAME).write_text("{")
    with job(singles) as desk:
        found = surveyed(desk)
    assert "reviews.json" in found.problem and len(found.radiographs) == 5


def test_that_a_folder_is_surveyed_with_the_split_that_a_training_makes(singles: Collection, job: Job) -> None:
    with job(singles) as desk:
        found = surveyed(desk)
        assert desk.wait(DataRead, lambda event: event.done == event.total).total == 6
    assert len(found.radiographs) == found.patients == 5
    assert {one.rows for one in found.radiographs} == {200, 210, 220, 230, 240}
    assert [one.relative for one in found.problems] == ["broken.dcm"]
    named = [(one.key, str(one.patient - 1)) for one in found.radiographs]
    wanted = split.by_patient(named, fraction=0.2, seed=3)
    assert {one.key for one in found.radiographs if one.held} == set(wanted.validation)
    assert found.training == len(wanted.training)
    assert len(found.held) == 1


def test_that_a_rejected_image_is_listed_and_is_in_neither_part_unless_the_review_is_not_heeded(
    singles: Collection, job: Job
) -> None:
    with job(singles) as desk:
        first = desk.wait(DataSurveyed)
        before = survey.load(Path(first.survey))
        rejected = next(one for one in before.radiographs if one.held)
        review.give(rejected.sha256, Verdict(judgement=Judgement.REJECTED))
        desk.post(command="split", validation=0.2, seed=3, review=True)
        second = desk.wait(DataSurveyed, lambda event: event is not first)
        desk.post(command="split", validation=0.2, seed=3, review=False)
        third = desk.wait(DataSurveyed, lambda event: event not in (first, second))
    after = survey.load(Path(second.survey))
    assert [one.key for one in after.radiographs if one.rejected] == [rejected.key]
    left = [(one.key, str(one.patient - 1)) for one in after.radiographs if not one.rejected]
    wanted = split.by_patient(left, fraction=0.2, seed=3)
    assert {one.key for one in after.radiographs if one.held} == set(wanted.validation)
    assert after.training == len(wanted.training) == 3
    assert survey.load(Path(third.survey)) == before


def test_that_a_file_that_the_window_still_maps_does_not_end_the_survey(
    singles: Collection, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "as Windows refuses it")

    with job(singles) as desk:
        key = surveyed(desk).radiographs[0].key
        monkeypatch.setattr(Path, "unlink", refuse)
        for number in (1, 2, 3):
            desk.post(command="propose", key=key, preset="", strength=1.0, size=64, number=number)
            desk.wait(ReferenceProposed, lambda event, wanted=number: event.number == wanted)


def test_that_events_carry_no_name_of_a_file(singles: Collection, job: Job) -> None:
    with job(singles) as desk:
        surveyed(desk)
        desk.wait(PairDrawn)
    assert not [event for event in desk.reported if "NAME" in str(event) or "broken" in str(event)]


def test_that_pairs_are_drawn_small_and_references_proposed_as_they_are_asked_for(
    singles: Collection, job: Job
) -> None:
    with job(singles) as desk:
        key = surveyed(desk).radiographs[0].key
        drawn = np.load(desk.wait(PairDrawn).drawn)
        assert drawn.dtype == np.uint8
        assert drawn.shape[0] == 2
        assert max(drawn.shape) <= survey_job.THUMBNAIL
        ask = {"command": "propose", "key": key, "preset": "", "strength": 1.0, "size": 128}
        desk.post(**{**ask, "number": 1})
        plain = desk.wait(ReferenceProposed)
        desk.post(**{**ask, "number": 2, "strength": 2.0})
        strong = desk.wait(ReferenceProposed, lambda event: event.number == 2)
        assert plain.preset == strong.preset == "general"
        pixels = [np.load(path).astype(float) for path in (plain.image, plain.reference, strong.reference)]
        assert max(pixels[0].shape) == 128
        assert np.abs(pixels[2] - pixels[0]).mean() > np.abs(pixels[1] - pixels[0]).mean()
        desk.post(**{**ask, "number": 3, "preset": "general-raw"})
        assert desk.wait(ReferenceRefused).number == 3


def test_that_what_is_drawn_of_a_pair_tells_how_large_its_pixels_are(collection: Collection, job: Job) -> None:
    collection.add("one.dcm", picture(0), patient="P", spacing_mm=(0.3, 0.2))
    with job(collection) as desk:
        key = surveyed(desk).radiographs[0].key
        desk.post(command="propose", key=key, preset="", strength=1.0, size=64, number=1)
        sizes = [event.pixel_size for event in (desk.wait(PairDrawn), desk.wait(ReferenceProposed))]
    assert sizes == [(1.0, pytest.approx(1.5))] * 2


def test_that_another_share_is_held_back_when_it_is_asked_for(singles: Collection, job: Job) -> None:
    with job(singles) as desk:
        first = desk.wait(DataSurveyed)
        desk.post(command="split", validation=0.6, seed=0)
        second = desk.wait(DataSurveyed, lambda event: event is not first)
        assert len(survey.load(Path(second.survey)).held) == 3


def test_that_what_the_model_will_be_for_is_surveyed_and_asked_anew(singles: Collection, job: Job) -> None:
    singles.add("raw.dcm", picture(7, rows=200), patient="P9", kind="raw")
    found = []
    with job(singles) as desk:
        found.append(desk.wait(DataSurveyed))
        for use_on in ("processed", "raw"):
            desk.post(command="split", validation=0.2, seed=3, use_on=use_on)
            found.append(desk.wait(DataSurveyed, lambda event: event not in found))
    both, processed, raw = (survey.load(Path(event.survey)) for event in found)
    assert [one.use_on for one in (both, processed, raw)] == ["both", "processed", "raw"]
    assert [len(one.radiographs) for one in (both, processed, raw)] == [6, 5, 6]
    assert [one.relative for one in processed.problems] == ["broken.dcm", "raw.dcm"]
    assert "the model is to be used on processed ones" in processed.problems[1].text
    wanted = split.by_patient([(one.key, str(one.patient - 1)) for one in processed.radiographs], fraction=0.2, seed=3)
    assert {one.key for one in processed.radiographs if one.held} == set(wanted.validation)


def test_that_raw_images_alone_cannot_make_a_model_for_processed_ones_and_that_is_said(
    collection: Collection, job: Job
) -> None:
    for number in range(3):
        collection.add(f"{number}.dcm", picture(number), patient=f"P{number}", kind="raw")
    with job(collection) as desk:
        first = desk.wait(DataSurveyed)
        desk.post(command="split", validation=0.2, seed=3, use_on="processed")
        second = survey.load(Path(desk.wait(DataSurveyed, lambda event: event is not first).survey))
    assert survey.load(Path(first.survey)).use_on == "raw"
    assert "all of these are raw" in second.problem and len(second.radiographs) == 3 and second.use_on == ""


def test_that_one_patient_alone_is_told_and_cannot_be_split(collection: Collection, job: Job) -> None:
    collection.add("one.dcm", picture(0), patient="P")
    with job(collection) as desk:
        assert "at least two patients" in surveyed(desk).problem


def test_that_damaged_files_alone_are_surveyed_with_their_problems_and_why_they_cannot_be_trained_on(
    collection: Collection, job: Job
) -> None:
    for number in range(2):
        (collection.folder / f"broken{number}.dcm").write_bytes(b"?")
    with job(collection) as desk:
        first = desk.wait(DataSurveyed)
        desk.post(command="split", validation=0.5, seed=0)
        second = desk.wait(DataSurveyed, lambda event: event is not first)
    found = survey.load(Path(second.survey))
    assert [one.relative for one in found.problems] == ["broken0.dcm", "broken1.dcm"]
    assert found.radiographs == () and "0 files can be read" in found.problem and "list" not in found.problem
    assert survey.load(Path(first.survey)) == found


def test_that_a_folder_that_is_gone_is_an_error(tmp_path: Path) -> None:
    spec = SurveySpec(data=str(tmp_path / "gone"), reference="auto", validation=0.2, seed=0)
    with pytest.raises(InputUnreadable):
        survey_job.run(spec, JobDesk(tmp_path / "run"))
