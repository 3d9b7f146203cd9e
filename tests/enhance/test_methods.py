"""What images can be enhanced with: the presets that are shipped, this user's own, and this user's models."""

from __future__ import annotations

from pathlib import Path

from fullfield.enhance.methods import find_offers
from fullfield.image import presets
from fullfield.image.image import InputKind
from fullfield.model import registry


def test_that_all_shipped_presets_are_offered_by_their_titles() -> None:
    offered = find_offers()
    assert [offer.key for offer in offered] == list(presets.names())
    assert [offer.title for offer in offered] == [presets.load(name).title for name in presets.names()]
    assert not any(offer.model or offer.own or offer.weakness for offer in offered)
    assert not any(offer.why_not(InputKind.RAW, modality="MG") for offer in offered)


def test_that_a_kept_model_is_offered_with_the_images_that_it_serves(model_file: Path) -> None:
    kept = registry.keep(model_file, "knee")
    *shipped, offer = find_offers()
    assert len(shipped) == len(presets.names())
    assert (offer.key, offer.title, offer.model) == (str(kept.path), "knee", True)
    assert "one of the raw ones" in offer.why_not(InputKind.RAW, modality="DX")
    assert offer.why_not(InputKind.PROCESSED, modality="DX") == ""
