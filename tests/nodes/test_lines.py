"""Lines that are cut: no byte of an event is lost or comes twice, and pieces go on where they were."""

from __future__ import annotations

import errno
import hashlib
import json
import shlex
import shutil
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import card_file
from fullfield import __version__, files
from fullfield.data import prepared
from fullfield.errors import CannotWrite, FullfieldError, InputUnreadable, UsageError
from fullfield.jobs import event_log
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.model import card
from fullfield.nodes import pieces, probe, probing, ssh
from fullfield.nodes.line import Line
from fullfield.nodes.mirror import Mirror
from fullfield.nodes.pieces import Piece
from fullfield.nodes.probe import Versions
from fullfield.nodes.ssh import LineCut, NodeRefused
from fullfield.protocol import event_lines, events
from fullfield.protocol.commands import PAUSE, Stop
from fullfield.protocol.events import Notice, RunEnded, RunFailed
from fullfield.protocol.setup_events import NodeProbed
from fullfield.protocol.small import Machine, ProbeSpec
from nodes import servers
from nodes.mirrored import RUN, TOLD, mirror_of, run_there
from nodes.servers import kept as keep
from nodes.servers import left
from training import FakeContext, prepared_phantoms

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")


def test_that_no_byte_is_lost_or_comes_twice_where_the_line_is_cut_anywhere(there: Path, tmp_path: Path) -> None:
    node = keep("gpu", there)
    end = RunEnded(time=4.0, reason="completed")
    away = run_there(there, *TOLD, end)
    (away / "model.safetensors").write_bytes(bytes(range(256)) * 40)
    mirror, context = mirror_of(tmp_path / "run"), FakeContext(tmp_path / "context")
    reported = sum(len(events.to_line(event)) + 1 for event in TOLD)
    first, second = len('{"commands": 0}\n'), len(f'{{"events": {reported}}}\n') + reported
    last = len(events.to_line(end)) + 1
    third = len(f'{{"events": {last}}}\n') + last
    # In the first line, in a file, in an event, right behind events, in the last event, and before what ends it all.
    cuts = (3, 5000, 10_240 + first + 200, first + 60, first + second, first + third - 1)
    (tmp_path / "out").write_text("".join(f"{count}\n" for count in (*cuts, first + third + 3)))
    read = []
    for number in range(len(cuts)):
        with pytest.raises(LineCut, match="Connection reset"):
            Line(node, mirror, context, back=False).follow()
        read.append(mirror.read)
        mirror.tell(Notice(text=f"The line is cut: {number}."))
        mirror = Mirror(mirror.folder)  # as another process would find it
    assert read == [0, 0, 0, 0, reported, reported]
    code, completed = Line(node, mirror, context, back=True).follow()
    lines = event_log.path(mirror.folder).read_bytes().splitlines(keepends=True)
    own = [line for line in lines if b"line is cut" in line or b"is back" in line]
    assert b"".join(line for line in lines if line not in own) == event_log.path(away).read_bytes()
    assert len(own) == len(cuts) + 1 and (mirror.folder / "model.safetensors").read_bytes() == bytes(range(256)) * 40
    assert context.accepted and code == 0 and completed and event_log.has_ended(mirror.folder)


def test_that_a_line_of_ours_that_a_power_cut_left_half_is_finished_and_counts_as_ours(
    tmp_path: Path,
) -> None:
    mirror = mirror_of(tmp_path / "run")
    mirror.append(b'{"kind": "A"}\n')
    mirror.tell(Notice(text="ours"))
    whole = event_log.path(mirror.folder).read_bytes()
    for left_bytes in (14, 20, len(whole)):
        event_log.path(mirror.folder).write_bytes(whole[:left_bytes])
        found = Mirror(mirror.folder)
        found.mend()
        assert (event_log.path(mirror.folder).read_bytes(), found.read) == (whole, 14)


@pytest.mark.parametrize("left_bytes", [0, 9])
def test_that_a_line_of_ours_that_a_full_disk_cut_is_not_counted_where_nothing_is_followed_any_more(
    tmp_path: Path, left_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror = mirror_of(tmp_path / "run")
    mirror.append(b'{"kind": "A"}\n')

    def full(content: bytes) -> None:
        with event_log.path(mirror.folder).open("ab") as stream:
            stream.write(content[:left_bytes])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(mirror, "_write", full)
        with pytest.raises(OSError, match="No space"):
            mirror.tell(Notice(text="ours"))
    mirror.leave()
    assert mirror.read == 14 and event_log.path(mirror.folder).read_bytes() == b'{"kind": "A"}\n'
    mirror.begin(RUN, given=0)
    mirror.append(b'{"kind": "B"}\n')
    assert mirror.read == 28


@pytest.mark.parametrize("who", ["this process", "another process"])
def test_that_a_line_of_the_nodes_that_a_full_disk_here_cut_comes_again_and_none_follows_on_its_begin(
    who: str, tmp_path: Path
) -> None:
    mirror = mirror_of(tmp_path / "run")
    first, second = (f"{events.to_line(event)}\n".encode() for event in TOLD[:2])
    mirror.append(first + second[:30])
    if who == "another process":
        mirror = Mirror(mirror.folder)
        mirror.mend()
    else:
        mirror.leave()
    assert mirror.read == len(first)
    mirror.begin(RUN, given=0)
    mirror.tell(Notice(text="ours"))
    mirror.append(second)
    lines = event_log.path(mirror.folder).read_bytes().splitlines(keepends=True)
    assert [lines[0], lines[2]] == [first, second] and b"ours" in lines[1]


def test_that_a_licence_that_stayed_here_is_in_what_comes_home_once_and_in_what_is_told_of_it(
    there: Path, tmp_path: Path
) -> None:
    node, context = keep("gpu", there), FakeContext(tmp_path / "context")
    away = run_there(there, *TOLD)
    model = card_file.write(away / "model.safetensors", licence="", plan={"data_licence": ""})
    theirs, end = files.sha256(model), RunEnded(time=4.0, reason="completed", summary={"model_sha256": "0" * 64})
    (away / "summary.json").write_text(json.dumps({"plan": {"data_licence": ""}, "model_sha256": theirs}))
    with event_log.path(away).open("a") as stream:
        stream.write(f"{events.to_line(end)}\n".replace("0" * 64, theirs))
    mirror = mirror_of(tmp_path / "run")
    jobs.save(Job(kind="train", spec={"data": "/ours", "data_licence": "ours"}), mirror.folder)
    with event_log.path(away).open("rb") as stream:
        reported = len(stream.read())
    (tmp_path / "out").write_text(f"{model.stat().st_size + 600}\n{reported + 200}\n")
    with pytest.raises(LineCut):
        Line(node, mirror, context, back=False).follow()
    assert card.read(mirror.folder / "model.safetensors").licence == "ours" and mirror.read == 0
    assert Line(node, mirror, context, back=True).follow() == (0, True)
    assert mirror.read == event_log.size(away) and card.read(model).licence == ""
    ours = files.sha256(mirror.folder / "model.safetensors")
    told, summary = event_log.last(mirror.folder), json.loads((mirror.folder / "summary.json").read_text())
    assert isinstance(told, RunEnded) and told.summary["model_sha256"] == summary["model_sha256"] == ours != theirs
    assert summary["plan"]["data_licence"] == "ours"


def test_that_a_node_that_was_started_anew_and_a_worker_that_died_are_told(there: Path, tmp_path: Path) -> None:
    node, context = keep("gpu", there), FakeContext(tmp_path / "context")
    for started, words in (("another-boot:17", "The node that did this run was started anew."), ("", "no memory left")):
        away = run_there(there, *TOLD, started=started)
        mirror = mirror_of(tmp_path / f"run{started[:3]}")
        code, completed = Line(node, mirror, context, back=False).follow()
        *_, failed, ended = event_log.path(mirror.folder).read_text().splitlines()
        assert isinstance(event_lines.from_line(failed), RunFailed) and words in failed
        assert isinstance(event_lines.from_line(ended), RunEnded) and code == 1 and not completed
        mirror.leave()
        assert mirror.read == event_log.size(away), "and what is told here is none of the node's"


def test_that_commands_come_to_the_node_once_each_over_lines_that_are_cut(there: Path, tmp_path: Path) -> None:
    node, context = keep("gpu", there), FakeContext(tmp_path / "context")
    away = run_there(there, *TOLD)
    (away / jobs.WORKER).unlink()  # a fresh run counts as alive
    mirror = mirror_of(tmp_path / "run")
    commands = mirror.folder / "commands.jsonl"
    commands.write_text(f"{PAUSE.to_line()}\n")
    reported = sum(len(events.to_line(event)) + 1 for event in TOLD)
    count = len(f'{{"commands": 0}}\n{{"events": {reported}}}\n')
    for cut in (True, False):  # in the second sign of life
        (tmp_path / "out").write_text(f"{reported + count + 4}\n" if cut else "")
        line = Line(node, mirror, context, back=False)
        if cut:
            with pytest.raises(LineCut):
                line.follow()
            commands.write_text(f"{PAUSE.to_line()}\n{Stop().to_line()}\n")
            with event_log.path(away).open("a") as stream:
                stream.write(f"{events.to_line(RunEnded(time=9.0, reason='paused'))}\n")
        else:
            ends = threading.Timer(3.0, (away / jobs.WORKER).write_text, ('{"pid": 4194000, "started": ""}',))
            ends.start()
            assert line.follow() == (130, False)
    assert (away / "commands.jsonl").read_bytes() == commands.read_bytes()


def test_that_pieces_go_once_go_on_where_they_were_cut_and_are_held_against_their_hashes(
    there: Path, tmp_path: Path
) -> None:
    node = keep("gpu", there)
    made = prepared_pair(tmp_path / "data")
    given = pieces.of(prepared.load(made))
    total = sum(piece.size for piece in given)
    (tmp_path / "in").write_text("20000")
    with pytest.raises(LineCut):
        pieces.send(node, given, pause=lambda: None)
    assert any(path.suffix == ".part" for path in left(there))
    rest = pieces.send(node, given, pause=lambda: None)
    assert total - 20_000 <= rest < total - 15_000 and pieces.send(node, given, pause=lambda: None) == 0
    text = b"".join(path.read_bytes() for path in left(there) if path.stat().st_size < 5000)
    assert b"prepared.json" not in text and str(tmp_path).encode() not in text and b"broken" not in text
    wrong = tmp_path / "wrong"
    wrong.write_bytes(b"other")
    with pytest.raises(InputUnreadable, match=r"On the node gpu: An image that arrived is not the one"):
        pieces.send(node, (Piece(name="x", sha256="0" * 64, size=5, path=wrong),), pause=lambda: None)


def prepared_pair(folder: Path) -> Path:
    made = prepared_phantoms(folder, 1, rows=96, columns=96)
    prepared.save(replace(made, problems=("The file Doe^John.dcm is broken.",)))
    return folder


def test_that_two_who_send_the_same_at_a_time_both_bring_it(there: Path, tmp_path: Path) -> None:
    node, path, size = keep("gpu", there), tmp_path / "array.npy", 3 << 20
    path.write_bytes(bytes(range(256)) * (size // 256))
    small = (
        Piece(name=text.decode(), sha256=hashlib.sha256(text).hexdigest(), size=4, content=text)
        for text in (b"both", b"last")
    )
    given = (Piece(name="x", sha256=files.sha256(path), size=size, path=path), *small)
    asked, go_on = [0], threading.Event()

    def pause() -> None:
        """Before each MiB: the second waits."""
        asked[0] += 1
        assert asked[0] < 2 or go_on.wait(60)

    with ThreadPoolExecutor(1) as beside:
        first = beside.submit(pieces.send, node, given, pause=pause)
        while not any(part.suffix == ".part" and part.stat().st_size >= 1 << 20 for part in left(there)):
            assert not first.done()
            time.sleep(0.02)
        assert pieces.send(node, given[:2], pause=lambda: None) == size + 4
        go_on.set()
        assert first.result() == size + 8
    assert sorted(one.read_bytes() for one in left(there)) == sorted([path.read_bytes(), b"both", b"last"])


def test_that_a_full_disk_there_is_told_in_words_and_as_the_nodes(there: Path, tmp_path: Path) -> None:
    node = keep("gpu", there, before="ulimit -f 8;")  # blocks of 512 bytes: no file may be longer
    array = tmp_path / "big.npy"
    np.save(array, np.zeros(10_000, np.uint16))
    piece = Piece(name="x", sha256="0" * 64, size=array.stat().st_size, path=array)
    with pytest.raises(CannotWrite, match=r"On the node gpu: A file cannot be written\. The system says: File too"):
        pieces.send(node, (piece,), pause=lambda: None)


def test_that_other_versions_are_refused_with_both_numbers() -> None:
    ours = Versions(fullfield="1.0", torch="2.15.0")
    for theirs, words in (
        (Versions(fullfield="1.1", torch="2.15.0"), "It has Fullfield 1.1, and this computer has 1.0"),
        (Versions(fullfield="1.0", torch="2.16.0"), "It has torch 2.16.0, and this computer has 2.15.0"),
        (Versions(fullfield="1.0", torch=""), r"It has torch \(not installed\), and this computer has 2.15.0"),
    ):
        with pytest.raises(UsageError, match=words):
            probe.refuse_others(theirs, ours, title="Cannot train there.")
    probe.refuse_others(ours, ours, title="")
    probe.refuse_others(ours, Versions(fullfield="1.0", torch=""), title="")  # who only sends images needs none


def test_that_a_run_is_refused_where_other_versions_are_and_is_not_begun(there: Path, tmp_path: Path) -> None:
    versions = {"fullfield": "99.0", "torch": "1.0"}
    said = {"versions": versions, "python": "3", "system": "Linux", "cores": 1, "free_bytes": 1}
    servers.node.keep(
        servers.node.Node(
            name="gpu", address="gpu", command=shlex.join(["sh", "-c", f"echo {shlex.quote(json.dumps(said))}"])
        )
    )
    *_, failed, ended = launch(Job(kind="empty", place="node:gpu"), folder=tmp_path / "run").events()
    assert isinstance(failed, RunFailed) and isinstance(ended, RunEnded) and failed.exit_code == 2
    assert failed.error["detail"] == f"It has Fullfield 99.0, and this computer has {__version__}."


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("no-such-command", "There is no Fullfield on the node gpu"),
        ("sh -c 'exit 2'", "does not understand what it is asked. It ended with exit code 2"),
        ("sh -c 'kill -9 $$'", "does not understand"),
        ("true", "does not understand what it is asked. It ended with exit code 0"),
    ],
)
def test_that_what_is_not_fullfield_there_is_told_in_words(there: Path, command: str, words: str) -> None:
    node = servers.node.Node(name="gpu", address="gpu", command=command)
    with pytest.raises(FullfieldError, match=words):
        probe.there(node)


def test_that_machines_are_told_one_by_one_and_of_those_that_are_not_ready_why(there: Path, tmp_path: Path) -> None:
    good = Machine(name="gpu", address="gpu", command=servers.command(there))
    absent = Machine(name="old", address="old", command="no-such-command")
    context = FakeContext(tmp_path / "context")
    probing.run(ProbeSpec(machines=(good, absent, Machine(name="bad", address="-oX", command="x"))), context)
    reported = {event.name: event for event in context.events if isinstance(event, NodeProbed)}
    assert reported["gpu"].error == {} and reported["gpu"].fullfield == __version__ and reported["gpu"].cores > 0
    assert "There is no Fullfield" in reported["old"].error["title"] and "address" in reported["bad"].error["detail"]


def test_that_a_computer_without_ssh_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NodeRefused, match="This computer has no command ssh"):
        probe.there(servers.node.Node(name="gpu", address="gpu"))


def test_that_a_node_that_hangs_is_given_up(there: Path) -> None:
    node = servers.node.Node(name="gpu", address="gpu", command="sh -c 'sleep 3'")
    with tempfile.TemporaryFile() as reported:
        process = ssh.start(node, "take", errors_to=reported)
        ssh.Patience(process, 0.1)
        assert isinstance(ssh.ended(node, process, reported), LineCut)
        ssh.end(process)
    with pytest.raises(LineCut, match="does not answer"):
        ssh.ask(node, "probe", seconds=0.2)


def test_that_of_one_content_under_two_names_one_goes(there: Path, tmp_path: Path) -> None:
    node = keep("gpu", there)
    (tmp_path / "file").write_bytes(b"content")
    piece = Piece(name="one", sha256=files.sha256(tmp_path / "file"), size=7, path=tmp_path / "file")
    assert pieces.send(node, (piece, replace(piece, name="two"), piece), pause=lambda: None) == 7
