"""Small scripted situations of family mode, as ``scenario`` has them of the standard game.

s = family(round=1, support={"Szczecin": (5, 0), "Gdansk": (3, 0)})
s.take("space:Szczecin", "space:Gdansk", "points:2")
"""

from scenario import Scenario

from dawn_env.formats import position_file


def family(
    support=None, *, turn=1, round=0, phasing=None, vp=0, hands=("", ""), faces=("", ""), discard=(),
    power_discard=(), dice=(), chance=None, stop=True,
) -> Scenario:  # fmt: skip
    """A game of family mode at the start of a placement (``round`` 0) or of a round.

    ``hands`` and ``faces``: strategy and power struggle cards of (Democrat, Communist), with blanks between them.
    ``support``: space -> (Democrat, Communist), nothing elsewhere. ``stop``: halt when the next placement or round
    would begin. Chance is scripted where there are ``dice`` or ``chance``, and the generator's elsewhere.
    """
    at = {
        "mode": "family",
        "turn": turn,
        "round": round,
        "phasing": phasing or ("C" if round and round % 2 == 0 else "D"),
        "vp": vp,
        "support": {space: list(points) for space, points in (support or {}).items()},
        "hands": {side: sorted(map(int, cards.split())) for side, cards in zip("DC", hands, strict=True)},
        "discard": sorted(discard),
        "power_hands": {side: cards.split() for side, cards in zip("DC", faces, strict=True)},
        "power_discard": list(power_discard),
    }
    game = Scenario.from_state(position_file.from_json(at)[0])
    game.state.stop_at_round = int(stop)
    if dice or chance:
        game.script({"dice": dice, **(chance or {})})
    game.resume()
    return game
