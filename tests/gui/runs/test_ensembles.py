"""An ensemble among the runs: how far its members are, what has become of one, and all of them stopped."""

from __future__ import annotations

import json
from dataclasses import replace

from fullfield import files
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.plan.spec import TrainSpec
from fullfield.protocol import events
from fullfield.protocol.ensembles import EnsembleSpec, MemberReported
from fullfield.protocol.events import Event, RunEnded, RunStarted
from gui.fake_run import NOBODY, FakeRun, begun, epoch
from gui.runs.desk import STORY, Desk

FIRST = MemberReported(member=1, members=3, place="local", state="completed", epoch=6, epochs=6)
SECOND = MemberReported(member=2, members=3, place="node:gpu", state="running", epoch=2, epochs=6)
TOLD = [RunStarted(job="ensemble", pid=1, version="1.0", time=1000.0), FIRST, SECOND]


def ensemble(
    desk: Desk, *reported: Event, alive: bool, members: tuple[str, ...] = ("/runs/1", "/runs/2", "/runs/3")
) -> FakeRun:
    folder = files.runs_folder() / "20260102-030400-ensemble-000001"
    training = TrainSpec(data="/data", size=512, epochs=6)
    spec = EnsembleSpec(training=training, runs=members)
    jobs.save(Job.of(spec), folder)
    (folder / jobs.WORKER).write_text(json.dumps(NOBODY))
    (folder / "events.jsonl").write_text("".join(events.to_line(event) + "\n" for event in reported))
    desk.live[folder] = FakeRun(folder, list(reported), alive=alive)
    return desk.live[folder]


def test_that_an_ensemble_says_how_far_its_members_are_and_is_stopped_as_one(desk: Desk) -> None:
    run = ensemble(desk, *TOLD, alive=True)
    desk.begin()
    desk.open(run)
    assert "Training" in desk.state() and desk.text("Name of the run").startswith("Ensemble of 3, 512 px, ")
    assert desk.text("Progress of the run") == "1 of 3 members complete · Member 2 on gpu, epoch 2 of 6"
    desk.wait(lambda: "Member 3 has not begun" in desk.text("Details of the run: Members"))
    assert desk.text("Details of the run: Members").startswith("Member 1 on this computer, completed\n")
    assert not any(map(desk.sees, ("Cancel and discard", "Report of this run")))
    run.tell(replace(SECOND, state="failed"))
    desk.wait(lambda: desk.sees("What happened, in short"))
    assert desk.text("What happened, in short") == "Member 2 on gpu, failed, epoch 2 of 6"
    desk.click("Stop and keep")
    desk.wait(lambda: [one["command"] for one in run.posted] == ["stop"])


def test_that_an_ensemble_shows_the_curves_of_its_members_as_they_grow_and_is_paused_with_them(desk: Desk) -> None:
    first = desk.has([*STORY, RunEnded(reason="completed")], number=1)
    second = desk.has([*begun(9000.0), *epoch(1)], number=2, alive=True)
    run = ensemble(desk, *TOLD, alive=True, members=(str(first.folder), str(second.folder), "/runs/3"))
    desk.begin()
    desk.open(run)
    for plot in ("Loss of the run", "Memory of the run"):
        desk.wait(lambda plot=plot: desk.says(f"{plot}, legend").count("px") == 2)  # type: ignore[misc]
    assert desk.says("Loss of the run").count("Best validation loss 12.00, in epoch 1") == 1
    with (second.folder / "events.jsonl").open("a") as stream:
        stream.writelines(events.to_line(event) + "\n" for event in epoch(2))
    desk.panel._shelf.refresh()
    desk.wait(lambda: desk.says("Loss of the run").count("in epoch 2") == 2)
    desk.click("Pause")
    desk.wait(lambda: [(one["command"], one["why"]) for one in run.posted] == [("stop", "paused")])
    desk.click("‹ All runs")
    desk.open(first)
    desk.wait(lambda: "Validation" in desk.says("Loss of the run, legend"))


def test_that_an_ensemble_that_has_ended_is_one_row_that_can_be_gone_on_with(desk: Desk) -> None:
    run = ensemble(desk, *TOLD, RunEnded(reason="stopped", time=1010.0), alive=False)
    desk.begin()
    model = desk.panel._table.runs
    row = [str(model.index(0, column).data()) for column in range(model.columnCount())]
    assert row[1] == "■ Stopped, kept" and row[3:5] == ["512 px", "1 of 3 members"]
    assert not any(desk.panel.actions_by_key[key].isEnabled() for key in ("report_run", "join_runs"))
    desk.open(run)
    desk.click("Resume")
    desk.wait(lambda: bool(desk.launched))
    [(job, folder)] = desk.launched
    assert (job.kind, folder, job.spec["runs"]) == ("ensemble", run.folder, ["/runs/1", "/runs/2", "/runs/3"])
