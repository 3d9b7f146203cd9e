"""Results of this program that are given to it again: it knows them by what it wrote into them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from fullfield.dicom import write
from fullfield.dicom.read import Decoder
from fullfield.dicom.remarks import ENHANCED_BEFORE
from fullfield.image import multiscale, phantom, presets
from fullfield.image.export import SUFFIX, OutputFormat
from fullfield.image.phantom import PhantomKind
from originals import attributes, decoded


@pytest.mark.parametrize("form", list(OutputFormat))
def test_that_a_result_is_told_in_its_line_and_changed_little(form: OutputFormat, tmp_path: Path) -> None:
    made = phantom.processed(PhantomKind.CHEST, longer=512)
    source = replace(decoded(tmp_path / "source", attributes("DX")), image=made)
    preset = presets.load("general")
    first = multiscale.enhance(made, preset)
    result = tmp_path / f"result{SUFFIX[form]}"
    write.write(source, first, result, format=form)

    with Decoder() as decoder:
        again = decoder.decode(result)
    second = multiscale.enhance(again.image, preset)

    assert again.image.enhanced and not made.enhanced
    assert ENHANCED_BEFORE in again.header.warnings
    shown = [
        pixels / top
        for pixels, top in (
            (made.pixels, made.top),
            (again.image.pixels, again.image.top),
            (second.pixels, (1 << second.bits) - 1),
        )
    ]
    changes = [float(np.sqrt(((after - before) ** 2).mean())) for before, after in pairwise(shown)]
    assert changes[1] < 0.3 * changes[0]
