"""What the window may ask of its session beside a choice: a kind of input, other values, and previews of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from pydicom import dcmread

from asking import command
from enhance.test_session import Session, open_sample, session
from fullfield.enhance.choose import preset_for
from fullfield.image import cache, multiscale
from fullfield.image.method import Method
from fullfield.protocol.events import ItemDecoded, ItemDone, ItemEnhanced, ItemFailed, ItemPreviewed

__all__ = ["session"]
CHANGES = [["detail.gain", 2.5], ["edges.gains", [1.0, 0.4, 0.2]]]
TWEAKED = {"choice": "auto", "kind": "auto", "changes": CHANGES}


def preview(session: Session, **fields: Any) -> None:
    asked = {"command": "preview", "index": 0, "serial": 1, "level": 0, "region": [100, 300, 60, 200]}
    session.handle.post(command({**asked, **TWEAKED, **fields}))


def export(session: Session, target: Path) -> Any:
    session.handle.post(command({"command": "export", "index": 0, "target": str(target), "format": "dicom"}))
    session.until(ItemDone)
    return dcmread(target)


def test_that_a_preview_is_a_part_of_what_the_enhancement_then_gives(session: Session) -> None:
    open_sample(session)
    preview(session)
    session.handle.post(command({"command": "enhance", "index": 0, **TWEAKED}))
    (enhanced,) = session.until(ItemEnhanced)
    preview(session, serial=2)
    reported = session.until(ItemPreviewed)[-1]
    assert isinstance(reported, ItemPreviewed) and isinstance(enhanced, ItemEnhanced)
    part, whole = np.load(reported.preview).astype(int), np.load(enhanced.enhanced).astype(int)
    assert reported.bits == enhanced.bits and part.shape[0] >= 200
    place = whole[reported.top : reported.top + part.shape[0], reported.left : reported.left + part.shape[1]]
    assert np.abs(part - place).max() < 0.02 * 2**reported.bits


def test_that_results_of_one_digest_have_equal_pixels_and_those_of_another_have_not(session: Session) -> None:
    open_sample(session)
    digests, pixels = list[str](), list[Any]()
    for count, changes in enumerate(([], CHANGES, []), 1):
        session.handle.post(command({"command": "enhance", "index": 0, "choice": "auto", "changes": changes}))
        reported = session.until(ItemEnhanced, count)[-1]
        assert isinstance(reported, ItemEnhanced)
        digests.append(reported.digest)
        pixels.append(np.load(reported.enhanced))
    assert digests[0] == digests[2] != digests[1] and digests[0]
    assert np.array_equal(pixels[0], pixels[2]) and not np.array_equal(pixels[0], pixels[1])


def test_that_of_many_previews_the_last_is_answered(session: Session) -> None:
    open_sample(session)
    session.until(ItemDecoded)
    for serial in range(30):
        preview(session, serial=serial)
    reported: list[ItemPreviewed] = []
    while not reported or reported[-1].serial != 29:
        reported = [
            event for event in session.until(ItemPreviewed, len(reported) + 1) if isinstance(event, ItemPreviewed)
        ]
    assert len(reported) < 30


def test_that_a_preview_that_cannot_be_is_no_failure_of_the_image(session: Session) -> None:
    preview(session, index=7)
    open_sample(session)
    session.until(ItemDecoded)
    preview(session, choice="no-such-preset")
    preview(session, changes=[["detail.gain", 99]])
    session.handle.post(command({"command": "enhance", "index": 0, "choice": "auto"}))
    session.until(ItemEnhanced)
    assert not any(isinstance(event, ItemFailed | ItemPreviewed) for event in session.reported)


def test_that_the_values_of_the_sliders_are_in_the_file(session: Session, tmp_path: Path) -> None:
    open_sample(session)
    session.handle.post(command({"command": "enhance", "index": 0, **TWEAKED}))
    (enhanced,) = session.until(ItemEnhanced)
    assert isinstance(enhanced, ItemEnhanced) and "(adjusted)" in enhanced.recipe
    text = str(export(session, tmp_path / "out.dcm").DerivationDescription)
    assert "(adjusted)" in text and "detail.gain=2.5" in text


def test_that_the_kind_that_the_user_says_chooses_the_variant_and_is_in_the_file(
    session: Session, tmp_path: Path
) -> None:
    open_sample(session)
    (decoded,) = session.until(ItemDecoded)
    session.handle.post(command({"command": "enhance", "index": 0, "choice": "chest", "kind": "raw"}))
    (enhanced,) = session.until(ItemEnhanced)
    assert isinstance(enhanced, ItemEnhanced) and isinstance(decoded, ItemDecoded)
    assert enhanced.recipe.startswith("preset chest-raw")
    image = cache.load(Path(decoded.decoded))
    assert preset_for(Method(choice="chest"), image).name == "chest"
    wanted = multiscale.enhance(image.image, preset_for(Method(choice="chest"), image)).pixels
    assert not np.array_equal(np.load(enhanced.enhanced), wanted)
    assert "taken for raw as the user says" in str(export(session, tmp_path / "out.dcm").DerivationDescription)
