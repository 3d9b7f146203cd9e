"""An ensemble: the mean of its members' results, how much they disagree, and the one file that they lie in."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fullfield import files, parts
from fullfield.enhance.choose import open_choice
from fullfield.enhance.destinations.base import Made, Request
from fullfield.enhance.ensemble import averaged, disagreement, open_here
from fullfield.errors import ModelError
from fullfield.image import guards, normalise
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced
from fullfield.image.marks import DISAGREED
from fullfield.model import card as cards
from fullfield.model import ensemble, map_form, registry
from fullfield.model.card import Card
from fullfield.model.spec import named
from fullfield.protocol.batch import Item
from light import require

require(*parts.NETWORK)

import torch  # noqa: E402

from fullfield.model import weights  # noqa: E402
from fullfield.model.network import build  # noqa: E402

MakeDecoded = Callable[..., Decoded]


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three map networks whose weights say something, each something else. Read only."""
    folder, spec = tmp_path_factory.mktemp("members"), named("map")
    card = Card(name="a map", network=spec, input_kind="any", normalisation=normalise.BY_PRESET.to_json())
    for seed in range(3):
        torch.manual_seed(seed)
        network = build(spec).eval()
        with torch.no_grad():
            for parameter in network.parameters():
                parameter += 0.02 * torch.randn_like(parameter)
        weights.save(folder / f"{seed}.safetensors", network, card)
    return sorted(folder.iterdir())


@pytest.fixture
def joined(members: list[Path], tmp_path: Path) -> Path:
    """One model of two of them."""
    ensemble.join(members[:2], tmp_path / "both.safetensors")
    return tmp_path / "both.safetensors"


def enhanced(model: Path, decoded: Decoded) -> Enhanced:
    return open_choice(str(model), device="cpu", notice=lambda text: None).enhance(decoded)


def test_that_two_results_give_their_mean_in_the_logit_and_their_deviation(radiograph: MakeDecoded) -> None:
    image = radiograph(40, 70).image
    one = np.full((40, 70), 1000, np.uint16)
    other = one.copy()
    other[:16, :16] = 3000
    other[16:32, 16:24] = 1400
    pixels, found = averaged(image, [one, other], 12), disagreement(image, [one, other], 12)

    def mean(first: float, second: float) -> float:
        z = sum(np.log(share / (1 - share)) for share in (first / 4095, second / 4095)) / 2
        return float(round(4095 / (1 + np.exp(-z))))

    assert pixels[0, 0] == mean(1000, 3000) and pixels[20, 20] == mean(1000, 1400) and pixels[39, 69] == 1000
    assert found.cells.shape == (3, 5)
    assert found.cells[0, 0] == 255 and found.cells[2, 4] == 0  # 0.24 of white is beyond the strongest mark
    assert found.cells[1, 1] == round(200 / 4095 / np.sqrt(2) / DISAGREED * 255)  # half of the cell
    assert found.p99 == round(1000 / 4095, 4)  # the cell is 9 % of the image


@pytest.mark.parametrize("share", [0.2, 0.5, 0.985, 1.0, 3.0])
def test_that_a_mark_is_as_strong_as_members_disagree_up_to_the_strongest(
    share: float, radiograph: MakeDecoded
) -> None:
    image, half = radiograph(32, 32).image, share * DISAGREED * 65535  # a deviation of this on either side of the mean
    one, other = (np.full((32, 32), round(32768 + side * half), np.uint16) for side in (-1, 1))
    found = disagreement(image, [one, other], 16)
    assert set(found.cells.ravel()) == {min(255, round(share * 255))}
    assert found.p99 == pytest.approx(share * DISAGREED, abs=1e-4)


def test_that_black_and_white_are_taken_for_a_quarter_of_a_value_from_their_ends(radiograph: MakeDecoded) -> None:
    image = radiograph(32, 32).image
    ends = [np.full((32, 32), value, np.uint16) for value in (0, 4095, 4095)]
    ratio = (4095 - 0.25) / 0.25
    wanted = round(4095 / (1 + ratio ** (-1 / 3)))
    assert (averaged(image, ends, 12) == wanted).all() and wanted < 4095


def test_that_members_that_agree_change_nothing_at_either_end_and_padding_is_left_out(radiograph: MakeDecoded) -> None:
    every = np.arange(4096, dtype=np.uint16).reshape(64, 64)
    image = radiograph(64, 64).image
    found = disagreement(image, [every] * 3, 12)
    assert np.array_equal(averaged(image, [every] * 3, 12), every) and found.p99 == 0 and not found.cells.any()
    hidden = replace(image, pixels=np.where(every < 4000, 0, 1).astype(np.uint16), padding=(0, 0))
    apart = np.where(every < 4000, every, 0).astype(np.uint16)
    assert not averaged(hidden, [every, apart], 12)[every < 4000].any()
    assert disagreement(hidden, [every, apart], 12).p99 > 0.4


def test_that_an_ensemble_enhances_as_its_members_do_and_says_so(
    joined: Path, members: list[Path], radiograph: MakeDecoded
) -> None:
    decoded = radiograph(300, 260)
    results = [enhanced(path, decoded) for path in members[:2]]
    both = enhanced(joined, decoded)
    each = [one.pixels for one in results]
    want, found = averaged(decoded.image, each, 12), disagreement(decoded.image, each, 12)
    assert np.abs(both.pixels - want.astype(int)).max() <= 1 and not np.array_equal(both.pixels, each[0])
    assert both.disagreement is not None and both.disagreement.p99 == found.p99 > 0
    assert both.recipe.sha256 == files.sha256(joined) and both.recipe.parameters.endswith("mean of 2 networks")
    assert both.marks is not None
    assert both.declared is not None and results[0].declared is not None
    assert guards.found(decoded.image, both).figures["unlike"] <= 1.01 / 4095
    made = Made(request=Request(item=Item(index=0, source="a")), input="0" * 64, decoded=decoded, enhanced=both)
    assert made.done().disagreement == found.p99


def test_that_members_that_disagree_near_white_make_what_their_mean_says(
    tmp_path: Path, radiograph: MakeDecoded
) -> None:
    card = Card(name="a map", network=named("map"), input_kind="any", normalisation=normalise.BY_PRESET.to_json())
    paths = [tmp_path / f"{gain}.safetensors" for gain in (5, 40)]
    for path, gain in zip(paths, (5, 40), strict=True):
        network = build(card.network).eval()
        (bias,) = [one for name, one in network.named_parameters() if name.endswith("gain.bias")]
        torch.nn.init.constant_(bias, np.log(gain) - map_form.GAIN)
        weights.save(path, network, card)
    ensemble.join(paths, tmp_path / "both.safetensors")
    decoded = radiograph(300, 260, padding=(0, 0))
    both = open_here(tmp_path / "both.safetensors", device="cpu", notice=lambda text: None).enhance(decoded)
    hole = decoded.image.pixels == 0
    assert hole.any() and not both.pixels[hole].any()
    assert np.count_nonzero(both.pixels == 4095) < both.pixels.size / 10
    assert both.declared is not None and guards.found(decoded.image, both).figures["unlike"] <= 1.01 / 4095


def test_that_its_file_names_its_members_and_holds_them_as_they_were(
    joined: Path, members: list[Path], tmp_path: Path
) -> None:
    card = registry.inspect(joined)
    assert card.members == tuple(files.sha256(path) for path in members[:2])
    assert [registry.read_bytes(joined, number) for number in (0, 1)] == [path.read_bytes() for path in members[:2]]
    kept = registry.keep(joined, "ours")
    assert kept.card.members == card.members and files.sha256(kept.path) == files.sha256(joined)
    assert ensemble.join(members[:2], tmp_path / "again.safetensors") == files.sha256(joined)
    with pytest.raises(ModelError, match="ensemble of 2 networks"):
        weights.load(joined)
    with pytest.raises(ModelError, match="no member 3"):
        registry.read_bytes(joined, 2)


def test_that_members_may_have_begun_from_models_of_other_images(members: list[Path], tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.safetensors" for name in ("first", "second")]
    for path, member, seen in zip(paths, members, (("ab", "ef"), ("ab", "cd")), strict=False):
        found = weights.load(member)
        start = cards.from_model(path.stem)
        weights.save(path, found.network, replace(found.card, start=start, data_sha256=seen))
    ensemble.join(paths, tmp_path / "both.safetensors")
    assert registry.inspect(tmp_path / "both.safetensors").data_sha256 == ("ab", "cd", "ef")


def test_that_a_member_that_is_gone_changed_or_another_kind_is_refused_in_words(
    members: list[Path], joined: Path, tmp_path: Path, radiograph: MakeDecoded
) -> None:
    target = tmp_path / "no.safetensors"

    def refused(*paths: Path, wanted: tuple[str, ...] = ()) -> str:
        with pytest.raises(ModelError) as caught:
            ensemble.join(paths, target, wanted=wanted)
        assert not target.exists() and caught.value.title == "Cannot make one model of these."
        return caught.value.detail

    assert refused(members[0], tmp_path / "gone") == "The file of member 2 is gone."
    assert refused(*members[:2], wanted=(files.sha256(members[0]), "0" * 64)).startswith("The model of member 2 is not")
    other = weights.load(members[1])
    weights.save(tmp_path / "raw", other.network, replace(other.card, input_kind="raw"))
    assert refused(members[0], tmp_path / "raw") == "Member 2 differs from the first in: input_kind."
    weights.save(tmp_path / "others", other.network, replace(other.card, data_sha256=("ab",)))
    assert refused(members[0], tmp_path / "others") == "Member 2 differs from the first in: images."
    scratch = replace(other.card, start="The network starts from scratch (random weights, seed 7).")
    weights.save(tmp_path / "seed", other.network, replace(scratch, data_sha256=("ab",)))
    assert refused(members[0], tmp_path / "seed") == "Member 2 differs from the first in: images."
    assert refused(members[0], members[0]) == "Two of its members are the same model."
    assert refused(members[0]).startswith("It has 1 members")
    assert refused(members[2], joined).startswith("Of member 2: It is an ensemble")
    changed = bytearray(members[1].read_bytes())
    changed[-9] ^= 1
    (tmp_path / "changed").write_bytes(changed)
    assert "Of member 2: Its content does not match" in refused(members[0], tmp_path / "changed")
    broken = bytearray(joined.read_bytes())
    broken[-9] ^= 1
    joined.write_bytes(broken)
    with pytest.raises(ModelError, match="damaged or changed"):
        enhanced(joined, radiograph(100, 90))


@pytest.mark.parametrize("gone", [False, True])
def test_that_a_member_that_is_replaced_while_it_is_read_becomes_no_part_of_a_model(
    gone: bool, members: list[Path], joined: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [Path(shutil.copy(path, tmp_path / f"member-{path.name}")) for path in members[:2]]
    before, seal = joined.read_bytes(), cards.seal

    def replaced(header: bytearray, rest: Iterable[memoryview]) -> None:
        seal(header, rest)
        paths[1].unlink() if gone else shutil.copy(members[2], paths[1])

    monkeypatch.setattr(cards, "seal", replaced)
    with pytest.raises(ModelError, match=r"member 2 is gone\." if gone else "member 2 was changed while it was read"):
        ensemble.join(paths, joined)
    assert joined.read_bytes() == before and not list(tmp_path.glob(".*.part"))


def test_that_its_card_says_what_holds_of_all_members_and_takes_over_no_verdict_on_one(
    members: list[Path], tmp_path: Path
) -> None:
    def recarded(number: int, **plan: object) -> Path:
        network, card = weights.load(members[number])
        made = replace(
            card,
            plan={"seed": 5, "epochs": 3, "member": number + 1, "weights": ("imagenet", "none")[number], **plan},
            seeds={"all": 5, "member": number + 1},
            comparison={"patients": [], "seen": []},
            licence=("", "ours", "theirs")[number],
            reviewed_by=f"a user ({number} of 9)",
            start=f"from scratch {number}",
        )
        weights.save(tmp_path / f"{number}.safetensors", network, made)
        return tmp_path / f"{number}.safetensors"

    ensemble.join([recarded(0), recarded(1)], tmp_path / "both.safetensors")
    card = registry.inspect(tmp_path / "both.safetensors")
    assert card.comparison == {} and (card.plan, card.seeds) == ({"seed": 5, "epochs": 3}, {"all": 5})
    assert (card.licence, card.reviewed_by) == ("ours", "a user (0 of 9); a user (1 of 9)")
    assert card.start == "from scratch 0; from scratch 1"
    with pytest.raises(ModelError, match="Member 2 differs from the first in: seed, epochs"):
        ensemble.join([recarded(0), recarded(1, seed=6, epochs=50)], tmp_path / "no.safetensors")


def test_that_a_card_of_a_single_model_says_nothing_of_members(members: list[Path]) -> None:
    card = cards.read(members[0])
    assert card.members == () and "members" not in card.to_json() and json.dumps(card.to_json())
