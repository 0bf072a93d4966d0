"""Rewards of one game for trainers of language models, by name, as rubrics of ``verifiers`` and OpenEnv take them."""

from dawn_agents.tournaments.strength.rating_scale import read_scale
from dawn_env.errors import BadInput
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import SIDE_NAMES

_REACH = 400.0  # Elo, by which a game won or lost counts above or below the opponent


def rubric(result: str, side: int, opponent: str, answers: int, illegal: int = 0) -> dict[str, float]:
    """Rewards of the player of ``side``.

    ``legal``: share of its ``answers`` that were not ``illegal``; ``result``: points made, 1, 1/2 or 0; ``ladder``: Elo
    of the ``opponent``, a player of the standing scale, on its side, and 400 more or less for a game won or lost. The
    mean of ``ladder`` over games against equals estimates the player's own Elo. Raises ``BadInput`` for others.
    """
    ratings = read_scale().ratings()
    if opponent not in ratings:
        raise BadInput(f"opponent: a player of the standing scale expected, not {short_repr(opponent)}")
    points = {SIDE_NAMES[side]: 1.0, SIDE_NAMES[1 - side]: 0.0}.get(result, 0.5)
    theirs = ratings[opponent][2 - side].value  # both sides, Democrat, Communist
    legal = 1 - illegal / answers if answers else 1.0
    return {"legal": legal, "result": points, "ladder": theirs + _REACH * (2 * points - 1)}
