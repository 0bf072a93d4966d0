"""Power struggles: deal, stakes, play, aftermath, Power and the cards that touch them (rules 7.6, 8.0, 10.1)."""

import numpy as np
import pytest
from scenario import Scenario, asked, powers, scenario
from situations import MARCHES, PETITIONS, STRIKES

from dawn_env.state import PowerZone
from dawn_env.tables import FACE_COUNT, FACE_ID, FACE_RANK, FACE_SUIT, POWER_VALUE, SCORING_CARD, SPACES

pytestmark = pytest.mark.plain

BOTH_HELD = {"Poznan": (3, 0), "Lodz": (0, 3)}
ELITES = ["leader-elite"] * 4
"""Leaders nobody can use in Poland here: the country's only elite space is empty."""


def fight(democrat=(), communist=(), support=None, *actions, starter="C", dice=(), card=22, **extra) -> Scenario:
    """A struggle by the card's play with given hands of the dealt sizes, then actions (faces without prefix)."""
    support = BOTH_HELD if support is None else support
    chance = {"power_deal": {"D": democrat, "C": communist}, **extra.pop("chance", {})}
    game = scenario(f"{starter}: {card}", support, chance=chance, dice=dice, turn=extra.pop("turn", 8), **extra)
    return game.take(*powers(*actions))


def sizes(game: Scenario) -> tuple[int, int]:
    """Cards in the hands of Democrat and Communist."""
    return tuple(game.state.power_cards[2:].sum(axis=1).tolist())


# --- deck and deal -------------------------------------------------------------------------------


def test_deck():
    assert (FACE_COUNT.sum(), len(FACE_COUNT)) == (52, 20)
    by_suit = [int(FACE_COUNT[FACE_SUIT == suit].sum()) for suit in range(6)]
    assert by_suit == [6, 12, 12, 6, 12, 4]
    assert FACE_RANK[FACE_ID["leader-church"]] == 3 and FACE_RANK[FACE_ID["rally-1"]] == 1


def generated(support: dict, card=22, **extra) -> Scenario:
    """A struggle, started by the Communist, whose hands come from the generator."""
    game = scenario(f"C: {card} 26", support, turn=8, **extra)
    game.end_script()
    return game.take(f"card:{card}")


@pytest.mark.parametrize(("spaces", "cards"), [(0, 0), (1, 6), (2, 8), (5, 14), (12, 28)])
def test_cards_for_controlled_spaces(spaces, cards):
    support = {name: (9, 0) for name in SPACES[12 : 12 + spaces]}
    assert sizes(generated({**support, "Polish Writers": (0, 9)})) == (cards, 6)


@pytest.mark.parametrize(("in_play", "support", "hands", "zone"), [
    ([17], {}, (8, 4), "discard"),
    ([72], {}, (6, 6), "in_play"),
    ([72], {"Lublin": (4, 0)}, (9, 5), "in_play"),
    ([72], {"Erfurt": (4, 0)}, (6, 6), "in_play"),
    ([17, 72], {"Lublin": (4, 0)}, (11, 3), None),
    ([102], {}, (6, 6), "in_play"),
])  # fmt: skip
def test_cards_that_change_the_deal(in_play, support, hands, zone):
    game = generated({**BOTH_HELD, **support}, in_play=in_play)
    assert sizes(game) == hands
    assert zone is None or game.zone(in_play[0]) == zone


# --- play ----------------------------------------------------------------------------------------


def start(democrat, communist, *actions, **extra) -> Scenario:
    """A struggle without raises, the Communist attacking."""
    return fight(democrat, communist, extra.pop("support", None), "pass", "pass", *actions, **extra)


@pytest.mark.parametrize(("face", "rank"), [("march-6", 6), ("march-5", 5), ("march-4", 4), ("march-3", 3)])
def test_initiative_needs_the_rank_of_the_attack(face, rank):
    for die, attacker in ((rank, 0), (rank - 1, 1)):
        hand = [face, *STRIKES[:5]]
        game = start([*(["march-3"] * 2), *PETITIONS[:4]], hand, face, "march-3", dice=[die])
        assert (game.state.attacker, *asked(game)) == (attacker, "attack", "DC"[attacker])


@pytest.mark.parametrize(("suit", "answer"), [("rally", "rally-1"), ("petition", "petition-5")])
@pytest.mark.parametrize(("die", "attacker"), [(2, 1), (3, 0)])
def test_a_leader_has_rank_three_in_every_suit(suit, answer, die, attacker):
    hand = [answer, *MARCHES[:5]]
    game = start(hand, ["leader-worker", *STRIKES[:5]], "leader-worker")
    assert (*asked(game), game.legal) == (
        "suit", "C", ["suit:march", "suit:petition", "suit:rally", "suit:strike"]
    )  # fmt: skip
    game.script({"dice": [die]})
    game.take(f"suit:{suit}", f"power:{answer}")
    assert game.state.attacker == attacker


def test_support_surges_draws_what_is_left():
    """Ruling short-struggle-deck."""
    game = start(MARCHES, ["support-surges", *STRIKES[:5]], chance={"power_draws": ["rally-1"]})
    cards, rally = game.state.power_cards, FACE_ID["rally-1"]
    cards[PowerZone.DISCARD] += cards[PowerZone.DECK]
    cards[PowerZone.DECK] = 0
    cards[[PowerZone.DECK, PowerZone.DISCARD], rally] += [1, -1]
    game.take("power:support-surges")
    assert (sizes(game), asked(game)) == ((6, 6), ("attack", "D"))
    game.finish()


# --- aftermath -----------------------------------------------------------------------------------

AFTERMATH = {0: 0, 1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 4}
LEADS = {"rally-1": 2, "march-6": 0, "strike-6": 0, "petition-6": -2}


@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("face", LEADS)
def test_aftermath_table(face, die):
    support = {"Poznan": (9, 0), "Lodz": (0, 9)}
    defence = ["leader-student", "support-falters", "scare-tactics", "support-surges", "leader-church", "leader-worker"]
    game = fight(defence, [face, *ELITES, "leader-intellectual"], support, "pass", "pass", dice=[die, die])
    game.take("concede")  # the only usable card was led without asking
    points = AFTERMATH[min(7, max(0, die + LEADS[face]))]
    assert (game.support("Poznan"), game.vp, game.decision) == ((9 - points, 0), -points, "power")
    game.finish()


@pytest.mark.parametrize(("suit", "points"), [("rally", 3), ("petition", 1), ("march", 2)])
def test_a_leader_wins_with_the_suit_it_was_named(suit, points):
    support = {"Poznan": (9, 0), "Lodz": (0, 9)}
    game = fight(["support-falters", "scare-tactics", "support-surges", *ELITES[:3]],
                 ["leader-worker", *STRIKES[:5]], support, "pass", "pass", "leader-worker", dice=[4, 4])  # fmt: skip
    game.take(f"suit:{suit}")
    assert (game.support("Poznan"), game.vp) == ((9 - points, 0), -points)


@pytest.mark.parametrize(("die", "toppled"), [(3, False), (4, True)])
def test_a_roll_of_four_takes_power(die, toppled):
    game = fight(MARCHES, STRIKES, None, "pass", "pass", "march-6", starter="D", dice=[1, die])
    assert (game.decision == "power") != toppled
    assert game.zone(22) == ("removed" if toppled else "nowhere")
    assert game.state.power[1] == (0 if toppled else 1)
    if toppled:
        assert game.vp == 2  # the score of the country is even


# --- Power ---------------------------------------------------------------------------------------


def unopposed(country: int, scored: int, choice: str, **extra) -> Scenario:
    """Nobody holds a card and nothing is rolled above 1: only Power counts."""
    game = scenario(f"C: {SCORING_CARD[country]} 26 / D: 4", turn=8, dice=[1, 1], **extra)
    game.state.times_scored[country] = scored
    return game.take(f"card:{SCORING_CARD[country]}", choice)


@pytest.mark.parametrize("country", range(6))
@pytest.mark.parametrize("scored", [0, 1, 2])
def test_retained_power_pays_more_each_time(country, scored):
    game = unopposed(country, scored, "retain")
    assert game.vp == -POWER_VALUE[country] * (scored + 1)
    assert game.state.times_scored[country] == scored + 1
    assert game.zone(SCORING_CARD[country]) == "discard"
    assert game.state.power.tolist() == [1] * 6


def test_surrendered_power():
    game = unopposed(1, 2, "surrender")
    assert (game.vp, game.zone(22), game.state.power.tolist()) == (0, "removed", [1, 0, 1, 1, 1, 1])
    assert (game.state.power_cards[0] == FACE_COUNT).all()


# --- one test of victory -------------------------------------------------------------------------


def test_victory_is_tested_once_after_scoring():
    support = {"Poznan": (9, 0), "Lodz": (0, 3)}
    game = fight(MARCHES, STRIKES, support, "pass", "pass", "strike-6", dice=[1, 6], vp=-17)
    assert (game.vp, game.over) == (-20, False)
    kept, given = game.copy(), game
    given.take("surrender")
    assert (given.vp, given.over) == (-20, True)
    kept.step("retain")
    assert (kept.vp, kept.result) == (-23, "communist")


def test_last_struggle_counts_as_one_more_play():
    game = scenario("D: 26", turn=8, round=7, in_play=[104], dice=[1, 1], vp=5)
    game.state.times_scored[1] = 1
    game.take("event", "country:Poland", "retain")
    assert (game.vp, game.result, game.reason) == (-1, "communist", "new year's eve party")


def test_dealt_hands_use_the_whole_deck_again():
    game = generated({name: (9, 0) for name in SPACES[12:26]})
    total = game.state.power_cards.sum(axis=0)
    assert np.array_equal(total, FACE_COUNT) and sizes(game) == (32, 0)
