"""What a user has written or named: it goes to no node, and stands in what comes home."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch

import card_file
from fullfield import files
from fullfield.data import prepared
from fullfield.image import own_presets, presets
from fullfield.jobs import event_log
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.model import card, shipped
from fullfield.nodes import checkpoints, pieces, remote, together, withheld
from fullfield.nodes.line import Line
from fullfield.nodes.mirror import Mirror, Note
from fullfield.nodes.node import Node
from fullfield.nodes.pieces import Piece
from fullfield.plan import spec as specs
from fullfield.protocol import event_lines, events
from fullfield.protocol.computers import Computer
from fullfield.protocol.events import Event, Notice
from fullfield.protocol.rank_events import NodesChanged
from fullfield.protocol.training import Training
from fullfield.train import begun_from, saving
from fullfield.train.checkpoint import Store
from training import FakeContext, prepared_phantoms

RUN = "0123456789abcdef" * 2
SECRET = "doe-john-19700101"
LICENCE = f"Of {SECRET}'s clinic"
SAID = f'the conventional processor (general 1.0.0, {SECRET} 1.0.3 "Müller" at 80% of its strength)'


@pytest.fixture
def preset() -> str:
    """The name of a preset of this user's."""
    own_presets.save(presets.load("general"), title=SECRET, body_parts=(), taken=frozenset())
    return SECRET


def piece_content(piece: Piece) -> bytes:
    return piece.content + (piece.path.read_bytes()[piece.at :] if piece.path is not None else b"")


def test_that_of_a_users_preset_neither_name_nor_path_is_among_the_settings_that_go_to_a_node(preset: str) -> None:
    assert presets.load(preset).name == preset
    node, piece = Node(name="gpu", address="gpu"), Piece(name="pairs.json", sha256="0" * 64, size=1)
    for reference, told in (
        (preset, "a preset file"),
        ("/data/me/Mrs X.toml", "a preset file"),
        ("general", "general"),
        ("chest", "chest"),
        ("auto", "auto"),
        ("pairs", "pairs"),
        ("image", "image"),
    ):
        spec = Training(data="/data/me/images", reference=reference, data_licence=LICENCE, place="node:gpu")
        asked = remote._request(node, Job.of(spec), RUN, (piece,))
        assert asked["spec"]["reference"] == told and SECRET not in json.dumps(asked)
        assert "/data/me" not in json.dumps(asked) and "Mrs X" not in json.dumps(asked)


def test_that_the_sentence_on_references_and_their_problems_stay_here_and_all_else_goes(tmp_path: Path) -> None:
    data = replace(prepared_phantoms(tmp_path / "data", 2, rows=96, columns=96), reference=SAID)
    prepared.save(data)
    given = {piece.name: piece_content(piece) for piece in pieces.of(prepared.load(data.folder))}
    assert not any(SECRET.encode() in content or SAID.encode() in content for content in given.values())
    (tmp_path / "there").mkdir()
    for name, content in given.items():
        (tmp_path / "there" / name).write_bytes(content)
    found = prepared.load(tmp_path / "there")
    (word,) = withheld.of_data(data.identity, SAID)
    assert found.reference == word and found.identity == data.identity
    assert replace(found, folder=data.folder, reference=SAID) == data


def test_that_what_a_node_tells_of_them_is_lines_here_in_their_users_words_and_counts_as_many_bytes(
    tmp_path: Path,
) -> None:
    names = ["b", "x" * 64]
    texts = {**withheld.of_data("ab" * 32, SAID), **withheld.of_nodes(RUN, names)}
    sentence, short, long = texts
    theirs = [
        Notice(time=1.0, text=f"3 images; reference: {sentence}.", topic="data"),
        NodesChanged(time=2.0, nodes=(short,), lost=(long,)),
        Notice(time=3.0, text=f"No answer from {long}. {sentence}"),
        Notice(time=4.0, text="Wörter"),
    ]
    lines = b"".join(events.to_line(event).encode() + b"\n" for event in theirs)
    ours = withheld.Words(texts=texts).lines_here(tmp_path, lines)
    assert len(ours) == len(lines) and [len(one) for one in ours.splitlines()] == [len(x) for x in lines.splitlines()]
    assert [event_lines.from_line(line) for line in ours.decode().splitlines()] == [
        replace(theirs[0], text=f"3 images; reference: {SAID}."),
        replace(theirs[1], nodes=("b",), lost=("x" * 64,)),
        replace(theirs[2], text=f"No answer from {'x' * 64}. {SAID}"),
        theirs[3],
    ]
    assert withheld.named(f"{short} is late", texts) == "b is late"


def test_that_no_name_of_a_node_goes_to_another_one() -> None:
    nodes = tuple(Node(name=f"{SECRET}-{number}", address="10.0.0.1", interface="lo") for number in range(3))
    has = tuple(Computer(name=one.name, cores=1, free_bytes=1, total_bytes=1) for one in nodes)
    told = together.fleet(Job(kind="train"), nodes, 0, RUN, Note(), has)
    assert told is not None and SECRET not in json.dumps(told)
    assert (
        list(told["names"])
        == [one["name"] for one in told["computers"]]
        == list(withheld.of_nodes(RUN, [one.name for one in nodes]))
    )


def test_that_the_summary_and_the_cards_that_come_home_are_as_had_the_node_been_told(
    tmp_path: Path, preset: str
) -> None:
    spec = Training(data="/data/me/images", reference=preset, data_licence=LICENCE, place="node:gpu")
    jobs.save(Job.of(spec), tmp_path)
    plan = {**asdict(spec), "techniques": [], "size": 192}
    began = card.from_model(SECRET)
    begun_from.keep(tmp_path, began)
    start = begun_from.nameless(began)
    ours = files.sha256(card_file.write(tmp_path / "ours", licence=LICENCE, plan=plan, start=began))
    model = card_file.write(tmp_path / "model.safetensors", licence="", plan=withheld.settings(plan), start=start)
    theirs = files.sha256(model)
    (word,) = texts = withheld.of_data("ab" * 32, SAID)
    Mirror(tmp_path).begin(RUN, given=0, texts=texts)
    words = withheld.of(tmp_path, Mirror(tmp_path).note.texts)
    summary = {"plan": withheld.settings(plan), "data": {"reference": word}, "start": start, "model_sha256": theirs}
    (tmp_path / "summary.json").write_text(json.dumps(summary))
    for name in ("model.safetensors", "summary.json"):
        words.put(tmp_path, name)
    assert model.read_bytes() == (tmp_path / "ours").read_bytes()
    found = json.loads((tmp_path / "summary.json").read_text())
    assert found == {"plan": plan, "data": {"reference": SAID}, "start": began, "model_sha256": ours}


def test_that_what_a_training_began_from_is_put_back_alone_where_it_began_from_that(tmp_path: Path) -> None:
    begun_from.keep(tmp_path, card.from_model(SECRET))
    assert begun_from.whole(tmp_path, begun_from.NAMELESS) == card.from_model(SECRET)
    for other in ("The network starts from scratch (random weights, seed 0).", card.from_model("another")):
        assert begun_from.whole(tmp_path, other) == other
        model = card_file.write(tmp_path / "model.safetensors", licence="", start=other, plan={"data_licence": ""})
        withheld.Words(licence=LICENCE).put(tmp_path, model.name)
        assert (card.read(model).start, card.read(model).licence) == (other, LICENCE)
    (tmp_path / begun_from.FILE).write_text("[")
    assert begun_from.whole(tmp_path, begun_from.NAMELESS) == begun_from.NAMELESS


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """The folder of a run as an earlier build has left it, of whose checkpoints each holds what its user wrote."""
    run = tmp_path / "run"
    plan, start = {"data_licence": LICENCE, "reference": SECRET}, card.from_model(SECRET)
    spec = {"data": f"/data/{SECRET}", "size": 192, "weights": f"/home/{SECRET}.safetensors", **plan}
    with Store(run) as store:
        for step in (1, 2):
            best = f"best-{step:09d}.safetensors"
            sha256 = files.sha256(card_file.write(store.folder / best, licence=LICENCE, plan=plan, start=start))
            progress = {"step": step, "best": {"epoch": 1, "validation_loss": 0.5, "file": best, "sha256": sha256}}
            fields = {"spec": spec, "data": "x", "progress": progress, "start": start}
            store.save(step, {"w": torch.full((5,), float(step))}, fields, best=best)
    return run


def arrived(given: tuple[Piece, ...], run: Path) -> Path:
    """What a node has then."""
    for piece in given:
        content = piece_content(piece)
        assert hashlib.sha256(content).hexdigest() == piece.sha256 and len(content) == piece.size
        files.write_bytes(run / piece.name, content)
    return run


def test_that_checkpoints_of_an_earlier_build_go_to_a_node_without_licence_and_names_and_are_whole_there(
    earlier: Path, tmp_path: Path
) -> None:
    before = {path: path.read_bytes() for path in earlier.rglob("*.*")}
    (tmp_path / "there" / "checkpoints").mkdir(parents=True)
    there = arrived(checkpoints.of(earlier), tmp_path / "there")
    assert len(list(there.rglob("*.*"))) == 6 and {path: path.read_bytes() for path in before} == before
    assert begun_from.whole(earlier, begun_from.NAMELESS) == card.from_model(SECRET), (
        "which is put into what comes home"
    )
    for path in there.rglob("*.*"):
        assert SECRET.encode() not in path.read_bytes(), path
    with Store(there) as store:
        found = store.latest()
        assert found is not None and store.step == 2 and not found.notices
        assert torch.equal(found.tensors["w"], torch.full((5,), 2.0))
        own = {"data_licence": "", "reference": "a preset file", "weights": "a file"}
        assert found.fields["spec"] == {"data": "-", "size": 192, **own}
        assert found.fields["start"] == "The network starts from the weights of a model."
        best = store.folder / found.fields["progress"]["best"]["file"]
    assert files.sha256(best) == found.fields["progress"]["best"]["sha256"]
    reported = card.verify(best.read_bytes())
    assert (reported.licence, reported.start) == ("", found.fields["start"])


def test_that_the_sentence_on_first_weights_names_the_model_that_ships_there_and_no_other() -> None:
    others = ("The network starts from scratch (random weights, seed 0).", card.from_model("shipped-1"))
    assert begun_from.nameless(others[0]) == others[0] and begun_from.nameless(others[1]) != others[1], "none ships yet"
    shipped.folder().mkdir(parents=True)
    card_file.write(shipped.folder() / "shipped.safetensors", name="shipped-1")
    assert [begun_from.nameless(one) for one in others] == list(others)
    assert begun_from.nameless(card.from_model(SECRET)) == "The network starts from the weights of a model."


def test_that_a_checkpoint_that_tells_of_no_best_model_goes_to_a_node_too(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save(1, {"w": torch.zeros(1)}, {"spec": {"data": "-"}, "data": "x", "progress": {"step": 1}})
    given = checkpoints.of(tmp_path)
    assert given[0].name == "checkpoints/step-000000001.safetensors" and not any(piece.content for piece in given)


def test_that_how_a_run_ended_that_could_not_say_so_itself_is_told_here_in_its_users_words(tmp_path: Path) -> None:
    texts = {**withheld.of_data("ab" * 32, SAID), **withheld.of_nodes(RUN, ["b"])}
    Mirror(tmp_path).begin(RUN, given=0, texts=texts)
    sentence, short = texts
    heard: list[Event] = []
    line = Line(
        Node(name="gpu", address="gpu"),
        Mirror(tmp_path),
        FakeContext(tmp_path / "context"),
        back=False,
        on_event=heard.append,
    )
    line._finish((), (events.to_line(Notice(time=1.0, text=f"{short} ended. {sentence}")),))
    own = event_log.last(tmp_path)
    assert isinstance(own, Notice) and own.text == f"b ended. {SAID}"
    assert heard == [Notice(time=1.0, text=f"b ended. {SAID}")]


def test_that_checkpoints_that_hold_nothing_of_a_user_go_as_they_are_and_damaged_ones_stay_here(
    earlier: Path, tmp_path: Path
) -> None:
    (tmp_path / "there" / "checkpoints").mkdir(parents=True)
    there = arrived(checkpoints.of(earlier), tmp_path / "there")
    again = checkpoints.of(there)
    assert all(not piece.content and piece.at == 0 for piece in again) and len(again) == 6
    newest = earlier / "checkpoints" / "step-000000002.safetensors"
    newest.write_bytes(newest.read_bytes()[:40])
    best = earlier / "checkpoints" / "best-000000002.safetensors"
    best.write_bytes(best.read_bytes()[:-1])
    shutil.rmtree(there)
    (there / "checkpoints").mkdir(parents=True)
    arrived(checkpoints.of(earlier), there)
    assert not any(SECRET.encode() in path.read_bytes() for path in there.rglob("*.*"))
    with Store(there) as store:
        assert store.latest() is not None and store.step == 1


def test_that_a_checkpoint_names_no_preset_and_no_file_of_a_user_and_its_training_is_gone_on_with(preset: str) -> None:
    spec = specs.TrainSpec(data="/data/me", reference=preset, data_licence=LICENCE, weights=f"/home/{SECRET}.pth")
    told = saving._elsewhere(spec)
    assert told == {"data_licence": "", "reference": "a preset file", "weights": "a file"}
    assert specs.differences(spec, replace(spec, **told)) == []
    for weights in ("auto", "imagenet", "none", "shipped"):
        other = replace(spec, weights=weights)
        assert saving._elsewhere(other)["weights"] == weights
        assert specs.differences(spec, other) == ["weights"]


def test_that_a_mirror_remembers_what_stayed_here_also_where_nothing_is_followed(tmp_path: Path) -> None:
    mirror = Mirror(tmp_path)
    mirror.begin(RUN, given=0, texts={"word": SAID})
    mirror.leave()
    assert Mirror(tmp_path).note.texts == {"word": SAID} and event_log.size(tmp_path) == 0


def test_that_a_beginning_and_the_file_behind_it_go_a_megabyte_at_once_from_any_byte_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(range(256)) * 8192)
    piece = Piece(name="x", sha256="", size=(1 << 21) + 90, path=tmp_path / "file", content=b"a" * 100, at=10)
    whole = piece_content(piece)
    for begin in (0, 60, 100, 5000, len(whole)):
        stream = io.BytesIO()
        assert pieces._send(stream, piece, begin, lambda: None) == len(whole) - begin
        assert stream.getvalue() == whole[begin:]
    model, stream = Piece(name="x", sha256="", size=len(whole), content=whole), io.BytesIO()
    pauses: list[int] = []
    pieces._send(stream, model, 7, lambda: pauses.append(1))
    assert stream.getvalue() == whole[7:] and len(pauses) == 3, "each shows that the line goes on"
