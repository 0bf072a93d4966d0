"""Power struggles: deal, stakes, play, aftermath, Power and the cards that touch them (rules 7.6, 8.0, 10.1)."""

import numpy as np
import pytest
from scenario import Scenario, asked, powers, scenario
from situations import MARCHES, PETITIONS, RALLIES, STRIKES

from dawn_env.state import PowerZone
from dawn_env.tables import COUNTRIES, FACE_COUNT, FACE_ID, FACE_RANK, FACE_SUIT, POWER_VALUE, SCORING_CARD, SPACES

pytestmark = pytest.mark.plain

DEMOCRAT_HELD = {"Poznan": (3, 0)}
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


def faces(game: Scenario) -> set[str]:
    """Legal faces and words."""
    return {text.removeprefix("power:") for text in game.legal}


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


def test_national_salvation_front_in_the_balkans():
    game = generated({"Iasi": (3, 0), "Brasov": (0, 3)}, in_play=[102], card=95)
    assert (sizes(game), game.zone(102)) == ((4, 8), "removed")


def test_order_17_72_102():
    """Ruling order-of-struggle-cards."""
    support = {"Iasi": (3, 0), "Craiova": (4, 0), "Brasov": (0, 3)}
    game = generated(support, in_play=[17, 72, 102], card=95)
    assert sizes(game) == (8 + 2 + 1 - 2, 6 - 2 - 1 + 2)


def test_national_salvation_front_is_spent_without_victim():
    game = generated({"Brasov": (0, 3)}, in_play=[102], card=95)
    assert (sizes(game), game.zone(102)) == ((0, 6), "removed")


def test_roundtable_talks_is_spent_without_victim():
    game = generated({"Poznan": (3, 0)}, in_play=[17])
    assert game.zone(17) == "discard"


def test_peasant_parties_revolt_is_removed_unused():
    game = fight(MARCHES, RALLIES, None, "pass", "pass", in_play=[72], dice=[1, 1])
    assert (game.decision, game.zone(72)) == ("power", "in_play")
    assert game.take("retain").zone(72) == "removed"


# --- stakes --------------------------------------------------------------------------------------


def test_the_starter_decides_on_stakes_first():
    game = fight(MARCHES, STRIKES)
    assert (*asked(game), faces(game)) == ("stakes", "C", {*STRIKES, "pass"})
    game.take("pass")
    assert (*asked(game), faces(game)) == ("stakes", "D", {*MARCHES, "pass"})
    assert asked(fight(MARCHES, STRIKES, starter="D")) == ("stakes", "D")


def test_a_raise_takes_exactly_three_cards():
    game = fight(MARCHES, STRIKES, None, "strike-6")
    assert "pass" not in faces(game)
    game.take(*powers("strike-6", "strike-5"))
    assert (sizes(game), game.state.raised.tolist(), *asked(game)) == ((6, 3), [0, 1], "stakes", "D")


def test_a_raise_takes_the_rest_of_a_hand_of_three():
    """Ruling raise-takes-the-rest."""
    support = {**BOTH_HELD, "Lublin": (4, 0)}
    game = fight([*MARCHES, *RALLIES[:5]], STRIKES[:3], support, "strike-6", in_play=[17, 72])
    assert (sizes(game), game.state.raised.tolist(), *asked(game)) == ((11, 0), [0, 1], "stakes", "D")


def test_both_raises_count_for_both_rolls():
    hand = [*MARCHES[:3], "march-3", "march-3", "march-3"]
    raises = ("strike-6", "strike-6", "strike-5", "march-6", "march-6", "march-5")
    game = fight(hand, STRIKES, {"Poznan": (4, 0), "Lodz": (0, 3)}, *raises, "strike-5", dice=[2, 2])
    assert game.state.raised.tolist() == [1, 1]
    assert (asked(game), game.vp, game.support("Poznan")) == (("power", "C"), -2, (2, 0))


# --- play ----------------------------------------------------------------------------------------


def start(democrat, communist, *actions, **extra) -> Scenario:
    """A struggle without raises, the Communist attacking."""
    return fight(democrat, communist, extra.pop("support", None), "pass", "pass", *actions, **extra)


def test_attacker_may_not_concede_and_leaders_need_their_space():
    game = start(MARCHES, ["leader-elite", "leader-worker", "strike-3", "tactic-fails", "rally-1", "support-surges"])
    assert (*asked(game), faces(game)) == ("attack", "C", {"leader-worker", "strike-3", "rally-1", "support-surges"})


def test_defender_matches_the_suit_or_concedes():
    hand = ["strike-6", "march-6", "leader-worker", "leader-elite", "tactic-fails", "scare-tactics"]
    game = start(hand, ["strike-6", *STRIKES[2:], "strike-3"], "strike-6")
    assert (*asked(game), faces(game)) == ("defend", "D", {"strike-6", "leader-worker", "tactic-fails", "concede"})


def test_defender_without_a_match_may_only_concede():
    game = start(MARCHES, STRIKES, "strike-6", dice=[1, 1])
    assert asked(game) == ("power", "C")
    assert (game.state.winner, game.state.winning_suit) == (1, FACE_SUIT[FACE_ID["strike-6"]])


@pytest.mark.parametrize(("face", "rank"), [("march-6", 6), ("march-5", 5), ("march-4", 4), ("march-3", 3)])
def test_initiative_needs_the_rank_of_the_attack(face, rank):
    for die, attacker in ((rank, 0), (rank - 1, 1)):
        hand = [face, *STRIKES[:5]]
        game = start([*(["march-3"] * 2), *PETITIONS[:4]], hand, face, "march-3", dice=[die])
        assert (game.state.attacker, *asked(game)) == (attacker, "attack", "DC"[attacker])


def test_matching_a_rally_needs_no_die():
    game = start(RALLIES[:1] + PETITIONS[:5], RALLIES[:2] + STRIKES[:4], "rally-1", "rally-1")
    assert asked(game) == ("attack", "D")


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


def test_tactic_fails_blocks_the_suit_for_both():
    hand = ["strike-6", "strike-5", "leader-worker", "march-3", "march-4", "rally-1"]
    game = start(["tactic-fails", *MARCHES[:5]], hand, "strike-6", "tactic-fails")
    assert (*asked(game), faces(game)) == ("attack", "C", {"leader-worker", "march-3", "march-4", "rally-1"})
    assert game.take("power:leader-worker").legal == ["suit:march", "suit:petition", "suit:rally"]
    game.finish()


def test_tactic_fails_on_a_rally_keeps_the_initiative():
    game = start(["tactic-fails", *MARCHES[:5]], ["rally-1", "rally-1", *STRIKES[:4]], "rally-1", "tactic-fails")
    assert asked(game) == ("attack", "C") and "rally-1" not in faces(game)


def test_support_falters():
    game = start(MARCHES, ["support-falters", *STRIKES[:5]], "support-falters",
                 chance={"power_random_discards": ["march-6", "march-5"]})  # fmt: skip
    assert (sizes(game), asked(game)) == ((4, 5), ("attack", "D"))
    game.finish()


def test_support_surges():
    game = start(MARCHES, ["support-surges", *STRIKES[:5]], "support-surges",
                 chance={"power_draws": ["rally-1", "leader-elite"]})  # fmt: skip
    assert (sizes(game), asked(game)) == ((6, 7), ("attack", "D"))
    game.finish()


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


def test_scare_tactics():
    support = {"Poznan": (3, 0), "Gdansk": (1, 0), "Leipzig": (3, 0), "Lodz": (0, 3)}
    game = start(MARCHES, ["scare-tactics", *STRIKES[:5]], "scare-tactics", support=support)
    assert (*asked(game), game.legal) == ("remove", "C", ["space:Gdansk", "space:Poznan"])
    game.take("space:Poznan")
    assert (game.support("Poznan"), sizes(game), asked(game)) == ((2, 0), (6, 5), ("attack", "D"))


def test_scare_tactics_can_disarm_a_leader():
    support = {"Poznan": (3, 0), "Gdansk": (1, 0), "Lodz": (0, 3)}
    hand = ["leader-worker", *MARCHES[:5]]
    game = start(hand, ["scare-tactics", *STRIKES[:5]], "scare-tactics", "space:Poznan", support=support)
    assert faces(game) == set(MARCHES[:5])


# --- cases without cards -------------------------------------------------------------------------


def test_starter_without_cards_loses_without_suit():
    game = fight(MARCHES, [], DEMOCRAT_HELD, "pass", dice=[1, 1])
    assert (game.state.winner, game.state.winning_suit, *asked(game)) == (0, -1, "power", "C")


def test_starter_without_cards_still_faces_a_raise():
    game = fight(MARCHES, [], DEMOCRAT_HELD, dice=[1, 1])
    assert asked(game) == ("stakes", "D")
    game.take(*powers("march-6", "march-6", "march-5"))
    assert (game.state.raised.tolist(), game.vp, game.decision) == ([1, 0], 1, "power")


def test_nobody_has_cards():
    game = scenario("D: 22", dice=[1, 1])
    assert (game.state.winner, game.state.winning_suit) == (1, -1)


@pytest.mark.parametrize(("lead", "suit"), [("march-6", 1), ("support-surges", -1)])
def test_defender_without_cards(lead, suit):
    chance = {"power_draws": ["rally-1"] * 2} if lead == "support-surges" else {}
    hand = ["support-surges", *MARCHES[:5]]
    game = fight(hand, [], DEMOCRAT_HELD, "pass", lead, starter="D", dice=[1, 1], chance=chance)
    assert (game.state.winner, game.state.winning_suit) == (0, suit)


def test_attacker_with_unusable_cards_loses_without_suit():
    game = start(MARCHES, [*ELITES, "tactic-fails", "leader-intellectual"], dice=[1, 1])
    assert (game.state.winner, game.state.winning_suit) == (0, -1)


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


@pytest.mark.parametrize(("starter", "vp"), [("D", 2 + 4), ("C", -1)])
def test_yakovlev_helps_the_democrat_only_and_goes(starter, vp):
    lead = "march-6" if starter == "D" else "strike-6"
    game = fight(MARCHES, STRIKES, None, "pass", "pass", lead, starter=starter, in_play=[62], dice=[1, 3])
    assert game.vp == vp
    if game.decision == "power":
        game.take("surrender")
    assert game.zone(62) == "removed"


@pytest.mark.parametrize(("die", "toppled"), [(3, False), (4, True)])
def test_a_roll_of_four_takes_power(die, toppled):
    game = fight(MARCHES, STRIKES, None, "pass", "pass", "march-6", starter="D", dice=[1, die])
    assert (game.decision == "power") != toppled
    assert game.zone(22) == ("removed" if toppled else "nowhere")
    assert game.state.power[1] == (0 if toppled else 1)
    if toppled:
        assert game.vp == 2  # the score of the country is even


def test_the_communist_winner_is_never_toppled():
    game = fight(MARCHES, STRIKES, None, "pass", "pass", "strike-6", dice=[1, 6])
    assert (*asked(game), game.legal, game.vp) == ("power", "C", ["retain", "surrender"], -3)


def test_support_loss_is_the_losers_choice_and_stays_in_the_country():
    support = {"Poznan": (3, 0), "Gdansk": (1, 0), "Leipzig": (1, 0), "Lodz": (0, 3)}
    game = fight(MARCHES, STRIKES, support, "pass", "pass", "strike-6", dice=[5, 1])
    assert (*asked(game), game.legal) == ("support-loss", "D", ["space:Gdansk", "space:Poznan"])
    game.take("space:Gdansk")
    assert (game.support("Gdansk"), game.support("Poznan"), game.support("Leipzig")) == ((0, 0), (2, 0), (1, 0))


def test_missing_points_are_ignored():
    game = fight([], STRIKES, {"Poznan": (1, 0), "Lodz": (0, 3)}, "pass", "strike-6", dice=[6, 1])
    assert (game.support("Poznan"), game.decision) == ((0, 0), "power")


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


def test_the_communist_winner_may_surrender():
    game = fight(MARCHES, STRIKES, None, "pass", "pass", "strike-6", "surrender", dice=[1, 6])
    assert (game.vp, game.state.power[1], game.zone(22)) == (-3, 0, "removed")


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


def test_a_total_beyond_twenty_may_come_back():
    """Ruling unbounded-vp."""
    support = {"Poznan": (3, 0), "Wroclaw": (3, 0), "Polish Writers": (2, 0), "Lodz": (0, 9)}
    hand = MARCHES + RALLIES[:4]
    game = fight(hand, STRIKES, support, "pass", "pass", "strike-6", "surrender", dice=[1, 6], vp=-17)
    assert (game.vp, game.over) == (-20 + 6 + 2 - 3 - 1, False)


def test_capture_inside_a_struggle_waits():
    """Ruling one-test-per-struggle."""
    extra = {"ceausescu_hideout": "Iasi", "crowd_done": True, "tyrant_done": True, "vp": 18, "dice": [1, 6]}
    support = {"Timisoara": (3, 0), "Iasi": (3, 1), "Brasov": (0, 3)}
    game = fight(["scare-tactics", *MARCHES[:5]], STRIKES, support, "pass", "pass", "scare-tactics", "space:Iasi",
                 starter="D", card=95, **extra)  # fmt: skip
    assert (game.vp, game.over, game.state.hideout, asked(game)) == (20, False, -1, ("attack", "C"))
    game.take("power:strike-6", "surrender")
    assert (game.vp, game.over) == (20 - 3 + 4 - 3, False)


def test_crowd_before_the_stakes_of_the_democrat():
    draws = ["march-3"] * 4 + ["march-4"] * 4 + ["strike-3"] * 4 + ["strike-4"] * 3
    support = {"Iasi": (3, 0), "Brasov": (0, 3)}
    chance = {"power_deal": {"D": PETITIONS, "C": RALLIES}, "power_draws": draws, "random_discards": [95]}
    game = scenario("C: 71 95", support, turn=8, in_play=[54], chance=chance)
    game.take("card:71", "opponent-event", "pass")
    assert (*asked(game), game.state.starter) == ("stakes", "D", 0)
    game.take("pass", "pass")
    assert asked(game) == ("attack", "D")


def test_crowd_in_the_last_struggle():
    draws = ["march-3"] * 4 + ["march-4"] * 4 + ["strike-3"] * 4 + ["strike-4"] * 3
    support = {"Iasi": (3, 0), "Brasov": (0, 3)}
    chance = {"power_deal": {"D": PETITIONS, "C": RALLIES}, "power_draws": draws}
    game = scenario("D: 26", support, turn=8, round=7, in_play=[54, 104], chance=chance)
    game.take("event", "country:Romania", "pass")
    assert asked(game) == ("stakes", "D")
    assert asked(game.take("pass", "pass")) == ("attack", "D")


def test_the_tyrant_resolves_after_the_struggle():
    draws = ["march-3"] * 4 + ["march-4"] * 4 + ["strike-3"] * 4 + ["petition-6"] * 3
    game = scenario("C: 95", {"Cluj-Napoca": (0, 5)}, turn=8, in_play=[54, 97], dice=[1, 1],
                    chance={"power_deal": {"C": STRIKES}, "power_draws": draws})  # fmt: skip
    game.take("pass", "pass", "power:strike-6", "surrender")
    assert (asked(game), game.support("Cluj-Napoca")) == (("hideout", "D"), (0, 1))
    assert (game.zone(54), game.state.crowd_done, game.state.struggle) == ("removed", 1, -1)


def test_operations_go_on_after_a_struggle_inside_an_event():
    chance = {"random_discards": [22]}
    game = scenario("C: 71 22 28", {"Schwerin": (0, 1)}, turn=8, chance=chance, dice=[1, 1])
    game.take("card:71", "opponent-event", "retain")
    assert (*asked(game), game.zone(22)) == ("ops", "C", "discard")


def test_domino_theory_plays_a_scoring_card_again():
    game = scenario("D: 89", turn=8, power=COUNTRIES[:1] + COUNTRIES[2:3], discard=[22, 4], dice=[1, 1]).take("event")
    assert game.legal == ["card:22", "pass"]
    game.take("card:22")
    assert (game.state.starter, *asked(game)) == (0, "power", "C")
    game.take("retain")
    assert (game.vp, game.zone(22), game.zone(89)) == (-3, "discard", "removed")


def test_last_struggle_counts_as_one_more_play():
    game = scenario("D: 26", turn=8, round=7, in_play=[104], dice=[1, 1], vp=5)
    game.state.times_scored[1] = 1
    game.take("event", "country:Poland", "retain")
    assert (game.vp, game.result, game.reason) == (-1, "communist", "new year's eve party")


def test_dealt_hands_use_the_whole_deck_again():
    game = generated({name: (9, 0) for name in SPACES[12:26]})
    total = game.state.power_cards.sum(axis=0)
    assert np.array_equal(total, FACE_COUNT) and sizes(game) == (32, 0)
