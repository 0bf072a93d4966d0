"""The sample turn of the rules die by die, and the worked examples of checks, placement and scoring."""

import pytest
from scenario import ALL_CARDS, Scenario, powers, scenario, spaces

from dawn_env.formats import position_file
from dawn_env.tables import COUNTRIES, FACE_COUNT, FACE_ID, PERIOD, SPACES

HANDS = {"C": [1, 14, 15, 19, 22, 27, 34, 36], "D": [9, 10, 12, 26, 33, 35, 39, 40]}
DICE = [2, 3, 3, 6, 5, 1, 2, 1, 4, 3, 2, 4]
SETUP = {
    "Berlin": (0, 2), "Lutheran Church": (1, 0), "Dresden": (0, 2),
    "Gdansk": (1, 0), "Bydgoszcz": (0, 1), "Warszawa": (0, 1), "Polish Catholic Church": (5, 0), "Krakow": (1, 0),
    "Lublin": (0, 1),
    "Plzen": (0, 2), "Praha": (0, 2), "Czech Writers": (2, 0), "Brno": (0, 1), "Czech Catholic Church": (1, 0),
    "Hungarian Catholic Church": (1, 0), "Szombathely": (0, 1), "Szekesfehervar": (1, 0), "Budapest": (1, 0),
    "Szeged": (1, 0),
    "Cluj-Napoca": (0, 2), "Bucuresti": (0, 2), "Sofia": (0, 2), "Stara Zagora": (0, 1),
}  # fmt: skip
FINAL = {
    "Berlin": (0, 2), "Dresden": (0, 2), "Lutheran Church": (1, 0),
    "Gdansk": (0, 3), "Bydgoszcz": (0, 4), "Warszawa": (0, 3), "Lublin": (0, 1), "Poznan": (4, 0), "Wroclaw": (3, 0),
    "Polish Catholic Church": (5, 0), "Krakow": (3, 0), "Lodz": (1, 0),
    "Plzen": (0, 2), "Praha": (0, 2), "Brno": (0, 1), "Czech Writers": (2, 0), "Czech Catholic Church": (4, 0),
    "Budapest": (1, 4), "Miskolc": (0, 3), "Debrecen": (0, 1), "Tatabanya": (0, 1), "Szombathely": (0, 1),
    "Hungarian Catholic Church": (1, 0), "Szekesfehervar": (1, 0), "Szeged": (4, 0),
    "Cluj-Napoca": (0, 2), "Bucuresti": (0, 2), "Brasov": (0, 2), "Ploiesti": (0, 2),
    "Sofia": (0, 2), "Stara Zagora": (0, 1), "Ruse": (4, 0), "Razgrad": (4, 0),
}  # fmt: skip
POWER_HANDS = {
    "D": ["rally-1"] * 2 + ["march-5", "march-4", "march-3", "strike-4", "petition-6"]
    + ["leader-intellectual"] * 2 + ["leader-elite", "leader-church", "tactic-fails"],
    "C": ["rally-1"] + ["march-3"] * 3 + ["strike-6"] + ["strike-3"] * 2
    + ["petition-6", "leader-intellectual", "leader-worker"],
}  # fmt: skip
NEXT_HANDS = [2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 17, 18, 20, 21]  # any fourteen cards of the draw pile


def set_up() -> Scenario:
    """The sample game before the extra placement."""
    marker = {"box": 0, "tried_box": False, "tried_turn": False}
    dealt = {card for hand in HANDS.values() for card in hand}
    at = {
        "turn": 0, "round": 0, "phasing": "C", "vp": 0, "ussr": 0, "tiananmen": {"D": marker, "C": marker},
        "award7_used": False, "award8_used": False, "support": {name: list(sp) for name, sp in SETUP.items()},
        "power": {name: {"holder": "C", "scored": 0} for name in COUNTRIES}, "hands": HANDS,
        "draw_pile": [card for card in ALL_CARDS if PERIOD[card] == 0 and card not in dealt],
        "discard": [], "removed": [], "in_play": [],
    }  # fmt: skip
    game = Scenario.from_state(position_file.from_json(at)[0])
    game.script({"dice": DICE, "power_deal": POWER_HANDS, "draws": NEXT_HANDS})
    game.resume()
    return game


def extra_placement(game: Scenario) -> None:
    """The five batches, each by its side."""
    batches = (
        (1, ("Miskolc", "Debrecen")), (0, ("Poznan", "Wroclaw", "Szeged")), (1, ("2 Debrecen", "Bydgoszcz")),
        (0, ("2 Poznan", "2 Szeged")), (1, ("2 Miskolc",)),
    )  # fmt: skip
    for side, names in batches:
        for text in spaces(*names):
            assert (game.decision, game.actor) == ("setup", side)
            game.take(text)


def assert_support(game: Scenario, **expected) -> None:
    """Compare spaces, named without blanks, with ``(Democrat, Communist)``."""
    found = {name: game.support(space) for name in expected for space in SPACES if space.replace(" ", "") == name}
    assert found == expected


def test_extra_placement_sums():
    game = set_up()
    extra_placement(game)
    assert game.state.support.sum(axis=1).tolist() == [22, 27]
    assert (game.state.turn, game.state.action_round, game.actor, game.decision) == (1, 1, 1, "card")


def test_sample_turn():
    game = set_up()
    extra_placement(game)
    rounds_1_to_4(game)
    rounds_5_to_7(game)
    struggle(game)
    last_round(game)
    game.finish()


def rounds_1_to_4(game: Scenario) -> None:
    game.take("card:36", "place", *spaces("2 Bydgoszcz", "Warszawa"))
    assert game.vp == 1 and game.zone(36) == "removed"
    game.take("card:26", "event")
    assert game.zone(26) == "in_play"
    game.take("card:15", "place", *spaces("Warszawa", "2 Gdansk"))
    assert game.zone(15) == "discard"
    game.take("card:40", "place", *spaces("2 Krakow", "Lodz"))
    assert game.zone(40) == "discard"
    game.take("card:1", "event", *spaces("Poznan", "Gdansk"))
    assert_support(game, Poznan=(2, 1), Gdansk=(0, 2))
    game.take("card:10", "opponent-event", *spaces("2 Brasov", "2 Ploiesti"), "place", *spaces("2 Poznan", "Lodz"))
    assert_support(game, Poznan=(4, 1), Brasov=(0, 2), Ploiesti=(0, 2), Lodz=(2, 0))
    game.take("card:19", "opponent-event", "space:Czech Catholic Church", "place", *spaces("Gdansk", "Debrecen"))
    assert_support(game, CzechCatholicChurch=(4, 0), Gdansk=(0, 3), Debrecen=(0, 4))
    game.take("card:12", "opponent-event", *spaces("3 Budapest"), "place", *spaces("Lodz", "Wroclaw"))
    assert_support(game, Budapest=(1, 3), Lodz=(3, 0), Wroclaw=(2, 0))
    assert game.vp == 1


def rounds_5_to_7(game: Scenario) -> None:
    game.take("card:14", "event", *spaces("Polish Catholic Church", "Krakow", "Lodz"))
    assert_support(game, PolishCatholicChurch=(4, 0), Krakow=(2, 0), Lodz=(1, 0))
    game.take("card:35", "opponent-event")
    assert game.vp == -2
    game.take("place", *spaces("Polish Catholic Church", "Krakow", "Wroclaw"))
    game.take("card:27", "opponent-event", *spaces("Miskolc", "Debrecen"))
    assert_support(game, Miskolc=(0, 2), Debrecen=(0, 1))
    game.take("place", *spaces("Budapest", "Miskolc", "Tatabanya"))
    game.take("card:33", "event", "space:Razgrad")
    assert (game.vp, game.state.ussr) == (-1, 1)
    assert [game.zone(card) for card in (27, 14, 12, 19, 35, 1, 10)] == ["discard"] * 2 + ["removed"] * 5


def struggle(game: Scenario) -> None:
    """Poland: per round the card led, the answer, and who leads next."""
    game.take("card:22")
    assert game.state.power_cards[2:].sum(axis=1).tolist() == [12, 10]
    game.take("pass", *powers("leader-intellectual", "leader-intellectual", "leader-elite"))
    rounds = (
        ("petition-6", "petition-6", 1), ("strike-6", "strike-4", 1), ("strike-3", "leader-church", 1),
        ("strike-3", "tactic-fails", 1), ("rally-1", "rally-1", 0), ("march-5", "march-3", 0),
        ("march-4", "march-3", 1), ("march-3", "march-3", 0), ("rally-1", "leader-worker", 1),
    )  # fmt: skip
    for attack, defence, initiative in rounds:
        attacker = game.state.attacker
        take_power(game, attacker, attack)
        take_power(game, 1 - attacker, defence)
        assert game.state.attacker == initiative
    assert (game.decision, game.actor, game.state.winner, game.state.winning_suit) == ("support-loss", 1, 0, -1)
    game.take("space:Poznan")
    assert_support(game, Poznan=(4, 0))
    assert (game.vp, game.state.power[1], game.zone(22)) == (5, 0, "removed")


def take_power(game: Scenario, side: int, face: str) -> None:
    """Play a face; the only card left to lead is played unasked."""
    if f"power:{face}" in game.legal and game.actor == side:
        game.take(f"power:{face}")
    else:
        assert game.state.power_cards[1, FACE_ID[face]] > 0, f"{face} is neither legal nor played"


def last_round(game: Scenario) -> None:
    game.state.stop_at_round = 1
    game.take("card:39", "event")
    at = game.position()
    assert {name: tuple(points) for name, points in at["support"].items()} == FINAL
    assert (game.vp, at["turn"], at["discard"]) == (5, 2, [14, 15, 27, 40])
    assert 34 in at["hands"]["C"] and 9 in at["hands"]["D"]
    assert (at["removed"], at["in_play"]) == ([1, 10, 12, 19, 22, 35, 36], [26, 33, 39])
    assert not any(track["box"] or track["tried_turn"] for track in at["tiananmen"].values())
    assert game.state.power_cards[0].tolist() == FACE_COUNT.tolist()


# --- scoring -------------------------------------------------------------------------------------

HUNGARIAN_BATTLEGROUNDS = {"Miskolc": 3, "Debrecen": 3, "Budapest": 3, "Szeged": 4}
POLISH_EXAMPLE = {
    "Polish Catholic Church": (5, 0), "Polish Writers": (2, 0), "Wroclaw": (3, 0), "Krakow": (3, 0),
    "Warszawa": (0, 3), "Gdansk": (2, 2),
}  # fmt: skip
SAMPLE_POLAND = {name: points for name, points in FINAL.items() if name in SPACES[12:26]}


def own(side: int, **spaces: int) -> dict:
    """Support of one side; blanks of names as underscores."""
    return {name.replace("_", " "): (0, n) if side else (n, 0) for name, n in spaces.items()}


def final_vp(support: dict) -> int:
    """VP of scoring every country once; the Democrat holds Power everywhere, so nothing else counts."""
    game = scenario("D: 26", support, turn=10, round=7, power=COUNTRIES, stop=False)
    game.take("event")
    assert (game.over, game.reason) == (True, "final scoring")
    return game.vp


@pytest.mark.parametrize(
    ("support", "vp"),
    [
        (POLISH_EXAMPLE, 4),  # Domination 6 + 2 against Presence 3 + 1
        (SAMPLE_POLAND, 4),
        (own(0, **HUNGARIAN_BATTLEGROUNDS), 8),
        (own(1, **HUNGARIAN_BATTLEGROUNDS), -8),
        ({**own(0, **HUNGARIAN_BATTLEGROUNDS), **own(1, Gyor=3, Tatabanya=3, Pecs=4)}, 7),
        # as many spaces as the opponent: no Control, no Domination
        ({**own(0, **HUNGARIAN_BATTLEGROUNDS), **own(1, Gyor=3, Tatabanya=3, Pecs=4, Szekesfehervar=3)}, 4),
        # battlegrounds only, not all of them: Presence
        (own(0, Miskolc=3, Debrecen=3, Budapest=3), 4),
        (own(0, Miskolc=3, Debrecen=3, Gyor=3), 4),  # Domination 2 + 2
        (own(0, Gyor=3, Tatabanya=3), 1),
        (own(0, Gyor=2, Miskolc=2), 0),
        ({}, 0),
    ],
)
def test_country_scoring(support, vp):
    assert final_vp(support) == vp


@pytest.mark.parametrize(
    ("country", "presence"),
    [("Schwerin", 3), ("Szczecin", 3), ("Presov", 2), ("Pecs", 1), ("Craiova", 2), ("Pleven", 1)],
)
def test_presence_of_each_country(country, presence):
    assert final_vp({country: (4, 0)}) == presence
    assert final_vp({country: (0, 4)}) == -presence
