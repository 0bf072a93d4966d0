"""The players of a tournament, as they are written down and made again in every process."""

from collections.abc import Iterable
from dataclasses import dataclass

from dawn_agents.registry import make_player
from dawn_agents.tournament.errors import EntryError
from dawn_env.errors import PlayerFailure
from dawn_env.players import BatchPlayer


@dataclass(frozen=True)
class Entrant:
    """A player by specification: ``make_player(name, seed)`` makes it.

    ``version``, ``options`` and ``outside`` as in ``Player``; ``batch``: whether it answers many games at once.
    """

    name: str
    seed: int
    version: str
    options: dict
    batch: bool
    outside: bool = False


def enter(specs: Iterable[str], seed: int = 0) -> list[Entrant]:
    """Make the entrants of these specifications, each once as a check.

    Raises ``EntryError`` naming the one that is unknown, cannot start, or is there twice.
    """
    entrants: dict[str, Entrant] = {}
    for spec in specs:
        entrant = _entrant(spec, seed)
        if entrant.name in entrants:
            raise EntryError(f"player {entrant.name!r} is entered twice")
        entrants[entrant.name] = entrant
    return list(entrants.values())


def _entrant(spec: str, seed: int) -> Entrant:
    try:
        player = make_player(spec, seed)
    except (ValueError, OSError, PlayerFailure) as error:
        raise EntryError(f"player {spec!r}: {error}") from error
    try:
        many = isinstance(player, BatchPlayer)
        return Entrant(player.name, seed, player.version, player.options, many, player.outside)
    finally:
        player.close()
