"""Cards by name, for plans on machines that do not have them."""

from __future__ import annotations

import pytest

from fullfield.errors import UsageError
from fullfield.hardware import cards


@pytest.mark.parametrize("name", ["RTX 2060", "rtx2060", "NVIDIA GeForce RTX 2060", "GeForce-RTX-2060"])
def test_that_a_card_is_found_however_its_name_is_written(name: str) -> None:
    card = cards.find(name)
    assert (card.title, card.total_bytes, card.capability) == ("RTX 2060", 6 * cards.GIB, (7, 5))


def test_that_every_card_is_found_by_its_own_title_and_none_is_listed_twice() -> None:
    assert [cards.find(card.title) for card in cards.CARDS] == list(cards.CARDS)


def test_that_an_unknown_card_is_met_with_the_nearest_one_or_with_another_way_to_ask() -> None:
    with pytest.raises(UsageError, match="RTX 2060") as caught:
        cards.find("RTX 2061")
    assert caught.value.hint == "Did you mean 'RTX 2060'?"
    with pytest.raises(UsageError) as caught:
        cards.find("abacus")
    assert "--gpu 8GiB" in caught.value.hint  # see `test_that_a_card_is_planned_for_by_its_memory_alone_as_an_estimate`


@pytest.mark.parametrize(
    ("asked", "advice"), [("Foo 1 x4", '--cards "8GiB x4"'), ("RTX 2070, Foo 1", '--cards "8GiB"')]
)
def test_that_an_unknown_card_of_a_list_is_met_with_how_a_list_says_its_memory(asked: str, advice: str) -> None:
    with pytest.raises(UsageError, match="'Foo 1' is not known") as caught:
        cards.several(asked)
    assert caught.value.hint == f"Give its memory instead: {advice}."
    assert cards.several(advice.split('"')[1])


@pytest.mark.parametrize("asked", ["GTX 1650 x4", "8GiB x4", "RTX 2070, GTX 1650", "RTX 2070, cpu"])
def test_that_several_cards_in_the_place_of_one_are_met_with_the_option_of_several(asked: str) -> None:
    with pytest.raises(UsageError) as caught:
        cards.find(asked)
    assert caught.value.hint == f'Name several by --cards "{asked}".'
    assert len(cards.several(asked)) > 1


@pytest.mark.parametrize("asked", ["RTX 2070 x0", "RTX 2070 x65", "8GiB x100", "GTX 1650, RTX 2070 x999999999"])
def test_that_more_cards_than_train_together_are_met_with_how_many_do(asked: str) -> None:
    with pytest.raises(UsageError, match="Name from 1 to 64"):
        cards.several(asked)


def test_that_a_list_of_cards_on_two_lines_is_read_as_one_with_spaces() -> None:
    assert [card.title for card in cards.several("RTX 2070,\n GTX\n1650 x2\n")] == ["RTX 2070", "GTX 1650", "GTX 1650"]
    with pytest.raises(UsageError, match="'RTX 2070 GTX 1650' is not known"):
        cards.several("RTX 2070\nGTX 1650")


@pytest.mark.parametrize(("number", "title"), [("4090", "RTX 4090"), (" 2060 ", "RTX 2060")])
def test_that_a_number_without_a_unit_is_no_memory_and_is_met_with_the_nearest_card(number: str, title: str) -> None:
    with pytest.raises(UsageError, match="is not known") as caught:
        cards.find(number)
    assert caught.value.hint == f"Did you mean {title!r}?"
    assert cards.find("8 GiB").total_bytes == 8 * cards.GIB
