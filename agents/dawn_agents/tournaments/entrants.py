"""Players and pairs of a tournament, as they are written down and made again in every process.

The seed of a pair depends on the seed of the tournament, its two players and how often they have met, so that a longer
or larger tournament contains the games of a smaller one.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass

from dawn_agents.players.registry import PLAYERS, make_player, source_of
from dawn_agents.tournaments.match import refusal
from dawn_env.errors import BadInput, PlayerFailure
from dawn_env.options import GameOptions
from dawn_env.players import BatchPlayer
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDES


class EntryError(BadInput):
    """A player that cannot take part."""


@dataclass(frozen=True)
class Entrant:
    """A player by specification: ``make_player(name, seed)`` makes it.

    ``version``, ``options`` and ``is_external`` as in ``Player``; ``batch``: whether it answers many games at once;
    ``source`` as of ``registry.source_of``.
    """

    name: str
    seed: int
    version: str
    options: dict
    batch: bool
    is_external: bool = False
    source: str = ""


@dataclass(frozen=True)
class Pair:
    """Two games between two players on the same deal (deck, dice): each plays both sides once."""

    seed: int
    one: str
    two: str


def pair_seed(seed: int, one: str, two: str, number: int) -> int:
    """Seed of the games of the ``number``-th pair of two players, whichever is named first."""
    text = "\n".join([str(seed), str(number), *sorted((one, two))])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1


def meeting(one: str, two: str, numbers: range, seed: int, label: str = "") -> list[Pair]:
    """The pairs with these ``numbers`` of two players; deals follow from ``label``, if given, in place of ``one``."""
    return [Pair(pair_seed(seed, label or one, two, number), one, two) for number in numbers]


def enter(specs: Iterable[str], seed: int = 0) -> list[Entrant]:
    """Create entrants from specifications; each player is created once as a check.

    Raises ``EntryError`` naming the one that is unknown, cannot start, or is there twice.
    """
    entrants: dict[str, Entrant] = {}
    entered: dict[str, str] = {}
    for spec in specs:
        entrant = enter_one(spec, seed)
        if entrant.name in entrants:
            first = entered[entrant.name]
            also = "" if first == spec else f", as {first!r} and as {spec!r}"
            raise EntryError(f"player {entrant.name!r} is entered twice{also}")
        entrants[entrant.name], entered[entrant.name] = entrant, spec
    return list(entrants.values())


def enter_one(
    spec: str, seed: int = 0, options: GameOptions | None = None, sides: Iterable[int] = range(SIDES)
) -> Entrant:
    """Make one entrant; raises ``EntryError``, with ``options`` also if it refuses such games on all ``sides``."""
    try:
        player = make_player(spec, seed)
    except (ValueError, OSError, PlayerFailure) as error:
        raise EntryError(f"player {spec!r}: {error}") from error
    with closing(player):
        if options is not None and all(reasons := [refusal(player, side, options) for side in sides]):
            raise EntryError(reasons[0])
        many = isinstance(player, BatchPlayer)
        return Entrant(player.name, seed, player.version, player.options, many, player.is_external, source_of(spec))


_LONGEST = 40  # characters of a declared name that are shown


def labels(players: Mapping[str, dict]) -> dict[str, str]:
    """A label for each of ``players`` (as ``ResultDatabase.players``) by name, safe to show, no two the same.

    It is the name that a program has declared, followed by its specification if others could be meant by that
    name; all other players are called by their specification.
    """
    declared = {name: escape_text(player.get("declared", "")) for name, player in players.items()}
    declared = {name: text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..." for name, text in declared.items()}
    meant = Counter(text.casefold() for text in declared.values())
    meant.update({escape_text(name).casefold() for name in {*players, *PLAYERS}})
    found = {}
    for name, text in declared.items():
        specification = escape_text(name)
        unclear = meant[text.casefold()] > 1
        found[name] = (f"{text} ({specification})" if unclear else text) if text.strip() else specification
    return found
