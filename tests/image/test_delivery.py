"""What a delivery is, after it has crossed a process."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from fullfield import checked
from fullfield.image.delivery import FULL, Appearance, Delivery
from fullfield.image.values import Window

DELIVERIES = [
    FULL,
    Delivery(mark="Nicht für die Diagnose", window=True),
    Delivery(
        displayed=True,
        beside=True,
        captions=("Antes", "Después"),
        look=Appearance(before=Window(low=1, high=2.5, sigmoid=True), inverted=True, turns=3, mirrored=True),
    ),
]


@pytest.mark.parametrize("delivery", DELIVERIES)
def test_that_a_delivery_is_the_same_after_it_has_crossed_a_process(delivery: Delivery) -> None:
    assert checked.make(Delivery, json.loads(json.dumps(asdict(delivery)))) == delivery


def test_that_a_command_that_says_nothing_means_all_of_the_data() -> None:
    assert checked.make(Delivery, {}) == FULL
