"""A command reaches its worker as it was given, and one that cannot be taken is told."""

from __future__ import annotations

import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullfield.image.delivery import Appearance, Delivery
from fullfield.image.values import Window
from fullfield.protocol import command_lines
from fullfield.protocol.command_lines import COMMANDS
from fullfield.protocol.commands import PAUSE, Command, Stop, Watch
from fullfield.protocol.planning import PlanSpec
from fullfield.protocol.session_commands import Cancel, Enhance, Export, Open, Preview
from fullfield.protocol.setup_commands import Ask
from protocol.made import values

WRITTEN = [
    (Stop(), '{"command": "stop"}'),
    (PAUSE, '{"command": "stop", "why": "paused"}'),
    (Watch(image=3), '{"command": "watch", "image": 3}'),
    (Open(index=0, source="/a.dcm"), '{"command": "open", "index": 0, "source": "/a.dcm", "archive": ""}'),
    (Cancel(indexes=(1, 2)), '{"command": "cancel", "indexes": [1, 2]}'),
    (
        Enhance(index=1, choice="auto", changes=(("detail.gain", 2.5), ("edges.gains", (1.0, 0.4)))),
        '{"command": "enhance", "index": 1, "choice": "auto", "kind": "auto",'
        ' "changes": [["detail.gain", 2.5], ["edges.gains", [1.0, 0.4]]], "place": "local", "images_to": ""}',
    ),
    (
        Preview(index=1, serial=2, level=0, region=(1, 2, 3, 4), choice="chest"),
        '{"command": "preview", "index": 1, "serial": 2, "level": 0, "region": [1, 2, 3, 4], "choice": "chest",'
        ' "kind": "auto", "changes": []}',
    ),
]


@given(st.one_of(*map(values, COMMANDS)))
def test_that_every_command_comes_back_equal(command: Command) -> None:
    assert command_lines.from_line(command.to_line()) == command


@pytest.mark.parametrize(("command", "line"), WRITTEN)
def test_that_the_fields_of_a_command_keep_their_names(command: Command, line: str) -> None:
    assert command.to_line() == line
    assert command_lines.from_line(line) == command


def test_that_what_a_command_does_not_say_is_as_usual() -> None:
    line = '{"command": "export", "index": 0, "target": "/out.png", "format": "png16"}'
    assert command_lines.from_line(line) == Export(index=0, target="/out.png", format="png16")
    line = '{"command": "ask", "number": 1, "asked": {"height": 512, "width": 512}, "compare": []}'
    assert command_lines.from_line(line) == Ask(number=1, asked=PlanSpec(height=512, width=512), compare=())


def test_that_a_delivery_crosses_whole() -> None:
    look = Appearance(before=Window(low=1, high=2.5, sigmoid=True), inverted=True, turns=3)
    export = Export(index=0, target="/o.dcm", format="dicom", delivery=Delivery(look=look, captions=("a", "b")))
    assert command_lines.from_line(export.to_line()) == export


def test_that_every_command_is_in_the_list() -> None:
    assert set(Command.__subclasses__()) == set(COMMANDS)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('{"command": "dance", "file": "MUELLER"}', "dance"),
        ('{"command": "watch", "image": "MUELLER"}', "watch"),
        ('{"command": "MUELLER^Anna"}', "(no name)"),
        ('{"command": "wat', "(no name)"),
    ],
)
def test_that_a_command_that_cannot_be_taken_is_logged_once_by_its_name_and_counted(
    line: str, name: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_lines.unread, "counts", type(command_lines.unread.counts)())
    with caplog.at_level(logging.WARNING):
        assert [command_lines.from_line(line) for _ in range(3)] == [None] * 3
    assert command_lines.unread.counts == {name: 3}
    assert len(caplog.records) == 1 and name in caplog.text and "MUELLER" not in caplog.text


@given(st.text() | st.binary())
def test_that_no_line_brings_a_worker_down(line: str | bytes) -> None:
    command_lines.from_line(line)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda some: st.lists(some)))
def test_that_no_name_brings_a_worker_down(name: object) -> None:
    command_lines.from_line(json.dumps({"command": name}))
