"""Players that know the JSON or the text of their view alone: they play as others do, and legally."""

import pytest
from dawn_agents.players.registry import make_player
from dawn_agents.players.specification import BadSpec
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.tournaments.strength.rating_scale import read_scale, rubric

from dawn_env.errors import BadInput
from dawn_env.tables import COMMUNIST, DEMOCRAT

KINDS = {}, {"bid": True}, {"mode": "family"}


def played(one, two, options, seeds):
    pairings = [Pairing(seed, make_player(one, 1), make_player(two, 2)) for seed in seeds]
    return [outcome for _, outcome in sorted(play_games(pairings, options=options))]


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_a_player_that_reads_text_plays_legally(options):
    for outcome in played("text", "random", options, range(2)):
        assert not outcome.failure and outcome.moves[outcome.players.index("text")] > 5


@pytest.mark.parametrize("door", ["json", "text"])
@pytest.mark.parametrize("options", [{}, {"mode": "family"}], ids=str)
def test_the_rule_based_player_plays_the_same_games_from_json_and_from_text(options, door):
    doors, plain = (played(name, "random", options, [5]) for name in (f"{door}:heuristic:level=8", "heuristic:level=8"))
    assert [game.actions for game in doors] == [game.actions for game in plain] and doors[0].decisions > 30


def test_versions_and_bad_options():
    assert make_player("text:random").name == "text"
    for door in "json", "text":
        assert make_player(f"{door}:heuristic").version == f"1+{make_player('heuristic').version}"
        with pytest.raises(BadSpec, match=f"{door}: a player that answers observations expected, not greedy"):
            make_player(f"{door}:greedy")
        with pytest.raises(BadSpec, match="no player is called 'heuristc'"):
            make_player(f"{door}:heuristc")


def test_the_rubric_counts_legal_answers_the_result_and_the_opponent():
    rated = read_scale().ratings()["heuristic"]
    assert rubric("democrat", DEMOCRAT, "heuristic", 40, 10) == {
        "legal": 0.75, "result": 1.0, "ladder": rated.communist.value + 400
    }  # fmt: skip
    assert rubric("democrat", COMMUNIST, "heuristic", 0) == {
        "legal": 1.0, "result": 0.0, "ladder": rated.democrat.value - 400
    }  # fmt: skip
    assert rubric("draw", COMMUNIST, "heuristic", 3)["ladder"] == rated.democrat.value
    with pytest.raises(BadInput, match="opponent: a player of the standing scale expected, not 'nobody'"):
        rubric("draw", DEMOCRAT, "nobody", 3)
