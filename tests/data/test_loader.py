"""Streaming prepared pairs."""

from __future__ import annotations

import threading
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import torch

from fullfield.data import prepared
from fullfield.data.loader import Batch, Loader
from fullfield.data.prepared import Item, Prepared
from fullfield.distribution.team import Team
from fullfield.errors import InputUnreadable
from fullfield.image.image import InputKind
from fullfield.image.normalise import DEFAULT
from fullfield.kernels import stored
from fullfield.kernels.stored import Stored

RAW, PROCESSED = InputKind.RAW, InputKind.PROCESSED


def make(folder: Path, shapes: list[tuple[int, int]], *, kinds: tuple[InputKind, ...] = (RAW,)) -> Prepared:
    """Pairs of noise. The inputs are of `kinds`; of two the second is two thirds of the first."""
    folder.mkdir(exist_ok=True)
    items = []
    for number, (rows, columns) in enumerate(shapes):
        key = f"{number + 1:016x}"
        plane = np.random.default_rng(number).random((rows, columns), np.float32)
        planes = zip(prepared.PARTS, (plane, plane / 2, plane / 1.5)[: len(kinds) + 1])
        hashes = tuple(prepared.save_plane(folder, key, part, one) for part, one in planes)
        items.append(
            Item(
                key=key,
                patient=number,
                rows=rows,
                columns=columns,
                mm_per_pixel=None,
                modality="",
                source_sha256=(key,),
                sha256=hashes,
                kinds=kinds,
            )
        )
    made = Prepared(
        folder=folder,
        size=None,
        input_kind="any" if len(kinds) > 1 else kinds[0],
        normalisation=DEFAULT.to_json(),
        reference="tests",
        simulated=True,
        items=tuple(items),
    )
    prepared.save(made)
    return prepared.load(folder)


def same(one: list[Batch], other: list[Batch]) -> bool:
    return len(one) == len(other) and all(
        a.shapes == b.shapes and torch.equal(a.x_NCHW, b.x_NCHW) and torch.equal(a.y_NCHW, b.y_NCHW)
        for a, b in zip(one, other, strict=True)
    )


@pytest.fixture
def pairs(tmp_path: Path) -> Prepared:
    return make(tmp_path, [(40, 50), (33, 70), (64, 64), (20, 90), (50, 40)])


def test_that_an_epoch_resumed_at_any_step_goes_on_as_it_would_have(pairs: Prepared) -> None:
    loader = Loader(pairs, pairs.items, batch=2, seed=4, vary=True)
    whole = list(loader.epoch(3))
    assert len(whole) == len(loader) == 3
    for first in range(3):
        assert same(list(loader.epoch(3, first=first)), whole[first:])


def test_that_epochs_differ_in_order_and_an_epoch_has_every_image_once(pairs: Prepared) -> None:
    loader = Loader(pairs, pairs.items, seed=1)
    orders = {tuple(batch.shapes[0] for batch in loader.epoch(number)) for number in range(8)}
    assert len(orders) > 3
    assert all(sorted(order) == sorted((item.rows, item.columns) for item in pairs.items) for order in orders)


def test_that_images_of_different_shape_share_a_batch_and_keep_their_pixels(pairs: Prepared) -> None:
    (batch,) = Loader(pairs, pairs.items, batch=5).epoch(0)
    assert batch.x_NCHW.shape == (5, 1, 64, 96)
    by_shape = {(item.rows, item.columns): item for item in pairs.items}
    for place, shape in enumerate(batch.shapes):
        x, y = pairs.load(by_shape[shape])
        assert np.array_equal(batch.x_NCHW[place, 0, : shape[0], : shape[1]].numpy(), x)
        assert np.array_equal(batch.y_NCHW[place, 0, : shape[0], : shape[1]].numpy(), y)


def test_that_mirroring_takes_input_and_reference_together(pairs: Prepared) -> None:
    loader = Loader(pairs, pairs.items[:1], seed=0, vary=True)
    x, y = pairs.load(pairs.items[0])
    seen = set()
    for epoch in range(20):
        (batch,) = loader.epoch(epoch)
        read = batch.x_NCHW[0, 0, :40, :50].numpy(), batch.y_NCHW[0, 0, :40, :50].numpy()
        mirrored = not np.array_equal(read[0], x)
        wanted = (x[:, ::-1], y[:, ::-1]) if mirrored else (x, y)
        assert np.array_equal(read[0], wanted[0])
        assert np.array_equal(read[1], wanted[1])
        seen.add(mirrored)
    assert seen == {True, False}


def test_that_an_image_with_both_inputs_is_seen_as_either_by_chance_and_the_same_when_resumed(tmp_path: Path) -> None:
    both = make(tmp_path, [(40, 50), (33, 70), (64, 64), (20, 90), (50, 40)], kinds=(RAW, PROCESSED))
    loader = Loader(both, both.items, batch=2, seed=4)
    by_shape = {(item.rows, item.columns): item for item in both.items}
    seen = set()
    for number in range(6):
        whole = list(loader.epoch(number))
        assert sum(len(batch.shapes) for batch in whole) == 5
        for first in range(len(whole)):
            resumed = list(loader.epoch(number, first=first))
            assert same(resumed, whole[first:])
            assert [batch.kinds for batch in resumed] == [batch.kinds for batch in whole[first:]]
        for batch in whole:
            for place, (shape, kind) in enumerate(zip(batch.shapes, batch.kinds, strict=True)):
                x, y = both.load(by_shape[shape], kind)
                assert np.array_equal(batch.x_NCHW[place, 0, : shape[0], : shape[1]].numpy(), x)
                assert np.array_equal(batch.y_NCHW[place, 0, : shape[0], : shape[1]].numpy(), y)
                seen.add((shape, kind))
    assert len(seen) == 10


def test_that_evaluation_sees_each_image_in_each_kind_of_input_as_it_is(tmp_path: Path) -> None:
    both = make(tmp_path, [(40, 50), (33, 70)], kinds=(RAW, PROCESSED))
    found = list(Loader(both, both.items, seed=4, vary=True).in_order())
    assert [batch.kinds for batch in found] == [(RAW,), (PROCESSED,)] * 2
    for batch, view in zip(found, prepared.views(both.items), strict=True):
        rows, columns = batch.shapes[0]
        assert np.array_equal(batch.x_NCHW[0, 0, :rows, :columns].numpy(), both.load(*view)[0])


def test_that_processed_inputs_alone_are_degraded_and_references_never(tmp_path: Path) -> None:
    for kind in (RAW, PROCESSED):
        data = make(tmp_path / kind, [(48, 64)] * 4, kinds=(kind,))
        degraded = 0
        for plain, varied in zip(
            epochs(Loader(data, data.items, seed=1)), epochs(Loader(data, data.items, seed=1, vary=True)), strict=True
        ):
            mirrored = not torch.equal(varied.y_NCHW, plain.y_NCHW)
            back = [x.flip(-1) if mirrored else x for x in (varied.x_NCHW, varied.y_NCHW)]
            assert torch.equal(back[1], plain.y_NCHW)
            degraded += not torch.equal(back[0], plain.x_NCHW)
        assert (degraded == 0) if kind is RAW else (8 < degraded < 24)


def test_that_degraded_inputs_are_the_same_when_an_epoch_is_resumed(tmp_path: Path) -> None:
    data = make(tmp_path, [(48, 64)] * 5, kinds=(PROCESSED,))
    loader = Loader(data, data.items, batch=2, seed=3, vary=True)
    whole = list(loader.epoch(2))
    assert same(list(Loader(data, data.items, batch=2, seed=3, vary=True).epoch(2, first=1)), whole[1:])
    assert not same(list(loader.epoch(3)), whole)


def epochs(loader: Loader) -> list[Batch]:
    return [batch for number in range(8) for batch in loader.epoch(number)]


def test_that_memory_does_not_grow_with_the_number_of_images(tmp_path: Path) -> None:
    many = make(tmp_path, [(200, 200)] * 60)
    for _ in Loader(many, many.items[:2]).epoch(0):  # what is imported and kept on first use
        pass
    tracemalloc.start()
    for _ in Loader(many, many.items).epoch(0):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    one_pair = 2 * 4 * 224 * 224
    assert peak < 12 * one_pair


def test_that_the_reading_thread_ends_with_a_loop_that_is_left_early(pairs: Prepared) -> None:
    batches = Loader(pairs, pairs.items).epoch(0)
    next(batches)
    batches.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "loader"]


def test_that_a_damaged_array_is_said_where_the_batches_are_used(pairs: Prepared) -> None:
    path = prepared.array_path(pairs.folder, pairs.items[0].key, "input")
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(InputUnreadable, match="input of image 00000000 is damaged"):
        list(Loader(pairs, pairs.items).in_order())


def test_that_a_missing_array_is_said_when_the_folder_is_opened(pairs: Prepared) -> None:
    prepared.array_path(pairs.folder, pairs.items[0].key, "reference").unlink()
    with pytest.raises(InputUnreadable, match="reference of image 00000000 is missing"):
        prepared.load(pairs.folder)


def test_that_batches_for_a_card_are_pinned_and_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = make(tmp_path, [(200, 224)] * 3)
    pinned: list[torch.Tensor] = []

    def pin(tensor: torch.Tensor) -> torch.Tensor:
        pinned.append(tensor.clone())
        return pinned[-1]

    monkeypatch.setattr(torch.Tensor, "pin_memory", pin)
    plain = list(Loader(pairs, pairs.items, batch=2, seed=4, vary=True).epoch(1))
    assert not pinned
    for_a_card = list(Loader(pairs, pairs.items, batch=2, seed=4, vary=True, pinned=True).epoch(1))
    assert same(plain, for_a_card)
    assert {id(one) for batch in for_a_card for one in (batch.x_NCHW, batch.y_NCHW)} == set(map(id, pinned))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_a_card_gets_pinned_batches(tmp_path: Path) -> None:
    pairs = make(tmp_path, [(200, 224)])
    (batch,) = Loader(pairs, pairs.items, pinned=True).in_order()
    assert batch.x_NCHW.is_pinned() and batch.y_NCHW.is_pinned()


def order(batches: list[list[Batch]]) -> list[list[tuple[int, int]]]:
    """The shapes of the images of each batch, of all ranks' shares in turn."""
    whole = []
    for shares in zip(*batches, strict=True):
        count = shares[0].whole
        whole.append([shares[place % len(shares)].shapes[place // len(shares)] for place in range(count)])
        assert [share.whole for share in shares] == [count] * len(shares)
        assert sum(len(share.shapes) for share in shares) == count
        assert len({share.x_NCHW.shape[2:] for share in shares if share.shapes}) == 1, "padded as in one process"
    return whole


@pytest.mark.parametrize("batch", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_that_the_shares_of_all_ranks_are_the_batches_of_one_in_their_order(
    pairs: Prepared, size: int, batch: int
) -> None:
    loader = Loader(pairs, pairs.items, batch=batch, seed=4, vary=True)
    alone = [list(one.shapes) for one in loader.epoch(3)]
    assert sorted(shape for shapes in alone for shape in shapes) == sorted(
        (item.rows, item.columns) for item in pairs.items
    )
    assert order([list(loader.epoch(3, images=Team(rank, size).images)) for rank in range(size)]) == alone
    assert order([list(loader.epoch(3, first=1, images=Team(rank, size).images)) for rank in range(size)]) == alone[1:]


def test_that_an_image_varies_the_same_whichever_rank_has_it(pairs: Prepared) -> None:
    def planes(batches: list[Batch]) -> dict[tuple[int, int], torch.Tensor]:
        return {
            shape: batch.x_NCHW[place, 0, : shape[0], : shape[1]]
            for batch in batches
            for place, shape in enumerate(batch.shapes)
        }

    loader = Loader(pairs, pairs.items, batch=2, seed=4, vary=True)
    alone = planes(list(loader.epoch(1)))
    shares = planes([batch for rank in range(2) for batch in loader.epoch(1, images=Team(rank, 2).images)])
    assert alone.keys() == shares.keys() and all(torch.equal(alone[shape], shares[shape]) for shape in alone)


def test_that_a_rank_without_an_image_has_an_empty_batch_as_often_as_the_others_have_one(pairs: Prepared) -> None:
    loader = Loader(pairs, pairs.items, batch=2, seed=4)
    *full, last = loader.epoch(0, images=Team(1, 2).images)
    assert [len(batch.shapes) for batch in full] == [1, 1]
    assert (last.shapes, last.whole, last.x_NCHW.numel(), last.y_NCHW.numel()) == ((), 1, 0, 0)


def test_that_images_are_dealt_by_portions(pairs: Prepared) -> None:
    loader = Loader(pairs, pairs.items, batch=4, seed=4)
    (whole, _), *shares = (
        [batch.shapes for batch in loader.epoch(2, images=team.images)]
        for team in (Team(), *(Team(rank, 2).portioned((3, 1)) for rank in range(2)))
    )
    assert shares == [[whole[:3], loader_last(loader)], [whole[3:], ()]]


def loader_last(loader: Loader) -> tuple[tuple[int, int], ...]:
    *_, last = loader.epoch(2)
    return last.shapes


def test_that_ranks_look_at_each_image_once_in_an_evaluation(pairs: Prepared) -> None:
    loader = Loader(pairs, pairs.items)
    alone = [batch.shapes[0] for batch in loader.in_order()]
    shares = [[batch.shapes[0] for batch in loader.in_order(Team(rank, 2).images)] for rank in range(2)]
    assert shares == [alone[::2], alone[1::2]] and loader.images == len(alone) == 5


@pytest.mark.parametrize("batch", [1, 3])
def test_that_images_as_they_are_stored_have_the_same_values_in_half_the_bytes(tmp_path: Path, batch: int) -> None:
    data = make(tmp_path, [(400, 500), (330, 700), (640, 640), (200, 900)], kinds=(PROCESSED,))
    loader = Loader(data, data.items, batch=batch, seed=4, vary=True)
    some = {epoch: (list(loader.epoch(epoch)), list(loader.epoch(epoch, kept=(True, True)))) for epoch in range(3)}
    several = 0
    for floats, kept in some.values():
        for one, other in zip(floats, kept, strict=True):
            assert isinstance(other.x_NCHW, Stored) and isinstance(other.y_NCHW, Stored)
            assert torch.equal(other.x_NCHW.rows(0, other.x_NCHW.shape[2]), stored.values(one.x_NCHW))
            assert torch.equal(stored.values(other.y_NCHW), stored.values(one.y_NCHW))
            assert 2 * other.x_NCHW.levels_NCHW.nbytes == stored.tensors(one.x_NCHW)[0].nbytes
            assert len(other.y_NCHW.tables) == 1
            several += len(other.x_NCHW.tables) == batch and not torch.equal(other.x_NCHW.tables, other.y_NCHW.tables)
    assert several, "no image was degraded, which is what tables of their own are for"
