"""The verdict on a new model: by whom it is judged, and what it takes to be offered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield import checked
from fullfield.protocol import event_lines
from fullfield.protocol.comparison import BEFORE, PRESET, Comparison, Losses, Seen, sign_test
from fullfield.protocol.events import ModelCompared, to_line

AS_WELL = tuple(Seen(over=other, signals=30, median=1.0, lost=2, lost_there=2) for other in (BEFORE, PRESET))


def made(*, over_before: int, over_preset: int, of: int = 10, seen: tuple[Seen, ...] = AS_WELL) -> Comparison:
    """Better on so many patients."""
    patients = tuple(
        Losses(new=5.0, before=6.0 if n < over_before else 5.0, preset=6.0 if n < over_preset else 4.0)
        for n in range(of)
    )
    return Comparison(patients=patients, seen=seen, before="base")


def test_that_the_sign_test_is_exact_and_one_sided() -> None:
    assert sign_test(10, 10) == 2**-10 and sign_test(9, 10) == 11 / 1024
    assert sign_test(8, 10) == pytest.approx(0.0547, abs=1e-4) and sign_test(0, 10) == 1


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (made(over_before=9, over_preset=10), ""),
        (made(over_before=8, over_preset=10), "the model that it began from on 8 of 10 patients"),
        (made(over_before=10, over_preset=8), "the preset on 8 of 10 patients"),
        (made(over_before=9, over_preset=9, of=9), "Only 9 patients"),
        (made(over_before=10, over_preset=10, seen=()), "could not be measured"),
    ],
)
def test_that_it_is_offered_only_if_better_than_both_on_ten_patients(found: Comparison, said: str) -> None:
    assert found.offered == (not said) and said in found.verdict
    assert found.verdict.startswith("The new model is " + ("not offered" if said else "offered"))
    assert event_lines.from_line(to_line(ModelCompared(comparison=found))) == ModelCompared(comparison=found)


@pytest.mark.parametrize("worse", [{"median": 0.99}, {"lost": 3}])
def test_that_it_is_not_offered_where_less_is_seen(worse: dict[str, float]) -> None:
    values = {"over": PRESET, "signals": 30, "median": 1.0, "lost": 2, "lost_there": 2, **worse}
    found = made(over_before=10, over_preset=10, seen=(AS_WELL[0], Seen(**values)))  # type: ignore[arg-type]
    assert not found.offered and "Less is seen with it than with the preset" in found.verdict


def test_that_it_is_not_offered_where_more_signals_are_shown_inverted() -> None:
    turned = replace(AS_WELL[1], inverted=2, inverted_there=1)
    found = made(over_before=10, over_preset=10, seen=(AS_WELL[0], turned))
    assert not found.offered and "inverted with it than with the preset: 2 of 30 signals, where 1" in found.verdict
    assert made(over_before=10, over_preset=10, seen=(replace(turned, inverted_there=2),)).offered


def test_that_what_an_earlier_version_counted_is_read() -> None:
    old = {"over": PRESET, "signals": 30, "median": 1.0, "lost": 2, "lost_there": 2}
    assert checked.make(Seen, old) == AS_WELL[1]


def test_that_without_a_model_before_the_presets_alone_are_to_be_beaten() -> None:
    found = Comparison(patients=(Losses(new=5, preset=6),) * 10, seen=AS_WELL[1:])
    assert found.offered and "There was no model to begin from" in found.verdict


def test_that_it_may_be_used_for_parts_on_most_of_whose_patients_it_is_better() -> None:
    limbs = (Losses(new=5, before=6, preset=6, parts=("extremity",)),) * 10
    chests = (Losses(new=60, before=8, preset=8, parts=("chest",)), Losses(new=5, before=8, preset=8, parts=("chest",)))
    skull = Losses(new=5, before=4, preset=6, parts=("skull",))
    found = Comparison(patients=(*limbs, *chests, skull), seen=AS_WELL, before="base")
    assert found.offered and found.parts == ("extremity",)


def test_that_images_that_were_left_out_are_told_with_the_reasons_whether_it_is_offered_or_not() -> None:
    why = ("No preset is meant for it.",)
    for over in (0, 10):
        found = replace(made(over_before=over, over_preset=10), left_out=4, left_out_why=why)
        assert found.verdict.endswith(f"that were left out: 4. {why[0]}") and found.offered == (over == 10)
        assert event_lines.from_line(to_line(ModelCompared(comparison=found))) == ModelCompared(comparison=found)
    assert "left out" not in made(over_before=10, over_preset=10).verdict


def test_that_nothing_is_said_of_a_test_on_no_patient() -> None:
    assert "sign test" in made(over_before=0, over_preset=0, of=1).verdict
    nobody = made(over_before=0, over_preset=0, of=0)
    assert "sign test" not in nobody.verdict and "Only 0 patients" in nobody.verdict and not nobody.offered
