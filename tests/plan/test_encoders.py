"""The encoders that a training can be asked for, told without their code."""

from __future__ import annotations

from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.families.registry import FAMILIES
from fullfield.model.imagenet import SOURCES
from fullfield.plan import encoders


def test_that_each_encoder_is_told_by_its_name_and_its_title() -> None:
    found = dict(encoders.titles())
    assert list(found) == list(ENCODERS) == list(encoders.names())
    assert found["resnet34"] == ENCODERS["resnet34"].title and all(found.values())


def test_that_each_kind_of_networks_is_told_by_its_name_and_its_title() -> None:
    found = encoders.networks()
    assert [name for name, _ in found] == list(FAMILIES)
    assert all(title == FAMILIES[name].title for name, title in found)


def test_that_a_network_without_encoders_is_called_by_its_own_name() -> None:
    with_encoders = {name for name, one in FAMILIES.items() if one.encoders}
    assert 0 < len(with_encoders) < len(FAMILIES)
    for name in FAMILIES:
        assert encoders.called(name, "resnet18") == ("resnet18" if name in with_encoders else name)


def test_that_weights_are_fetched_for_what_they_are_offered_of() -> None:
    assert encoders.fetched() == tuple(SOURCES) and "resnet34" in encoders.fetched()
