"""Every card has a text, and the texts agree with the declarations."""

import re

import pytest
from paths import DATA
from tables import table

from dawn_env.cards.card_text import card_text, condition_text, effect_text, stay_text
from dawn_env.cards.declarations import EVENTS
from dawn_env.cards.event_verbs import Opcode, event
from dawn_env.tables import CARD_TITLES, SPACES, C

CARDS = range(1, C)


def test_every_card_has_a_text():
    for card in range(1, C):
        text = card_text(card)
        assert text.startswith(f"{card} {CARD_TITLES[card]}: ")
        assert len(effect_text(card)) > 15 and effect_text(card).endswith("."), card


def verbs(card):
    return EVENTS.get(card, event("")).verbs


def test_exactly_the_cards_that_stay_in_play_say_how_long():
    assert {card for card in CARDS if stay_text(card)} == {
        card for card in CARDS if Opcode.STAY in [verb.opcode for verb in verbs(card)]
    }


@pytest.mark.parametrize("card", CARDS)
def test_cards_are_referred_to_by_their_titles(card):
    for match in re.finditer(r"\((\d+)\)", effect_text(card) + condition_text(card)):
        before = (effect_text(card) + condition_text(card))[: match.start()]
        assert before.endswith(CARD_TITLES[int(match[1])] + " ")


@pytest.mark.parametrize("card", CARDS)
def test_numbers_and_spaces_of_the_table_are_told(card):
    text = effect_text(card)
    for verb in verbs(card):
        if 1 < len(verb.region.spaces) < 10 and not verb.region.bound and "spaces" not in verb.region.text:
            assert verb.region.text in text
        if len(verb.region.spaces) == 1:
            assert SPACES[next(iter(verb.region.spaces))] in text
        if verb.cap:
            assert f"at most {verb.cap} in a space" in text


@pytest.mark.parametrize(("card", "text"), table(DATA / "card_texts.txt"))
def test_examples(card, text):
    assert effect_text(int(card)) == text
