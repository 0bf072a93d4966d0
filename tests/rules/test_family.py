"""Family mode (rules TR.1 to TR.3) by section and case, and each of its rulings."""

import numpy as np
import pytest
from family_scenario import family

from dawn_env.errors import BadOptions, MalformedPosition
from dawn_env.formats import position_file
from dawn_env.game import Game
from dawn_env.state import PowerZone, Zone
from dawn_env.tables import (
    COMMUNIST,
    DEMOCRAT,
    FACE_ID,
    NEUTRAL,
    OWNER,
    PRINTED_OPS,
    SETUP,
)

pytestmark = pytest.mark.plain

FAMILY = {"mode": "family"}
POLISH = {"Szczecin": (5, 0), "Gdansk": (3, 0), "Poznan": (0, 4), "Bydgoszcz": (0, 0)}
"""Szczecin W3 lies next to Gdansk W3 and Poznan W3."""
SPREAD = {"Szczecin": (1, 0), "Krakow": (3, 0), "Sofia": (0, 2), "Praha": (0, 2)}
DECKS = tuple(np.flatnonzero(side == OWNER).tolist() for side in (DEMOCRAT, COMMUNIST))


def spaces(game) -> set[str]:
    """Names of the spaces that can be chosen."""
    return {text.removeprefix("space:") for text in game.legal if text.startswith("space:")}


# --- TR.1: the set-up --------------------------------------------------------------------------------


def test_cards_are_sorted_by_colour_and_neutral_ones_removed():
    state = Game(1, FAMILY).state
    assert (state.where[OWNER == NEUTRAL][1:] == Zone.REMOVED).all() and (state.where == Zone.REMOVED).sum() == 14
    decks = [((state.where == Zone.DRAW_PILE) & (side == OWNER)).sum() for side in (DEMOCRAT, COMMUNIST)]
    assert decks == [52 - 5, 44 - 5]


@pytest.mark.parametrize(("side", "by_ops"), [(COMMUNIST, [6, 18, 19, 1]), (DEMOCRAT, [8, 12, 25, 7])])
def test_decks_have_the_printed_operations(side, by_ops):
    assert [int((PRINTED_OPS[: len(OWNER)][side == OWNER] == ops).sum()) for ops in (1, 2, 3, 4)] == by_ops


def test_the_fixed_support_is_all_there_is():
    game = Game(1, FAMILY)
    assert (game.state.support == SETUP).all() and game.vp == 0
    assert (game.state.turn, game.state.action_round, game.decision, game.actor) == (1, 0, "card", DEMOCRAT)


# --- TR.2.4.1: the deal ------------------------------------------------------------------------------


def test_each_side_draws_five_cards_of_its_own_deck_and_three_of_the_common_one():
    state = Game(2, FAMILY).state
    for side in (DEMOCRAT, COMMUNIST):
        assert (OWNER[state.where == Zone.HAND + side] == side).all() and (state.where == Zone.HAND + side).sum() == 5
        assert state.power_cards[PowerZone.HAND + side].sum() == 3
    assert state.power_cards[PowerZone.DECK].sum() == 46


def last_round(**changes):
    """A game whose turn ends with a pass."""
    return family(**({"round": 8, "stop": False, "support": {"Szczecin": (0, 4), "Poznan": (0, 1)}} | changes))


def test_hands_are_filled_up_the_democrat_first():
    """Ruling family-deal-in-turn."""
    faces = ["rally-1", "strike-6", "strike-6", "strike-5"]
    draws = [card for pair in zip(DECKS[DEMOCRAT], DECKS[COMMUNIST], strict=False) for card in pair][:10]
    game = last_round(faces=("march-6 march-6", ""), chance={"draws": draws, "power_draws": faces})
    game.take("pass").finish()
    for side, deck in enumerate(DECKS):
        assert np.flatnonzero(game.state.where == Zone.HAND + side).tolist() == deck[:5]
    held = game.state.power_cards[PowerZone.HAND :]
    assert held[DEMOCRAT, FACE_ID["march-6"]] == 2 and held[DEMOCRAT, FACE_ID["rally-1"]] == 1
    assert held[COMMUNIST, FACE_ID["strike-6"]] == 2 and held[COMMUNIST, FACE_ID["strike-5"]] == 1
    assert (game.state.turn, game.state.action_round, game.actor) == (2, 0, DEMOCRAT)


def test_an_empty_deck_is_rebuilt_from_its_own_discards():
    democrat, communist = DECKS
    game = last_round(discard=[*communist[2:], *democrat[:9]])
    game.take("pass")
    held = np.flatnonzero(game.state.where == Zone.HAND + COMMUNIST)
    assert set(communist[:2]) <= set(held) and len(held) == 5
    assert not (game.state.where[communist] == Zone.DISCARD_PILE).any()
    assert (game.state.where[democrat[:9]] == Zone.DISCARD_PILE).all()
    known = game.redeal(DEMOCRAT, 9).state.where[communist[:2]]
    assert (known == Zone.HAND + COMMUNIST).all(), "whoever has counted knows what the end of the deck was"


def test_an_empty_power_deck_is_rebuilt_and_both_hands_are_known_by_counting():
    """Ruling family-counted-hands."""
    deck = Game(1, FAMILY).state.power_cards.sum(axis=0)
    held = {"rally-1": 3, "march-6": 2}
    left = {"strike-6": 1}
    discard = [face for face, at in FACE_ID.items() for _ in range(deck[at] - held.get(face, 0) - left.get(face, 0))]
    game = last_round(faces=("rally-1 rally-1 rally-1", "march-6 march-6"), power_discard=discard)
    game.take("pass")
    state = game.state
    assert state.power_cards[PowerZone.HAND + COMMUNIST, FACE_ID["strike-6"]] == 1
    assert (state.power_cards[PowerZone.DISCARD].sum(), state.power_cards[PowerZone.DECK].sum()) == (0, 46)
    assert (state.power_known == state.power_cards[PowerZone.HAND :]).all()
    assert (game.redeal(DEMOCRAT, 3).state.power_cards == state.power_cards).all()


# --- TR.2.4.2: the placement phase -------------------------------------------------------------------


def test_the_democrat_begins_and_all_cards_are_played_in_turn():
    """Ruling family-all-cards-placed."""
    game = family(SPREAD, hands=("2 3", "1 6"), stop=False)
    for actor, card in ((DEMOCRAT, "card:2"), (COMMUNIST, "card:1")):
        assert (game.decision, game.actor) == ("card", actor)
        game.take(card)
        game.take(game.legal[0])
    assert game.decision == "place" and game.actor == DEMOCRAT, "the last card is played without asking"
    game.take(game.legal[0])
    assert game.decision == "place" and game.actor == COMMUNIST
    game.take(game.legal[0])
    assert (game.state.action_round, game.decision, game.actor) == (1, "origin", DEMOCRAT)
    assert (game.state.where[[1, 2, 3, 6]] == Zone.DISCARD_PILE).all()


def test_a_side_whose_hand_is_empty_is_passed_over():
    game = family(SPREAD, hands=("", "1 6"), stop=False)
    assert (game.decision, game.actor) == ("card", COMMUNIST)


def test_places_are_own_spaces_and_their_neighbours_but_for_those_the_opponent_controls():
    """Ruling family-presence-places: 'controlled' means where they have points; control as everywhere else excludes."""
    game = family({"Szczecin": (1, 0), "Poznan": (0, 3), "Gdansk": (0, 2)}, hands=("2 3", "")).take("card:2")
    assert spaces(game) == {"Szczecin", "Gdansk"}


def test_points_among_the_opponents_do_not_open_a_space_they_control():
    game = family({"Szczecin": (1, 4), "Gdansk": (1, 0)}, hands=("2 3", "")).take("card:2")
    assert "Szczecin" not in spaces(game) and {"Gdansk", "Warszawa", "Bialystok", "Bydgoszcz"} <= spaces(game)


@pytest.mark.parametrize("card", [3, 5])
def test_all_points_of_a_card_go_into_one_space_at_one_each(card):
    """Ruling family-one-space-a-card, ruling family-one-point-each: a neighbour in which the opponent has points
    costs no more."""
    game = family({"Szczecin": (1, 0), "Gdansk": (0, 2)}, hands=(f"{card} 2", "")).take(f"card:{card}", "space:Gdansk")
    assert game.support("Gdansk") == (PRINTED_OPS[card], 2)
    assert game.decision == "none", "the next placement"


def test_without_a_place_the_card_is_discarded():
    """Ruling family-no-space-no-points."""
    game = family({"Szczecin": (0, 2)}, hands=("2 3", "1 6")).take("card:2")
    assert game.decision == "none" and game.state.where[2] == Zone.DISCARD_PILE
    assert game.state.support[DEMOCRAT].sum() == 0


# --- TR.2.4.3: shifts --------------------------------------------------------------------------------


def test_rounds_alternate_and_the_democrat_begins():
    everywhere = {"Szczecin": (3, 0), "Sofia": (0, 3)}
    game, actors = family(everywhere, round=1, stop=False), []
    while game.state.turn == 1:
        actors.append((int(game.state.action_round), game.actor))
        game.take("pass")
    assert actors == [(number, (number - 1) % 2) for number in range(1, 9)]


@pytest.mark.parametrize("points", [1, 2, 5])
def test_a_shift_moves_any_number_to_a_neighbour_that_is_controlled_too(points):
    """Ruling family-one-shift: one origin, one destination; the origin may be emptied."""
    game = family(POLISH, round=1)
    assert game.decision == "origin" and spaces(game) == {"Szczecin", "Gdansk"}
    game.take("space:Szczecin")
    assert game.decision == "destination" and spaces(game) == {"Gdansk", "Poznan"}
    game.take("space:Gdansk")
    assert game.legal == [f"points:{number}" for number in range(1, 6)]
    game.take(f"points:{points}").finish()
    assert game.support("Szczecin") == (5 - points, 0) and game.support("Gdansk") == (3 + points, 0)


def test_there_is_no_chain_of_shifts():
    game = family(POLISH, round=1).take("space:Szczecin", "space:Gdansk", "points:5")
    assert game.decision == "none", "the next round"


@pytest.mark.parametrize(("more", "moved"), [(["points:0"], 12), (["points:3"], 15), (["points:12", "points:2"], 26)])
def test_more_points_than_an_action_can_name_are_asked_for_again(more, moved):
    game = family({"Szczecin": (30, 0), "Gdansk": (3, 0)}, round=1).take("space:Szczecin", "space:Gdansk")
    assert "points:12" in game.legal and "points:13" not in game.legal and "points:0" not in game.legal
    game.take("points:12", *more)
    assert game.support("Gdansk") == (3 + moved, 0) and game.support("Szczecin") == (30 - moved, 0)


def test_twelve_of_twelve_points_are_not_asked_for_again():
    game = family({"Szczecin": (12, 0), "Gdansk": (3, 0)}, round=1)
    game.take("space:Szczecin", "space:Gdansk", "points:12")
    assert game.decision == "none" and game.support("Szczecin") == (0, 0)


def test_points_leave_controlled_spaces_only():
    game = family({"Szczecin": (2, 0), "Gdansk": (4, 2), "Krakow": (3, 0)}, round=1)
    assert spaces(game) == {"Krakow"}


def test_passing_is_possible_and_comes_by_itself_when_nothing_is_legal():
    """Ruling family-passing."""
    assert "pass" in family(POLISH, round=1).legal
    game = family({"Szczecin": (2, 0), "Sofia": (0, 3)}, round=1, stop=False)
    assert (game.state.action_round, game.actor, game.decision) == (2, COMMUNIST, "origin")


# --- TR.2.4.3: take-overs ----------------------------------------------------------------------------


def test_targets_are_neighbours_that_are_empty_or_controlled_by_the_opponent():
    """Ruling family-take-over-next-door, ruling family-contested-spaces-stand: Warszawa has points of both that
    nobody controls."""
    support = {"Gdansk": (4, 0), "Poznan": (0, 3), "Warszawa": (1, 2), "Szczecin": (0, 0), "Bydgoszcz": (0, 4)}
    game = family(support, round=1).take("space:Gdansk")
    assert spaces(game) == {"Szczecin", "Poznan", "Bydgoszcz", "Bialystok"}


def attack(dice, faces=("", ""), target=(0, 4), origin=(5, 0), points=4):
    """The Democrat takes over Poznan (W3) from Szczecin."""
    game = family({"Szczecin": origin, "Poznan": target}, round=1, faces=faces, dice=dice)
    return game.take("space:Szczecin", "space:Poznan", f"points:{points}")


def test_the_sums_are_points_and_die_against_die_points_and_stability():
    game = attack((5, 1), faces=("rally-1", ""))
    assert (game.state.attack, game.state.defence) == (4 + 5, 1 + 4 + 3)
    assert game.support("Szczecin") == (1, 0)


@pytest.mark.parametrize(("dice", "won"), [((5, 1), True), ((4, 1), False), ((3, 1), False)])
def test_the_higher_total_wins_and_a_tie_is_the_communists(dice, won):
    game = attack(dice).finish()
    assert game.support("Poznan") == ((4, 0) if won else (0, 4)) and game.support("Szczecin") == (1, 0)


@pytest.mark.parametrize(("dice", "won"), [((4, 1), True), ((3, 1), False)])
def test_a_tie_is_the_communists_when_they_attack_too(dice, won):
    game = family({"Szczecin": (0, 5), "Poznan": (4, 0)}, round=2, dice=dice)
    game.take("space:Szczecin", "space:Poznan", "points:4").finish()
    assert game.support("Poznan") == ((0, 4) if won else (4, 0))


def test_an_empty_space_is_fought_for_without_points_and_stability():
    """Ruling family-empty-space-fought."""
    assert attack((4, 4), target=(0, 0), points=1).finish().support("Poznan") == (1, 0)
    assert attack((1, 6), target=(0, 0), points=1, faces=("", "strike-3")).decision == "defence-card"
    assert attack((1, 6), target=(0, 0), points=1).finish().support("Poznan") == (0, 0)


@pytest.mark.parametrize(("dice", "after"), [((6, 1), (4 + 2, 0)), ((1, 1), (0, 6))])
def test_points_the_attacker_has_in_the_target_do_not_add_but_share_its_fate(dice, after):
    """Ruling family-points-in-the-target: attack 4 + 6 against 1 + 6 + 3 would be a tie; the two points there do
    not help."""
    game = family({"Szczecin": (5, 0), "Poznan": (2, 6)}, round=1, dice=dice, faces=("strike-3", ""))
    game.take("space:Szczecin", "space:Poznan", "points:4", "power:strike-3" if dice == (6, 1) else "pass").finish()
    assert game.support("Poznan") == after


def test_the_attacker_decides_first_and_openly_then_the_defender():
    """Ruling family-attacker-first."""
    game = attack((3, 1), faces=("strike-3 march-4", "petition-6"))
    assert (game.decision, game.actor, game.legal) == (
        "attack-card", DEMOCRAT, ["pass", "power:march-4", "power:strike-3"],
    )  # fmt: skip
    game.take("power:march-4")
    assert (game.decision, game.actor, game.legal) == ("defence-card", COMMUNIST, ["pass", "power:petition-6"])
    assert game.state.power_cards[PowerZone.DISCARD, FACE_ID["march-4"]] == 1
    game.take("power:petition-6").finish()
    assert game.support("Poznan") == (0, 4), "3 + 4 + 4 against 1 + 4 + 3 + 6"
    assert game.state.power_cards[PowerZone.DISCARD].sum() == 2


@pytest.mark.parametrize(
    ("face", "rank"),
    [("leader-worker", 3), ("leader-elite", 3), ("scare-tactics", 0), ("tactic-fails", 0), ("march-5", 5)],
)
def test_ranks_are_added_leaders_count_3_and_wild_cards_0(face, rank):
    """Ruling family-rally-wins: no leader needs a space."""
    for needed in range(max(0, rank - 1), rank + 2):
        dice = (1, needed)  # 5 + 1 + rank against needed + 1 + 3 + ...
        if not 1 <= needed <= 6:
            continue
        game = attack(dice, faces=(face, ""), origin=(6, 0), target=(0, 3), points=6).take(f"power:{face}").finish()
        assert (game.support("Poznan")[DEMOCRAT] > 0) == (6 + 1 + rank > needed + 3 + 3)


def test_a_rally_wins_outright():
    """Ruling family-rally-wins: W stands on the Rally cards."""
    game = attack((1, 6), faces=("rally-1", "petition-6"), target=(0, 20)).take("power:rally-1", "power:petition-6")
    assert game.finish().support("Poznan") == (4, 0)
    game = attack((6, 1), faces=("petition-6", "rally-1"), target=(0, 3), origin=(30, 0), points=12)
    game.take("points:5", "power:petition-6", "power:rally-1").finish()
    assert game.support("Poznan") == (0, 3) and game.support("Szczecin") == (13, 0)


@pytest.mark.parametrize(("dice", "won"), [((5, 1), True), ((4, 1), False)])
def test_two_rallies_are_both_ignored(dice, won):
    """Ruling family-two-rallies."""
    game = attack(dice, faces=("rally-1", "rally-1")).take("power:rally-1", "power:rally-1").finish()
    assert game.support("Poznan") == ((4, 0) if won else (0, 4))


def test_nobody_is_asked_for_cards_they_do_not_have():
    assert attack((1, 1), faces=("", "")).decision == "none"
    assert attack((1, 1), faces=("", "rally-1")).actor == COMMUNIST


# --- TR.2.4.4, TR.3: scoring and the end ---------------------------------------------------------------


def test_all_countries_score_after_the_eighth_round():
    """Ruling family-all-countries: presence of the Democrat in East Germany, of the Communist in Bulgaria and their
    domination of Poland."""
    game = last_round(support={"Szczecin": (0, 3), "Poznan": (0, 3), "Sofia": (0, 3), "Berlin": (3, 0)})
    game.take("pass")
    assert game.vp == (3 + 1) - (6 + 1) - (1 + 1)


@pytest.mark.parametrize(("vp", "result"), [(-19, "communist"), (-16, "communist"), (-15, "running"), (19, "running")])
def test_twenty_points_win_after_a_whole_scoring(vp, result):
    """Ruling family-twenty-points: presence in Poland and a battleground there are 4 points."""
    game = last_round(vp=vp, support={"Poznan": (0, 3)})
    game.take("pass")
    assert (game.vp, game.result) == (vp - 4, result)
    assert game.reason == ("automatic victory" if result == "communist" else "running")


def test_points_beyond_twenty_within_a_scoring_do_not_count():
    """Ruling family-twenty-points: East Germany, scored first, would give the Democrat 21; Poland takes it back."""
    game = last_round(vp=17, support={"Berlin": (3, 0), "Poznan": (0, 3)})
    game.take("pass")
    assert (game.vp, game.result) == (17, "running")


@pytest.mark.parametrize(("vp", "result"), [(5, "democrat"), (4, "communist"), (3, "communist")])
def test_after_turn_ten_the_side_ahead_wins_and_zero_is_the_communists(vp, result):
    game = last_round(turn=10, vp=vp, support={"Poznan": (0, 3)})
    game.take("pass")
    assert (game.vp, game.result, game.reason) == (vp - 4, result, "final scoring")


def test_twenty_points_after_turn_ten_are_an_automatic_victory():
    game = last_round(turn=10, vp=-18, support={"Poznan": (0, 3)})
    assert game.take("pass").reason == "automatic victory"


# --- options and positions ---------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"bid": True}, {"extra_support": (1, 0)}])
def test_family_mode_has_neither_bid_nor_extra_support(options):
    with pytest.raises(BadOptions, match="family mode"):
        Game(1, FAMILY | options)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"round": 9}, "round: less than or equal to 8 expected, not 9"),
        ({"hands": {"D": [1], "C": []}}, r"hands.D: cards \[1\] are not of the deck"),
        ({"discard": [22]}, "discard: card 22 lies elsewhere, or is not in the game"),
        ({"power_discard": ["rally-1"] * 7}, "power_discard: there are fewer"),
        ({"power_hands": {"D": ["rally-1"] * 4, "C": []}}, "power_hands.D: at most 3"),
        ({"vp": 20}, "vp: less than or equal to 19 expected, not 20"),
        ({"ussr": 0}, "unknown key 'ussr'"),
        ({"round": 2}, "phasing: it is not the round of side"),
    ],
)
def test_bad_positions_are_refused_by_name(change, problem):
    at = position_file.to_json(family(POLISH, round=1).state) | change
    with pytest.raises(MalformedPosition, match=problem):
        position_file.from_json(at)
