"""What a training says of its images before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fullfield.data.prepared import Item, Prepared
from fullfield.protocol import comparison
from fullfield.protocol.events import Notice
from fullfield.train import data_report
from fullfield.train.build import Parts
from training import PROCESSED, RAW, FakeContext

BOTH = (RAW, PROCESSED)


def item(number: int, **changes: Any) -> Item:
    given = {
        "key": f"{number:016x}",
        "patient": number,
        "rows": 192,
        "columns": 176,
        "mm_per_pixel": 0.2,
        "modality": "DX",
        "source_sha256": (),
        "sha256": (),
        "kinds": (RAW,),
    }
    return Item(**{**given, **changes})


def told(
    training: Sequence[Item],
    held: Sequence[Item],
    apart: Sequence[Item] = (),
    *,
    folder: Path,
    batch: int = 1,
    **changes: Any,
) -> list[Notice]:
    """What is said of these parts."""
    items = (*training, *held, *apart)
    found = {kind for one in items for kind in one.kinds}
    data = Prepared(
        folder=folder,
        size=192,
        input_kind="any" if len(found) > 1 else str(*found),
        normalisation={},
        reference="phantoms",
        simulated=False,
        items=items,
    )
    parts = SimpleNamespace(training=tuple(training), validation=tuple(held), apart=tuple(apart))
    context = FakeContext(folder)
    data_report.tell(replace(data, **changes), cast(Parts, parts), context, batch=batch)
    return context.reported(Notice)


def warnings(notices: Sequence[Notice]) -> list[str]:
    return [one.text for one in notices if one.level == "warning"]


THREE, ONE = [item(1), item(2), replace(item(3), patient=2)], [item(4)]


def test_that_images_and_patients_are_counted_part_by_part(tmp_path: Path) -> None:
    (said,) = told(THREE, ONE, folder=tmp_path)
    assert said == Notice(
        text="4 images of 3 patients: 3 to train on, 1 held back; raw input; reference: phantoms.", topic="data"
    )
    apart = [item(number) for number in range(10, 10 + comparison.LEAST)]
    (said,) = told(THREE, ONE, apart, folder=tmp_path)
    assert said.text.startswith(
        f"{4 + comparison.LEAST} images of {3 + comparison.LEAST} patients: 3 to train on, 1 held back, "
        f"{comparison.LEAST} kept apart to judge the model by; "
    )


@pytest.mark.parametrize(
    ("kinds", "simulated", "said"),
    [
        ((RAW, RAW), (True, True), "raw-like input simulated from processed images"),
        ((RAW, RAW), (True, False), "raw input, and raw-like input simulated from processed images"),
        ((RAW, RAW), (False, False), "raw input"),
        ((PROCESSED, PROCESSED), (False, False), "processed input"),
        (BOTH, (True, True), "processed input, and raw-like input simulated from it"),
        (BOTH, (True, False), "raw and processed input, and raw-like input simulated from processed images"),
        (BOTH, (False, False), "raw and processed input"),
    ],
)
def test_that_the_inputs_are_named_by_what_they_are(
    kinds: tuple[Any, Any], simulated: tuple[bool, bool], said: str, tmp_path: Path
) -> None:
    each = [(kind,) for kind in kinds] if kinds != BOTH else [BOTH, BOTH]
    one, other = (item(number, kinds=each[number], simulated=simulated[number]) for number in range(2))
    first, *_ = told([one], [other], folder=tmp_path)
    assert first.text.split("; ")[1] == said


@pytest.mark.parametrize(
    ("training", "held", "said"),
    [
        ([BOTH], [BOTH], []),
        ([BOTH], [(RAW,)], ["The images held back have raw input alone: on the other kind the model is not measured."]),
        ([BOTH], [(RAW,), (PROCESSED,)], []),
        (
            [(RAW,)],
            [BOTH],
            ["Images with processed input are only among those held back: the model will not be for such images."],
        ),
        ([(RAW,)], [(RAW,)], []),
    ],
)
def test_that_a_kind_of_which_nothing_is_learned_or_measured_is_named(
    training: list[Any], held: list[Any], said: list[str], tmp_path: Path
) -> None:
    parts = ([item(number, kinds=kinds) for number, kinds in enumerate(part)] for part in (training, held))
    assert warnings(told(*parts, folder=tmp_path)) == said


def test_that_modalities_of_which_nothing_is_learned_are_named_in_their_order_but_for_imports(tmp_path: Path) -> None:
    held = [item(number, modality=modality) for number, modality in ((4, "MG"), (5, ""), (6, "CR"), (7, "DX"))]
    assert [text.split(" are only")[0] for text in warnings(told(THREE, held, folder=tmp_path))] == [
        "Images of the modality CR",
        "Images of the modality MG",
    ]


@pytest.mark.parametrize(("patients", "said"), [(0, False), (1, True), (comparison.LEAST - 1, True), (10, False)])
def test_that_too_few_patients_kept_apart_are_told_and_not_their_images(
    patients: int, said: bool, tmp_path: Path
) -> None:
    apart = [replace(item(20 + number), patient=20 + number // 2) for number in range(2 * patients)]
    found = warnings(told(THREE, ONE, apart, folder=tmp_path))
    assert [text.startswith(f"Only {patients} patients can be kept apart, and 10 are needed") for text in found] == [
        True
    ] * said


@pytest.mark.parametrize("batch", [3, 4])
def test_that_a_batch_larger_than_the_set_is_no_warning(batch: int, tmp_path: Path) -> None:
    found = told(THREE, ONE, folder=tmp_path, batch=batch)
    assert [one.text.partition(":")[0] for one in found[1:]] == ["A batch of 4 is larger than the set"] * (batch > 3)
    assert warnings(found) == []


def test_that_what_a_user_has_reviewed_is_said(tmp_path: Path) -> None:
    counts = {"approved": 2, "adjusted": 0, "rejected": 1, "unreviewed": 1}
    _, said = told(THREE, ONE, folder=tmp_path, reviewed=counts)
    assert said == Notice(text=data_report.reviewed.sentence(counts))


@pytest.mark.parametrize(("count", "more"), [(0, 0), (1, 0), (20, 0), (21, 1), (30, 10)])
def test_that_of_many_problems_the_first_are_told_and_the_others_counted(count: int, more: int, tmp_path: Path) -> None:
    problems = tuple(f"Problem {number}." for number in range(count))
    found = warnings(told(THREE, ONE, folder=tmp_path, problems=problems))
    left = [f"{more} more problems of the data are listed in summary.json."] if more else []
    assert found == [*problems[:20], *left]
