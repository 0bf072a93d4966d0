"""Players that come with the project, at both seats of whole games as the web server asks them."""

import pytest
from dawn_agents.web.game_session import Session, Setting
from dawn_agents.web.seated import seat_player

from dawn_env.host.seated_player import SeatedPlayer
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.state import MODES
from dawn_env.tables import SIDES

PLAYERS = (
    *((spec, MODES) for spec in ("random", "greedy", "heuristic", "search:sims=2")),
    *((f"heuristic:level={level}", MODES) for level in (1, 5, 9)),
    *((spec, MODES[:1]) for spec in ("tuned", "pretrained")),
)
GAMES = {"standard": {}, "bid": {"bid": True}, "family": {"mode": "family"}}


@pytest.mark.parametrize(
    "spec, kind",
    [(spec, kind) for spec, modes in PLAYERS for kind in GAMES if GAMES[kind].get("mode", MODES[0]) in modes],
)
def test_no_player_forfeits(spec, kind):
    setting = Setting(3, GameOptions(**GAMES[kind]), (spec, spec))
    session = Session(setting)
    seated = [SeatedPlayer(seat_player(spec, 5, seat), setting.game(), seat) for seat in range(SIDES)]
    while not session.over:
        view = View(session.game.state)
        action = seated[session.actor].answer(view, session.decisions)
        session.enter(session.actor, view.texts[view.legal.tolist().index(action)])
    for one in seated:
        one.end({}, session.decisions)
        one.player.close()
