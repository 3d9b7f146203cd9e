"""That all members of an ensemble begin from the same file of first weights. Trainings are fakes."""

from __future__ import annotations

from pathlib import Path

import pytest

import map_file
from fullfield.errors import ModelError, UsageError
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.ensembles import EnsembleSpec
from fullfield.protocol.events import Notice
from fullfield.runs import ensemble, one_start
from fullfield.train import begun_from
from runs.test_ensemble import Machines, machines
from training import FakeContext

__all__ = ["machines"]


@pytest.fixture
def spec(machines: Machines, tmp_path: Path) -> EnsembleSpec:
    """Of three, from a model of the user's, of which the third is stopped before it begins."""
    map_file.write(tmp_path / "mine.safetensors")
    training = TrainSpec(data="images", weights=str(tmp_path / "mine.safetensors"), network="map", epochs=1)
    return ensemble.prepare(training, [tmp_path / f"member-{number}" for number in (1, 2, 3)])


def test_that_no_member_begins_from_another_file_that_has_taken_the_name_of_the_first_weights(
    machines: Machines, spec: EnsembleSpec, tmp_path: Path
) -> None:
    launch = machines.launch

    def then_replaced(job: object, /, *, folder: Path) -> object:
        if len(machines.launched) == 1:
            map_file.write(tmp_path / "mine.safetensors", name="another")
        return launch(job, folder=folder)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("fullfield.runs.ensemble.launching.launch", then_replaced)
        context = FakeContext(tmp_path / "run")
        assert ensemble.run(spec, context)["members"] == 2
    assert [member for member, _ in machines.launched] == [1, 2]
    assert "another one than when the first member" in context.reported(Notice)[0].text
    training = TrainSpec(**vars(spec.training))
    with pytest.raises(UsageError, match="other settings: weights"):
        ensemble.refuse_changed(training, spec)
    map_file.write(tmp_path / "mine.safetensors")
    ensemble.refuse_changed(training, spec)
    assert ensemble.run(spec, FakeContext(tmp_path / "run"))["members"] == 3


def test_that_a_member_looks_once_more_when_it_has_read_them(spec: EnsembleSpec, tmp_path: Path) -> None:
    weights = spec.training.weights
    one_start.refuse_another(spec, 2)
    second, other = Path(spec.runs[1]), tmp_path / "no member"
    begun_from.refuse_another(second, weights)
    map_file.write(tmp_path / "mine.safetensors", name="another")
    with pytest.raises(UsageError, match="another one than when the first member"):
        begun_from.refuse_another(second, weights)
    begun_from.refuse_another(second, "none")
    begun_from.refuse_another(other, weights)


def test_that_first_weights_that_are_gone_matter_to_members_alone_that_have_not_begun(
    machines: Machines, spec: EnsembleSpec, tmp_path: Path
) -> None:
    (tmp_path / "mine.safetensors").unlink()
    training, folders = TrainSpec(**vars(spec.training)), [Path(run) for run in spec.runs]
    with pytest.raises(ModelError, match="not there"):
        one_start.refuse_another(spec, 1)
    for folder in folders:
        (folder / "checkpoints").mkdir(parents=True)
        (folder / "checkpoints/step-1").touch()
    again = ensemble.prepare(training, folders)
    assert again.weights_sha256 == "" and ensemble.run(again, FakeContext(tmp_path / "run"))["members"] == 3
