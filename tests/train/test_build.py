"""From a spec to the things that train."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from fullfield import heap, system
from fullfield.distribution.team import Team
from fullfield.errors import InputRefused, ModelError, UsageError
from fullfield.hardware import devices
from fullfield.image.image import InputKind
from fullfield.memory.account import MemoryEstimate
from fullfield.model import weights
from fullfield.model.card import Card
from fullfield.model.spec import named
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import Notice
from fullfield.techniques.checkpointing import Checkpointing
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Site
from fullfield.train import build, data_report, job, result, resumed, shared
from fullfield.train.checkpoint_file import Checkpoint
from fullfield.train.state import Progress
from teams import together
from training import FakeContext, prepared_phantoms

SPEC = TrainSpec(data="-", size=192, encoder="resnet18", weights="none", device="cpu", seed=3)


def test_that_one_core_is_left_to_the_window_unless_threads_are_named() -> None:
    assert build.threads(SPEC) == (system.spare_cores(),)
    assert build.threads(TrainSpec(data="-", threads=5), 2) == (5, 5)


def test_that_no_patient_is_in_both_parts(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path, 10, rows=192, columns=192)
    parts = build.parts(SPEC, data)
    assert (len(parts.training), len(parts.validation)) == (8, 2)
    assert not {item.patient for item in parts.training} & {item.patient for item in parts.validation}
    assert len(parts.train) == 8


def test_that_a_card_names_the_images_that_were_learned_from_and_what_is_held_back_alone_is_said(
    tmp_path: Path,
) -> None:
    data = prepared_phantoms(tmp_path, 5, rows=192, columns=176)
    held = {item.key for item in build.parts(SPEC, data).validation}
    other = {"modality": "MG", "kinds": tuple(InputKind), "rows": 400, "mm_per_pixel": 0.1}
    items = tuple(replace(item, **other) if item.key in held else item for item in data.items)
    mixed = replace(data, items=items, input_kind="any")
    parts, context = build.parts(SPEC, mixed), FakeContext(tmp_path / "run")
    data_report.tell(mixed, parts, context, batch=1)
    said = [event.text for event in context.reported(Notice) if event.level == "warning"]
    assert [text.partition(" are only among")[0] for text in said] == [
        "Images with processed input",
        "Images of the modality MG",
    ]
    state: Any = SimpleNamespace(
        network=SimpleNamespace(spec=named("resnet18")), progress=Progress(), start="", seen=()
    )
    card = result.card(SPEC, mixed, parts, state, None, ())
    assert (card.modalities, card.input_kind, card.name) == (("DX",), "raw", "resnet18-raw-192")
    assert (card.long_side, card.mm_per_pixel, card.images) == (192, 0.2, 4)


def test_that_a_batch_that_is_larger_than_the_set_is_told(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path, 5, rows=192, columns=176)
    parts = build.parts(SPEC, data)
    for batch, told in ((4, []), (5, ["A batch of 5 is larger than the set: an update has 4 images"])):
        context = FakeContext(tmp_path / str(batch))
        data_report.tell(data, parts, context, batch=batch)
        texts = [event.text for event in context.reported(Notice)]
        assert [text.partition(", and")[0] for text in texts if "batch" in text] == told


@pytest.mark.parametrize(
    ("real", "said"),
    [
        (0, "raw-like input simulated from processed images"),
        (1, "raw input, and raw-like input simulated from processed images"),
        (5, "raw input"),
    ],
)
def test_that_raw_input_is_told_as_simulated_where_it_is(real: int, said: str, tmp_path: Path) -> None:
    data, context = prepared_phantoms(tmp_path, 5, rows=192, columns=176), FakeContext(tmp_path / "run")
    items = tuple(replace(item, simulated=place >= real) for place, item in enumerate(data.items))
    mixed = replace(data, items=items, simulated=real == 0)
    data_report.tell(mixed, build.parts(SPEC, mixed), context, batch=1)
    assert context.reported(Notice)[0].text.split("; ")[1] == said


@pytest.mark.parametrize(
    ("sides", "batch", "wanted"),
    [
        ([(320, 384), (384, 320)], 1, ((320, 384), 1)),
        ([(320, 384), (384, 320)], 2, ((384, 384), 2)),
        ([(1024, 2048), (2048, 1536)], 1, ((1536, 2048), 1)),
        ([(300, 200)], 1, ((320, 224), 1)),
        ([(300, 200)], 9, ((320, 224), 1)),
    ],
)
def test_that_a_step_is_planned_for_the_largest_images_that_there_are(
    sides: list[tuple[int, int]], batch: int, wanted: tuple[tuple[int, int], int], tmp_path: Path
) -> None:
    data = prepared_phantoms(tmp_path, len(sides), rows=192, columns=192)
    items = (replace(item, rows=one[0], columns=one[1]) for item, one in zip(data.items, sides, strict=True))
    found = build.largest_step(replace(SPEC, batch=batch), replace(data, items=tuple(items)))
    assert found == wanted
    assert build.largest_step(replace(SPEC, batch=9), data, training=1)[1] == 1


@pytest.mark.parametrize("part", ["training", "validation"])
def test_that_rows_are_not_divided_among_more_processes_than_the_lowest_image_has_parts(
    part: str, tmp_path: Path
) -> None:
    data = prepared_phantoms(tmp_path, 5, rows=256, columns=96)
    low = getattr(build.parts(SPEC, data), part)[0].key
    mixed = replace(data, items=tuple(replace(one, rows=90) if one.key == low else one for one in data.items))
    spec = replace(SPEC, techniques=("banded_loss", "spatial"))
    with pytest.raises(UsageError, match=r"Images of 96 rows are divided into 3 parts at most, not 4\."):
        build.state(spec, devices.choose("cpu"), mixed, notice=lambda _: None, team=Team(2, 4))
    for among, images in ((3, mixed), (4, data)):
        assert build._possible(spec, devices.choose("cpu"), images, Team(2, among))


def test_that_weights_of_another_program_keep_no_patient_from_a_comparison(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", 20, rows=192, columns=192)
    weights = tmp_path / "theirs.pth"
    spec = replace(SPEC, compare=True, weights=str(weights))
    with pytest.raises(ModelError, match="Cannot use the model file"):
        build.parts(spec, data)
    torch.save({"weight": torch.ones(3)}, weights)
    parts = build.parts(spec, data)
    assert parts.learned == frozenset() and parts.apart == build.parts(replace(spec, weights="none"), data).apart


def test_that_one_patient_cannot_be_split(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="1 patients"):
        build.parts(SPEC, prepared_phantoms(tmp_path, 1, rows=192, columns=192))


def test_that_the_same_seed_builds_the_same_network_and_says_its_weights(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path, 2, rows=192, columns=192)
    said: list[str] = []
    one, other = (build.state(SPEC, devices.choose("cpu"), data, notice=said.append) for _ in range(2))
    assert "from scratch (random weights, seed 3)" in said[0]
    first, second = one.network.state_dict(), other.network.state_dict()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_that_a_training_in_bands_alone_gives_blocks_back_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = prepared_phantoms(tmp_path, 2, rows=192, columns=192)
    asked: list[tuple[str, int]] = []
    for name in ("hybrid_bands", "full_bands", "recompute"):
        monkeypatch.setattr(heap, "give_back_at_once", lambda pixels, name=name: asked.append((name, pixels)))
        build.state(replace(SPEC, techniques=("banded_loss", name)), devices.choose("cpu"), data, notice=lambda _: None)
    pixels = SPEC.batch * 192 * 192
    assert asked == [("hybrid_bands", pixels), ("full_bands", pixels)], (
        "whole maps leave few holes, and clearing them takes time"
    )


def test_that_momentum_and_plain_networks_begin_from_models_of_their_own_kind_alone(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path, 2, rows=192, columns=192)
    plain, momentum = SPEC, replace(SPEC, techniques=("momentum",))
    made = list[str]()
    for spec in (plain, momentum):
        network = build.state(spec, devices.choose("cpu"), data, notice=lambda _: None).build.network
        made.append(str(tmp_path / f"{len(made)}.safetensors"))
        weights.save(Path(made[-1]), network, Card(name="a model", network=network.spec))
    for spec, own, other in ((plain, *made), (momentum, *reversed(made))):
        found = build.state(replace(spec, weights=own), devices.choose("cpu"), data, notice=lambda _: None)
        assert found.start == "The network starts from the weights of the model a model."
        with pytest.raises(ModelError, match=r"U-Net resnet18 with momentum 0\.9"):
            build.state(replace(spec, weights=other), devices.choose("cpu"), data, notice=lambda _: None)


def test_that_a_plan_is_looked_for_once_and_a_fault_there_is_no_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def with_plan(self: Checkpointing, before: MemoryEstimate, site: Site) -> Checkpointing:
        seen.append(bool(site.costs.facts.weights))
        raise KeyError("a fault")

    monkeypatch.setattr(Checkpointing, "with_plan", with_plan)
    data = prepared_phantoms(tmp_path, 2, rows=192, columns=192)
    spec = replace(SPEC, techniques=("checkpointing:by=optimal",))
    with pytest.raises(KeyError, match="a fault"):
        build.state(spec, devices.choose("cpu"), data, notice=lambda _: None)
    assert seen == [True], "with the costs of the network at once"


def test_that_a_training_on_the_cpu_computes_the_same_from_the_same_and_in_fp32_everywhere() -> None:
    with devices.computing_alike("cuda"):
        build.set_up(devices.choose("cpu"), 1)
        assert torch.are_deterministic_algorithms_enabled()
        assert not torch.backends.cudnn.allow_tf32 and not torch.backends.cuda.matmul.allow_tf32
        assert torch.get_num_threads() == 1


@pytest.mark.parametrize(
    "texts", [("data_parallel", "checkpointing:by=optimal"), ("banded_loss", "model_parallel")], ids="+".join
)
def test_that_the_plan_that_rank_0_finds_is_that_of_all(
    texts: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = prepared_phantoms(tmp_path, 2, rows=192, columns=192)
    spec = replace(SPEC, batch=2, techniques=texts)
    kept, asked = build.costing.kept, list[str]()

    def of_rank_0(*given: Any) -> Costing:
        asked.append(threading.current_thread().name)
        return kept(*given)

    monkeypatch.setattr(build.costing, "kept", of_rank_0)
    device = devices.choose("cpu")
    first, second = together(2, lambda team: build._possible(spec, device, data, team))
    assert asked == ["rank 0"] and list(map(str, first)) == list(map(str, second))
    assert not any(one.needs_plan and str(one) in texts for one in first), "it was found"


def test_that_the_process_of_a_card_has_one_core_and_those_on_the_cpu_have_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(system, "spare_cores", lambda: 9)
    both = replace(SPEC, device="cuda:0,cpu")
    assert [build.threads(both, ranks) for ranks in (1, 2, 4)] == [(9,), (1, 8), (1, 3, 1, 3)]
    assert build.threads(replace(SPEC, device="cuda:0,cuda:1"), 2) == (4, 4)
    assert build.threads(replace(SPEC, device="cpu"), 2) == (4, 4)


@pytest.mark.parametrize(("ranks", "threads", "found"), [(2, 0, [9]), (2, 3, [3]), (1, 0, [])])
def test_that_what_is_left_to_do_when_the_other_ranks_have_ended_has_their_cores(
    ranks: int, threads: int, found: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[int] = []

    def with_so_many(*_: object) -> None:
        assert computed == found, "the 8-bit model is made with them"

    monkeypatch.setattr(system, "spare_cores", lambda: 9)
    monkeypatch.setattr(devices, "compute_with", computed.append)
    monkeypatch.setattr(job, "_int8", with_so_many)
    for name, made in (("card", None), ("export", ("", "")), ("summary", {})):
        monkeypatch.setattr(job.result, name, lambda *_, made=made: made)
    asked = replace(SPEC, device="cuda:0,cpu", threads=threads)
    state = SimpleNamespace(build=SimpleNamespace(as_result=()), weights=dict)
    given = (asked, None, None, state, (), SimpleNamespace(folder=None), SimpleNamespace(folder=None))
    assert job._results(*given, Team(0, ranks)) == {} and computed == found  # type: ignore[arg-type]
    assert ranks == 1 or job._results(*given, Team(1, ranks)) is None  # type: ignore[arg-type]


def test_that_the_rank_of_a_card_computes_with_its_own_core_and_that_of_the_cpu_with_the_others_also_gone_on_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class SetUp(Exception):
        pass

    def set_up(device: object, count: int) -> None:
        raise SetUp(count)

    monkeypatch.setattr(system, "spare_cores", lambda: 9)
    monkeypatch.setattr(devices, "choose", lambda device, *, rank: SimpleNamespace(name="cpu", why=""))
    monkeypatch.setattr(build, "set_up", set_up)
    monkeypatch.setattr(resumed, "refuse_others", lambda *_, **__: None)
    asked, context = replace(SPEC, device="cuda:0,cpu"), SimpleNamespace(emit=lambda event: None)
    of_two, of_one = ({"threads": 8, "ranks": 2}, {"threads": 4, "ranks": 1})
    earlier = {"threads": 4}  # of a version that did not say how many there were
    for fields, team, count in (
        *((given, Team(rank, 2), own) for given in (None, of_two, of_one, earlier) for rank, own in enumerate((1, 8))),
        (None, Team(0, 1), 9),
        (of_two, Team(0, 1), 9),  # those of several say nothing of one
        (of_one, Team(0, 1), 4),  # as many as it had, whatever computer it was on
        (earlier, Team(0, 1), 4),
    ):
        found = None if fields is None else Checkpoint(tensors={}, fields=fields)
        monkeypatch.setattr(shared, "newest", lambda *_, found=found: found)
        with pytest.raises(SetUp, match=f"^{count}$"):
            job._state(asked, None, None, context, team)  # type: ignore[arg-type]
