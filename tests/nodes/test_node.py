"""What a node is called and where it is; what is refused; and what the node's own shelf keeps and forgets."""

from __future__ import annotations

import hashlib
import os
import shlex
import stat
import subprocess
import sys
import time
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from fullfield import files
from fullfield.errors import UsageError
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.nodes import kept, node, pieces, probe, probing, remote, results, ssh
from fullfield.nodes.kept import NothingKept
from fullfield.nodes.node import Node
from fullfield.nodes.results import Reported
from fullfield.protocol.small import Machine
from fullfield.protocol.training import Training
from fullfield.runs import runs
from fullfield_app import arguments

RUN = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    "address",
    ["-oProxyCommand=touch${IFS}x", "-p", "", "a b", "host;reboot", "user@", "host:0", "host:99999", "$(x)", "host\n"],
)
def test_that_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="Cannot use this node"):
        Node(name="gpu", address=address)


@pytest.mark.parametrize("name", ["local", "", "-x", "a b", "../x", "x" * 65])
def test_that_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="Its name"):
        Node(name=name, address="host")


def test_that_what_a_newer_version_says_of_nodes_is_kept() -> None:
    node.keep(Node(name="gpu", address="gpu"))
    path = files.settings_folder() / node.FILE
    newer = '[nodes.gpu]\naddress = "gpu"\njump = "bastion"\n\n[usual]\nproxy = "x"\n'
    path.write_text(newer, encoding="utf-8")
    node.keep(Node(name="other", address="other"))
    node.keep(Node(name="gpu", address="gpu-2"))
    said = tomllib.loads(path.read_text(encoding="utf-8"))
    assert said["usual"] == {"proxy": "x"} and said["nodes"]["gpu"]["jump"] == "bastion"
    assert said["nodes"]["gpu"]["address"] == "gpu-2" and set(said["nodes"]) == {"gpu", "other"}


def test_that_this_computer_is_no_machine_of_the_list_and_what_is_said_of_it_is_kept() -> None:
    assert node.find("local").here and not node.find("local").interface
    node.keep(Node(name="gpu", address="gpu"))
    node.keep(Node(name="local", address="local", interface="eth0"))
    assert node.find("local").interface == "eth0" and list(node.listed()) == ["gpu"]
    assert ssh.command(node.find("local"), "probe")[-2:] == ["node", "probe"]
    assert "ssh" not in ssh.command(node.find("local"), "probe")
    node.drop("local")
    assert not node.find("local").interface
    with pytest.raises(UsageError, match="Its name"):
        Node(name="local", address="local", slurm="--ntasks=1")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("gpu", ["--", "gpu"]),
        ("me@gpu.example:2222", ["-p", "2222", "--", "me@gpu.example"]),
        ("[fe80::1%eth0]:22", ["-p", "22", "--", "fe80::1%eth0"]),
    ],
)
def test_that_an_address_becomes_words_of_ssh_that_no_shell_reads(address: str, words: list[str]) -> None:
    given = ssh.command(Node(name="gpu", address=address, command="~/bin/full;field '$(a b)'"), "forget", "x;y")
    assert given[-len(words) - 1 : -1] == words and "StrictHostKeyChecking" not in " ".join(given)
    assert shlex.split(given[-1]) == ["./bin/full;field", "$(a b)", "node", "forget", "x;y"]
    assert given[-1] == "'./bin/full;field' '$(a b)' node forget 'x;y'"


@pytest.mark.parametrize(
    ("address", "typed"),
    [("gpu", "gpu"), ("me@10.0.0.5:2222", "-p 2222 me@10.0.0.5"), ("me@[fe80::1%eth0]:22", "-p 22 me@fe80::1%eth0")],
)
def test_that_what_to_type_into_a_shell_is_said_as_ssh_takes_it(address: str, typed: str) -> None:
    one = Node(name="gpu", address=address)
    assert f"(ssh-copy-id {typed})" in ssh._refusal(one, 255, "Permission denied (publickey).").hint
    assert f"Connect once with ssh {typed} and" in ssh._refusal(one, 255, "Host key verification failed.").hint
    assert ssh._refusal(one, 255, "Could not resolve hostname").hint == f"Check the address {address}."


def test_that_nodes_are_kept_changed_and_dropped_and_a_damaged_list_is_said() -> None:
    node.keep(Node(name="a", address="host-a"))
    node.keep(Node(name="b", address="me@host-b:22", command="x y", allow_images=True))
    node.keep(Node(name="a", address="host-c"))
    assert [one.address for one in node.listed().values()] == ["host-c", "me@host-b:22"]
    assert node.find("b").allow_images and node.find("b").words == ["x", "y"]
    node.drop("a")
    with pytest.raises(UsageError, match=r"There is no node 'a'\. Known: b\."):
        node.find("a")
    (files.settings_folder() / node.FILE).write_text('[nodes.x]\naddress = "-oX"\n')
    with pytest.raises(UsageError, match=r"nodes\.toml is damaged"):
        node.listed()


def test_that_without_consent_no_training_goes_to_a_node_and_nothing_is_left(tmp_path: Path) -> None:
    node.keep(Node(name="gpu", address="me@host"))
    with pytest.raises(UsageError, match="Pixels of your images would go to me@host, and nobody has allowed that"):
        launch(Job.of(Training(data="-", place="node:gpu")), folder=tmp_path / "run")
    away = Training(data="-", place="node:gpu", weights="a.pth")
    with pytest.raises(UsageError, match="nobody has allowed that"):
        launch(Job.of(away, images_to="me@another-host"), folder=tmp_path / "run")
    with pytest.raises(UsageError, match="Cannot start from a file of weights on the node gpu"):
        launch(Job.of(away, images_to="me@host"), folder=tmp_path / "run")  # allowed for this run
    jobs.save(Job.of(away, images_to="me@host"), tmp_path / "begun")
    assert runs.resumed(tmp_path / "begun").images_to == "me@host", "going on asks no second time"
    with pytest.raises(UsageError, match="There is no node 'moon'"):
        launch(Job.of(Training(data="-", place="node:moon")), folder=tmp_path / "run")
    node.keep(Node(name="gpu", address="me@host", allow_images=True))
    with pytest.raises(UsageError, match="Cannot start from a file of weights on the node gpu"):
        launch(Job.of(Training(data="-", place="node:gpu", weights="a.pth")), folder=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_that_a_training_that_began_from_a_file_goes_to_a_node_once_it_has_saved_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node.keep(Node(name="gpu", address="me@host", allow_images=True))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    monkeypatch.setattr("fullfield.jobs.launchers.local.spawn", lambda folder: ended)
    job = Job.of(Training(data="-", place="node:gpu", weights="a.pth"))
    saved = tmp_path / "checkpoints" / "step-000000001.safetensors"
    saved.parent.mkdir()
    with pytest.raises(UsageError, match="Cannot start from a file of weights on the node gpu"):
        launch(job, folder=tmp_path)
    saved.touch()
    launch(job, folder=tmp_path)
    assert remote._request(node.find("gpu"), job, RUN, ())["spec"]["weights"] == "a file"


def test_that_no_model_is_held_against_others_on_a_node_which_is_said_before_an_image_is_sent(tmp_path: Path) -> None:
    node.keep(Node(name="gpu", address="me@host", allow_images=True))
    with pytest.raises(UsageError, match=r"Cannot hold a model against others on the node gpu.* without --compare"):
        launch(Job.of(Training(data="-", place="node:gpu", compare=True)), folder=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_that_the_login_node_of_a_cluster_needs_no_interface_on_which_it_would_train_with_others() -> None:
    found = probe.Probe(
        versions=probe.versions(), python="3", system="Linux", cores=4, free_bytes=1, interfaces=("lo",)
    )
    alone = Node(name="gpu", address="me@host", interface="ib0")
    with pytest.raises(UsageError, match="There is no network interface 'ib0'"):
        probe.refuse_unready(found, alone)
    probe.refuse_unready(found, replace(alone, slurm=node.QUEUE))
    login = Machine(name="gpu", address="me@host", command="fullfield", interface="ib0", slurm=node.QUEUE)
    probe.refuse_unready(found, probing._node(login))


def test_that_what_was_agreed_to_stays_until_it_is_taken_back_or_another_address_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("fullfield_app.cli.node._tell", lambda one: 0)

    def added(*words: str) -> tuple[str, bool, bool]:
        arguments.parse(["node", "add", "gpu", *words])()
        one = node.find("gpu")
        return one.address, one.allow_images, one.allow_unencrypted

    assert added("me@host") == ("me@host", False, False)
    assert added("me@host", "--allow-images") == ("me@host", True, False)
    assert added("me@host", "--interface", "eth1", "--allow-unencrypted") == ("me@host", True, True), "as refusals ask"
    assert added("--no-allow-images") == ("me@host", False, True) and added("--allow-images")[1]
    assert added("me@another") == ("me@another", False, False), "it was said of that machine"


def test_that_a_queue_stays_of_a_node_that_is_added_again_until_it_is_taken_back_as_its_refusal_asks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fullfield_app.cli.node._tell", lambda one: 0)

    def queue(*words: str) -> str:
        arguments.parse(["node", "add", "gpu", "me@host", *words])()
        return node.find("gpu").slurm

    assert (queue("--slurm"), queue(), queue("--slurm=")) == (node.QUEUE, node.QUEUE, "")
    with pytest.raises(SystemExit):
        arguments.parse(["node", "add", "--help"])
    assert '"" for none' in " ".join(capsys.readouterr().out.split())


def stored(run: str, **contents: bytes) -> Path:
    """A run that is kept, with pieces of these contents under these keys."""
    names = {}
    for key, content in contents.items():
        sha256 = hashlib.sha256(content).hexdigest()
        (kept.pieces() / sha256).write_bytes(content)
        names[f"{key}.input.npy"] = sha256
    folder = kept.store(run, names)
    jobs.save(Job(kind="empty"), folder / "run")
    os.utime(folder / "run" / jobs.JOB, (1, 1))
    return folder


def test_that_what_a_node_keeps_is_its_users_alone_and_a_run_takes_its_pieces_with_it() -> None:
    first, second = stored(RUN, aa=b"one", bb=b"both"), stored(RUN[::-1], aa=b"two", bb=b"both")
    assert stat.S_IMODE(kept.base().stat().st_mode) == 0o700
    assert (first / "data" / "aa.input.npy").read_bytes() == b"one"
    kept.forget(RUN)
    assert not first.exists()
    assert sorted(path.read_bytes() for path in kept.pieces().iterdir()) == [b"both", b"two"]
    with pytest.raises(NothingKept, match="not here any more"):
        kept.forget(RUN)
    assert kept.forget_all() == 0 and not second.exists() and not list(kept.pieces().iterdir())


def test_that_what_has_lain_on_a_node_for_a_week_goes_and_nothing_else() -> None:
    old, new = stored(RUN, aa=b"one"), stored(RUN[::-1], aa=b"two")
    before = time.time() - kept.KEEP_SECONDS - 60
    for path in (old, *kept.pieces().iterdir()):
        os.utime(path, (before, before))
    kept.sweep()
    assert not old.exists() and new.exists()
    assert [path.read_bytes() for path in kept.pieces().iterdir()] == [b"two"]


def test_that_no_name_leads_out_of_a_nodes_shelf_or_of_a_runs_folder_here() -> None:
    for run in ("..", "a", RUN.upper(), f"{RUN}/x"):
        with pytest.raises(UsageError, match="no name of a run"):
            kept.named(run)
    for name in ("../x.npy", "aa.input.npy/../../x", "/etc/x", "aa.other.npy"):
        with pytest.raises(ValueError, match="no name of a piece"):
            kept.store(RUN, {name: "0" * 64})
    refused = ("../model.safetensors", "/x/plan.json", "job.json", "node.json", "events.jsonl", "samples/../../a.npy")
    assert not any(map(results.may_come, (*refused, "checkpoints/../x", "worker.log", "x.part")))
    assert all(map(results.may_come, ("model.safetensors", "samples/image-000/epoch-00012.npy", "node-worker-1.log")))


def test_that_checkpoints_come_once_the_run_has_ended_and_lists_after_what_they_list(tmp_path: Path) -> None:
    for name in ("checkpoints/step-000000002.safetensors", "checkpoints/index.json", "model.safetensors", "job.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"content")
    assert [one.file for one, _ in results.there(tmp_path, ended=False)] == ["model.safetensors"]
    (last, *_), *_ = reversed([(one, path) for one, path in results.there(tmp_path, ended=True)])
    assert isinstance(last, Reported) and last.file == "checkpoints/index.json"


def test_that_a_piece_that_is_forgotten_while_it_is_offered_is_asked_for_again() -> None:
    content = b"a model"
    one = pieces._Wanted(sha256=hashlib.sha256(content).hexdigest(), size=len(content))
    (kept.pieces() / one.sha256).write_bytes(content)
    have = pieces._have(one)
    (kept.pieces() / one.sha256).unlink()
    with pytest.raises(pieces.UnfinishedPiece, match="forgotten meanwhile"):
        pieces._take(one, have)


def test_that_a_piece_that_a_power_cut_left_short_is_asked_for_again_from_its_begin() -> None:
    content = b"a model"
    one = pieces._Wanted(sha256=hashlib.sha256(content).hexdigest(), size=len(content))
    target = kept.pieces() / one.sha256
    target.write_bytes(content[:3])
    assert pieces._have(one) == 0 and not target.exists()
    target.write_bytes(content)
    assert pieces._have(one) == len(content)
    part = pieces._part(one.sha256)
    target.unlink()
    part.write_bytes(content[:3])
    assert pieces._have(one) == 3, "what was cut goes on"
