"""The end of the game, beside the cases of ``victory.txt``."""

from scripted_cases import situation

from dawn_env.tables import COMMUNIST


def test_no_round_begins_after_a_victory_by_ceausescus_loss():
    romania = "Bucuresti 3-1; Craiova 1-0; crowd_done true; tyrant_done true; ceausescu_hideout Bucuresti"
    game = situation(f"C: 12 / D: 9; turn 8; vp 18; dice 1; runs on; {romania}")
    game.state.ceausescu_due = 1
    game.take("check", "space:Craiova", "pass")
    assert (game.result, game.vp, game.state.phasing) == ("democrat", 20, COMMUNIST)
