"""Which engine computes a model's network."""

from __future__ import annotations

import pytest

from fullfield import parts
from fullfield.enhance.backends import registry
from fullfield.enhance.backends.registry import ENGINES, Engine, find
from fullfield.errors import MissingPart
from fullfield.model.families import registry as families


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The packages that are installed."""
    installed: set[str] = set()
    monkeypatch.setattr(parts, "is_here", installed.__contains__)
    return installed


def test_that_every_family_has_an_engine_and_one_without_torch_needs_nothing(here: set[str]) -> None:
    assert {family for engine in ENGINES for family in engine.families} == set(families.FAMILIES)
    assert find("map").module.endswith("opencv") and find("map").needs == ()
    with pytest.raises(MissingPart, match="torch"):
        find("unet")
    here.update(parts.NETWORK)
    assert find("unet").module.endswith("pytorch")


def test_that_of_several_engines_the_first_that_is_installed_is_used_and_else_what_the_last_one_needs_is_told(
    here: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = (Engine(module=name, families=("unet", "map"), needs=(name,)) for name in ("aa", "torch", "timm"))
    other = Engine(module="other", families=("map",))
    monkeypatch.setattr(registry, "ENGINES", (other, one, two, three))
    with pytest.raises(MissingPart, match="timm"):
        find("unet")
    here.update({"torch", "timm"})
    assert find("unet") is two
    here.add("aa")
    assert find("unet") is one and find("map") is other
    here.clear()
    here.add("timm")
    assert find("unet") is three


def test_that_an_engine_is_imported_when_it_is_wanted_and_gives_its_function() -> None:
    from fullfield.enhance.backends import opencv

    assert find("map").load() is opencv.open_backend
