"""The options of `fullfield train`, as far as a settings file and a list reach them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import map_file
from fullfield import files
from fullfield.errors import ModelError, UsageError
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.model import shipped
from fullfield.nodes import node as nodes
from fullfield.nodes.node import Node
from fullfield.plan import spec as plans
from fullfield.plan.spec import TrainSpec
from fullfield.protocol import events, fields
from fullfield.protocol.events import RunEnded
from fullfield_app import arguments
from fullfield_app.cli import train
from hub import keep_weights


@pytest.fixture
def spec(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The settings that a command line means; nothing is launched."""

    def read(*given: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        monkeypatch.setattr(train, "run", lambda values: found.append(fields.of(train._spec(values))) or 0)
        arguments.parse(["train", "--data", "images", "--out", str(tmp_path / "run"), *given])()
        return found[0]

    return read


def test_that_techniques_are_given_as_a_list_and_kept_in_their_order(spec: Any) -> None:
    given = spec("--techniques", "optimizer_offload:chunk=8", "precision:format=fp16", "--epochs", "3")
    assert given["techniques"] == ["precision:format=fp16", "banded_loss", "optimizer_offload:chunk=8"]
    assert given["epochs"] == 3


def test_that_the_loss_in_bands_is_the_usual_one_and_none_means_none(spec: Any) -> None:
    assert spec()["techniques"] == ["banded_loss"]
    assert spec("--techniques", "none")["techniques"] == []
    assert spec("--techniques", "banded_loss:rows=64")["techniques"] == ["banded_loss:rows=64"]


@pytest.mark.parametrize("size", ["large", "9" * 5000])
def test_that_a_size_that_is_none_or_absurd_is_refused(spec: Any, size: str) -> None:
    assert spec("--size", "640")["size"] == 640
    with pytest.raises(UsageError, match=f"size '?{size[:20]}") as refusal:
        spec("--size", size)
    assert len(str(refusal.value)) < 200


def test_that_what_the_model_is_to_be_used_on_is_an_option(spec: Any) -> None:
    assert spec()["use_on"] == "auto"
    assert spec("--use-on", "both")["use_on"] == "both"
    with pytest.raises(UsageError, match="use_on 'displayed'"):
        spec("--use-on", "displayed")


def test_that_a_settings_file_names_techniques_too(spec: Any, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('techniques = ["channels_last", "precision"]\nepochs = 2\n')
    given = spec("--config", str(tmp_path / "run.toml"))
    assert given["techniques"] == ["channels_last", "precision", "banded_loss"]
    assert given["epochs"] == 2


def test_that_a_wrong_technique_is_met_with_the_nearest_right_one(spec: Any) -> None:
    with pytest.raises(UsageError, match="Did you mean 'precision'"):
        spec("--techniques", "precison")


def test_that_a_run_keeps_its_number_of_processes_unless_another_is_asked_for(
    launched: list[Job], tmp_path: Path
) -> None:
    line = ["train", "--out", str(tmp_path / "run"), "--batch", "4", "--weights", "none"]
    arguments.parse([*line, "--data", "images", "--processes", "3"])()
    jobs.save(launched[0], tmp_path / "run")
    arguments.parse([*line, "--resume"])()
    arguments.parse([*line, "--resume", "--processes", "2"])()
    arguments.parse(["train", "--data", "images", "--out", str(tmp_path / "other"), "--weights", "none"])()
    assert [job.processes for job in launched] == [3, 3, 2, 1]


def test_that_a_list_of_devices_means_a_process_on_each_unless_another_number_is_said(
    launched: list[Job], tmp_path: Path
) -> None:
    line = ["train", "--out", str(tmp_path / "run"), "--batch", "4", "--weights", "none"]
    both = ["--device", "cuda:0,cpu"]
    arguments.parse([*line, "--data", "images", *both])()
    arguments.parse([*line, "--data", "images", *both, "--processes", "4"])()
    arguments.parse([*line, "--data", "images", "--device", "cuda:0"])()
    jobs.save(launched[1], tmp_path / "run")
    arguments.parse([*line, "--resume", *both])()
    jobs.save(launched[2], tmp_path / "other")
    arguments.parse(["train", "--out", str(tmp_path / "other"), "--resume", *both])()
    arguments.parse([*line, "--resume", "--device", "cuda:0,cuda:1,cpu"])()
    arguments.parse(
        ["train", "--out", str(tmp_path / "other"), "--resume", *both, "--processes", "2", "--fit", "auto"]
    )()
    assert [job.processes for job in launched] == [2, 4, 1, 4, 1, 3, 2]


def test_that_cards_that_are_listed_may_be_more_than_a_batch_has_images_and_others_not(
    launched: list[Job], tmp_path: Path
) -> None:
    line = ["train", "--data", "images", "--out", str(tmp_path / "run"), "--weights", "none", "--device"]
    arguments.parse([*line, "cuda:0,cuda:1"])()
    assert launched[0].processes == 2
    assert launched[0].spec["techniques"] == ["banded_loss"], "what they share, the training says"
    for said in (
        ["cuda:0,cpu"],
        ["cuda:0,cuda:1", "--processes", "3"],
        ["cuda:0,cuda:1", "--techniques", "none"],
        ["cuda:0,cuda:1", "--techniques", "data_parallel"],
        ["cuda:0,cuda:1", "--network", "map", "--batch", "1"],
    ):
        with pytest.raises(UsageError, match=r"--batch . or more, or fewer --processes") as refused:
            arguments.parse([*line, *said])()
        assert ("spatial; fullfield train --fit auto" in refused.value.hint) == ("map" not in said)
    assert len(launched) == 1


def test_that_a_run_that_shared_rows_unasked_goes_on_so_and_on_other_devices_when_it_is_told(
    launched: list[Job], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    begin = ["train", "--data", "images", "--out", str(out), "--weights", "none", "--techniques", "ema"]
    arguments.parse([*begin, "--device", "cuda:0,cuda:1"])()
    jobs.save(launched[0], out)
    line = ["train", "--out", str(out), "--resume"]
    arguments.parse(line)()
    assert launched[1].processes == 2 and launched[1].spec["techniques"] == launched[0].spec["techniques"]
    for device in (["cuda:0,cpu"], ["auto", "--processes", "2"]):
        with pytest.raises(UsageError) as refused:
            arguments.parse([*line, "--device", *device])()
        (told,) = re.findall("--techniques ([^;]+);", refused.value.hint)
        arguments.parse([*line, "--device", *device, "--techniques", *told.split()])()
        assert {*launched[-1].spec["techniques"]} == {"banded_loss", "ema", "spatial"}
        begun, again = (plans.from_json(job.spec) for job in (launched[0], launched[-1]))
        assert not plans.differences(begun, again)


@pytest.mark.parametrize(
    ("begun", "on", "least_and_most"),
    [
        ("1:3", None, (1, 3)),
        ("1:3", "b,a,c", (1, 3)),
        ("2:2", "a,b,c", (2, 2)),
        ("2:3", "a,b", (2, 2)),
        ("1:2", "a,b,c,d", (1, 4)),
        ("", "a,b", (2, 2)),
    ],
)
def test_that_a_run_keeps_how_many_of_its_nodes_are_enough_on_other_ones_too(
    launched: list[Job], tmp_path: Path, begun: str, on: str | None, least_and_most: tuple[int, int]
) -> None:
    out = tmp_path / "run"
    line = ["train", "--data", "images", "--out", str(out), "--weights", "none", "--techniques", "spatial"]
    arguments.parse([*line, "--on", "a,b,c", *(["--nodes", begun] if begun else [])])()
    jobs.save(launched[0], out)
    arguments.parse(["train", "--out", str(out), "--resume", *(["--on", on] if on else [])])()
    assert (launched[1].least, launched[1].most) == least_and_most


def test_that_one_process_that_goes_on_before_anything_is_saved_does_without_what_several_shared(
    launched: list[Job], tmp_path: Path
) -> None:
    out, shared = tmp_path / "run", ["--batch", "2", "--processes", "2", "--techniques", "data_parallel"]
    line = ["train", "--out", str(out)]
    arguments.parse([*line, "--data", "images", *shared])()
    jobs.save(launched[0], out)
    arguments.parse([*line, "--resume", "--processes", "1"])()
    arguments.parse([*line, "--resume"])()
    arguments.parse([*line, "--resume", "--processes", "1", "--techniques", "data_parallel"])()
    asked = ["banded_loss", "data_parallel"]
    assert [job.spec["techniques"] for job in launched] == [asked, ["banded_loss"], asked, asked]


def test_that_more_processes_than_images_of_a_batch_start_nothing(launched: list[Job], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="fewer images in a batch \\(1\\) than processes"):
        arguments.parse(["train", "--data", "images", "--out", str(tmp_path / "run"), "--processes", "2"])()
    assert launched == []


def test_that_members_are_an_ensemble_which_goes_on_with_as_many(
    launched: list[Job], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    line = ["train", "--data", "images", "--out", str(out), "--weights", "none"]
    nodes.keep(Node(name="a", address="me@a"))
    with pytest.raises(UsageError, match="nobody has allowed that"):
        arguments.parse([*line, "--members", "3", "--on", "local,a"])()
    nodes.keep(Node(name="a", address="me@a", allow_images=True))
    arguments.parse([*line, "--members", "3", "--on", "a,local", "--seed", "7"])()
    job = launched[0]
    assert (job.kind, job.place, job.most) == ("ensemble", "local", 1)
    assert job.spec["runs"] == [str(out / f"member-{number}") for number in (1, 2, 3)]
    assert (job.spec["training"]["place"], job.spec["training"]["seed"]) == ("node:a,local", 7)
    assert "3 members, 2 of them at once: each takes as long as one training." in capsys.readouterr().err
    jobs.save(job, out)
    arguments.parse(["train", "--out", str(out), "--resume", "--on", "local"])()
    assert launched[1].spec == {**job.spec, "training": {**job.spec["training"], "place": "local"}}
    for more, words in (
        (["--resume", "--members", "2"], "with 2 members"),
        (["--members", "9"], "Cannot train 9 members"),
        (["--members", "0"], "Cannot train 0 members"),
        (["--members", "2", "--on", "a,b", "--nodes", "1:2"], "on several nodes together"),
    ):
        with pytest.raises(UsageError, match=words):
            arguments.parse([*line[:3], "--out", str(out if "--resume" in more else tmp_path / "x"), *more])()
    assert len(launched) == 2


def test_that_an_ensemble_of_which_a_member_has_begun_goes_on_with_its_own_settings_alone(
    launched: list[Job], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    line = ["train", "--out", str(out), "--quiet"]
    arguments.parse([*line, "--data", "images", "--weights", "auto", "--epochs", "3", "--members", "2"])()
    jobs.save(launched[0], out)
    changed = ["--epochs", "99", "--seed", "7", "--learning-rate", "0.5", "--loss", "ms_ssim+l1"]
    arguments.parse([*line, "--resume", *changed])()
    assert launched[1].spec["training"]["epochs"] == 99, "nothing is lost while no member has begun"
    end = RunEnded(reason="completed", summary={"epochs": 3, "model_sha256": ""})
    files.append_line(out / "member-1" / "events.jsonl", events.to_line(end))
    with pytest.raises(UsageError, match="other settings: epochs, learning_rate, loss, seed"):
        arguments.parse([*line, "--resume", *changed])()
    arguments.parse([*line, "--resume", "--data-licence", "ours", "--device", "cpu"])()
    assert launched[2].spec["training"]["epochs"] == 3 and len(launched) == 3


def test_that_no_member_is_trained_on_other_images_than_those_before_it(launched: list[Job], tmp_path: Path) -> None:
    first, second, out = (tmp_path / name for name in ("first", "second", "run"))
    first.mkdir()
    line = ["train", "--out", str(out), "--quiet"]
    arguments.parse([*line, "--data", str(first), "--weights", "none", "--members", "2"])()
    jobs.save(launched[0], out)
    files.append_line(out / "member-1" / "events.jsonl", events.to_line(RunEnded(reason="completed", summary={})))
    with pytest.raises(UsageError, match=r"other settings: data\."):
        arguments.parse([*line, "--resume", "--data", str(second)])()
    first.rename(second)
    arguments.parse([*line, "--resume", "--data", str(second)])()
    assert len(launched) == 2, "the folder was moved"


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The settings that a command line launches."""

    def run(*given: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        monkeypatch.setattr(train, "launch", lambda job, folder: found.append(job.spec))
        monkeypatch.setattr(train, "_follow", lambda *_, **__: 0)
        arguments.parse(
            ["train", "--data", "images", "--out", str(tmp_path / "run"), "--encoder", "resnet18", *given]
        )()
        return found[0]

    return run


def test_that_the_first_line_says_which_weights_and_the_settings_keep_them(
    begun: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert begun()["weights"] == "none"
    assert "fullfield weights fetch --encoder resnet18" in capsys.readouterr().err.splitlines()[0]
    keep_weights({})
    assert begun()["weights"] == "imagenet"
    assert capsys.readouterr().err == "First weights: ImageNet's of resnet18, from this computer.\n"
    begun("--quiet")
    assert capsys.readouterr().err == ""


def test_that_more_nodes_than_are_named_are_refused_before_anything_is_said(
    begun: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="1 are named"):
        begun("--nodes", "1:2")
    assert capsys.readouterr().err == ""


def test_that_named_weights_that_are_missing_start_nothing(begun: Any, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="not on this computer"):
        begun("--weights", "imagenet")
    assert not (tmp_path / "run").exists()


def test_that_a_training_that_goes_on_asks_for_no_weights(
    begun: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    jobs.save(Job(kind="train", spec=TrainSpec(data="images", encoder="resnet18", weights="imagenet").to_json()), run)
    (run / "checkpoints").mkdir()
    (run / "checkpoints" / "step-000000001.safetensors").touch()
    assert begun("--resume")["weights"] == "imagenet"
    assert capsys.readouterr().err == ""


def test_that_a_training_begins_from_the_model_that_ships_by_its_name(spec: Any) -> None:
    line = ("--network", "map", "--weights", "shipped")
    with pytest.raises(ModelError, match="Cannot use the shipped model"):
        spec(*line)
    map_file.write(shipped.folder() / "shipped.safetensors")
    assert spec(*line)["weights"] == "shipped"


def test_that_a_folder_of_data_is_known_by_its_whole_path_also_where_a_training_goes_on(
    begun: Any, tmp_path: Path
) -> None:
    jobs.save(Job(kind="train", spec=TrainSpec(data="elsewhere", weights="none").to_json()), tmp_path / "run")
    assert begun()["data"] == begun("--resume")["data"] == str(Path("images").absolute())


def test_that_a_size_of_digits_that_make_no_number_is_met_with_those_that_can_be(spec: Any) -> None:
    with pytest.raises(UsageError, match="size '²': choose a number of pixels"):
        spec("--size", "²")


def test_that_a_file_is_no_folder_of_a_run(spec: Any, tmp_path: Path) -> None:
    (tmp_path / "run").touch()
    with pytest.raises(UsageError, match="What --out names is a file"):
        spec()
