"""What a side is told of a game: all it sees, nothing that is hidden, and nothing of questions that show a card."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from dawn_agents.players.external.protocol_messages import position_message
from hidden_cards import random_steps, sees
from random_records import random_game
from scenario import Scenario, scenario
from secret_worlds import EARLY, MIDDLE, PAIRS, fresh, rerun, strict, worlds

from dawn_env.events import EVERYTHING, PUBLIC, EventObserver, asked_in_secret
from dawn_env.events.narration import all_events, event_lines
from dawn_env.formats.determinization import world_text
from dawn_env.game import Game
from dawn_env.glossary import card_name
from dawn_env.observation import observe
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import STANDARD_LAYOUT
from dawn_env.state import Zone
from dawn_env.tables import CARD_TITLES, COMMUNIST, DEMOCRAT, SIDE_NAMES, SPACE_ID, SPACES
from dawn_env.views.choice_costs import assess, check_sum

PLACE = STANDARD_LAYOUT.slices["known_theirs"]


def told(game: Game, viewer: int, *actions: str) -> list[str]:
    """All the viewer is told while the actions are taken."""
    observer, events = EventObserver(viewer), []
    for action in actions:
        before = game.copy()
        game.step(action)
        events += observer.see(before, game, action)
    return event_lines(events)


def line(game: Game, viewer: int, events: list[dict]) -> str:
    """What a program that plays the viewer's side is told after these events, as text."""
    if game.over or game.actor != viewer:
        return json.dumps(events)
    view = View(game.state)
    return json.dumps(position_message(view) | {"events": events, "world": world_text(view)})


def cards_named(lines: list[str]) -> set[int]:
    return {card for card in range(1, len(CARD_TITLES)) if any(card_name(card) in line for line in lines)}


# --- pairs of worlds: asked and not asked ----------------------------------------------------------------------


def struggle_begun(hand: list[str], mine: list[str] | None = None) -> Scenario:
    """A struggle in Poland: the Communist, who is told, is first; the Democrat holds these six cards."""
    deal = {"power_deal": {"D": hand, "C": mine or ["rally-1"] * 2 + ["march-3"] * 3 + ["petition-5"]}}
    game = scenario("C: 22 12 / D: 4 7", {"Poznan": (3, 0), "Lodz": (0, 3)}, chance=deal, stop=False)
    return fresh(game.take("card:22"))


@pytest.mark.parametrize(("viewer", "turn", "asked", "spared", "actions", "more"), PAIRS)
def test_whether_the_opponent_was_asked_is_not_told(viewer, turn, asked, spared, actions, more):
    one, other = (strict(hand, turn, **more) for hand, _ in (asked, spared))
    assert sees(one, viewer) == sees(other, viewer)
    shown, questions = [], []
    for game, answers in ((one, asked[1]), (other, spared[1])):
        observer, events = EventObserver(viewer), []
        for action in (*actions, *answers):
            before = game.copy()
            game.step(action)
            news = observer.see(before, game, action)
            if asked_in_secret(game, viewer):
                assert news == [], "nothing is told while the answer is waited for"
                questions.append(game.decision)
            events += news
        deals = View(game.redeal(viewer, 0).state).deal(np.arange(3)).tobytes() if game.actor == viewer else b""
        shown.append((line(game, viewer, events), deals))
    (question,) = questions
    assert question in ("cancel-check", "give-card", "cancel-with-home", "home-card")
    assert events and shown[0] == shown[1]
    assert sees(one, viewer) == sees(other, viewer)


def struggle(hand: list[str]) -> Scenario:
    """The same, without stakes."""
    return struggle_begun(hand).take("pass", "pass")


PETITIONS = ["petition-6"] * 3


def test_to_concede_with_a_card_that_matches_is_told_like_to_concede_without():
    asked, spared = struggle(["rally-1", *PETITIONS, "strike-3", "strike-4"]), struggle([*PETITIONS, *["strike-3"] * 3])
    lines = told(asked, COMMUNIST, "power:rally-1", "concede")
    assert lines == told(spared, COMMUNIST, "power:rally-1") and lines[0] == "Communist attacks with Rally 1"
    assert sees(asked, COMMUNIST) == sees(spared, COMMUNIST)


def test_to_lead_a_card_of_many_is_told_like_to_lead_the_only_one():
    useless = ["leader-elite"] * 2  # there is no elite space that a side controls
    asked, spared = (
        struggle(["rally-1", *PETITIONS, "strike-3", "strike-4"]),
        struggle(["rally-1", *PETITIONS, *useless]),
    )
    lines = told(asked, COMMUNIST, "power:rally-1", "power:rally-1", "power:petition-6")
    assert lines == told(spared, COMMUNIST, "power:rally-1", "power:rally-1")
    assert lines[1:] == ["Democrat answers with Rally 1", "Democrat attacks with Petition 6"]
    assert sees(asked, COMMUNIST) == sees(spared, COMMUNIST) and asked.decision == "defend"


def test_stakes_of_one_face_are_told_like_stakes_that_were_chosen():
    three, mine = ["rally-1"] * 3, ["march-3"] * 3 + PETITIONS
    asked, spared = (struggle_begun([*three, *others], mine) for others in (["strike-3"] * 3, three))
    lines = told(asked, COMMUNIST, "pass", *["power:rally-1"] * 3)
    assert lines == told(spared, COMMUNIST, "pass", "power:rally-1")
    stakes = ["Democrat stakes Rally 1"] * 3
    assert lines[1:] == [*stakes, "  Democrat raises the stakes: +1 on both rolls of the aftermath"]


CANCELS = ("D: 44 7 / C: 11 37", "card:44", "event", "country:Poland", "space:Lodz", "space:Lodz", "card:37")
GIVES = ("C: 20 12 / D: 7 34 4", "card:20", "event", "card:34")
HOME = ("C: 12 9 / D: 1 21 4", "card:12", "event", *["space:Berlin"] * 3, "yes")


@pytest.mark.parametrize(
    ("viewer", "steps", "position", "lines"),
    [
        (DEMOCRAT, CANCELS, MIDDLE, ["Communist cancels the check with 37 Nagy Reburied"]),
        (COMMUNIST, HOME, EARLY | {"in_play": [13], "stasi_card": 1},
         ["Democrat cancels the event with 21 Common European Home", "  Played: 21 Common European Home"]),
        (COMMUNIST, GIVES, EARLY, ["Democrat gives 34 FIDESZ"]),
        (DEMOCRAT, GIVES, EARLY, ["Democrat gives 34 FIDESZ"]),
    ],
)  # fmt: skip
def test_an_answer_that_shows_a_card_is_told_to_both(viewer, steps, position, lines):
    hands, *actions = steps
    assert set(lines) <= set(told(strict(hands, position), viewer, *actions))


# --- any step, with other hidden cards ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "seeds", "least", "questions"), [("standard", [65, 69], 1000, 2), ("family", [62], 300, 0)]
)
@pytest.mark.parametrize("viewer", [DEMOCRAT, COMMUNIST])
def test_what_is_told_depends_on_what_is_seen(viewer, mode, seeds, least, questions):
    """The same step from worlds that look alike: if they look alike afterwards, the same was told, byte for byte.

    The games have decisions of nearly all kinds.
    """
    rng, compared, positions, secret = np.random.default_rng(viewer), 0, 0, 0
    for seed in seeds:
        for game, other, action in worlds(seed, viewer, rng, {"mode": mode}):
            events, end, answers = rerun(game, viewer, action, rng)
            others_events, others_end, _ = rerun(other, viewer, action, rng)
            if sees(end, viewer) == sees(others_end, viewer):
                assert events == others_events, (game.decision, action)
                compared, secret = compared + 1, secret + (answers > 0)
                if compared % 3 == 0 and not end.over and end.actor == viewer:  # worlds take long to write
                    assert line(end, viewer, events) == line(others_end, viewer, others_events)
                    positions += 1
    assert compared > least and positions > 50 and secret >= questions, (compared, positions, secret)


@pytest.mark.parametrize("seed", [51, 52, 53])
def test_nothing_hidden_is_told(seed):
    observers, count = {viewer: EventObserver(viewer) for viewer in (DEMOCRAT, COMMUNIST)}, 0
    for before, game, action in random_steps(seed):
        for viewer, observer in observers.items():
            lines = event_lines(observer.see(before, game, action))
            theirs = (game.state.where == Zone.HAND + 1 - viewer) & (game.state.known == 0)
            hidden = theirs | (game.state.where == Zone.DRAW_PILE)
            hidden |= (game.state.where == Zone.SET_ASIDE) & (viewer == COMMUNIST)
            named = cards_named(lines[:1] if before.actor != viewer else [])
            assert not named & set(np.flatnonzero(hidden)), (before.decision, lines)
            count += len(lines)
    assert count > 100


# --- words ---------------------------------------------------------------------------------------------------------


def test_a_decision_is_told_with_what_it_changed():
    assert told(Game(1), DEMOCRAT, "space:Rostock") == ["Communist sets up in Rostock", "  Rostock: Communist 0 → 1"]


def test_a_secret_choice_is_not_told():
    """Samizdat (77): the Communist learns that a card was set aside, not which."""
    lines = {}
    for viewer in (DEMOCRAT, COMMUNIST):
        game = fresh(scenario(hand="D: 77 7 / C: 11", turn=4).take("card:77", "event"))
        lines[viewer] = told(game, viewer, "card:7")
        assert game.state.where[7] == Zone.SET_ASIDE
    assert lines[COMMUNIST][0] == "Democrat sets aside a card in secret"
    assert lines[DEMOCRAT][0] == "Democrat sets aside 7 State Run Media"
    assert not cards_named(lines[COMMUNIST])


def test_of_three_drawn_cards_the_two_discarded_are_told():
    game = fresh(
        scenario("C: 2 7 / D: 4 9", boxes=(0, 2), dice=[6], chance={"draws": [1, 3, 5]}).take("card:2", "tiananmen")
    )
    assert game.decision == "keep-card"
    kept = told(game.copy(), DEMOCRAT, "card:3")
    assert kept[0] == "Communist keeps a card in secret" and cards_named(kept) == {1, 5}
    assert "  Discarded: 1 Legacy of Martial Law, 5 General Strike" in kept
    own = told(game, COMMUNIST, "card:3")
    assert own[:2] == ["Communist keeps 3 Walesa", "  Discarded: 1 Legacy of Martial Law, 5 General Strike"]
    assert own.count("  You get 3 Walesa") == 1


@pytest.mark.parametrize(
    ("hand", "position", "action", "lines"),
    [
        ("C: 88", {"turn": 8, "dice": [4], "support": {"Brno": (3, 0)}}, "event",
         ["Die 4 - 1 (spaces of the Democrat) = 3, 3 or more needed: it succeeds"]),
        ("C: 88", {"turn": 8, "dice": [3], "support": {"Brno": (3, 0)}}, "event",
         ["Die 3 - 1 (spaces of the Democrat) = 2, 3 or more needed: it fails"]),
        ("D: 110", {"turn": 9, "dice": [2], "ussr": 2}, "event",
         ["Die 2 + 2 (USSR Stability) = 4, 4 or more needed: it succeeds",
          "Democrat scores 3 VP (Democrat leads by 3)"]),
        ("C: 80", {"turn": 8, "dice": [3]}, "event", ["Die 3: 3 support points"]),
        ("D: 78", {"turn": 8, "dice": [5], "support": {"Lodz": (0, 2), "Warszawa": (0, 3)}}, "event",
         ["Die 5 - 1 (opposing adjacent spaces) = 4, 4 or more needed: it succeeds",
          "Lodz: Democrat 0 → 2, Communist 2 → 0"]),
        ("D: 86", {"turn": 9, "dice": [6, 1, 3, 2, 1, 5], "support": {"Berlin": (0, 9)}}, "event",
         ["Dice 6, 1 and spaces held in East Germany: 6 to 2, Democrat wins the round",
          "Dice 2, 3 and spaces held in East Germany: 2 to 4, Communist wins the round",
          "Dice 1, 5 and spaces held in East Germany: 1 to 6, Communist wins the round"]),
        ("C: 52", {"turn": 5}, "event", ["It has no effect"]),
        ("D: 36", {"turn": 2, "dice": [6]}, "event",
         ["Die 6 = 6, 1 or more needed: it succeeds", "No card can be chosen for the event"]),
        ("D: 46 / C: 11", {"turn": 5}, "event", ["No card can be chosen for the event"]),
        ("C: 10 / D: 11", {"turn": 3, "in_play": [26], "dice": [6], "support": {"Charles University": (2, 1)}}, "check",
         ["Democrat scores 1 VP by 26 Helsinki Final Act (Democrat leads by 1)"]),
        ("D: 103 / C: 11", {"turn": 9, "in_play": [99]}, "check",
         ["Communist scores 3 VP by 99 Ligachev (Communist leads by 3)"]),
        ("C: 53", {"turn": 5}, "event", ["In play from now on: 53 Li Peng"]),
        ("C: 6 / D: 20", {"chance": {"random_discards": [20]}}, "event",
         ["Democrat loses at random 20 Deutsche Marks"]),
    ],
)  # fmt: skip
def test_what_an_event_rolls_and_does_is_told(hand, position, action, lines):
    """Each die with what is added to it, what is needed, and whether that was enough."""
    more = ["space:Charles University"] if "support" in position and action == "check" else []
    indented = told(scenario(hand, **position), COMMUNIST, action, *more)
    assert [line for line in indented if line.strip() in lines] == [f"  {line}" for line in lines], indented


def test_a_side_without_struggle_cards_is_said_to_have_none():
    deal = {"power_deal": {"C": ["rally-1"] * 6}, "dice": [1, 1]}
    game = scenario("C: 22 12 / D: 4 7", {"Lodz": (0, 3)}, chance=deal, stop=False)
    lines = told(game, DEMOCRAT, "card:22", "pass")
    assert "  Struggle cards: Democrat 0, Communist 6" in lines
    assert "Democrat has no struggle card to answer with" in lines and "Democrat concedes the struggle" not in lines


@pytest.mark.parametrize(
    ("face", "die", "words"),
    [
        ("rally-1", 6, "die 6 + 2 (rally) = 8, counts as 7: Democrat loses 4 support points"),
        ("rally-1", 3, "die 3 + 2 (rally) = 5: Democrat loses 2 support points"),
        ("petition-5", 1, "die 1 - 2 (petition) = -1, counts as 0: Democrat loses 0 support points"),
    ],
)
def test_the_sum_of_an_aftermath_is_told_with_what_it_counts_as(face, die, words):
    """The Communist attacks with a suit that the Democrat does not hold."""
    hands = {"D": ["strike-3"] * 3 + ["strike-4"] * 3, "C": ["rally-1"] * 2 + ["march-3"] * 3 + ["petition-5"]}
    chance = {"power_deal": hands, "dice": [die, 3]}
    game = scenario("C: 22 12 / D: 4 7", {"Poznan": (3, 0), "Lodz": (0, 3)}, chance=chance, stop=False)
    lines = told(game.take("card:22"), DEMOCRAT, "pass", "pass", f"power:{face}")
    assert f"  Aftermath, {words}" in lines, lines


@pytest.mark.parametrize("viewer", [DEMOCRAT, COMMUNIST])
def test_all_that_is_known_of_the_other_hand_is_told(viewer):
    """Also what follows from counting, as at a deal that takes the whole pile."""
    observer, named, known = EventObserver(viewer), set(), set()
    for before, game, action in random_steps(12):
        news = [event for event in observer.see(before, game, action) if event["event"] == "cards"]
        named |= {card for event in news if event["to"] == "known_theirs" for card in event["cards"]}
        if not asked_in_secret(game, viewer):
            known |= {*(np.flatnonzero(observe(game.state, viewer)[PLACE]) + 1).tolist()}
    assert named >= known and len(known) > 10


@pytest.mark.parametrize(
    ("seed", "reason"), [(0, "final scoring"), (8, "new year's eve party"), (17, "held scoring card")]
)
def test_final_scoring_is_told_where_it_ends_the_last_turn_and_nowhere_else(seed, reason):
    record = random_game(seed)
    assert (record["turn"], record["reason"]) == (10, reason)
    *earlier, last = all_events(Game(seed), record["decisions"])
    kinds = [event["event"] for event in last]
    if reason == "final scoring":
        begin = kinds.index("final-scoring")
        assert {"score", "final-power"} <= set(kinds[begin:]) and kinds[-1] == "end"
        points = [event["vp"] for event in last[begin:] if event["event"] in ("score", "final-power")]
        assert sum(points) == sum(event["by"] for event in last[begin:] if event["event"] == "vp")
    else:
        assert "final-scoring" not in kinds and "final-power" not in kinds
    assert not any(event["event"] == "final-scoring" for events in earlier for event in events)


def test_a_card_played_without_a_choice_is_told():
    """The last card of a hand is played without asking."""
    game = strict("D: 4 / C: 9 12", EARLY, phasing="C")
    lines = told(game, COMMUNIST, "card:9", "event")
    assert "Democrat plays 4 Michnik" in lines


def test_a_side_without_an_answer_is_told_why_it_concedes():
    """The other side learns that it concedes, as it would of one that holds an answer."""
    lines = {}
    for viewer in (DEMOCRAT, COMMUNIST, EVERYTHING):
        game = struggle_begun(["rally-1", "rally-1", "strike-3", "strike-4", "petition-5", "petition-6"]).finish()
        while game.decision == "stakes":
            game.step("pass")
        lines[viewer] = told(game, viewer, "power:march-3")
    assert "You cannot answer: no March, no leader that counts" in lines[DEMOCRAT]
    assert "Democrat cannot answer: no March, no leader that counts" in lines[EVERYTHING]
    assert "Democrat concedes the struggle" in lines[COMMUNIST]


def test_steps_without_a_choice_say_so_except_where_a_hand_decides():
    counts = Counter()
    observers = {viewer: EventObserver(viewer) for viewer in (DEMOCRAT, COMMUNIST, EVERYTHING)}
    for before, game, action in random_steps(54):
        for viewer, observer in observers.items():
            for event in observer.see(before, game, action):
                if "forced" in event:
                    own = viewer == EVERYTHING or event["who"] == SIDE_NAMES[viewer]
                    assert own or event["action"].startswith(("space:", "country:"))
                    assert event["action"] == "concede" or event_lines([event])[0].endswith(" (no other choice)")
                    counts[viewer] += 1
    assert min(counts[viewer] for viewer in observers) > 3, counts


# --- order of time -------------------------------------------------------------------------------------------------


def test_a_struggle_is_told_from_the_attack_to_the_scoring_in_order():
    game = struggle(["rally-1", *PETITIONS, "strike-3", "strike-4"])
    observer, kinds = EventObserver(COMMUNIST), []
    while game.state.struggle >= 0:
        before, action = game.copy(), "concede" if "concede" in game.legal else game.legal[0]
        game.step(action)
        kinds += [event["event"] for event in observer.see(before, game, action)]
    order = ["struggle-won", "aftermath", "aftermath", "score", "struggle"]
    assert [kind for kind in kinds if kind in order] == order


def test_the_die_of_a_check_is_told_in_its_sum_alone():
    observers, sums = {viewer: EventObserver(viewer) for viewer in (DEMOCRAT, COMMUNIST, PUBLIC, EVERYTHING)}, Counter()
    for before, game, action in random_steps(54):
        for viewer, observer in observers.items():
            events = observer.see(before, game, action)
            dice = [die for event in events for die in event.get("dice", [event["die"]] if "die" in event else [])]
            assert sorted(dice) == sorted(game.chance.get("dice", [])) or asked_in_secret(before, viewer), events
            sums[viewer] += sum(event["event"] == "check" for event in events)
    assert min(sums.values()) > 10 and len(sums) == len(observers)


def test_what_is_added_to_a_die_is_told_one_by_one():
    """As it was shown before the roll, and as the rules sum it up."""
    observer, kinds = EventObserver(EVERYTHING), Counter()
    for seed in (54, 55):
        for before, game, action in random_steps(seed):
            for event in observer.see(before, game, action):
                added = sum(number for _, number in event.get("parts", []))
                if event["event"] == "check" and before.decision == "check":
                    found = assess(before.state, before.actor)
                    assert event["parts"] == check_sum(found, SPACE_ID[event["space"]])["parts"]
                elif event["event"] == "aftermath":
                    assert added == event["modifiers"] == event["sum"] - event["die"]
                elif event["event"] == "tiananmen":
                    assert added == event["box_needs"] - event["needed"]
                    assert (event["sum"] >= event["box_needs"]) == event["success"]
                kinds[event["event"]] += bool(added)
    assert min(kinds[kind] for kind in ("check", "aftermath", "tiananmen")) > 3, kinds


def test_every_take_over_of_family_mode_is_told_with_who_holds_the_space():
    seen = set()
    for before, game, action in random_steps(3, {"mode": "family"}):
        if before.state.attack and not game.state.attack:
            side, space = int(before.state.phasing), int(before.state.destination)
            events = EventObserver(EVERYTHING).see(before, game, action)
            (won,) = [event for event in events if event["event"] == "take-over"]
            assert won["space"] == SPACES[space] and won["success"] == (game.state.support[side, space] > 0)
            seen.add(won["success"])
    assert seen == {True, False}


@pytest.mark.parametrize("mode", ["standard", "family"])
def test_no_round_is_told_in_which_nothing_is_done(mode):
    observers = [(EventObserver(viewer), []) for viewer in (DEMOCRAT, PUBLIC, EVERYTHING)]
    for before, game, action in random_steps(3, {"mode": mode}):
        for observer, kinds in observers:
            kinds += [event["event"] for event in observer.see(before, game, action)]
    assert all(kinds.count("round") > 10 and ("round", "round") not in pairwise(kinds) for _, kinds in observers)
