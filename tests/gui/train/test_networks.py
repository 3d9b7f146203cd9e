"""The kind of network in the form: its own defaults come with it and go with it."""

from __future__ import annotations

from fullfield.plan import encoders
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.more_fields import FIELDS


def test_that_a_network_brings_its_defaults_and_takes_them_away_again() -> None:
    field = next(one for one in FIELDS if one.key == "network")
    assert field.choices is encoders.networks and [name for name, _ in encoders.networks()] == ["unet", "map"]
    choices = Choices().with_value("epochs", 9).with_value("size", 2048).with_value("network", "map")
    assert (choices.value("size"), choices.value("loss")) == (2048, "ms_ssim+l1+bands")
    assert choices.mistakes() == {} and choices.spec("somewhere").network == "map"
    assert choices.with_value("network", "unet").values == {"epochs": 9, "size": 2048}
    assert "loss" in choices.with_value("loss", "other").mistakes()
