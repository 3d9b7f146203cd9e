"""The members of an ensemble: who trains which, what ends the row, the one model that is left. Trainings are fakes."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save as tensors

from fullfield import files
from fullfield.errors import MissingPart, ModelError, UsageError
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.model import card as cards
from fullfield.model import registry
from fullfield.model.card import Card
from fullfield.nodes import node as nodes
from fullfield.nodes.node import Node
from fullfield.plan import spec as plans
from fullfield.plan.spec import TrainSpec
from fullfield.protocol import events
from fullfield.protocol.commands import Command, Stop
from fullfield.protocol.ensembles import EnsembleMade, EnsembleSpec, MemberReported
from fullfield.protocol.events import EpochDone, Event, Notice, RunEnded, RunFailed, RunStarted
from fullfield.runs import ensemble, joined
from training import FakeContext

EPOCH = {"train_loss": 1.0, "psnr_db": 30.0, "fine_sd_ratio": 1.0, "fine_correlation": 1.0, "learning_rate": 0.1}


def model(path: Path, member: int) -> str:
    content = bytearray(tensors({"x": np.full(3, member, np.float32)}, metadata=cards.metadata(Card(name="a net"))))
    cards.seal(content)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return files.sha256(path)


class Training:
    """A member at work, which tells an epoch and its end; `turns`: how often it is looked at until then."""

    def __init__(self, machines: Machines, folder: Path, member: int, turns: int, reason: str) -> None:
        self.folder, self._member, self._turns, self._reason = folder, member, turns, reason
        self._machines = machines
        machines.at_work.add(folder)

    def poll(self) -> list[Event]:
        self._turns -= 1
        if self._turns > 0 or self.folder not in self._machines.at_work:
            return []
        self._machines.at_work.remove(self.folder)
        sha256 = model(self.folder / "model.safetensors", self._member)
        end = RunEnded(reason=self._reason, summary={"epochs": 1, "model_sha256": sha256})
        news = [EpochDone(epoch=1, epochs=1, validation_loss=2.5, seconds=1.0, **EPOCH), end]
        for event in news:
            files.append_line(self.folder / "events.jsonl", events.to_line(event))
        return news

    def alive(self) -> bool:
        return self.folder in self._machines.at_work

    def post(self, command: Command, /) -> None:
        assert isinstance(command, Stop)
        self._turns, self._reason = 0, command.why or "stopped"


class Machines:
    """What is launched where. `slow`: place -> turns of each member there; `ends`: member -> how it ends."""

    def __init__(self) -> None:
        self.launched: list[tuple[int, str]] = []
        self.at_work: set[Path] = set()
        self.most = 0
        self.slow: Counter[str] = Counter()
        self.ends: dict[int, str] = {}
        self.broken: set[str] = set()

    def launch(self, job: Job, /, *, folder: Path) -> Any:
        member = job.spec["member"]
        if job.place in self.broken:
            raise MissingPart("Cannot train there.", hint="Choose another machine.")
        jobs.save(job, folder)
        self.launched.append((member, job.place))
        found = Training(self, folder, member, 2 + self.slow[job.place], self.ends.get(member, "completed"))
        self.most = max(self.most, len(self.at_work))
        return found


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch) -> Machines:
    made = Machines()
    monkeypatch.setattr("fullfield.runs.ensemble.launching.launch", made.launch)
    monkeypatch.setattr("fullfield.runs.ensemble.POLL_SECONDS", 0.0)
    for name in ("a", "b"):
        nodes.keep(Node(name=name, address=f"me@{name}", allow_images=True))
    return made


def asked(folder: Path, members: int, place: str = "local", **more: Any) -> EnsembleSpec:
    training = TrainSpec(data="images", weights="none", epochs=1, place=place, seed=5)
    return ensemble.prepare(training, [folder / f"member-{number + 1}" for number in range(members)], **more)


def test_that_machines_share_the_members_and_one_model_of_all_is_kept(machines: Machines, tmp_path: Path) -> None:
    machines.slow["node:b"] = 100
    spec, context = asked(tmp_path, 5, "node:a,b", keep="ours"), FakeContext(tmp_path / "run")
    summary = ensemble.run(spec, context)
    assert machines.launched == [(1, "node:a"), (2, "node:b"), (3, "node:a"), (4, "node:a"), (5, "node:a")]
    assert machines.most == 2 and context.accepted and summary["members"] == 5
    card = registry.inspect(registry.resolve("ours"))
    assert card.members == tuple(files.sha256(Path(run) / "model.safetensors") for run in spec.runs)
    assert context.reported(EnsembleMade) == [EnsembleMade(members=5, sha256=summary["model_sha256"], kept="ours")]
    assert {reported.validation_loss for reported in context.reported(MemberReported) if reported.epoch} == {2.5, None}
    specs = [jobs.asked(Path(run)).spec for run in spec.runs]
    assert [one["member"] for one in specs] == [1, 2, 3, 4, 5] and {one["seed"] for one in specs} == {5}
    assert len({TrainSpec(**{**one, "techniques": ()}).chance for one in specs}) == 5


def test_that_what_was_half_written_when_it_was_killed_is_gone_after_the_next_time(
    machines: Machines, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    left, now = ([folder / f".{name}.part" for folder in (run, registry.folder())] for name in ("left", "now"))
    for part in (*left, *now):
        part.parent.mkdir(parents=True, exist_ok=True)
        part.touch()
    for part in left:
        os.utime(part, (1, 1))
    ensemble.run(asked(tmp_path, 2, keep="ours"), FakeContext(run))
    assert not any(part.exists() for part in left) and all(part.exists() for part in now)


def test_that_a_machine_that_cannot_begin_leaves_its_members_to_the_others(machines: Machines, tmp_path: Path) -> None:
    machines.broken.add("node:a")
    context = FakeContext(tmp_path / "run")
    ensemble.run(asked(tmp_path, 3, "node:a,b"), context)
    assert machines.launched == [(1, "node:b"), (2, "node:b"), (3, "node:b")]
    assert "No member is trained there any more." in context.reported(Notice)[0].text
    machines.broken.add("node:b")
    with pytest.raises(MissingPart):
        ensemble.run(asked(tmp_path / "again", 2, "node:a,b"), FakeContext(tmp_path / "run2"))


def test_that_a_member_that_its_user_stops_ends_the_row_which_goes_on_where_it_was(
    machines: Machines, tmp_path: Path
) -> None:
    machines.ends[3] = "paused"
    spec, context = asked(tmp_path, 4), FakeContext(tmp_path / "run")
    assert ensemble.run(spec, context)["members"] == 2
    assert [member for member, _ in machines.launched] == [1, 2, 3] and machines.most == 1
    assert "2 members of 4" in context.reported(Notice)[0].text
    machines.ends.clear()
    again = FakeContext(tmp_path / "run")
    longer = replace(spec, training=replace(spec.training, epochs=9))
    assert ensemble.run(longer, again)["members"] == 4
    found = [(reported.member, reported.state, reported.epoch) for reported in again.reported(MemberReported)]
    assert found[:3] == [(1, "completed", 1), (2, "completed", 1), (3, "running", 1)], "what it finds it tells"
    assert [member for member, _ in machines.launched[3:]] == [3, 4]


def told(folder: Path, *reported: Event) -> None:
    for event in reported:
        files.append_line(folder / "events.jsonl", events.to_line(event))


def epoch(number: int) -> EpochDone:
    return EpochDone(epoch=number, epochs=50, validation_loss=2.5, seconds=1.0, **EPOCH)


START = RunStarted(job="train", pid=1, rank=0, world=1, version="x")


def test_that_a_member_that_is_found_at_work_is_followed_to_its_own_end_and_not_that_of_the_time_before(
    machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = asked(tmp_path, 2)
    first = Path(spec.runs[0])
    told(first, START, epoch(30), RunEnded(reason="paused"), START, epoch(31))
    (first / "worker.json").write_text("{}")
    at_work = Training(machines, first, 1, 3, "completed")
    before: list[list[Event]] = [[START, epoch(30), RunEnded(reason="paused")], [], [START, epoch(31)]]
    later = at_work.poll
    monkeypatch.setattr(at_work, "poll", lambda: before.pop(0) if before else later())
    monkeypatch.setattr("fullfield.runs.ensemble.launching.attach", lambda folder: at_work)
    context = FakeContext(tmp_path / "run")
    assert ensemble.run(spec, context)["members"] == 2
    found = [(one.member, one.state, one.epoch) for one in context.reported(MemberReported)]
    assert found[0] == (1, "running", 31) and "paused" not in {state for _, state, _ in found}
    assert [member for member, _ in machines.launched] == [2]


def test_that_others_do_not_train_with_other_settings_than_a_member_that_is_found_at_work(
    machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, first = asked(tmp_path, 2), tmp_path / "member-1"
    other = replace(plans.checked(spec.training), epochs=2)
    ensemble.refuse_changed(other, spec)
    (first / "worker.json").write_text("{}")
    at_work = Training(machines, first, 1, 3, "completed")
    monkeypatch.setattr("fullfield.runs.ensemble.launching.attach", lambda folder: at_work)
    with pytest.raises(UsageError, match=r"begun with other settings: epochs\."):
        ensemble.refuse_changed(other, spec)
    ensemble.refuse_changed(plans.checked(spec.training), spec)
    machines.at_work.clear()
    ensemble.refuse_changed(other, spec)


def test_that_a_member_that_goes_on_is_told_with_the_epochs_that_it_has_made_and_keeps_its_machine_when_it_fails(
    machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, context = asked(tmp_path, 3), FakeContext(tmp_path / "run")
    told(Path(spec.runs[0]), START, epoch(30), RunEnded(reason="paused"))
    machines.ends[1], tells = "failed", Training.poll
    monkeypatch.setattr(Training, "poll", lambda one: [event for event in tells(one) if isinstance(event, RunEnded)])
    assert ensemble.run(spec, context)["members"] == 2
    assert [(one.state, one.epoch) for one in context.reported(MemberReported) if one.member == 1] == [
        ("running", 30),
        ("failed", 30),
    ]
    assert [member for member, _ in machines.launched] == [1, 2, 3]


def test_that_runs_chosen_by_hand_are_one_model_too_if_their_files_are_what_they_left(
    machines: Machines, tmp_path: Path
) -> None:
    spec = asked(tmp_path, 3)
    ensemble.run(spec, FakeContext(tmp_path / "run"))
    third, first = Path(spec.runs[2]), Path(spec.runs[0])
    card = registry.inspect(registry.resolve(joined.of_runs([third, first])))
    assert card.members == tuple(files.sha256(run / "model.safetensors") for run in (first, third))
    model(third / "model.safetensors", 9)
    with pytest.raises(ModelError, match="member 2 is not the one"):
        joined.of_runs([first, third])
    (third / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="member 2 is gone"):
        joined.of_runs([first, third])


def test_that_a_complete_member_stays_complete_where_going_on_with_it_was_refused(
    machines: Machines, tmp_path: Path
) -> None:
    spec = asked(tmp_path, 2)
    ensemble.run(spec, FakeContext(tmp_path / "run"))
    folders = [Path(run) for run in spec.runs]
    told(folders[0], START, RunFailed(error={}, exit_code=2, refused=True), RunEnded(reason="failed"))
    assert joined.of_runs(folders)
    assert ensemble.run(spec, FakeContext(tmp_path / "run"))["members"] == 2
    assert [member for member, _ in machines.launched] == [1, 2], "none is trained again"


def test_that_a_further_member_takes_over_the_pairs_of_the_first_that_has_begun(
    machines: Machines, tmp_path: Path
) -> None:
    spec = asked(tmp_path, 3)
    first, *others = map(Path, spec.runs)
    (first / "data.json").write_text('{"prepared": "ab", "identity": "cd"}')
    ensemble.run(spec, FakeContext(tmp_path / "run"))
    for other in others:
        assert json.loads((other / "data.json").read_text()) == {
            "prepared": "ab",
            "identity": "cd",
            "taken_over": True,
        }
    assert "taken_over" not in (first / "data.json").read_text()


def test_that_members_that_have_learned_other_pairs_are_not_joined(machines: Machines, tmp_path: Path) -> None:
    spec = asked(tmp_path, 2)
    ensemble.run(spec, FakeContext(tmp_path / "run"))
    folders = [Path(run) for run in spec.runs]
    for folder, identity in zip(folders, ("ab", "cd"), strict=True):
        (folder / "summary.json").write_text(json.dumps({"data": {"identity": identity}}))
    with pytest.raises(ModelError, match=r"Member 2 differs from the first in: images\."):
        joined.of_runs(folders)
    (folders[1] / "summary.json").unlink()
    assert joined.of_runs(folders), "nobody knows"


@pytest.mark.parametrize("member", ["2", None, [2], 2.5])
def test_that_a_run_chosen_by_hand_whose_file_says_no_number_of_a_member_is_told_as_damaged(
    member: object, machines: Machines, tmp_path: Path
) -> None:
    spec = asked(tmp_path, 2)
    ensemble.run(spec, FakeContext(tmp_path / "run"))
    first, second = map(Path, spec.runs)
    job = jobs.load(second)
    jobs.save(replace(job, spec={**job.spec, "member": member}), second)
    jobs.accept(second)
    with pytest.raises(UsageError, match=r"Cannot open the run member-2\. Its job\.json is missing or damaged\."):
        joined.of_runs([first, second])


def test_that_a_complete_member_whose_end_says_no_number_of_epochs_is_one_all_the_same(
    machines: Machines, tmp_path: Path
) -> None:
    spec, context = asked(tmp_path, 2), FakeContext(tmp_path / "run")
    sha256 = model(Path(spec.runs[0]) / "model.safetensors", 1)
    told(
        Path(spec.runs[0]),
        START,
        epoch(30),
        RunEnded(reason="completed", summary={"epochs": "?", "model_sha256": sha256}),
    )
    assert ensemble.run(spec, context)["members"] == 2
    assert context.reported(MemberReported)[0].epoch == 30


@pytest.mark.parametrize("why", ["stopped", "paused"])
def test_that_asked_to_stop_or_pause_its_members_do_and_there_is_no_model(
    why: str, machines: Machines, tmp_path: Path
) -> None:
    machines.slow["local"] = 10**9
    context = FakeContext(tmp_path / "run", stop_after=(MemberReported, 1))
    context.why = why
    assert ensemble.run(asked(tmp_path, 2), context) == {} and not (tmp_path / "run" / "model.safetensors").exists()
    assert [reported.state for reported in context.reported(MemberReported)][-1] == why and not machines.at_work


def test_that_numbers_and_places_that_make_no_sense_are_refused(machines: Machines, tmp_path: Path) -> None:
    for members in (1, 9):
        with pytest.raises(UsageError, match="from 2 to 8"):
            asked(tmp_path, members)
    with pytest.raises(UsageError, match="one machine twice"):
        asked(tmp_path, 2, "node:a,a")
    training = TrainSpec(data="images", weights="none")
    chances = {replace(training, seed=seed, member=member).chance for seed in (0, 1) for member in range(9)}
    assert len(chances) == 18 and training.chance == training.seed
