"""Every card has a text, and the texts agree with the table of events."""

import re

import pytest

from dawn_env.cards.effects import STAY
from dawn_env.cards.events import EVENTS, STAYING
from dawn_env.cards.text import LASTING, all_texts, card_text, condition_text, effect_text
from dawn_env.tables import CARD_TITLES, SPACES, C

CARDS = range(1, C)


def test_every_card_has_a_text():
    for card, text in all_texts().items():
        assert text.startswith(f"{card} {CARD_TITLES[card]}: ")
        assert len(effect_text(card)) > 15 and effect_text(card).endswith("."), card
        assert max(map(len, text.splitlines())) <= 100


def test_exactly_the_cards_that_stay_in_play_have_a_lasting_effect():
    assert set(LASTING) == {card for card in CARDS if STAY in [verb.opcode for verb in EVENTS.get(card, ())]}
    assert set(LASTING) <= STAYING


@pytest.mark.parametrize("card", CARDS)
def test_cards_are_referred_to_by_their_titles(card):
    for match in re.finditer(r"\((\d+)\)", effect_text(card) + condition_text(card)):
        before = (effect_text(card) + condition_text(card))[: match.start()]
        assert before.endswith(CARD_TITLES[int(match[1])] + " ")


@pytest.mark.parametrize("card", CARDS)
def test_numbers_and_spaces_of_the_table_are_told(card):
    text = effect_text(card)
    for verb in EVENTS.get(card, ()):
        if 1 < len(verb.region.spaces) < 10 and not verb.region.bound and "spaces" not in verb.region.text:
            assert verb.region.text in text
        if len(verb.region.spaces) == 1:
            assert SPACES[next(iter(verb.region.spaces))] in text
        if verb.cap:
            assert f"at most {verb.cap} in a space" in text


@pytest.mark.parametrize(
    ("card", "text"),
    [
        (7, "Remove 4 points anywhere, at most 2 in a space."),
        (16, "Choose, either: Place 3 points in elite spaces. Or: All Democratic points leave elite spaces."),
        (47, "The Communist gains 2 VP. All Democratic points leave Razgrad."),
        (51, "If the Communist leads in VP: Place 4 points in East Germany. The Communist gains 1 VP. "
             "Otherwise: Place 2 points in East Germany. The Communist gains 1 VP."),
        (88, "Roll a die and subtract the number of Democrat-controlled spaces (worker spaces in Czechoslovakia); "
             "go on only with 3 or more. Place 4 points in Czechoslovakia, at most 2 in a space."),
    ],
)  # fmt: skip
def test_examples(card, text):
    assert effect_text(card) == text


def test_conditions_are_told():
    assert "can occur only once Solidarity Legalized (2) has occurred" in " ".join(card_text(3).split())
    assert condition_text(4) == ""
